import { describe, expect, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import { type DocumentFormat, parseDocument } from "./document.ts";
import { durationSchema } from "./duration.ts";
import type { Path } from "./error.ts";
import { sizeSchema } from "./size.ts";
import { checkStrict, parseStrict } from "./strict.ts";

const serverSchema = z.strictObject({
  command: z.string(),
  args: z.array(z.string()).min(1).optional(),
  env: z.record(z.string().regex(/^[A-Z]/, "must begin with a capital"), z.string()).optional(),
  lifecycle: z.literal("lazy").optional(),
  level: z.enum(["info", "debug"]).optional(),
  attempts: z.int().min(1).max(3).default(1),
  ratio: z.number().gt(0).lt(1).optional(),
  url: z.url().optional(),
  timeout: durationSchema.optional(),
  limit: sizeSchema.optional(),
  port: z.int().min(1).optional(),
  automatic: z.boolean().optional(),
  note: z.string().min(2).max(3).nullable().optional(),
});
const schema = z.strictObject({ mcpServers: z.record(z.string(), serverSchema) });

const json = (text: string, faults: "keep" | "refuse" = "refuse") =>
  parseDocument(text, { file: "f", format: "json", faults });

/** The messages about one server, without the part that is the same in all. */
function problemsOf(server: string, format: DocumentFormat = "json"): string[] {
  const text = format === "json" ? `{"mcpServers":{"s":${server}}}` : server;
  const result = checkStrict(schema, parseDocument(text, { file: "f", format }));
  const messages = result.ok ? [] : result.problems.map(({ message }) => message);
  return messages.map((message) => message.replace(/^f:\d+:\d+ mcpServers\.s\.?/, ""));
}

describe("parseStrict", () => {
  it("[C2] gives the schema's value, with its defaults and transformations", () => {
    const text = '{"mcpServers":{"s":{"command":"x","timeout":"5m","limit":"4MiB","port":80}}}';
    expect(parseStrict(schema, json(text))).toEqual({
      mcpServers: {
        s: { command: "x", attempts: 1, timeout: 300_000, limit: 4_194_304, port: 80 },
      },
    });
  });

  it("[C2] throws the first error in document order, whatever the schema's order", () => {
    const text = '{"mcpServers":{"s":{"port":0,\n"attempts":9,"x":1,"command":""}}}';
    expect(() => parseStrict(schema, json(text))).toThrow(
      "f:1:28 mcpServers.s.port: must be an integer of at least 1",
    );
    expect(() => parseStrict(schema, json('{"x":1,"mcpServers":{}}'))).toThrow(
      "f:1:2 x: unknown field; allowed: mcpServers",
    );
  });

  it("[C2] reads YAML and zod's mini schemas the same way", () => {
    const document = parseDocument("a: 1\nb: x\n", { file: "f", format: "yaml" });
    const small = mini.strictObject({ a: mini.int(), b: mini.string() });
    expect(parseStrict(small, document)).toEqual({ a: 1, b: "x" });
    expect(() => parseStrict(mini.strictObject({ a: mini.string() }), document)).toThrow(
      "f:1:4 a: must be a string, not a number",
    );
  });
});

describe("checkStrict", () => {
  it.each([
    ['{"command":"x","comand":"y"}', ['comand: unknown field; did you mean "command"?']],
    ['{"comand":"y"}', ['comand: unknown field; did you mean "command"?']],
    [
      '{"command":"x","a b":1}',
      [expect.stringMatching(/^\["a b"\]: unknown field; allowed: command, args, /)],
    ],
    ["{}", ["command: is missing; it must be a string"]],
    ['{"command":null}', ["command: must be a string, not null"]],
    ['{"command":["x"]}', ["command: must be a string, not an array"]],
    ["[]", [": must be an object, not an array"]],
    ['{"command":"x","args":{}}', ["args: must be an array, not an object"]],
    ['{"command":"x","args":[]}', ["args: must not be empty"]],
    [
      '{"command":"x","args":["a",2,true]}',
      ["args[1]: must be a string, not a number", "args[2]: must be a string, not a boolean"],
    ],
    [
      '{"command":"x","env":{"A":"","b":"","C":1}}',
      [
        "env.b: this name is not allowed: must begin with a capital",
        "env.C: must be a string, not a number",
      ],
    ],
    ['{"command":"x","lifecycle":"eager"}', ['lifecycle: must be "lazy"']],
    ['{"command":"x","level":"trace"}', ['level: must be one of "info", "debug"']],
    ['{"command":"x","attempts":0}', ["attempts: must be an integer from 1 to 3"]],
    ['{"command":"x","attempts":4}', ["attempts: must be an integer from 1 to 3"]],
    ['{"command":"x","attempts":1.5}', ["attempts: must be an integer from 1 to 3"]],
    ['{"command":"x","attempts":"1"}', ["attempts: must be an integer from 1 to 3, not a string"]],
    ['{"command":"x","ratio":1}', ["ratio: must be a number of more than 0 and less than 1"]],
    ['{"command":"x","url":"x"}', ["url: must be a URL"]],
    [
      '{"command":"x","timeout":30}',
      ["timeout: must be a duration such as 500ms, 30s, 5m or 1h30m"],
    ],
    [
      '{"command":"x","limit":"4MB"}',
      ["limit: must be a size such as 64KiB, 4MiB, 1GiB or a plain number of bytes"],
    ],
    [
      '{"command":"x","limit":-1}',
      ["limit: must be a size such as 64KiB, 4MiB, 1GiB or a plain number of bytes"],
    ],
    ['{"command":"x","automatic":1}', ["automatic: must be true or false, not a number"]],
    ['{"command":"x","note":"a"}', ["note: must have at least 2 characters"]],
    ['{"command":"x","note":"abcd"}', ["note: must have at most 3 characters"]],
    ['{"command":"x","note":1}', ["note: must be a string, not a number"]],
    ['{"command":"x","note":null}', []],
  ])("[C2] says of %s what is wrong, and never a value", (server, expected) => {
    expect(problemsOf(server)).toEqual(expected);
  });

  it("[C2] lists every problem in document order", () => {
    const server =
      '{"zzzzzz":"canary","level":"canary","port":"canary","args":"canary","attempts":77}';
    const problems = problemsOf(server);
    expect(problems.map((problem) => problem.split(":")[0])).toEqual([
      "command",
      "zzzzzz",
      "level",
      "port",
      "args",
      "attempts",
    ]);
    expect(problems.join()).not.toMatch(/canary|77/);
  });

  it("[C2] places unknown fields at their key, wrong values at the value, missing fields at their object", () => {
    const document = json('{\n"mcpServers": {"s":\n  {"é": 1, "port": 0}}}');
    const result = checkStrict(schema, document);
    expect(
      result.ok ? [] : result.problems.map(({ line, column, code }) => [line, column, code]),
    ).toEqual([
      [3, 3, "MISSING_FIELD"],
      [3, 4, "UNKNOWN_FIELD"],
      [3, 20, "INVALID_VALUE"],
    ]);
  });

  it.each(["1.0", "1e0", "10e-1", "3.0", "3.00", "0.1e1"])(
    "[C1] refuses %s where the schema wants an integer, in JSON and YAML",
    (number) => {
      const sentence =
        "attempts: must be an integer in plain digits, without point, exponent or leading zero";
      expect(problemsOf(`{"command":"x","attempts":${number}}`)).toEqual([sentence]);
      const yaml = `mcpServers:\n  s: {command: x, attempts: ${number}}`;
      expect(problemsOf(yaml, "yaml")).toEqual([sentence]);
    },
  );

  it("[C1] refuses other writings of whole numbers for integers in YAML", () => {
    for (const number of ["0x1", "0o1", "01"])
      expect(
        problemsOf(`mcpServers:\n  s: {command: x, attempts: ${number}}`, "yaml"),
      ).toHaveLength(1);
    expect(problemsOf("mcpServers:\n  s: {command: x, attempts: 1}", "yaml")).toEqual([]);
  });

  it("[C1] lets 1.0 pass where any number may stand, and finds integers through unions and arrays", () => {
    const check = (checked: z.ZodType, text: string) => checkStrict(checked, json(text)).ok;
    expect(check(z.number().max(3), "3.0")).toBe(true);
    expect(check(z.union([z.int(), z.number()]), "1.0")).toBe(true);
    expect(check(z.unknown(), "[1.0]")).toBe(true);
    expect(check(z.union([z.int(), z.string()]), "1.0")).toBe(false);
    expect(check(z.array(z.number().int()), "[1, 2e0]")).toBe(false);
    expect(check(z.array(z.number().int()), "[1, 2]")).toBe(true);
    expect(check(z.record(z.string(), z.int().optional()), '{"a": 9e9}')).toBe(false);
    expect(check(z.int(), "1e15")).toBe(false);
    expect(check(sizeSchema, "1024.0")).toBe(false);
    expect(check(z.int(), "9007199254740993")).toBe(false);
  });

  it("[C2] explains a union by the branch that was meant", () => {
    const rule = z.union([
      z.strictObject({ tool: z.string(), pin: z.boolean().optional() }),
      z.strictObject({ prompt: z.string() }),
      z.literal("all"),
    ]);
    const problems = (text: string) => {
      const result = checkStrict(rule, json(text));
      return result.ok ? [] : result.problems.map(({ message }) => message);
    };
    expect(problems('{"tool":1}')).toEqual(["f:1:9 tool: must be a string, not a number"]);
    expect(problems('{"tol":"x"}')).toEqual(['f:1:2 tol: unknown field; did you mean "tool"?']);
    expect(problems("7")).toEqual([
      'f:1:1: must be an object with tool or an object with prompt or "all", not a number',
    ]);
    expect(problems("{}")).toEqual([
      'f:1:1: must be an object with tool or an object with prompt or "all"',
    ]);
    expect(problems('"none"')).toHaveLength(1);
  });

  it("[C2] names the choices of a discriminated union", () => {
    const kinds = z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("a"), n: z.int() }),
      z.strictObject({ kind: z.literal("b") }),
    ]);
    const first = (text: string) => {
      const result = checkStrict(kinds, json(text));
      return result.ok ? "" : result.problems[0]?.message;
    };
    expect(first('{"kind":"c"}')).toBe('f:1:9 kind: must be one of "a", "b"');
    expect(first("{}")).toBe('f:1:1 kind: is missing; it must be one of "a", "b"');
    expect(first('{"kind":"a","n":1.0}')).toContain("n: must be an integer in plain digits");
  });

  it("[C2] keeps the sentences of a schema's author, and the paths that it gives", () => {
    const custom = z
      .strictObject({
        a: z.string("must be a name").optional(),
        b: z.never("b is gone; use a").optional(),
      })
      .superRefine((value, context) => {
        if (value.a === undefined)
          context.addIssue({ code: "custom", path: ["a"], message: "needs a" });
      });
    const messages = (text: string) => {
      const result = checkStrict(custom, json(text));
      return result.ok ? [] : result.problems.map(({ message }) => message);
    };
    expect(messages('{"b":1}')).toEqual(["f:1:6 b: b is gone; use a"]);
    expect(messages("{}")).toEqual(["f:1:1 a: needs a"]);
    expect(messages('{"a":1}')).toEqual(["f:1:6 a: must be a name"]);
  });

  it("[A6] checks one entry by itself, with fields named from the root", () => {
    const document = json('{"mcpServers":{"good":{"command":"x"},"bad":{"command":1}}}');
    const check = (at: Path) => checkStrict(serverSchema, document, { at });
    expect(check(["mcpServers", "good"])).toEqual({
      ok: true,
      value: { command: "x", attempts: 1 },
    });
    const bad = check(["mcpServers", "bad"]);
    expect(bad.ok ? "" : bad.problems[0]?.message).toBe(
      "f:1:56 mcpServers.bad.command: must be a string, not a number",
    );
    const absent = check(["mcpServers", "absent"]);
    expect(absent.ok ? "" : absent.problems[0]?.message).toBe(
      "f:1:15 mcpServers.absent: is missing; it must be an object",
    );
  });

  it("[A5] reports kept faults only where they stand, and only as deep as asked", () => {
    const document = json(
      '{"mcpServers":{"a":{"command":"x","command":"y"},"b":{"command":"z"}}}',
      "keep",
    );
    const loose = z.strictObject({ mcpServers: z.record(z.string(), z.unknown()) });
    expect(checkStrict(loose, document, { faultDepth: 2 }).ok).toBe(true);
    expect(checkStrict(loose, document).ok).toBe(false);
    expect(checkStrict(serverSchema, document, { at: ["mcpServers", "b"] }).ok).toBe(true);
    const a = checkStrict(serverSchema, document, { at: ["mcpServers", "a"] });
    expect(a.ok ? "" : a.problems[0]?.message).toBe(
      "f:1:35 mcpServers.a.command: this key stands twice; keep one",
    );
  });

  it("[B4] lists a hundred problems and counts the rest", () => {
    const many = (count: number) =>
      checkStrict(z.array(z.string()), json(`[${Array(count).fill("1").join(",")}]`));
    const problems = (count: number) => {
      const result = many(count);
      return result.ok ? [] : result.problems.map(({ message }) => message);
    };
    expect(problems(99)).toHaveLength(99);
    expect(problems(100)).toHaveLength(100);
    expect(problems(101)).toHaveLength(101);
    expect(problems(101).at(-1)).toBe("f: has 1 more problem");
    expect(problems(300).at(-1)).toBe("f: has 200 more problems");
  });
});
