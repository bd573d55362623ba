// A server of the tools in a JSON file, a thousand a page.
import { readFileSync } from "node:fs";
import { serve, text } from "../../../test-fixtures/servers/serve.mjs";

const PAGE = 1000;
const tools = JSON.parse(readFileSync(process.argv[2], "utf8"));

serve({
  methods: {
    "tools/list": ({ cursor = "0" }) => {
      const end = Number(cursor) + PAGE;
      const page = tools.slice(Number(cursor), end);
      const named = page.map(({ name, description, inputSchema = { type: "object" } }) => ({
        name,
        description,
        inputSchema,
      }));
      return { tools: named, ...(end < tools.length && { nextCursor: String(end) }) };
    },
    "tools/call": () => text(""),
  },
});
