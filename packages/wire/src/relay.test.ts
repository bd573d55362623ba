import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { classify, type JsonObject } from "./message.ts";
import {
  type EnvelopeChanges,
  membersOf,
  type ReadableMessage,
  readEnvelope,
  rewriteEnvelope,
  stringAt,
  textAt,
} from "./relay.ts";

const numRuns = Number(process.env.FUZZ_RUNS ?? 500);
vi.setConfig({ testTimeout: 30_000 + 2 * numRuns });

const read = (text: string) => readEnvelope(Buffer.from(text));

function readable(bytes: Buffer): ReadableMessage {
  const message = readEnvelope(bytes);
  if (message.kind === "invalid" || message.kind === "batch") throw new Error(message.kind);
  return message;
}

function rewrite(text: string, changes: EnvelopeChanges): string {
  const bytes = Buffer.from(text);
  return rewriteEnvelope(bytes, readable(bytes), changes).toString();
}

const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":12345678901234567890},"_meta":{"progressToken":"p","x/y":1}}}';

describe("reading an envelope", () => {
  it("[G11] finds what a relay decides on", () => {
    const bytes = Buffer.from(CALL);
    const message = readable(bytes);
    expect(message).toMatchObject({ kind: "request", id: 1, idText: "1", method: "tools/call" });
    expect(stringAt(bytes, message.params.name)).toBe("t");
    expect(textAt(bytes, message.params.arguments!)).toBe('{"n":12345678901234567890}');
    expect(textAt(bytes, message.meta.progressToken!)).toBe('"p"');
    expect(membersOf(bytes, message.params.arguments).map(({ key }) => key)).toEqual(["n"]);
    expect(stringAt(bytes, message.params.uri)).toBeUndefined();
    expect(membersOf(bytes, message.params.name)).toEqual([]);
  });

  it("[G11] finds what a completion refers to, and what a cancellation and a progress name", () => {
    const completion = Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"}}}',
    );
    expect(stringAt(completion, readable(completion).ref.name)).toBe("p");
    const cancelled = Buffer.from(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}',
    );
    expect(textAt(cancelled, readable(cancelled).params.requestId!)).toBe("0");
    const progress = Buffer.from(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}',
    );
    expect(textAt(progress, readable(progress).params.progressToken!)).toBe("7");
  });

  it.each([
    ["0", 0],
    ["1", 1],
    ["-1", -1],
    ["123456789012345", 123456789012345],
    ["1234567890123456", 1234567890123456],
    ['"1"', "1"],
    ["1.50", 1.5],
    ['"\\u0031"', "1"],
    ["12345678901234567890", 12345678901234567000],
  ])("[G11] [G15] keeps the id %s as a value and as it is written", (idText, id) => {
    expect(read(`{"jsonrpc":"2.0","id":${idText},"method":"ping"}`)).toMatchObject({ id, idText });
    expect(read(`{"id":${idText},"result":{}}`)).toMatchObject({ kind: "response", id, idText });
  });

  it("[G11] gives the messages of a batch apart", () => {
    const batch = read(' [{"id":1},\n2]');
    expect(batch.kind === "batch" && batch.messages.map(String)).toEqual(['{"id":1}', "2"]);
    expect(read("[]")).toEqual({ kind: "batch", messages: [] });
  });

  it.each(["", "{", "nul", '{"a":1}x', "[1,]", '{"a":"\n"}', "\ufeff{}"])(
    "[G11] calls %j no JSON",
    (text) => {
      expect(read(text)).toMatchObject({ kind: "invalid", code: -32700 });
    },
  );

  it("[G11] calls bytes that are not UTF-8 no JSON", () => {
    const bytes = Buffer.from('{"id":1,"result":"\xff"}', "latin1");
    expect(readEnvelope(bytes)).toMatchObject({ kind: "invalid", code: -32700 });
  });

  it.each(["null", "1", '"x"', "{}", '{"jsonrpc":"2.0","id":1}'])(
    "[G11] finds no message in %s",
    (text) => {
      expect(read(text)).toMatchObject({ kind: "invalid", code: -32600 });
    },
  );
});

