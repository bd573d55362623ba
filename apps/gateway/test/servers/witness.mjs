// Faultless, and distrustful: reads each message in every way in which some reader could (a key that stands twice, in
// another case), and notes in the file of its first argument what no policy of the test lets through in any of them.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { serve, text } from "../../../../test-fixtures/servers/serve.mjs";

const [, , log] = process.argv;
const ALLOWED = {
  "tools/call": { name: ["read", "look"] },
  "prompts/get": { name: ["hello"] },
  "resources/read": { uri: ["note:ok"] },
};

/** The value of a JSON text, with the members of objects as pairs, so that none hides another. */
function readPairs(json) {
  let at = 0;
  const skip = () => {
    while (/\s/.test(json[at] ?? "")) at++;
  };
  const scalar = () => {
    const [whole] = /^(?:"(?:\\.|[^"\\])*"|[^\s,\]}:]+)/.exec(json.slice(at)) ?? [""];
    at += whole.length;
    return JSON.parse(whole);
  };
  const list = (close, item) => {
    const items = [];
    at++;
    for (skip(); json[at] !== close; skip()) {
      if (json[at] === ",") at++;
      skip();
      items.push(item());
    }
    at++;
    return items;
  };
  const value = () => {
    skip();
    if (json[at] === "[") return list("]", value);
    if (json[at] !== "{") return scalar();
    const pairs = list("}", () => {
      const key = scalar();
      skip();
      at++;
      return [key, value()];
    });
    return { pairs };
  };
  return value();
}

/** Readers of some languages fold more than ASCII. */
const fold = (key) => key.toUpperCase().toLowerCase();
const valuesOf = (value, key) =>
  (value?.pairs ?? []).filter(([name]) => fold(name) === key).map(([, found]) => found);

function isAllowed(message) {
  return valuesOf(message, "method").every((method) => {
    const rule = ALLOWED[method];
    const all = valuesOf(message, "params");
    if (rule === undefined) return !Object.keys(ALLOWED).includes(fold(String(method)));
    const [[member, names]] = Object.entries(rule);
    return all.every((params) => {
      const given = valuesOf(params, member);
      if (given.length === 0 || !given.every((name) => names.includes(name))) return false;
      if (!given.includes("look")) return true;
      const paths = valuesOf(params, "arguments").flatMap((args) => valuesOf(args, "path"));
      return paths.length > 0 && paths.every((path) => /^docs\/[a-z]+$/.test(path));
    });
  });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() !== "" && !isAllowed(readPairs(line))) appendFileSync(log, `${line}\n`);
});
serve({
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  tools: ["read", "look", "secret"].map((name) => ({ name, call: () => text(name) })),
  methods: {
    "resources/list": () => ({
      resources: [
        { uri: "note:ok", name: "ok" },
        { uri: "note:no", name: "no" },
      ],
    }),
    "resources/read": ({ uri }) => ({ contents: [{ uri, text: "read" }] }),
    "prompts/list": () => ({ prompts: [{ name: "hello" }, { name: "secret" }] }),
    "prompts/get": () => ({ messages: [] }),
  },
});
