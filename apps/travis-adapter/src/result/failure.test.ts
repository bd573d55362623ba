import { countBytes } from "@core/bounds";
import { expect, it } from "vitest";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { draftFailure } from "./failure.ts";

const request = { operation: "tools.list", server: "s" } as const;
const textOf = (error: unknown, of: Parameters<typeof draftFailure>[1] = request) =>
  draftFailure(error, of)
    .blocks.map((block) => (block.type === "text" ? block.text : ""))
    .join("");

it("[A34] names server, operation and class, with the server's words apart", () => {
  const error = new AdapterError("SERVER_ERROR", "The server answered with JSON-RPC error -32602", {
    serverSaid: "bad cursor",
  });
  expect(draftFailure(error, request)).toMatchObject({
    label: "list",
    server: "s",
    isError: true,
    details: { errorType: "SERVER_ERROR" },
  });
  expect(textOf(error)).toBe(
    'MCP server "s" list failed (SERVER_ERROR): The server answered with JSON-RPC error -32602.\nThe server said: bad cursor',
  );
});

it("[A31] holds an error to 2 KiB and keeps its example", () => {
  const error = new AdapterError("INVALID_REQUEST", "x".repeat(5000), {
    example: '{"server":"s"}',
  });
  const text = textOf(error, undefined);
  expect(countBytes(text)).toBeLessThanOrEqual(limits.maxErrorBytes);
  expect(text).toMatch(/\nExample: \{"server":"s"\}$/);
});

it("[A34] shows nothing of an error that is not the adapter's", () => {
  expect(textOf(new Error("secret path /home/me"))).toBe(
    'MCP server "s" list failed (INTERNAL): The adapter failed; this is a fault in it.',
  );
});

it("labels a request that could not be read, or names no configured server, as validation", () => {
  const error = new AdapterError("SERVER_UNKNOWN", "No server");
  expect(draftFailure(error, request)).toMatchObject({ label: "validation" });
  expect(draftFailure(error, request)).not.toHaveProperty("server");
});