describe("a message that is mostly members", () => {
  const members = (count: number) =>
    Array.from({ length: count }, (_, at) => `"k${at}":1`).join(",");

  it("[G11] is refused from 1001 members at one level on", () => {
    const kinds = (write: (count: number) => string) =>
      [999, 1000, 1001].map((count) => read(write(count)).kind);
    expect(kinds((count) => `{"id":1,"result":{},${members(count - 2)}}`)).toEqual([
      "response",
      "response",
      "invalid",
    ]);
    expect(
      kinds((count) => `{"jsonrpc":"2.0","method":"m","params":{"_meta":{${members(count)}}}}`),
    ).toEqual(["notification", "notification", "invalid"]);
    expect(read(`{"id":1,"result":{${members(5000)}}}`).kind).toBe("response");
  });

  it("[G11] is a batch of at most 100", () => {
    const batch = (count: number) => read(`[${Array(count).fill("{}").join(",")}]`).kind;
    expect([batch(100), batch(101)]).toEqual(["batch", "invalid"]);
  });
});

describe("one reading", () => {
  const keys = ["jsonrpc", "id", "method", "params", "result", "error"];
  const paramKeys = ["name", "uri", "arguments", "_meta", "progressToken", "requestId", "ref"];
  const request = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{}}}';
  const inEnvelope = (member: string) => request.replace(/}$/, `,${member}}`);
  const inParams = (member: string) => request.replace('"_meta"', `${member},"_meta"`);
  const inMeta = (member: string) => request.replace("{}", `{${member}}`);
  const escaped = (key: string) =>
    key.replace(/[a-z]/i, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
  const places: [string, string[], (member: string) => string][] = [
    ["the message", keys, inEnvelope],
    ["params", paramKeys, inParams],
    ["_meta", ["progressToken", "io.modelcontextprotocol/protocolVersion"], inMeta],
  ];

  for (const [place, names, put] of places) {
    it.each(names)(
      `[G11] refuses the key %s in ${place} twice, in another case and with escapes`,
      (key) => {
        const twice = `"${key}":1,"${key}":1`;
        for (const member of [twice, `"${key.toUpperCase()}":1`, `"${escaped(key)}":1`]) {
          const message = read(put(member));
          expect(message).toMatchObject({ kind: "invalid", code: -32600 });
          expect(message).toHaveProperty("reason", expect.stringContaining(key));
        }
      },
    );
  }

  it("[G11] refuses a doubtful reference of a completion", () => {
    const text = inParams('"ref":{"name":"a","NAME":"b"}');
    expect(read(text)).toMatchObject({
      kind: "invalid",
      reason: "name is written in another case",
    });
  });

  it("[G11] still tells the id, unless that is in doubt", () => {
    expect(read(inParams('"Name":1'))).toMatchObject({ id: 1, idText: "1" });
    expect(read(inEnvelope('"Id":2'))).not.toHaveProperty("id");
    expect(read(inEnvelope('"id":2'))).not.toHaveProperty("id");
  });

  it("[G11] takes no answer for a call that another reader could see in it", () => {
    expect(read('{"jsonrpc":"2.0","id":1,"result":{},"Method":"tools/call"}').kind).toBe("invalid");
  });

  it("[G11] leaves other keys, arguments and results alone, whatever stands in them twice", () => {
    expect(read(inEnvelope('"x":1,"x":2,"X":3')).kind).toBe("request");
    expect(read(inParams('"arguments":{"name":1,"name":2,"Name":3}')).kind).toBe("request");
    expect(read('{"id":1,"result":{"id":1,"id":2,"_META":3}}').kind).toBe("response");
    expect(read('{"id":1,"result":{},"params":{"name":1,"name":2}}').kind).toBe("response");
  });
});

