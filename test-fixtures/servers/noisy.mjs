// Fault: prints a banner, blank lines and log lines on stdout between its answers.
import { serve, text } from "./serve.mjs";

process.stdout.write("\uFEFFStarting fixture server v1\n\n");
setInterval(() => process.stdout.write("[info] still here\n"), 5).unref();
serve({
  tools: [
    {
      name: "say",
      description: "Say something between two lines of noise",
      call: () => {
        process.stdout.write("{not json}\n");
        return text("said");
      },
    },
  ],
});
