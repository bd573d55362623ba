// Stands in for docker and podman. It writes down how it was called, and runs the command on this machine with what the
// container would have of it: only the named variables, the working folder, the mounts, and the names of the host. The
// image is called "image".
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [runtime, ...argv] = process.argv.slice(2);
const folder = process.env.RUNTIME_FOLDER;
const variables = Object.keys(process.env);
writeFileSync(join(folder, "call.json"), JSON.stringify({ runtime, argv, variables }));

const image = argv.indexOf("image");
/** The words that follow one of these before the image. */
const given = (...names) => argv.slice(1, image).filter((_, at) => names.includes(argv[at]));

const root = join(folder, "root");
const inside = (path) => (path.startsWith("/run/wraptool/") ? join(root, path) : path);
const insideUrl = (text) => text.replace(/^unix:\/\/(?=\/run\/wraptool\/)/, `unix://${root}`);

/** What is mounted under another path is put into a folder that is empty otherwise: nothing beside it can help. */
function mount(source, target) {
  if (inside(target) === target) return;
  mkdirSync(dirname(inside(target)), { recursive: true });
  const isCode = statSync(source).isDirectory() || target.endsWith(".json");
  if (isCode) cpSync(source, inside(target), { recursive: true });
  else symlinkSync(source, inside(target));
}
for (const text of given("--mount")) {
  const { source, target } = Object.fromEntries(text.split(",").map((field) => field.split("=")));
  mount(source, target);
}

const hosts = given("--add-host").map((host) => host.replace(/:host-gateway$/, ""));
if (runtime === "podman") hosts.push("host.containers.internal");
const resolver = fileURLToPath(new URL("resolver.mjs", import.meta.url));
const env = { NODE_OPTIONS: `--import ${resolver}`, HOSTS: hosts.join(), HOME: root };
for (const word of given("-e", "--env")) {
  const [name, ...value] = word.split("=");
  const text = value.length > 0 ? value.join("=") : process.env[name];
  if (text !== undefined) env[name] = insideUrl(text);
}

const words = argv
  .slice(image + 1)
  .map((word) => (word === "node" ? process.execPath : inside(word)));
const [cwd] = given("--workdir");
const child = spawn(words[0], words.slice(1), { cwd, env, stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 137));
