import { describe, expect, it } from "vitest";
import { parseAccept } from "./accept.ts";

describe("parseAccept", () => {
  it.each([
    [undefined, true, true],
    ["", true, true],
    ["*/*", true, true],
    ["application/json, text/event-stream", true, true],
    ["Text/Event-Stream;q=0.9 , Application/JSON;q=1", true, true],
    ["text/html, */*;q=0.1", true, true],
    ["application/json", true, false],
    ["application/*", true, false],
    ["text/event-stream", false, true],
    ["text/*", false, true],
    ["text/html", false, false],
    ["application/jsonx, text/event-streams", false, false],
  ])("[G3] reads %j as json %s and events %s", (header, json, events) => {
    expect(parseAccept(header)).toEqual({ json, events });
  });
});
