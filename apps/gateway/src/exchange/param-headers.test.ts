import { describe, expect, it, vi } from "vitest";
import { createParamHeaders } from "./param-headers.ts";

const tool = (name: string, inputSchema: unknown) =>
  Buffer.from(JSON.stringify({ name, inputSchema }));
const annotated = (header: unknown) => ({
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": header } },
});

describe("createParamHeaders", () => {
  it("[G4] knows what tools ask to be repeated, and nothing of tools that break the rules or are not listed", () => {
    const entries = [
      tool("plain", { type: "object" }),
      tool("odd", annotated(7)),
      tool("asks", annotated("Region")),
    ];
    const of = createParamHeaders(
      () => entries,
      () => 1,
    );
    expect(of("asks")).toEqual([{ name: "Region", path: ["region"], type: "string" }]);
    for (const name of ["plain", "odd", "none", "constructor"]) expect(of(name)).toEqual([]);
  });

  it("reads the list once for each revision", () => {
    const entries = vi.fn(() => [tool("asks", annotated("Region"))]);
    let revision = 1;
    const of = createParamHeaders(entries, () => revision);
    of("asks");
    of("other");
    expect(entries).toHaveBeenCalledTimes(1);
    revision++;
    of("asks");
    expect(entries).toHaveBeenCalledTimes(2);
  });
});
