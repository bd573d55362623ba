// The v2 SDK's server over HTTP on a port of the system's choice, for the modern era alone. Prints its port, and then the
// method and the mirrored headers of each request.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createModernServer } from "./modern-catalog.mjs";

const handler = createMcpHandler(createModernServer, { legacy: "reject" });
const server = createServer(async (request, response) => {
  const { "mcp-method": method, "mcp-name": name, "mcp-param-region": region } = request.headers;
  console.log(JSON.stringify({ http: request.method, method, name, region }));
  const hangUp = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) console.log(JSON.stringify({ closed: method }));
    hangUp.abort();
  });
  const body = request.method === "POST" ? Readable.toWeb(request) : undefined;
  const answer = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method,
      headers: request.headers,
      body,
      duplex: "half",
      signal: hangUp.signal,
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  if (answer.body)
    Readable.fromWeb(answer.body)
      .on("error", () => {})
      .pipe(response);
  else response.end();
});
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
process.stdin.on("end", () => process.exit(0)).resume();
