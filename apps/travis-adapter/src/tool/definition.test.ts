import { readFileSync } from "node:fs";
import { countBytes } from "@core/bounds";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { limits } from "../limits.ts";
import { toolDefinition } from "./definition.ts";

it("[A10] has a description and a schema of at most 1,600 bytes together", () => {
  const { description, parameters } = toolDefinition;
  const bytes = countBytes(description) + countBytes(JSON.stringify(parameters));
  expect(bytes).toBeLessThanOrEqual(limits.maxToolDefinitionBytes);
});

it("[A10] has a schema that compiles and takes every request of the README", () => {
  const validate = new Ajv().compile(toolDefinition.parameters);
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const requests = readme.match(/^\{("server".*)?\}$/gm) ?? [];
  expect(requests.length).toBeGreaterThanOrEqual(10);
  for (const request of requests) expect(validate(JSON.parse(request)), request).toBe(true);
  expect(validate({ server: "s", unknown: 1 })).toBe(false);
});

it("declares all four effects and the name that the host's --mcp knows", () => {
  expect(toolDefinition.name).toBe("mcp");
  expect(toolDefinition.effects).toEqual(["read", "write", "execute", "network"]);
});
