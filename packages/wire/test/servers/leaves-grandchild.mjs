// Fault: exits and leaves behind a stubborn process of its group that holds stdout and stderr.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const stubborn = fileURLToPath(new URL("./stubborn.mjs", import.meta.url));
const grandchild = spawn(process.execPath, [stubborn], { stdio: ["ignore", "inherit", "inherit"] });
console.log(
  JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/grandchild",
    params: { pid: grandchild.pid },
  }),
);
process.stdin.once("data", () => process.exit(3));
