import type { JsonObject } from "../request/request.ts";

/** A tool as its server describes it: only the name is sure, the rest is as it came. */
export interface Tool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Any JSON Schema, booleans and unknown keys included. */
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly annotations: JsonObject | undefined;
}

/** Reads one entry of `tools/list`; undefined for one without a name, which nobody could call. */
export function readTool(entry: unknown): Tool | undefined {
  if (!isObject(entry) || typeof entry.name !== "string" || entry.name === "") return undefined;
  return {
    name: entry.name,
    title: textOf(entry.title),
    description: textOf(entry.description),
    inputSchema: entry.inputSchema,
    outputSchema: entry.outputSchema,
    annotations: isObject(entry.annotations) ? entry.annotations : undefined,
  };
}

/** The names of a tool's arguments: the top-level properties of its input schema. */
export function argumentNames(tool: Tool): string[] {
  const { inputSchema } = tool;
  if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return [];
  return Object.keys(inputSchema.properties);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
