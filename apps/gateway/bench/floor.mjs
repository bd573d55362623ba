// The least that a gateway can be: an HTTP server that parses, rewrites the id and pipes to the same raw echo server.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const echo = fileURLToPath(new URL("echo.mjs", import.meta.url));
const { stdin, stdout } = spawn(process.execPath, [echo], { stdio: ["pipe", "pipe", "inherit"] });
const pending = new Map();
let next = 1;
createInterface({ input: stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, response } = pending.get(message.id);
  pending.delete(message.id);
  const body = JSON.stringify({ ...message, id });
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
const server = createServer((request, response) => {
  let body = "";
  request
    .on("data", (chunk) => (body += chunk))
    .on("end", () => {
      const message = JSON.parse(body);
      pending.set(next, { id: message.id, response });
      stdin.write(`${JSON.stringify({ ...message, id: next++ })}\n`);
    });
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.error("listening"));
