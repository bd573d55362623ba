import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { createSubject, createTempFolder, fuzzBatches, fuzzRuns, openSession } from "test-fixtures";
import { afterAll, describe, expect, it } from "vitest";
import { startGateway } from "./gateway-process.ts";

const witness = fileURLToPath(new URL("servers/witness.mjs", import.meta.url));
const agent = new Agent({ keepAlive: true });
const folder = createTempFolder();
const log = join(folder.path, "breaches");

/** The same text in JSON, some of its characters escaped. */
const written = (text: string) =>
  fc
    .array(fc.constantFrom("plain", "plain", "plain", "escaped", "ESCAPED"), {
      minLength: text.length,
      maxLength: text.length,
    })
    .map((ways) => {
      const letters = [...text].map((letter, at) => {
        const code = letter.charCodeAt(0).toString(16).padStart(4, "0");
        if (ways[at] === "escaped") return `\\u${code}`;
        return ways[at] === "ESCAPED" ? `\\u${code.toUpperCase()}` : letter;
      });
      return `"${letters.join("")}"`;
    });

/** A key, or one that some readers take for it. */
const key = (name: string) =>
  fc.oneof(
    { weight: 80, arbitrary: fc.constant(`"${name}"`) },
    { weight: 2, arbitrary: written(name) },
    written(name.toUpperCase()),
    written(name[0]?.toUpperCase() + name.slice(1)),
    fc.constantFrom(
      `"${name.replace("s", "\u017f")}"`,
      `"${name.replace("k", "\u212a")}"`,
      `"${name} "`,
      `"${name}\\u0000"`,
      `"\\ufeff${name}"`,
      `"__proto__"`,
    ),
  );
const NAMES = ["read", "look", "secret", "hello", "note:ok", "note:no", "NOTE:no", "read,secret"];
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...NAMES).chain(written) },
  fc.constantFrom(
    '["secret"]',
    '{"name":"secret"}',
    "null",
    "1",
    '"secret\\u0000"',
    '"\\u017fecret"',
  ),
  fc.constantFrom(
    '"secret "',
    '"read\\",\\"name\\":\\"secret"',
    '"w_secret"',
    '"../secret"',
    '"Secret"',
  ),
);
const path = fc.constantFrom(
  '"docs/a"',
  '"docs/../x"',
  '"/etc"',
  '"docs/a\\n"',
  "[]",
  '"docs/\\u0061"',
);

type Member = readonly [key: string, value: string];
const member = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Member> =>
  fc.tuple(key(name), value);
/** Members in any order, some of them twice, with blanks between. */
const object = (...members: fc.Arbitrary<Member>[]) =>
  fc
    .tuple(
      fc.tuple(...members),
      fc.oneof(
        { weight: 5, arbitrary: fc.constant<Member[]>([]) },
        fc.array(fc.oneof(...members), { maxLength: 2 }),
      ),
      fc.constantFrom("", " ", "\n\t"),
    )
    .chain(([first, more, blank]) =>
      fc
        .shuffledSubarray([...first, ...more], { minLength: first.length })
        .map(
          (all) => `{${all.map(([name, value]) => `${blank}${name}${blank}:${value}`).join(",")}}`,
        ),
    );

const args = fc.oneof(
  { weight: 3, arbitrary: object(member("path", path)) },
  fc.constantFrom("{}", "null", "[]", '"docs/a"', '{"path":"docs/a","other":1}'),
);
const params = fc.oneof(
  { weight: 4, arbitrary: object(member("name", name), member("arguments", args)) },
  object(member("uri", name)),
  fc.constantFrom("null", "[]", '["secret"]'),
);
const METHODS = ["tools/call", "tools/call", "resources/read", "prompts/get", "Tools/Call"];
const message = object(
  member("jsonrpc", fc.constant('"2.0"')),
  member("id", fc.constantFrom("1", "2", '"1"', "-3", "null", "1.0")),
  member("method", fc.constantFrom(...METHODS).chain(written)),
  member("params", params),
);

/** What nobody could misunderstand, and has to be answered. */
const plain = fc.constantFrom(
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"/etc"}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"path":"docs/a"}}}',
  '{ "params" : {"name":"h\\u0065llo"},\n"method":"prompts\\/get","id":1,"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"note:ok"}}',
);
const body = fc.oneof(
  { weight: 1, arbitrary: plain.map((text) => ({ isPlain: true, bytes: Buffer.from(text) })) },
  { weight: 8, arbitrary: message.map((text) => ({ isPlain: false, bytes: Buffer.from(text) })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(message, fc.constantFrom("utf16le", "latin1", "bom", "list", "two", "nul"))
      .map(([text, form]) => ({ isPlain: false, bytes: inForm(text, form) })),
  },
);

function inForm(text: string, form: string): Buffer {
  if (form === "utf16le" || form === "latin1") return Buffer.from(text, form);
  if (form === "bom") return Buffer.from(`\ufeff${text}`);
  if (form === "list") return Buffer.from(`[${text},${text}]`);
  return Buffer.from(form === "two" ? `${text}\n${text}` : `${text}\0`);
}

const input = fc.record({
  body,
  headers: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constantFrom<Record<string, string>>(
      { "content-type": "application/json; charset=utf-16" },
      { "content-encoding": "identity" },
      { "mcp-name": "read", "mcp-method": "tools/call" },
      { "mcp-protocol-version": "2026-07-28", "mcp-name": "read", "mcp-method": "tools/call" },
      { "mcp-protocol-version": "2025-03-26" },
    ),
  ),
});

function post(url: URL, headers: Record<string, string>, bytes: Buffer): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const type = { "content-type": "application/json", accept: "application/json" };
    const sent = request(
      url,
      { method: "POST", agent, headers: { ...type, ...headers } },
      (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve([response.statusCode ?? 0, text]));
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(bytes);
  });
}

const subject = createSubject(() => {
  writeFileSync(log, "");
  return startGateway({
    mcp_servers: {
      witness: {
        command: process.execPath,
        args: [witness, log],
        allow: [
          { tool: "read" },
          {
            tool: "look",
            args: { path: { type: "string", pattern: "^docs/[a-z]+$" } },
            only: true,
          },
          { resource: "note:*" },
          { prompt: "hello" },
        ],
        deny: [{ tool: "secret" }, { resource: "note:no" }],
      },
    },
  });
});
afterAll(async () => {
  agent.destroy();
  await subject[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe("requests in any encoding", () => {
  it("[G10] [G11] [P3] reach a server only with what is allowed in every reading, and plain ones do", async () => {
    await fuzzBatches(input, { inputs: fuzzRuns(400), size: 400 }, (inputs) =>
      subject.use(async ({ url }) => {
        const session = await openSession(url);
        const queue = inputs.values();
        const faults: string[] = [];
        const work = async () => {
          for (const { body, headers } of queue) {
            const given = body.isPlain ? {} : headers;
            const [status, text] = await post(url, { ...session, ...given }, body.bytes);
            const isAnswered = status === 200 && text.includes('"result":');
            if (status >= 500 || (body.isPlain && !isAnswered))
              faults.push(`${body.bytes}\n${text}`);
          }
        };
        await Promise.all(Array.from({ length: 8 }, work));
        expect(faults).toEqual([]);
        expect(readFileSync(log, "utf8")).toBe("");
      }),
    );
  });
});
