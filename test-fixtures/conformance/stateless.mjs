// A server of the SDK's v2, for revision 2026-07-28: what the conformance suite asks of servers of that revision.
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { createAnswers, described, text, tools } from "./content.mjs";

const stateCodec = createRequestStateCodec({ key: randomBytes(32) });

const form = (message, field, type = "string") =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: { type } }, required: [field] },
  });
const question = (prompt) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: text(prompt) }],
    maxTokens: 100,
  });
const roots = () => inputRequired.listRoots();

/** Asks once for all of `requests`, and again for those that are not answered rightly. */
const asksFor = (requests, state) => ({
  async call(_, { answers, mint }) {
    const missing = Object.entries(requests).filter(([key]) => typeof answers[key] !== "object");
    if (missing.length === 0) return [text(`Got ${JSON.stringify(answers)}`)];
    return inputRequired({
      inputRequests: Object.fromEntries(missing),
      ...(state !== undefined && { requestState: await mint(state) }),
    });
  },
});

const asking = [
  {
    name: "test_input_required_result_elicitation",
    ...asksFor({ user_name: form("What is your name?", "name") }),
  },
  {
    name: "test_input_required_result_sampling",
    ...asksFor({ capital_question: question("What is the capital of France?") }),
  },
  { name: "test_input_required_result_list_roots", ...asksFor({ client_roots: roots() }) },
  {
    name: "test_input_required_result_request_state",
    ...asksFor({ confirm: form("Go on?", "ok", "boolean") }, "asked"),
  },
  {
    name: "test_input_required_result_tampered_state",
    ...asksFor({ confirm: form("Go on?", "ok", "boolean") }, "asked"),
  },
  {
    name: "test_input_required_result_multiple_inputs",
    ...asksFor(
      {
        user_name: form("What is your name?", "name"),
        greeting: question("Greet somebody"),
        client_roots: roots(),
      },
      "asked",
    ),
  },
  {
    name: "test_input_required_result_multi_round",
    async call(_, { state, mint }) {
      const rounds = [form("What is your name?", "name"), form("Which colour?", "color")];
      const round = state() ?? 0;
      if (round === rounds.length) return [text("Asked twice")];
      return inputRequired({
        inputRequests: { [`step${round + 1}`]: rounds[round] },
        requestState: await mint(round + 1),
      });
    },
  },
  {
    name: "test_input_required_result_capabilities",
    async call(_, { capabilities, answers }) {
      const wanted = {
        ...(capabilities.elicitation && { form: form("What is your name?", "name") }),
        ...(capabilities.sampling && { model: question("Greet somebody") }),
      };
      return asksFor(wanted).call(_, { answers });
    },
  },
  { name: "test_streaming_elicitation", ...asksFor({ name: form("What is your name?", "name") }) },
  // The SDK refuses to ask a client for what it has not declared.
  { name: "test_missing_capability", ...asksFor({ greeting: question("Greet somebody") }) },
  {
    name: "test_logging_tool",
    async call(_, { log }) {
      await log("said only to those who want to hear it");
      return [text("Logged")];
    },
  },
  {
    name: "test_custom_headers",
    inputSchema: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      required: ["region"],
    },
    call: ({ region }) => [text(`Called for ${region}`)],
  },
];

/** Two tools change a list, so that there is something to be told. */
const changing = ["tool", "prompt"].map((kind) => ({
  name: `test_trigger_${kind}_change`,
  async call(_, { change }) {
    change(kind);
    await pause(20);
    return [text(`The list of ${kind}s has changed`)];
  },
}));

export const CHANGING_TOOL = "test_changing_tool";
const CHANGING_PROMPT = { name: "test_changing_prompt", description: "There, or not there" };
const ASKING_PROMPT = "test_input_required_result_prompt";
const all = [...tools, ...asking, ...changing];
export const toolNames = [...all.map(({ name }) => name), CHANGING_TOOL];

/** What is there now; over HTTP each request has a server of its own. */
const isThere = { tool: false, prompt: false };

/** What a tool may do with its caller. */
function peerOf({ mcpReq }, change) {
  const progressToken = mcpReq._meta?.progressToken;
  const envelope = mcpReq.envelope ?? {};
  return {
    async progress(progress) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    },
    log: (data) => mcpReq.log("info", data),
    capabilities: envelope["io.modelcontextprotocol/clientCapabilities"] ?? {},
    answers: mcpReq.inputResponses ?? {},
    state: mcpReq.requestState,
    mint: stateCodec.mint,
    change,
  };
}

function addTools(server, onChange) {
  const add = (tool) => {
    const { call, name, ...rest } = described({ inputSchema: { type: "object" }, ...tool });
    const inputSchema = fromJsonSchema(rest.inputSchema);
    return server.registerTool(name, { ...rest, inputSchema }, async (args, context) => {
      const result = await call(args, peerOf(context, change));
      return Array.isArray(result) ? { content: result } : result;
    });
  };
  const change = (kind) => {
    isThere[kind] = !isThere[kind];
    changing.update({ enabled: isThere.tool });
    onChange(kind);
  };
  for (const tool of all) add(tool);
  const changing = add({ name: CHANGING_TOOL, call: () => [text("There")] });
  changing.update({ enabled: isThere.tool });
}

function addAnswers({ server }) {
  const answers = createAnswers((uri) => new ResourceNotFoundError(uri));
  const { "prompts/list": listPrompts, "prompts/get": getPrompt } = answers;
  const askingPrompt = asksFor({ user_context: form("What is it about?", "context") });
  const more = {
    "prompts/list": () => {
      const asks = described({ name: ASKING_PROMPT });
      const changing = isThere.prompt ? [CHANGING_PROMPT] : [];
      return { prompts: [...listPrompts().prompts, asks, ...changing] };
    },
    async "prompts/get"(params, { mcpReq }) {
      if (params.name !== ASKING_PROMPT) return getPrompt(params);
      const result = await askingPrompt.call({}, { answers: mcpReq.inputResponses ?? {} });
      if (!Array.isArray(result)) return result;
      return { messages: result.map((content) => ({ role: "user", content })) };
    },
  };
  for (const [method, answer] of Object.entries({ ...answers, ...more }))
    server.setRequestHandler(method, ({ params = {} }, context) => answer(params, context));
}

/** One server, for one request or connection. `onChange(kind)` hears that the list of tools or prompts has changed. */
export function createServer(onChange) {
  const server = new McpServer(
    { name: "conformance-stateless", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: {},
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: stateCodec.verify },
    },
  );
  addTools(server, onChange);
  addAnswers(server);
  return server;
}
