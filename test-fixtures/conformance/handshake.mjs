// A server of the SDK's v1, for the revisions that open with `initialize`: what the conformance suite asks of those.

import { setTimeout as pause } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { createAnswers, described, text, tools } from "./content.mjs";

const RESOURCE_NOT_FOUND = -32002;
const TOOL_UNKNOWN = -32602;

const choice = (type, rest) => ({ type, ...rest });
const titled = (...values) => values.map((value) => ({ const: value, title: `The ${value}` }));

/** Asks the user for a form of these fields. */
const askForm = (message, properties, required = []) => ({
  async call(args, { ask }) {
    const requestedSchema = { type: "object", properties, required };
    const answer = await ask("elicitation/create", {
      message: args.message ?? message,
      requestedSchema,
    });
    return [text(`The user answered ${JSON.stringify(answer)}`)];
  },
});

const asking = [
  {
    name: "test_tool_with_logging",
    async call(_, { log }) {
      for (const data of ["started", "working", "done"]) {
        await log(data);
        await pause(20);
      }
      return [text("Logged")];
    },
  },
  {
    name: "test_sampling",
    async call({ prompt }, { ask }) {
      const messages = [{ role: "user", content: text(prompt) }];
      const { content } = await ask("sampling/createMessage", { messages, maxTokens: 100 });
      return [text(`The model said ${content.text}`)];
    },
  },
  {
    name: "test_elicitation",
    ...askForm("", { username: choice("string"), email: choice("string") }, ["username", "email"]),
  },
  {
    name: "test_elicitation_sep1034_defaults",
    ...askForm("Look over these", {
      name: choice("string", { default: "John Doe" }),
      age: choice("integer", { default: 30 }),
      score: choice("number", { default: 95.5 }),
      status: choice("string", { enum: ["active", "inactive", "pending"], default: "active" }),
      verified: choice("boolean", { default: true }),
    }),
  },
  {
    name: "test_elicitation_sep1330_enums",
    ...askForm("Choose", {
      untitledSingle: choice("string", { enum: ["option1", "option2", "option3"] }),
      titledSingle: choice("string", { oneOf: titled("value1", "value2", "value3") }),
      legacyEnum: choice("string", { enum: ["opt1", "opt2"], enumNames: ["One", "Two"] }),
      untitledMulti: choice("array", { items: { type: "string", enum: ["option1", "option2"] } }),
      titledMulti: choice("array", { items: { anyOf: titled("value1", "value2") } }),
    }),
  },
];

const all = [...tools, ...asking];
export const toolNames = all.map(({ name }) => name);

const answers = {
  ...createAnswers((uri) => new McpError(RESOURCE_NOT_FOUND, "No such resource", { uri })),
  "tools/list": () => ({
    tools: all.map(({ call: _, ...tool }) =>
      described({ inputSchema: { type: "object" }, ...tool }),
    ),
  }),
  async "tools/call"({ name, arguments: args = {} }, extra) {
    const tool = all.find((one) => one.name === name);
    if (tool === undefined) throw new McpError(TOOL_UNKNOWN, `No tool ${name}`);
    try {
      return { content: await tool.call(args, peerOf(extra)) };
    } catch (error) {
      return { content: [text(error.message)], isError: true };
    }
  },
  "resources/subscribe": () => ({}),
  "resources/unsubscribe": () => ({}),
};

/** What a tool may do with its caller. */
function peerOf({ _meta, sendNotification, sendRequest }) {
  const progressToken = _meta?.progressToken;
  return {
    async progress(progress) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total: 100 };
      await sendNotification({ method: "notifications/progress", params });
    },
    log: (data) =>
      sendNotification({ method: "notifications/message", params: { level: "info", data } }),
    ask: (method, params) => sendRequest({ method, params }, { parse: (result) => result }),
  };
}

/** One server, for one connection or session. */
export function createServer() {
  const server = new Server(
    { name: "conformance-handshake", version: "1.0.0" },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        logging: {},
      },
    },
  );
  server.fallbackRequestHandler = async ({ method, params = {} }, extra) => {
    if (!Object.hasOwn(answers, method)) throw new McpError(-32601, `No method ${method}`);
    return answers[method](params, extra);
  };
  return server;
}
