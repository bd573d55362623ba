import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { matchNote } from "./note.ts";
import { createPattern } from "./pattern.ts";
import { foldText } from "./word.ts";

function note(query: string, text: string, path = "a/b.md") {
  const folded = /^[\0-\x7f]*$/.test(text) ? undefined : foldText(text);
  const found = matchNote(createPattern(query), { text, folded }, { path });
  return found && { ...found, snippets: found.snippets() };
}

const TIDE =
  "---\ndescription: All about tides\nstatus: kept\n---\n# Tide tables\n\nfirst\nA tide turns.\nlast\n";

describe("matchNote", () => {
  it("[S9] shows the matching lines with those around them, counted in the file", () => {
    const found = note("tide", TIDE);
    expect(found?.title).toBe("Tide tables");
    expect(found?.snippets).toEqual([
      {
        line: 1,
        lineEnd: 1,
        content: "description: All about tides",
        match: "phrase",
        area: "description",
      },
      { line: 5, lineEnd: 6, content: "# Tide tables", match: "phrase", area: "heading" },
      {
        line: 7,
        lineEnd: 9,
        content: "first / A tide turns. / last",
        match: "phrase",
        area: "body",
      },
    ]);
  });

  it("[S9] is worth more by its best area, its title and its path", () => {
    const boost = (text: string, path: string) => note("tide", text, path)?.boost;
    expect(boost(TIDE, "x.md")).toBe(3 + 2.5);
    expect(boost("# Tide\n", "x.md")).toBe(2 + 2.5);
    expect(boost("a tide", "x.md")).toBe(0);
    expect(boost("a tide", "tide.md")).toBe(2.5 + 1);
  });

  it("is no match by its path or by the rest of its front matter alone", () => {
    expect(note("kept", TIDE)).toBeUndefined();
    expect(note("tide", "nothing", "tide.md")).toBeUndefined();
  });

  it("reads on where front matter is broken, not closed, or ended by CRLF", () => {
    expect(note("tide", "---\na: [\n---\ntide")?.snippets[0]).toMatchObject({ line: 4 });
    expect(note("tide", "---\ntide")?.snippets[0]).toMatchObject({
      line: 1,
      content: "--- / tide",
    });
    expect(note("tide", "---\r\na: 1\r\n---\r\nx\r\ntide\r\n")?.snippets[0]).toMatchObject({
      line: 4,
      content: "x / tide",
    });
  });

  it("puts better matches first, shows five at most and none twice", () => {
    const lines = [
      "pack",
      "pack format",
      "x",
      "format of the pack",
      ...Array(9).fill("pack\n\n\n"),
    ];
    const { snippets } = note("pack format", lines.join("\n\n\n"))!;
    expect(snippets.map(({ match }) => match)).toEqual(["phrase", "terms", "partial"]);
    const many = note("pack", Array.from({ length: 9 }, (_, at) => `pack ${at}\n\n\n`).join(""));
    expect(many?.snippets).toHaveLength(limits.maxSnippets);
  });

  it("shows the first line of each word where no line holds all forms", () => {
    const found = note("plans drafts", "# x\nplanning\n\n\ndrafted\n");
    expect(found?.match.kind).toBe("inflected");
    expect(found?.snippets.map(({ line, lineEnd, match }) => [line, lineEnd, match])).toEqual([
      [1, 3, "inflected"],
      [4, 6, "inflected"],
    ]);
  });

  it("[S18] shows the words as they were written, accents and all", () => {
    expect(note("cafe", "x\nDas Café an der Straße\n")?.snippets[0]?.content).toBe(
      "x / Das Café an der Straße",
    );
  });

  it("shows the place in a long line that matches", () => {
    const content = note("tide", `${"x ".repeat(3_000)}tide${" y".repeat(3_000)}`)?.snippets[0]
      ?.content;
    expect(content?.length).toBeLessThanOrEqual(limits.maxResultContentUnits);
    expect(content).toContain("tide");
  });
});
