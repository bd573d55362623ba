import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { edges } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../src/limits.ts";
import { operations } from "../src/request/request.ts";
import { toolDefinition } from "../src/tool/definition.ts";
import { policyContext } from "../src/tool/policy.ts";
import { type Installed, installWithChild, play, realExtension } from "./travis-host/play.ts";

let installed: Installed;
beforeAll(() => {
  installed = installWithChild();
});
afterAll(() => installed[Symbol.asyncDispose]());

const shim = readFileSync(realExtension, "utf8");
const playHere = (scenario: string, argument = "", env: NodeJS.ProcessEnv = {}) =>
  play({ scenario, extension: installed.extension, home: installed.home, argument, env });

/** The names that `child.mjs` greets with. */
const NAMES = [
  "files",
  "git",
  "odd\n\u202ename",
  ...edges(limits.maxQuoted).map((count) => "😀".repeat(count)),
];

describe("the tool in the Travis234 extension", () => {
  it("[A1] is that of the TypeScript; if not, run node scripts/write-shim.mjs after a build", async () => {
    const block = /_TOOL = json\.loads\(r"""\n([\s\S]*?)\n"""\)/.exec(shim)?.[1] ?? "";
    expect(block).toBe(JSON.stringify(toolDefinition, null, 2));
    const { tool, effects } = await playHere("load");
    expect({ ...tool, effects }).toEqual({
      ...toolDefinition,
      effects: toolDefinition.effects.toSorted(),
    });
  });

  it("[A1] has the limits of the TypeScript", () => {
    const constant = (name: string) => new RegExp(`^${name} = ([\\d *.]+)$`, "m").exec(shim)?.[1];
    expect(constant("_MAX_FRAME_BYTES")).toBe("16 * 1024 * 1024");
    expect(limits.maxFrameBytes).toBe(16 * 1024 * 1024);
    expect(Number(constant("_MAX_SHOWN_NAME"))).toBe(limits.maxQuoted);
    expect(Number(constant("_STOP_SECONDS")) * 1000).toBe(limits.maxShutdownMs);
    expect(constant("_CANCEL_SECONDS")).toBe("1.5");
  });

  it("[A10] reads arguments that arrive as JSON text of an object before the host validates them", async () => {
    const kept = [
      { server: "s", tool: "x", args: "[1]" },
      { server: "s", tool: "x", args: "{" },
      { server: "s", tool: "x", args: '{"n":NaN}' },
      { server: "{}", search: "{}", args: 5 },
      "text",
    ];
    const read = [
      { server: "s", tool: "x", args: '{"q":"a \\"b\\""}' },
      { server: "s", operation: "tools.call", name: "x", arguments: '{"n":[1]}' },
    ];
    const { prepared } = await playHere("prepare", JSON.stringify([...kept, ...read]));
    expect(prepared).toEqual([
      ...kept,
      { server: "s", tool: "x", args: { q: 'a "b"' } },
      { server: "s", operation: "tools.call", name: "x", arguments: { n: [1] } },
    ]);
  });
});

describe("the policy context of the Travis234 extension", () => {
  it("[A3] is that of the TypeScript for whatever request comes", async () => {
    const requests = [...everyPair(), ...fc.sample(anyRequest, 2000)];
    const file = join(installed.path, "requests.json");
    writeFileSync(file, JSON.stringify(requests));
    const { contexts } = await playHere("policy", file);
    expect(contexts).toEqual(
      requests.map((request) => policyContext(JSON.parse(JSON.stringify(request)), NAMES)),
    );
    const seen = new Set(contexts.map(({ operation }: { operation: string }) => operation));
    expect(seen.size).toBe(11);
  });

  it("[A3] starts the process when it is the first use, but not for a request without a server", async () => {
    expect(await playHere("policy_first")).toEqual({
      unstarted: { operation: "list", server: "unconfigured" },
      status: { operation: "status", server: "unconfigured" },
      idle: true,
      context: { operation: "call", server: "files" },
    });
  });

  it("[A3] names no server when the process does not greet in time", async () => {
    const { context } = await playHere("policy_first", "", { MODE: "mute" });
    expect(context).toEqual({ operation: "call", server: "unconfigured" });
  });
});

const REFERENCE = `mcp-resource-${"0f".repeat(16)}`;
const VALUES = ["", " ", "x", " files\ufeff", "\u0085", REFERENCE, `${REFERENCE}\n`, null, 5, true];
const OBJECTS = [{}, { a: "b" }, { a: 1 }, "{}", '{"a":"b"}', "[]", '{"a":', [1]];
const FIELDS = Object.keys(toolDefinition.parameters.properties as object);

const anyValue = fc.constantFrom(...VALUES, ...OBJECTS);
const anyRequest = fc
  .record<Record<string, unknown>>({
    ...Object.fromEntries(FIELDS.map((field) => [field, anyValue])),
    server: fc.constantFrom(...NAMES, " git ", "other", "", null),
    operation: fc.constantFrom(...operations, "status", "", null),
    unknown: fc.constant(1),
  })
  .chain((fields) =>
    fc
      .subarray(Object.keys(fields), { maxLength: 5 })
      .map((keys) => Object.fromEntries(keys.map((key) => [key, fields[key]]))),
  );

/** Requests to a server with each operation and each value of each field. */
function everyPair(): unknown[] {
  const values = [...VALUES, ...OBJECTS];
  return [null, [], 5, "x", {}].concat(
    [undefined, ...operations].flatMap((operation) =>
      FIELDS.flatMap((field) =>
        values.map((value) => ({ server: "files", operation, [field]: value })),
      ),
    ) as never[],
  );
}
