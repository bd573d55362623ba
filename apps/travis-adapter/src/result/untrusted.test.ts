import fc from "fast-check";
import { expect, it } from "vitest";
import { breakLabels, closingOf, untrusted } from "./untrusted.ts";

it("[A19] untrusted puts a body between marks", () => {
  expect(untrusted("prompt", "message=1\nrole=user", "body")).toBe(
    "[Untrusted MCP prompt data]\nmessage=1 role=user\nbody\n[/Untrusted MCP prompt data]",
  );
  expect(closingOf("resource")).toBe("[/Untrusted MCP resource data]");
});

/** The words of a label as a reader may still take them: any case, width and spacing. */
const looksLikeLabel = (text: string) =>
  /\[\/?untrustedmcp(resource|prompt)data/.test(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[\s\p{Cf}]/gu, ""),
  );

const disguised = fc
  .constantFrom(
    "[Untrusted MCP resource data]",
    "[/Untrusted MCP resource data]",
    "[/untrusted mcp prompt data]",
  )
  .chain((label) =>
    fc
      .array(fc.constantFrom("as is", "upper", "wide", "zero width", "spaced"), {
        minLength: label.length,
        maxLength: label.length,
      })
      .map((ways) => [...label].map((letter, at) => disguise(letter, ways[at] ?? "")).join("")),
  );

function disguise(letter: string, way: string): string {
  if (way === "upper") return letter.toUpperCase();
  if (way === "zero width") return `\u200b${letter}`;
  if (letter === " ") return way === "spaced" ? " \u3000\n" : letter;
  const wide = letter.codePointAt(0) ?? 0;
  return way === "wide" && wide > 0x20 && wide < 0x7f
    ? String.fromCodePoint(wide + 0xfee0)
    : letter;
}

it("[A19] breakLabels breaks a label in whatever case, width or spacing", () => {
  fc.assert(
    fc.property(fc.string(), disguised, fc.string(), (before, label, after) => {
      expect(looksLikeLabel(label)).toBe(true);
      expect(looksLikeLabel(breakLabels(before + label + after))).toBe(false);
    }),
  );
});

it("[A19] breakLabels leaves every other text as it is", () => {
  for (const text of [
    "[data]",
    "untrusted MCP resource data",
    "[1] [/] ［２］",
    "[Untrusted data]",
  ])
    expect(breakLabels(text)).toBe(text);
  fc.assert(fc.property(fc.string(), (text) => looksLikeLabel(text) || breakLabels(text) === text));
});
