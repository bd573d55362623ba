import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";
import { configJsonSchema } from "./json-schema.ts";
import { fileSchema } from "./schema.ts";

it("[G27] has exactly the keys that the README's configuration reference explains", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const explained = [
    ...readme.matchAll(/^\| `((?:server|mcp|mcp_servers|audit|log)\.[^`]+)` +\|/gm),
  ];
  expect(keysOf(fileSchema).sort()).toEqual(explained.map(([, key]) => key).sort());
});

it("[G27] is the schema that the package ships for editors", () => {
  const shipped = readFileSync(new URL("../../schema.json", import.meta.url), "utf8");
  expect(JSON.parse(shipped)).toEqual(configJsonSchema());
});

it("[G1] as JSON Schema takes and refuses what the gateway does, but for what only it can check", async () => {
  const { default: module } = await import("ajv/dist/2020.js");
  const validate = new module.Ajv2020({ strict: false }).compile(configJsonSchema());
  for (const [config, isValid] of [
    [{}, true],
    [
      { mcp: { max_output: 0 }, mcp_servers: { a: { command: "x", allow: [{ tool: "t" }] } } },
      true,
    ],
    [{ mcp: { max_output: { bytes: "1MiB", lines: 0 } }, audit: { file: "a" } }, true],
    [{ server: { listen: ["127.0.0.1:1"], transport: ["sse", "unix"] } }, true],
    [{ server: { port: 1 } }, false],
    [{ mcp: { idle_timeout: "5 minutes" } }, false],
    [{ mcp_servers: { a: {} } }, false],
    [{ mcp_servers: { a: { command: "x", isolation: "none" } } }, false],
  ] as const)
    expect([config, validate(config)]).toEqual([config, isValid]);
});

/** The dotted keys that have an effect; rules inside lists are one key. */
function keysOf(schema: z.core.$ZodType, prefix = ""): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([key, value]) =>
      keysOf(value as z.core.$ZodType, prefix === "" ? key : `${prefix}.${key}`),
    );
  if (inner instanceof z.ZodRecord && unwrap(inner.valueType) instanceof z.ZodObject)
    return keysOf(inner.valueType, `${prefix}.NAME`);
  return inner instanceof z.ZodUnknown ? [] : [prefix];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const wraps =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional;
  return wraps ? unwrap(schema.def.innerType) : schema;
}
