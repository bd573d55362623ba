// Faultless: `echo` returns its text, `add` sums two numbers, `fail` is a tool error, `environment` tells its variables.
import { serve, text } from "./serve.mjs";

serve({
  tools: [
    {
      name: "echo",
      title: "Echo",
      description: "Return the text that was given",
      inputSchema: {
        type: "object",
        properties: { text: { type: "string", description: "what to return" } },
        required: ["text"],
      },
      call: ({ text: value }) => text(String(value)),
    },
    {
      name: "add",
      description: "Sum two numbers",
      inputSchema: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      },
      call: ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
    },
    {
      name: "fail",
      description: "Fail as a tool does",
      call: () => ({ ...text("The tool failed on purpose"), isError: true }),
    },
    {
      name: "environment",
      description: "Tell the names of the environment variables, or the value of one",
      inputSchema: { type: "object", properties: { name: { type: "string" } } },
      call: ({ name }) =>
        text(name ? String(process.env[name]) : Object.keys(process.env).sort().join("\n")),
    },
    {
      name: "folder",
      description: "Tell the working directory and the process id",
      call: () => text(`${process.cwd()}\n${process.pid}`),
    },
  ],
});
