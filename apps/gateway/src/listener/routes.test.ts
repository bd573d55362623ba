import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WRONG_TOKEN_DELAY_MS } from "../limits.ts";
import { createRoutes } from "./routes.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const unused = () => expect.unreachable("nobody is let in here");

/** Asks a listener that lets nobody in, and tells the status so far. */
function ask(authorization?: string) {
  const routes = createRoutes({
    isAllowedHost: () => true,
    checkOrigin: () => "absent",
    authenticate: () => undefined,
    mcp: { mcp: unused, sse: unused, messages: unused },
    watch: { ready: unused, metrics: unused, status: unused },
  });
  let status: number | undefined;
  const response = Object.assign(new EventEmitter(), {
    setHeader() {},
    writeHead(code: number) {
      status = code;
      return response;
    },
    end() {},
  });
  const headers = { host: "localhost", ...(authorization && { authorization }) };
  const request = { url: "/mcp", method: "POST", headers };
  routes(request as IncomingMessage, response as unknown as ServerResponse);
  return () => status;
}

describe("createRoutes", () => {
  it("[G5] answers a wrong token late, and a missing one at once", () => {
    const wrong = ask("Bearer wrong");
    expect(ask()()).toBe(401);
    vi.advanceTimersByTime(WRONG_TOKEN_DELAY_MS - 1);
    expect(wrong()).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(wrong()).toBe(401);
  });
});
