import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";
import { fileSchema } from "./schema.ts";

it("[G27] has exactly the keys that the README's configuration reference explains", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const explained = [...readme.matchAll(/^\| `((?:server|mcp|mcp_servers|log)\.[^`]+)` +\|/gm)];
  expect(keysOf(fileSchema).sort()).toEqual(explained.map(([, key]) => key).sort());
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
