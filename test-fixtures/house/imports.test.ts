import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { fencedList } from "./architecture.ts";
import { type SourceFile, sourceFiles } from "./sources.ts";

const APPS = ["travis-adapter", "gateway", "aios-server"];
const isSource = /^(packages|apps)\/[^/]+\/src\/.*(?<!\.test)\.ts$/;
const files = sourceFiles(["packages", "apps"], isSource);

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

/** What a file imports or re-exports, static and dynamic; `typeOnly` when nothing of it is left at run time. */
function importsOf({ text }: SourceFile): Import[] {
  const found = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?([^"';]*?)\s*from\s+"([^"]+)"/gms),
  ].map(([, type, names = "", from = ""]) => ({
    from,
    typeOnly:
      type !== undefined ||
      (/^\{.*\}$/s.test(names) &&
        names
          .slice(1, -1)
          .split(",")
          .filter((name) => name.trim() !== "")
          .every((name) => name.trim().startsWith("type "))),
  }));
  const bare = [...text.matchAll(/^import\s+"([^"]+)"/gm)].map(([, from = ""]) => from);
  const dynamic = [...text.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, from = ""]) => from);
  return [...found, ...[...bare, ...dynamic].map((from) => ({ from, typeOnly: false }))];
}

/** The room of a file of an app, or "" for a file at the top of src. */
function roomOf(path: string): string {
  const parts = path.split("/");
  return parts.length > 4 ? (parts[3] as string) : "";
}

describe("import order", () => {
  it("[W10] runs from bounds to terminal among the core packages", () => {
    const order = fencedList("rooms packages");
    const wrong = files
      .filter(({ path }) => path.startsWith("packages/"))
      .flatMap((file) => {
        const own = order.indexOf(file.path.split("/")[1] as string);
        return importsOf(file)
          .filter(({ from }) => from.startsWith("@core/"))
          .filter(({ from }) => order.indexOf(from.slice("@core/".length)) >= own)
          .map(({ from }) => `${file.path} imports ${from}`);
      });
    expect(wrong).toEqual([]);
  });

  it("[W10] never leads from a core package to an app or out of its own folder", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => from.startsWith("."))
        .filter(({ from }) => {
          const target = posix.join(posix.dirname(file.path), from);
          return !target.startsWith(file.path.split("/").slice(0, 3).join("/"));
        })
        .map(({ from }) => `${file.path} imports ${from}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(APPS)("[W10] runs from left to right through the rooms of apps/%s", (app) => {
    const order = fencedList(`rooms apps/${app}`);
    const own = files.filter(({ path }) => path.startsWith(`apps/${app}/`));
    const rooms = new Set(own.map(({ path }) => roomOf(path)).filter((room) => room !== ""));
    expect([...rooms].filter((room) => !order.includes(room))).toEqual([]);

    const atTop = ["limits.ts", "errors.ts", "host.ts"];
    const wrong = own
      .filter(({ path }) => roomOf(path) !== "")
      .flatMap((file) =>
        importsOf(file)
          .filter(({ from }) => from.startsWith("."))
          .map(({ from }) => posix.join(posix.dirname(file.path), from))
          .filter((target) =>
            roomOf(target) === ""
              ? !atTop.includes(posix.basename(target))
              : order.indexOf(roomOf(target)) > order.indexOf(roomOf(file.path)),
          )
          .map((target) => `${file.path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("[W10] has no cycle among files, type-only imports included", () => {
    const graph = new Map(
      files.map((file) => [
        file.path,
        importsOf(file)
          .filter(({ from }) => from.startsWith("."))
          .map(({ from }) => posix.join(posix.dirname(file.path), from)),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]) => {
      if (trail.includes(path))
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      else if (!done.has(path)) {
        for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
        done.add(path);
      }
    };
    for (const path of graph.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it("[W7] lets only the files named in docs/architecture.md import values of the SDK", () => {
    const importers = files
      .filter((file) =>
        importsOf(file).some(
          ({ from, typeOnly }) => from.startsWith("@modelcontextprotocol/") && !typeOnly,
        ),
      )
      .map(({ path }) => path);
    expect(importers).toEqual(fencedList("sdk-values").sort());
  });
});

describe("the apps", () => {
  it.each(APPS)("[W10] apps/%s uses both @core/bounds and @core/config", (app) => {
    const used = new Set(
      files
        .filter(({ path }) => path.startsWith(`apps/${app}/`))
        .flatMap((file) => importsOf(file).map(({ from }) => from)),
    );
    expect([used.has("@core/bounds"), used.has("@core/config")]).toEqual([true, true]);
  });

  // What only a core package may do; a second copy in an app is found by how such code has to look.
  it.each([
    ["counts UTF-8 bytes", /Buffer\.byteLength\(|new TextEncoder\(/, "countBytes of @core/bounds"],
    ["decodes strictly", /TextDecoder\([^)]*fatal/, "readDocument of @core/config"],
    ["parses YAML", /\{[^}]*\bparse\w*\b[^}]*\} from "yaml"/, "parseDocument of @core/config"],
    ["reads references", /\\?\$env:[^A-Z`"]*\\?[([]|\\\$\\\{/, "findReferences of @core/config"],
    ["splits lines of a stream", /createInterface\(/, "createLineSplitter of @core/wire"],
    [
      "spawns a process",
      /from "node:child_process"|from "cross-spawn"/,
      "startChild of @core/wire",
    ],
  ])("[W10] hold no code of their own that %s", (_what, pattern, home) => {
    const copies = files
      .filter(({ path, text }) => path.startsWith("apps/") && pattern.test(text))
      .map(({ path }) => `${path}: use ${home}`);
    expect(copies).toEqual([]);
  });
});

describe("names", () => {
  it("[W10] has no drawer among rooms and files", () => {
    const drawer =
      /(^|\/)(utils?|helpers?|common|shared|misc|types?|constants|manager|service|base)(\.ts|\/|$)/;
    expect(files.map(({ path }) => path).filter((path) => drawer.test(path))).toEqual([]);
  });

  it("[W10] keeps one index in each package and none in a room", () => {
    const inner = files.filter(({ path }) => /src\/.+\/index\.ts$/.test(path));
    expect(inner.map(({ path }) => path)).toEqual([]);
  });
});
