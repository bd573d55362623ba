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