describe("rewriting an envelope", () => {
  it("[G11] copies all but the values that change, byte for byte", () => {
    const odd =
      '{ "result" : {"b":1,"b":2,"n":1E400,"big":12345678901234567890,"s":"\\u00e9\\/é"} ,\t"id" : 1 }';
    expect(rewrite(odd, { id: '"x"' })).toBe(odd.replace('"id" : 1', '"id" : "x"'));
  });

  it("[G11] [G15] renames and remaps in one go", () => {
    const changes = {
      id: "77",
      params: { set: { name: '"upstream_t"' } },
      meta: { set: { progressToken: "5" }, remove: (key: string) => key === "x/y" },
    };
    expect(rewrite(CALL, changes)).toBe(
      CALL.replace('"id":1', '"id":77')
        .replace('"name":"t"', '"name":"upstream_t"')
        .replace('"progressToken":"p","x/y":1', '"progressToken":5'),
    );
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"m"}', { _meta: { progressToken: 5 } }],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":{}}', { _meta: { progressToken: 5 } }],
    [
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}',
      { a: 1, _meta: { progressToken: 5 } },
    ],
    [
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":null}}',
      { _meta: { progressToken: 5 } },
    ],
    [
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"b":1}}}',
      { _meta: { b: 1, progressToken: 5 } },
    ],
  ])("[G11] makes the objects that a new member needs: %s", (text, params) => {
    const changed = JSON.parse(rewrite(text, { meta: { set: { progressToken: "5" } } }));
    expect(changed).toEqual({ jsonrpc: "2.0", id: 1, method: "m", params });
  });

  it("[G11] makes nothing in order to remove something", () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"m"}';
    const remove = () => true;
    expect(rewrite(text, { params: { remove }, meta: { remove } })).toBe(text);
  });

  it("[G11] adds to a result, and gives an error without an id its id", () => {
    expect(
      rewrite('{"id":1,"result":{"a":1}}', { result: { set: { resultType: '"complete"' } } }),
    ).toBe('{"id":1,"result":{"resultType":"complete","a":1}}');
    expect(rewrite('{"error":{"code":1}}', { id: "3" })).toBe('{"id":3,"error":{"code":1}}');
  });

  it("[G11] leaves only what strict clients accept, if asked to", () => {
    expect(rewrite('{"x":1,"id":1,"result":{"x":1},"error":null}', { strict: true })).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"x":1}}',
    );
    expect(rewrite('{"jsonrpc":"1.0","result":null,"id":1,"error":{}}', { strict: true })).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{}}',
    );
    expect(rewrite(CALL, { strict: true })).toBe(CALL);
  });

  it("[G11] [G15] writes into the message itself if it may and all that is new fits", () => {
    const bytes = Buffer.from('{"result":{},"jsonrpc":"2.0","id":1000000001}');
    expect(rewriteEnvelope(bytes, readable(bytes), { id: '"a"', inPlace: true })).toBe(bytes);
    expect(bytes.toString()).toBe('{"result":{},"jsonrpc":"2.0","id":"a"       }');
    const longer = rewriteEnvelope(bytes, readable(bytes), { id: '"abc"', inPlace: true });
    expect(longer.toString()).toBe('{"result":{},"jsonrpc":"2.0","id":"abc"       }');
    expect(bytes.toString()).toContain('"a"');
  });

  it("[G11] applies further edits by their offsets", () => {
    const text = '{"id":1,"result":{"text":"secret"}}';
    const start = text.indexOf("secret");
    const edits = [{ start, end: start + 6, text: "[redacted]" }];
    expect(rewrite(text, { id: "2", edits })).toBe('{"id":2,"result":{"text":"[redacted]"}}');
  });
});

