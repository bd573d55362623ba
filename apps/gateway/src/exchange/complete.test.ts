import { describe, expect, it } from "vitest";
import { createComplete } from "./complete.ts";

const complete = createComplete({ name: "wraptool", version: "1" });
const INFO = '"io.modelcontextprotocol/serverInfo":{"name":"wraptool","version":"1"}';
const completed = (result: string, method = "tools/call") =>
  complete(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`), method).toString();

describe("createComplete", () => {
  it("[G3] puts in what a modern client expects, and keeps every byte of the rest", () => {
    expect(completed('{ "content":[1e400] }')).toBe(
      `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{${INFO}}, "content":[1e400] }}`,
    );
    expect(completed("{}", "tools/list")).toBe(
      `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{${INFO}}}}`,
    );
  });

  it("[G3] leaves what the server has said itself", () => {
    const said = `{"resultType":"input_required","_meta":{"a":1,"io.modelcontextprotocol/serverInfo":{"name":"s"}}}`;
    expect(completed(said)).toBe(`{"jsonrpc":"2.0","id":1,"result":${said}}`);
    expect(completed('{"resultType":"x","_meta":{"a":1}}')).toBe(
      `{"jsonrpc":"2.0","id":1,"result":{"resultType":"x","_meta":{${INFO},"a":1}}}`,
    );
    expect(completed('{"resultType":"x","_meta":{ }}')).toContain(`"_meta":{${INFO} }`);
    expect(completed('{"resultType":"x","_meta":7}')).toContain(`"_meta":7`);
  });

  it("leaves errors, and results that are no object, as they are", () => {
    for (const text of ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}', "[]", "{"])
      expect(complete(Buffer.from(text), "tools/call").toString()).toBe(text);
    expect(completed("7")).toBe('{"jsonrpc":"2.0","id":1,"result":7}');
  });
});
