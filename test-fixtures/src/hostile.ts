import fc from "fast-check";

/** Values that a field was not made for. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, "", " ", "\u0000", [], {}, [[]]),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Ids as JSON-RPC allows them, and others. */
export const anyId: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer(),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom<unknown>(0, "0", "", null, true, 1.5, [], {}),
);

/** A text's bytes, some of them taken out or replaced. */
export function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const splinter = fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc
      .constantFrom("\\u0000", '"', "\\", "{", "}", ",", ":", "\ud800", "\u2028", "\0", "[")
      .map(Buffer.from),
  );
  return fc.tuple(text, fc.nat(), fc.nat(5), splinter).map(([whole, place, cut, put]) => {
    const bytes = Buffer.from(whole);
    const at = place % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
  });
}

/** JSON that opens deeper and deeper. */
const nested = fc
  .tuple(fc.constantFrom("[", '{"a":', '[{"":'), fc.nat(3000), fc.boolean())
  .map(([open, depth, closes]) =>
    Buffer.from(open.repeat(depth) + (closes ? "]".repeat(depth) : "")),
  );

/** What a peer could send in place of a message: mostly messages, some of them damaged, and bytes of any kind. */
export function anyMessage(message: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const text = message.map((value) => JSON.stringify(value) ?? "");
  return fc.oneof(
    { weight: 6, arbitrary: text.map((whole) => Buffer.from(whole)) },
    { weight: 2, arbitrary: damaged(text) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.json().map((whole) => Buffer.from(whole)) },
    { weight: 1, arbitrary: nested },
  );
}

/** As {@link anyMessage}, without a line feed in it. */
export function anyLine(message: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  return anyMessage(message).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a)));
}

const serverMethod = fc.oneof(
  fc.constantFrom<unknown>("ping", "roots/list", "sampling/createMessage", "elicitation/create"),
  fc.constantFrom<unknown>(
    "notifications/progress",
    "notifications/message",
    "notifications/cancelled",
  ),
  fc.constantFrom<unknown>(
    "notifications/tools/list_changed",
    "tools/call",
    "initialize",
    "toString",
  ),
  oddValue,
);
const block = fc.oneof(
  fc.record({
    type: fc.constantFrom("text", "image", "audio", "video"),
    text: oddValue,
    data: oddValue,
  }),
  fc.record({
    type: fc.constantFrom("resource", "resource_link"),
    uri: oddValue,
    resource: oddValue,
  }),
  oddValue,
);

/** What a server could say while a call waits whose id is written `"{id}"`: answers, requests, notifications, and none of them. */
export const serverMessage: fc.Arbitrary<unknown> = fc.oneof(
  fc.record(
    {
      jsonrpc: fc.constantFrom<unknown>("2.0", "2.0", "1.0", 2),
      id: fc.oneof(fc.constant<unknown>("{id}"), anyId),
      method: serverMethod,
      params: fc.oneof(
        fc.record({
          progressToken: fc.oneof(fc.constant<unknown>("{id}"), anyId),
          progress: oddValue,
        }),
        fc.record({ level: oddValue, data: oddValue, requestId: anyId }),
        oddValue,
      ),
    },
    { requiredKeys: ["jsonrpc"] },
  ),
  fc.record(
    {
      jsonrpc: fc.constant("2.0"),
      id: fc.oneof(fc.constant<unknown>("{id}"), anyId),
      result: fc.oneof(
        fc.record({ content: fc.array(block, { maxLength: 3 }), structuredContent: oddValue }),
        fc.record({ content: oddValue, isError: oddValue, _meta: oddValue, resultType: oddValue }),
        oddValue,
      ),
      error: fc.oneof(fc.record({ code: oddValue, message: oddValue, data: oddValue }), oddValue),
    },
    { requiredKeys: ["jsonrpc", "id"] },
  ),
);

/** What a server could list as a tool, a resource or a prompt. */
const anyDefinition: fc.Arbitrary<unknown> = fc.oneof(
  fc.record(
    {
      name: fc.oneof(fc.constantFrom<unknown>("spew", "a", "a b", "__proto__", ""), oddValue),
      uri: oddValue,
      title: oddValue,
      description: oddValue,
      inputSchema: fc.oneof(
        fc.record({ type: oddValue, properties: oddValue, required: oddValue, $ref: oddValue }),
        oddValue,
      ),
      outputSchema: oddValue,
      annotations: oddValue,
      arguments: oddValue,
    },
    { requiredKeys: [] },
  ),
  oddValue,
);

/** A line as a server could write it on stdout, in base64; the id of the waiting call is `{id}`. */
const serverLine: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 200, arbitrary: anyLine(serverMessage).map(withOwnId) },
    { weight: 1, arbitrary: fc.integer({ min: 102_000, max: 110_000 }).map(longLine) },
  )
  .map((bytes) => bytes.toString("base64"));

function withOwnId(line: Buffer): Buffer {
  return Buffer.from(line.toString("latin1").replaceAll('"{id}"', "{id}"), "latin1");
}

function longLine(size: number): Buffer {
  return Buffer.alloc(size, "x");
}

/** What servers/hostile.mjs is told to write, or to list. */
export type Order = { readonly line: string } | { readonly definition: unknown };

export const anyOrder: fc.Arbitrary<Order> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ line: serverLine }) },
  { weight: 1, arbitrary: fc.record({ definition: anyDefinition }) },
);

const ORDERS_OF_A_CALL = 5;

/** The calls that give servers/hostile.mjs these orders, a few with each. */
export function callsWith(orders: readonly Order[]) {
  const calls: { readonly tool: "spew" | "define"; readonly args: object }[] = [];
  for (let at = 0; at < orders.length; at += ORDERS_OF_A_CALL) {
    const some = orders.slice(at, at + ORDERS_OF_A_CALL);
    const tools = some.flatMap((order) => ("definition" in order ? [order.definition] : []));
    if (tools.length > 0) calls.push({ tool: "define", args: { tools } });
    const lines = some.flatMap((order) => ("line" in order ? [order.line] : []));
    calls.push({ tool: "spew", args: { lines } });
  }
  return calls;
}

/** A value as somebody could have written it wrongly: with odd values, missing members and members more. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 20, arbitrary: mutatedInside(value) }, oddValue);
}

function mutatedInside(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map(mutated));
  if (typeof value !== "object" || value === null) return fc.constant(value);
  const members = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, mutated(part)]),
  );
  const whole = fc.record(members);
  return fc.oneof(
    { weight: 12, arbitrary: whole },
    fc.record(members, { requiredKeys: [] }),
    fc
      .tuple(whole, fc.constantFrom("x", "__proto__", "", "Env", "tool"), oddValue)
      .map(([all, key, odd]) => ({ ...all, [key]: odd })),
  );
}
