import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import {
  createTempFolder,
  type Daemon,
  findNginx,
  modern,
  openSession,
  openStream,
  type RunningProcess,
  repository,
  rpc,
  send,
  startDaemon,
  startProcess,
} from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statePath } from "../src/daemon/record.ts";
import { fixture } from "./gateway-process.ts";

const page = readFileSync(join(repository, "docs", "scaling.md"), "utf8");
const headers = { host: "mcp.example.org", authorization: "Bearer a-token-of-some-length" };
const CALL = { name: "folder", arguments: {} };
const found = await findNginx();
const place = createTempFolder();
const replicas: Daemon[] = [];
let nginx: RunningProcess | undefined;
let door: URL;

afterAll(async () => {
  // The master ends its workers, if it is let.
  nginx?.child.kill("SIGTERM");
  await nginx?.exited;
  for (const replica of replicas) await replica[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** A replica with a server whose process id tells which replica a call has reached. */
async function startReplica(name: string): Promise<Daemon> {
  const folder = join(place.path, name);
  mkdirSync(folder);
  const token = join(folder, "token");
  writeFileSync(token, "a-token-of-some-length", { mode: 0o600 });
  return startDaemon(
    {
      server: { auth_token_file: token, allowed_hosts: [headers.host] },
      mcp_servers: { echo: fixture("echo", ["folder"]) },
    },
    { folder, env: { XDG_STATE_HOME: join(folder, "state") } },
  );
}

const sessionKeyOf = (name: string) => {
  const folder = join(place.path, name, "state", "wraptool");
  const [file = ""] = readdirSync(folder).filter((entry) => entry.startsWith("sessions-"));
  return join(folder, file);
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The page's own example, with these replicas, on a port of its own and without TLS. */
function siteOf([first, second]: readonly Daemon[], port: number): string {
  const [, example = ""] = page.match(/```nginx\n([\s\S]*?)```/) ?? [];
  return example
    .replaceAll("10.0.0.11:8717", first?.url.host ?? "")
    .replaceAll("10.0.0.12:8717", second?.url.host ?? "")
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_certificate.*\n/gm, "");
}

async function startNginx(path: string): Promise<void> {
  const port = await freePort();
  const folder = join(place.path, "nginx");
  mkdirSync(folder);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${kind};`)
    .join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; pid nginx.pid; error_log stderr notice; events {}
http { access_log off; ${temporary}
${siteOf(replicas, port)} }`,
  );
  const started = startProcess(path, ["-p", folder, "-c", "nginx.conf", "-e", "stderr"]);
  nginx = started;
  await started.waitFor(/start worker process \d+/, "stderr");
  door = new URL(`http://127.0.0.1:${port}`);
}

function pidIn({ text }: { readonly text: string }): string {
  const { result } = JSON.parse(text) as { result: { content: { text: string }[] } };
  return result.content[0]?.text.split("\n")[1] ?? "";
}

async function reached(session: Record<string, string>): Promise<string> {
  return pidIn(await send(door, { headers: session, body: rpc(1, "tools/call", CALL) }));
}

describe("the page on scaling", () => {
  it("[G9] names the session key's file as the gateway does for that configuration", () => {
    const path = statePath("/state/wraptool", "sessions", "/etc/wraptool/config.yaml");
    expect(page).toContain(path);
  });
});

describe.skipIf("reason" in found)(
  `two replicas behind the page's nginx${"reason" in found ? ` (${found.reason})` : ""}`,
  () => {
    beforeAll(async () => {
      replicas.push(await startReplica("first"));
      const second = await startReplica("second");
      await second.stop();
      writeFileSync(sessionKeyOf("second"), readFileSync(sessionKeyOf("first")));
      replicas.push(await second.restart());
      if ("path" in found) await startNginx(found.path);
    });

    it("[G3] share the requests that stand alone", async () => {
      const pids = new Set<string>();
      for (let count = 0; count < 40; count++) {
        const { body, headers: own } = modern(count, "tools/call", CALL);
        pids.add(pidIn(await send(door, { headers: { ...headers, ...own }, body })));
      }
      expect(pids.size).toBe(2);
    });

    it("[G9] keep each session at one of them, whichever answered its initialize", async () => {
      const places = new Set<string>();
      for (let count = 0; count < 24; count++) {
        const session = await openSession(door, { headers });
        const pid = await reached(session);
        for (let again = 0; again < 4; again++) expect(await reached(session)).toBe(pid);
        places.add(pid);
      }
      expect(places.size).toBe(2);
    });

    it("[G3] carry the oldest transport's stream and its posts to the same one", async () => {
      using stream = await openStream(door, { path: "/sse", headers });
      while (stream.data().length < 1) await stream.next();
      const [path] = stream.data();
      const clientInfo = { name: "raw", version: "1" };
      const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo };
      const posted = await send(door, {
        ...(path !== undefined && { path }),
        ...{ headers, body: rpc(1, "initialize", params) },
      });
      expect(posted.status).toBe(202);
      while (stream.data().length < 2) await stream.next();
      expect(JSON.parse(stream.data()[1] ?? "")).toMatchObject({ id: 1, result: {} });
    });

    it("[G9] take up the sessions of one that went away", async () => {
      const session = await openSession(door, { headers });
      const pid = await reached(session);
      const owners = await Promise.all(
        replicas.map(async ({ url }) =>
          pidIn(
            await send(url, {
              headers: await openSession(url, { headers }),
              body: rpc(1, "tools/call", CALL),
            }),
          ),
        ),
      );
      await replicas[owners.indexOf(pid)]?.stop();
      expect(await reached(session)).toBe(owners.find((other) => other !== pid));
    });
  },
);
