// Stands for dist/cli.js in tests of the Python extension: it does what the call's "tool" says.
import { createInterface } from "node:readline";

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const { MODE } = process.env;
const names = ["files", "git", "odd\n\u202ename", ...[79, 80, 81].map((n) => "😀".repeat(n))];
const held = new Map();

function answer(id, facts, isError = false) {
  const content = [{ type: "text", text: JSON.stringify(facts) }];
  const details = { travis234Mcp: { operation: "call", isError } };
  send({ id, result: { content, details, isError } });
}

function execute(id, { request, env }) {
  const facts = { pid: process.pid, argv: process.argv.slice(2), request, variable: env.VARIABLE };
  switch (request.tool) {
    case "hold":
      held.set(id, facts);
      console.error("holding");
      break;
    case "release":
      for (const [heldId, heldFacts] of held) answer(heldId, heldFacts);
      answer(id, { ...facts, held: held.size });
      break;
    case "deaf":
      process.stdin.pause();
      break;
    case "crash":
      process.stderr.write(
        "at /somewhere/secret.js\nTypeError: broken in /somewhere/secret.js\n\n",
        () => process.exit(7),
      );
      break;
    case "image":
      send({
        id,
        result: {
          content: [{ type: "image", data: "aGk=", mimeType: "image/png" }],
          details: { travis234Mcp: { operation: "call", isError: false } },
        },
      });
      break;
    case "noise":
      process.stdout.write(`not JSON\n[]\n5\n{"id":"${id}"}\n{"method":"later"}\n`);
      answer(id, facts, true);
      break;
    case "flood": {
      const told = { received: JSON.stringify(request).length, sent: "y".repeat(5_000_000) };
      process.stderr.write("x".repeat(3_000_000), () => answer(id, told));
      break;
    }
    case "odd":
      send({ id, result: { content: [{ type: "video" }], details: {} } });
      break;
    default:
      answer(id, facts);
  }
}

if (MODE === "broken") throw new SyntaxError("Unexpected token at /somewhere/cli.js");
if (MODE !== "mute")
  send({
    method: "ready",
    params: { version: "0", servers: names, ignoredProjectFiles: 0 },
  });
if (MODE === "stubborn") setInterval(() => {}, 1000);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (MODE === "mute") return;
  if (method === "execute") execute(id, params);
  if (method === "cancel" && held.delete(params.id)) answer(params.id, { cancelled: true }, true);
  if (method === "shutdown" && MODE !== "stubborn") {
    for (const heldId of held.keys()) answer(heldId, { ended: true }, true);
    send({ id, result: {} });
    process.stdin.destroy();
  }
});
