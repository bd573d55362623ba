import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ParseError, parse as parseJsonc, printParseErrorCode } from "jsonc-parser";
import { parseTOML } from "toml-eslint-parser";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { repository } from "../src/index.ts";
import { BINS, help } from "./help.ts";
import { sourceFiles } from "./sources.ts";

const pages = sourceFiles(["."], /^(?!test-fixtures\/(?:aios|harness)\/).*\.md$/);
const FENCE = /^( *)```(\S*)[^\n]*\n([\s\S]*?)^\1```/gm;

interface Block {
  readonly path: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const blocks: readonly Block[] = pages.flatMap(({ path, text }) =>
  [...text.matchAll(FENCE)].map(({ index, 1: indent = "", 2: language = "", 3: code = "" }) => ({
    path,
    line: text.slice(0, index).split("\n").length,
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  })),
);
const withoutBlocks = (text: string) => text.replaceAll(FENCE, "");

/** Anchors as the usual viewers of Markdown make them from headings. */
function anchorsOf(text: string): Set<string> {
  const headings = withoutBlocks(text).matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function brokenLinks({ path, text }: { path: string; text: string }): string[] {
  const targets = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to);
  return targets.filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false;
    const [file = "", anchor] = target.split("#");
    const place = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(repository, place))) return true;
    if (anchor === undefined) return false;
    const page = pages.find((other) => other.path === place);
    return page === undefined || !anchorsOf(page.text).has(anchor);
  });
}

const READERS: Readonly<Record<string, (code: string) => readonly string[]>> = {
  // One value, or one a line.
  json: (code) => {
    const lines = code.trim().split("\n");
    const isOneALine = lines.every((line) => /^\{.*\}$/.test(line));
    for (const value of isOneALine ? lines : [code]) JSON.parse(value);
    return [];
  },
  jsonc: (code) => {
    const errors: ParseError[] = [];
    parseJsonc(code, errors, { allowTrailingComma: true });
    return errors.map(({ error }) => printParseErrorCode(error));
  },
  yaml: (code) => parseAllDocuments(code).flatMap(({ errors }) => errors.map(String)),
  toml: (code) => {
    parseTOML(code);
    return [];
  },
};

describe("the pages", () => {
  it.each(pages)("$path: every link leads to a file and a heading that exist", (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(blocks.filter(({ language }) => Object.hasOwn(READERS, language)))(
    "$path:$line: the $language block parses",
    ({ language, code }) => {
      expect(READERS[language]?.(code)).toEqual([]);
    },
  );
});

interface Command {
  readonly bin: string;
  readonly words: readonly string[];
}

const PROMPT_AND_LAUNCHER = /^\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx (?:--yes )?(?:--package \S+ )?)?/;

/** The command of our programs in a line for a shell, without prompt, variables, launcher and what follows a pipe. */
function commandsOf(line: string): Command[] {
  const [bin = "", ...words] =
    line
      .replace(PROMPT_AND_LAUNCHER, "")
      .replaceAll(/[[\]]/g, " ")
      .split(/[|;&<>#]/)[0]
      ?.trim()
      .split(/\s+/) ?? [];
  return Object.hasOwn(BINS, bin) ? [{ bin, words }] : [];
}

/** The flags of a command that the help of its subcommand does not name. */
async function unknownFlags({ bin, words }: Command): Promise<string[]> {
  const path: string[] = [];
  let text = await help(bin, path);
  for (const word of words) {
    if (!new RegExp(`^  ${word}(?: |$)`, "m").test(text.split("Commands:")[1] ?? "")) break;
    path.push(word);
    text = await help(bin, path);
  }
  const passedOn = words.indexOf("--");
  const own = passedOn === -1 ? words : words.slice(0, passedOn);
  const flags = own.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split("=")[0] ?? "");
  const everywhere = await help(bin, []);
  return flags.filter((flag) => !`${text}\n${everywhere}`.includes(flag));
}

describe("the commands that the pages show", () => {
  const inBlocks = blocks
    .filter(({ language }) => ["sh", "console", "bash", "shell"].includes(language))
    .flatMap(({ path, code }) =>
      code
        .replaceAll("\\\n", " ")
        .split("\n")
        .map((line) => ({ path, line })),
    );
  const inText = pages.flatMap(({ path, text }) =>
    [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, line = ""]) => ({ path, line })),
  );
  const shown = [...inBlocks, ...inText].flatMap(({ path, line }) =>
    commandsOf(line).map((command) => ({ path, line: line.trim(), command })),
  );

  it("are of every program", () => {
    expect(new Set(shown.map(({ command }) => command.bin))).toEqual(new Set(Object.keys(BINS)));
  });

  it.each(shown.filter(({ line }) => line.includes(" --")))(
    "$path: $line has only flags that exist",
    async ({ command }) => {
      expect(await unknownFlags(command)).toEqual([]);
    },
  );
});

it("the root scripts that the pages name exist", () => {
  const manifest = sourceFiles(["."], /^package\.json$/)[0]?.text ?? "{}";
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  const named = pages.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /\bnpm (?:run )?(?:-s |--silent )?(test|start|(?<=run (?:-s |--silent )?)[a-z:]+)/g,
      ),
    ].map(([, name = ""]) => ({ path, name })),
  );
  expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
});
