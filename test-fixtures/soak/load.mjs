// Clients that work on a gateway as agents do, each kind in its own way.
import { Agent } from "node:http";
import { modern, openSession, openStream, rpc, send } from "test-fixtures";

/** Runs `work(0)` to `work(count - 1)`, so many at a time. */
export async function inTurn(count, atOnce, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, worker));
}

/** A session of Streamable HTTP that can call; `end` is its DELETE. */
export async function streamable(door, { agent, path, protocolVersion } = {}) {
  const to = { agent, ...(path && { path }) };
  const headers = await openSession(door, { ...to, ...(protocolVersion && { protocolVersion }) });
  let id = 0;
  return {
    headers,
    async call(name, args = {}) {
      const own = ++id;
      const body = rpc(own, "tools/call", { name, arguments: args });
      return answerOf(await send(door, { ...to, headers, body }), own);
    },
    end: () => send(door, { ...to, headers, method: "DELETE" }),
  };
}

/** Calls of the revision without sessions. */
export function stateless(door, { agent, path } = {}) {
  let id = 0;
  return {
    async call(name, args = {}) {
      const own = `m${++id}`;
      const request = modern(own, "tools/call", { name, arguments: args });
      return answerOf(await send(door, { agent, ...(path && { path }), ...request }), own);
    },
    async end() {},
  };
}

/** A session of the legacy `/sse`, whose answers come on its one stream. */
export async function legacy(door, { agent } = {}) {
  const stream = await openStream(door, { path: "/sse" });
  const came = async (isIt) => {
    for (;;) {
      const found = stream.data().find(isIt);
      if (found !== undefined) return found;
      await stream.next();
    }
  };
  const path = await came((data) => data.startsWith("/messages"));
  let id = 0;
  return {
    async call(name, args = {}) {
      const own = ++id;
      await send(door, { agent, path, body: rpc(own, "tools/call", { name, arguments: args }) });
      const data = await came((text) => text.startsWith("{") && JSON.parse(text).id === own);
      return answerOf({ json: JSON.parse(data) }, own);
    },
    async end() {
      stream[Symbol.dispose]();
    },
  };
}

/** The result's text, or the error; an answer to another request is a fault of the gateway. */
function answerOf({ status, text, events, headers, ...answer }, id) {
  const isStream = headers?.["content-type"]?.includes("event-stream");
  const message = isStream ? events.at(-1) : answer.json;
  if (message?.id !== id) throw new Error(`${status}: no answer to ${id}: ${text}`);
  const { result, error } = message;
  if (error) return { error: error.message };
  return { text: result.content?.[0]?.text, result };
}

/** Connections that last as long as the work. */
export async function withAgent(connections, work) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    return await work(agent);
  } finally {
    agent.destroy();
  }
}

/** The gateway's own account of itself. */
export async function statusOf(door) {
  return (await send(door, { path: "/status" })).json;
}
