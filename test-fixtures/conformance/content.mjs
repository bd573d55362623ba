// What the scenarios of the conformance suite ask for by name, whatever the revision: tools, resources, prompts.
import { setTimeout as pause } from "node:timers/promises";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export const text = (value) => ({ type: "text", text: value });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const audio = { type: "audio", data: WAV, mimeType: "audio/wav" };
const resource = (uri, value, mimeType = "text/plain") => ({
  type: "resource",
  resource: { uri, mimeType, text: value },
});

/** The schema whose keywords `json-schema-2020-12` looks for after the way through. */
const SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/**
 * Each has a name, perhaps an `inputSchema`, and `call(args, peer)`, which returns content blocks. `peer.progress(done)`
 * reports of 100 parts, if the caller wants to hear it.
 */
export const tools = [
  { name: "test_simple_text", call: () => [text("A simple text")] },
  { name: "test_image_content", call: () => [image] },
  { name: "test_audio_content", call: () => [audio] },
  {
    name: "test_embedded_resource",
    call: () => [resource("test://embedded-resource", "An embedded resource")],
  },
  {
    name: "test_multiple_content_types",
    call: () => [
      text("Several kinds of content"),
      image,
      resource("test://mixed-content-resource", '{"value":123}', "application/json"),
    ],
  },
  {
    name: "test_error_handling",
    call() {
      throw new Error("This tool fails on purpose");
    },
  },
  {
    name: "test_tool_with_progress",
    async call(_, { progress }) {
      for (const done of [0, 50, 100]) {
        await progress(done);
        await pause(20);
      }
      return [text("Done")];
    },
  },
  {
    name: "json_schema_2020_12_tool",
    inputSchema: SCHEMA_2020_12,
    call: () => [text("Called")],
  },
];

const resources = [
  { uri: "test://static-text", name: "A text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "An image", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "A resource to subscribe to", mimeType: "text/plain" },
];

/** The contents of a resource; undefined if there is none of this URI. */
function read(uri) {
  const id = uri.match(/^test:\/\/template\/([^/]+)\/data$/)?.[1];
  if (id !== undefined) return { mimeType: "application/json", text: JSON.stringify({ id }) };
  const found = resources.find((one) => one.uri === uri);
  if (found === undefined) return undefined;
  const { mimeType } = found;
  return mimeType === "image/png"
    ? { mimeType, blob: PNG }
    : { mimeType, text: `The text of ${uri}` };
}

const argument = (name) => ({ name, description: `The argument ${name}`, required: true });
const prompts = [
  { name: "test_simple_prompt", messages: () => [text("A simple prompt")] },
  {
    name: "test_prompt_with_arguments",
    arguments: [argument("arg1"), argument("arg2")],
    messages: ({ arg1, arg2 }) => [text(`Called with ${arg1} and ${arg2}`)],
  },
  {
    name: "test_prompt_with_embedded_resource",
    arguments: [argument("resourceUri")],
    messages: ({ resourceUri }) => [
      resource(resourceUri, "An embedded resource"),
      text("Read the resource above"),
    ],
  },
  { name: "test_prompt_with_image", messages: () => [image, text("Look at the image above")] },
];

/** The answers that are alike in every revision, by method. `notFound(uri)` makes the error for a missing resource. */
export function createAnswers(notFound) {
  return {
    "resources/list": () => ({ resources: resources.map(described) }),
    "resources/templates/list": () => ({
      resourceTemplates: [described({ uriTemplate: "test://template/{id}/data", name: "By id" })],
    }),
    "resources/read": ({ uri }) => {
      const content = read(uri);
      if (content === undefined) throw notFound(uri);
      return { contents: [{ uri, ...content }] };
    },
    "prompts/list": () => ({ prompts: prompts.map(({ messages: _, ...one }) => described(one)) }),
    "prompts/get": ({ name, arguments: values = {} }) => {
      const messages = prompts.find((one) => one.name === name)?.messages(values) ?? [];
      return { messages: messages.map((content) => ({ role: "user", content })) };
    },
    "completion/complete": ({ argument: { value } }) => ({
      completion: { values: [`${value}ed`, `${value}ing`], total: 2, hasMore: false },
    }),
  };
}

/** The suite wants every entry of a list described. */
export function described(entry) {
  return { description: `${entry.name}, for the conformance suite`, ...entry };
}
