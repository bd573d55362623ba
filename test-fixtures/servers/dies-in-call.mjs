// Fault: the tool `boom` adds a line to the file named by its argument and then ends the process with status 17,
// so that a test can count how often the call really ran.
import { appendFileSync } from "node:fs";
import { serve, text } from "./serve.mjs";

serve({
  tools: [
    {
      name: "boom",
      description: "Run once and die",
      inputSchema: { type: "object", properties: { file: { type: "string" } } },
      call: ({ file }) => {
        if (file) appendFileSync(file, "ran\n");
        process.stderr.write("fatal: out of luck\n");
        process.exit(17);
      },
    },
    { name: "fine", description: "Work", call: () => text("fine") },
  ],
});
