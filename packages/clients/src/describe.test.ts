import { expect, it } from "vitest";
import { describeEdit } from "./describe.ts";
import type { EntryMap } from "./row.ts";
import { insertEntry } from "./splice.ts";

const options = { file: ".mcp.json", format: "jsonc" } as const;
const place = { ...options, keyPath: ["mcpServers"], name: "wt" } as const;
const secret = "wt-0123456789abcdef";
const entry: EntryMap = { url: "http://x/mcp", headers: { Authorization: `Bearer ${secret}` } };

it("[G22] shows what changes between three lines of context, and masks the token", () => {
  const before = [
    "{",
    '  "a": 1,',
    '  "b": 1,',
    '  "c": 1,',
    '  "mcpServers": {',
    '    "x": {}',
    "  }",
    "}",
    "",
  ].join("\n");
  const after = insertEntry(before, place, entry).text;
  expect(describeEdit(before, after, options).split("\n")).toEqual([
    "--- .mcp.json",
    "+++ .mcp.json",
    "@@ -3,6 +3,12 @@",
    '   "b": 1,',
    '   "c": 1,',
    '   "mcpServers": {',
    '-    "x": {}',
    '+    "x": {},',
    '+    "wt": {',
    '+      "url": "http://x/mcp",',
    '+      "headers": {',
    '+        "Authorization": "Bearer [redacted]"',
    "+      }",
    "+    }",
    "   }",
    " }",
    "",
  ]);
});

it("[G22] shows a new file, and one without a final line end", () => {
  expect(describeEdit("", '{ "a": 1 }\n', options)).toBe(
    '--- .mcp.json\n+++ .mcp.json\n@@ -0,0 +1,1 @@\n+{ "a": 1 }\n',
  );
  expect(describeEdit('{"a":1}', '{"a":2}', options).split("\n").slice(2, -1)).toEqual([
    "@@ -1,1 +1,1 @@",
    '-{"a":1}',
    "\\ No newline at end of file",
    '+{"a":2}',
    "\\ No newline at end of file",
  ]);
});

it("[G22] is empty where nothing changes", () => {
  expect(describeEdit("{}\n", "{}\n", options)).toBe("");
});

it("[G22] masks foreign credentials in the lines around, and leaves references and names of variables readable", () => {
  const lines = [
    '{ "a": { "env": { "API_KEY": "sk-foreign-1", "LEVEL": "verbose" } },',
    '  "b": { "headers": { "Authorization": "Basic Zm9yZWlnbi0y" } },',
    '  "c": { "headers": { "Authorization": "Bearer {env:MY_TOKEN}" }, "bearer_token_env_var": "MY_TOKEN" } }',
  ];
  const before = `${lines.join("\n")}\n`;
  const shown = describeEdit(before, insertEntry(before, place, entry).text, options);
  expect(shown).not.toMatch(/foreign|Zm9y|0123456789/);
  expect(shown).toContain('"API_KEY": "[redacted]", "LEVEL": "verbose"');
  expect(shown).toContain('"Authorization": "Basic [redacted]"');
  expect(shown).toContain('"Bearer {env:MY_TOKEN}" }, "bearer_token_env_var": "MY_TOKEN"');
});

it("[G22] masks the secrets it is told of, wherever they stand", () => {
  const after = insertEntry("", place, { url: `http://x/mcp?key=${secret}` }).text;
  expect(describeEdit("", after, { ...options, secrets: [secret] })).not.toContain(secret);
});
