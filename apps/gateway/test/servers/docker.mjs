// Stands for the docker command: `run` writes the container's id and serves as the container's process would, not ending
// with its input; `stop` notes what it was called with.
import { appendFileSync, writeFileSync } from "node:fs";
import { serve, text } from "../../../../test-fixtures/servers/serve.mjs";

const args = process.argv.slice(2);
if (args.includes("run")) {
  writeFileSync(args[args.indexOf("--cidfile") + 1], "0123456789abcdef".repeat(4));
  serve({
    tools: [
      { name: "args", call: () => text(args.join(" ")) },
      { name: "die", call: () => process.kill(process.pid, "SIGKILL") },
    ],
  });
} else appendFileSync(process.env.DOCKER_LOG, `${args.join(" ")}\n`);
