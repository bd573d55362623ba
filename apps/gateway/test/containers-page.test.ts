import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseClientDocument } from "@core/clients";
import { parseDocument } from "@core/config";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { fileSchema } from "../src/config/schema.ts";
import { baseOfDevContainer, baseOfImage } from "../src/up/container-base.ts";
import { readDevContainer } from "../src/up/dev-container.ts";
import { findHostAddress, HOST_ADDRESSES } from "../src/up/host-address.ts";
import { chooseReach } from "../src/up/reach.ts";
import { bridgeCommand, buildRunArguments, type ContainerPlan } from "../src/up/run-arguments.ts";

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");
const containers = read("containers.md");
const devContainers = read("dev-containers.md");

/** The fenced blocks of a page with this title. */
function blocks(page: string, title: string): string[] {
  const fence = new RegExp(`^\`\`\`${title}\\n([\\s\\S]*?)^\`\`\``, "gm");
  return [...page.matchAll(fence)].map(([, text = ""]) => text);
}

function planFor(worktree: string, tokenFile: string, withBridge: boolean): ContainerPlan {
  const address = findHostAddress("docker", "linux");
  const listeners = withBridge ? ["/s"] : ["http://0.0.0.0:8717"];
  return {
    ...{ address, reach: chooseReach(listeners, { address, withBridge }), worktree },
    ...{ token: { file: tokenFile, form: "file" }, program: withBridge ? "/p" : undefined },
    base: baseOfImage("i", { worktree, platform: "linux", environment: {} }),
    ...{ isInteractive: false, options: [], command: [] },
  };
}

describe("the page about containers", () => {
  it("[G23] [G27] has the table of addresses that up goes by", () => {
    const rows = containers
      .split("\n")
      .filter((line) => /^\| `(docker|podman)` /.test(line))
      .map((line) =>
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim().replaceAll("`", "")),
      );
    const yes = (is: boolean) => (is ? "yes" : "no");
    expect(rows).toEqual(
      HOST_ADDRESSES.map((row) => [
        ...[row.runtime, row.platform, row.name, row.options.join(" ") || "none"],
        ...[yes(row.reachesLoopback), yes(row.sharesSockets), row.listenOn],
      ]),
    );
  });

  it("[G23] has the entry whose command up prints", () => {
    const [entry = ""] = blocks(containers, "json bridge");
    const { command, args } = JSON.parse(entry).mcpServers.wraptool;
    expect([command, ...args]).toEqual(bridgeCommand(planFor(".", "/t", true)));
  });

  it("[G23] refers to the variables that up sets", () => {
    const [entry = ""] = blocks(containers, "json tcp");
    const { url, headers } = JSON.parse(entry).mcpServers.wraptool;
    expect([url, headers.Authorization]).toEqual(["${WRAPTOOL_URL}", "Bearer ${WRAPTOOL_TOKEN}"]);
  });

  it.each([...blocks(containers, "yaml config"), ...blocks(devContainers, "yaml config")])(
    "[G1] [G23] shows configurations that are valid: %#",
    (text) => {
      const { value } = parseDocument(text, { file: "page", format: "yaml" });
      expect(fileSchema.safeParse(value).error).toBeUndefined();
    },
  );
});

describe("the page about dev containers", () => {
  const [text = ""] = blocks(devContainers, "jsonc devcontainer");
  const file = parseClientDocument(text, { file: "devcontainer.json", format: "jsonc" });
  const FOLDER = "${localWorkspaceFolder}";
  const args = buildRunArguments(planFor(FOLDER, "${localEnv:HOME}/.config/wraptool/token", false));
  const mounts = args.filter((_, at) => args[at - 1] === "--mount");

  it("[G23] mounts the worktree and the token as up does", () => {
    expect([file.get(["workspaceMount"]), ...(file.get(["mounts"]) as string[])]).toEqual(mounts);
    expect(file.get(["workspaceFolder"])).toBe(args[args.indexOf("--workdir") + 1]);
  });

  it("[G23] names the host as up does, and the folder of the editor", () => {
    expect(file.get(["runArgs"])).toEqual(findHostAddress("docker", "linux").options);
    expect(args).toContain(
      `WRAPTOOL_URL=${encodeFolder(file.get(["containerEnv", "WRAPTOOL_URL"]))}`,
    );
  });

  it("[G23] [G24] has an entry that dials what the variable names, with the mounted token", () => {
    const [entry = ""] = blocks(devContainers, "json entry");
    const { args: words } = JSON.parse(entry).mcpServers.wraptool;
    expect(words).toEqual([
      ...["-y", "wraptool", "bridge", "--token-file", "/run/wraptool/token", "--cwd", "."],
    ]);
    expect(devContainers).toContain(`--url ${gateway().origin}${gateway().pathname}`);
  });

  it("[G23] has a file that up takes as it stands, and from which nothing is left out", async () => {
    await using folder = createTempFolder();
    writeFileSync(join(folder.path, ".devcontainer.json"), text);
    const around = { worktree: "/home/me/app", environment: { HOME: "/home/me" } };
    const base = baseOfDevContainer(readDevContainer(folder.path), {
      ...around,
      platform: "linux",
    });
    expect(base).toMatchObject({ workdir: "/home/me/app", environment: {}, warnings: [] });
    expect(base.mounts.map(({ target }) => target)).toEqual(["/run/wraptool/token"]);
  });

  function gateway(): URL {
    return new URL(String(file.get(["containerEnv", "WRAPTOOL_URL"])));
  }

  function encodeFolder(url: unknown): string {
    return String(url).replace(FOLDER, encodeURIComponent(FOLDER));
  }
});
