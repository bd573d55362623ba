// A program that starts a server as our apps do, tells its pid, and waits. Bundled and run by child.test.ts.
import { startChild } from "../src/child.ts";

const [server = ""] = process.argv.slice(2);
const child = await startChild({
  command: process.execPath,
  args: [server],
  env: {},
  maxMessageBytes: 1024,
  onLine() {},
  onOversize() {},
});
console.log(child.pid);