describe("any message", () => {
  const space = fc.constantFrom("", "", " ", "\r\n", "\t");
  const scalar = fc.constantFrom(
    ...'1|-0|1.0|1E400|12345678901234567890|true|null|""|"\\u0061\\"\\\\"|"é😀\\ud800"|"}{,:"'.split(
      "|",
    ),
  );
  const key = fc.constantFrom('"a"', '"a"', '"b"', '"id"', '"na\\u006de"', '"é"');
  const { value } = fc.letrec<{ value: string; members: string; array: string }>((tie) => ({
    value: fc.oneof({ depthSize: "small" }, scalar, tie("members"), tie("array")),
    members: fc
      .tuple(space, fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }))
      .map(
        ([gap, pairs]) =>
          `{${gap}${pairs.map(([name, text]) => `${name}:${gap}${text}`).join(`,${gap}`)}}`,
      ),
    array: fc.array(tie("value"), { maxLength: 4 }).map((texts) => `[${texts.join(" ,")}]`),
  }));
  const anything = value;
  const id = fc.constantFrom("1", "0", "-1.5", '"1"', '"é"', '"\\u0031"', "12345678901234567890");
  const params = fc
    .tuple(fc.constantFrom('"t"', '"\\u0074"', "1"), anything, anything)
    .map(([name, args, token]) => `{"name":${name},"arguments":${args},"_meta":{"x":${token}}}`);
  const fields = fc.record(
    {
      jsonrpc: fc.constantFrom('"2.0"', '"2.0"', '"2.0"', "2", '"1.0"'),
      id: fc.oneof({ weight: 5, arbitrary: id }, anything),
      method: fc.constantFrom('"tools/call"', '"a\\u002fb"', "1"),
      params: fc.oneof({ weight: 3, arbitrary: params }, anything),
      result: anything,
      error: anything,
      other: anything,
    },
    { requiredKeys: [] },
  );
  const message = fc
    .tuple(fields, space, fc.infiniteStream(fc.nat(9)))
    .map(([record, gap, order]) => {
      const members = Object.entries(record).map(([name, text]) => ({
        text: `"${name}"${gap}:${gap}${text}`,
        at: order.next().value,
      }));
      members.sort((a, b) => Number(a.at) - Number(b.at));
      return `${gap}{${gap}${members.map(({ text }) => text).join(`${gap},`)}${gap}}${gap}`;
    });

  it("[G11] [P3] is read as the same kind, with the same id and method, as its parsed value", () => {
    fc.assert(
      fc.property(message, (text) => {
        const spans = read(text);
        const parsed = classify(JSON.parse(text));
        if (spans.kind === "invalid" && / (stands|is written) /.test(spans.reason)) return;
        expect(spans.kind).toBe(parsed.kind);
        if ("id" in parsed) expect(spans).toHaveProperty("id", parsed.id);
        if ("method" in parsed) expect(spans).toHaveProperty("method", parsed.method);
        if ("reason" in parsed) expect(spans).toHaveProperty("reason", parsed.reason);
      }),
      { numRuns },
    );
  });

  it("[G11] [P3] is the same bytes after a relay that changes nothing", () => {
    fc.assert(
      fc.property(message, (text) => {
        const bytes = Buffer.from(text);
        const spans = readEnvelope(bytes);
        if (spans.kind === "invalid" || spans.kind === "batch") return;
        expect(rewriteEnvelope(bytes, spans, {})).toBe(bytes);
        if (!("idText" in spans)) return;
        expect(rewriteEnvelope(bytes, spans, { id: spans.idText }).equals(bytes)).toBe(true);
      }),
      { numRuns },
    );
  });

  it("[G11] [P3] differs in its id only after its id has changed", () => {
    fc.assert(
      fc.property(message, id, (text, newId) => {
        const bytes = Buffer.from(text);
        const spans = readEnvelope(bytes);
        if (!("idText" in spans) || spans.kind === "invalid") return;
        const { valueStart, valueEnd } = spans.envelope.id!;
        const changed = rewriteEnvelope(bytes, spans, { id: newId });
        expect(JSON.parse(changed.toString())).toEqual({
          ...JSON.parse(text),
          id: JSON.parse(newId),
        });
        expect(changed.subarray(0, valueStart)).toEqual(bytes.subarray(0, valueStart));
        expect(changed.subarray(valueStart + Buffer.byteLength(newId))).toEqual(
          bytes.subarray(valueEnd),
        );
      }),
      { numRuns },
    );
  });

  it("[G11] [P3] may be damaged at will: it is relayed as JSON or refused, and nothing breaks", () => {
    const damage = fc.tuple(fc.nat(), fc.nat(4), fc.uint8Array({ maxLength: 4 }));
    const set = { set: { progressToken: "5" } };
    fc.assert(
      fc.property(message, fc.array(damage, { maxLength: 3 }), (text, damages) => {
        const bytes = damages.reduce(damaged, Buffer.from(text));
        const spans = readEnvelope(bytes);
        if (spans.kind === "invalid" && spans.code === -32700) {
          expect(() =>
            JSON.parse(new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(bytes)),
          ).toThrow();
          return;
        }
        const parsed = JSON.parse(bytes.toString()) as JsonObject;
        if (spans.kind === "invalid" || spans.kind === "batch") return;
        const changed = JSON.parse(
          rewriteEnvelope(bytes, spans, { id: "9", meta: set }).toString(),
        );
        expect(changed).toMatchObject({ id: 9, params: { _meta: { progressToken: 5 } } });
        expect(changed.result).toEqual(parsed.result);
      }),
      { numRuns },
    );
  });
});

function damaged(bytes: Buffer, [at, length, text]: [number, number, Uint8Array]): Buffer {
  const start = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, start), text, bytes.subarray(start + length)]);
}
