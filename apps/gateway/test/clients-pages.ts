import {
  buildEntry,
  type ClientEntry,
  type ClientFile,
  type ClientRow,
  type EntryToken,
  renderFragment,
  type TablePath,
} from "@core/clients";
import { connectEntry } from "../src/harness/endpoint.ts";
import { DEFAULT_NAME, TOKEN_VARIABLE } from "../src/harness/setting.ts";

/** The table of `docs/clients.md`. */
export function renderIndex(rows: readonly ClientRow[]): string {
  const header = [
    "harness",
    "client",
    "project file",
    "global file on Linux",
    "`/sse`",
    "token",
    "sure",
  ];
  return renderTable(
    header,
    rows.map((row) => [
      `[\`${row.id}\`](clients/${row.id}.md)`,
      row.title,
      linuxPaths(row.project),
      linuxPaths(row.global),
      describeSse(row),
      describeToken(row),
      row.evidence.confidence,
    ]),
  );
}

/** The table of the README. */
export function renderReadmeTable(rows: readonly ClientRow[]): string {
  return renderTable(
    ["harness", "client", "project file", "global file on Linux"],
    rows.map((row) => [
      `[\`${row.id}\`](docs/clients/${row.id}.md)`,
      row.title,
      linuxPaths(row.project),
      linuxPaths(row.global),
    ]),
  );
}

/** One harness's page. */
export function renderPage(row: ClientRow): string {
  const { id, title, notes, cautions = [], evidence } = row;
  const parts = [
    `# ${title}`,
    ...notes,
    renderCommands(row),
    ...renderFacts(row),
    "## The entry",
    ...renderEntries(row),
    "## What to do next",
    ...renderNext(row),
    ...(cautions.length > 0 ? ["## Good to know", ...cautions.map((one) => `- ${one}`)] : []),
    "## What this rests on",
    `Confidence: ${evidence.confidence}. Looked at: ${evidence.sources.join("; ")}.`,
    ...evidence.doubts.map((doubt) => `- ${doubt}`),
    `How files are edited, what becomes of the token, and every flag: [clients.md](../clients.md).`,
  ];
  return `<!-- Made from the row \`${id}\` of packages/clients/src/table.ts. -->\n\n${joinParts(parts)}\n`;
}

/** The text with other content between `<!-- NAME -->` and `<!-- end of NAME -->`. */
export function replaceSection(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start === -1 || end < start) throw new Error(`No section ${name}.`);
  return `${text.slice(0, start + open.length)}\n\n${content}\n\n${text.slice(end)}`;
}

function renderCommands({ id, project, global }: ClientRow): string {
  const commands = [
    ...(project ? [["", "this folder's file"]] : []),
    ...(global ? [[" --global", "the file for all projects"]] : []),
  ];
  const [first = ""] = commands[0] ?? [];
  const lines = [...commands, [`${first} --remove`, "takes the entry back"]].map(
    ([flags, meaning]) => `    ${`wraptool init --harness ${id}${flags}`.padEnd(56)}${meaning}`,
  );
  return lines.join("\n");
}

function renderFacts(row: ClientRow): string[] {
  const { project, global, moved = [] } = row;
  const variables = moved.map(
    ({ variable, from, platforms }) =>
      `\`${variable}\` for \`${from}\`${platforms ? ` (${platforms.map(systemOf).join(", ")})` : ""}`,
  );
  return [
    ...renderFile("Project file", project),
    ...renderFile("Global file", global),
    ...(variables.length > 0 ? [`- Moved by: ${variables.join(", ")}`] : []),
    `- Format: ${describeFormat(row)}`,
    `- A URL that ends in \`/sse\`: ${describeSse(row)}`,
    `- Token: ${describeToken(row)}`,
  ];
}

/** The place without a condition, and below it those that are chosen instead. */
function renderFile(label: string, file: ClientFile | undefined): string[] {
  if (file === undefined) return [`- ${label}: none`];
  const [last, ...conditional] = file.candidates.toReversed();
  const others = conditional.map(({ path, marker, because }) => {
    const folder = typeof marker === "string" ? describePath(marker) : "its folder";
    const found = marker === path ? "it" : folder;
    return `  - instead, if ${found} exists (${because}): ${describePath(path)}`;
  });
  return [`- ${label}: ${describePath(last!.path)}`, ...others];
}

function renderEntries(row: ClientRow): string[] {
  const url = new URL("http://127.0.0.1:8717/mcp");
  const cwd = row.project && "/home/ada/code";
  const entryOf = (token: EntryToken | undefined) =>
    connectEntry(row, { kind: "url", url }, { launcher: ["wraptool"], cwd, token, ...TOKEN_FILE });
  const socket = { kind: "socket", path: "/run/wraptool.sock" } as const;
  const bridge = connectEntry(row, socket, { launcher: ["wraptool"], cwd, ...TOKEN_FILE });
  const bridged = ["Where the daemon serves a socket only:", renderEntry(row, bridge)];
  if (row.http === undefined)
    return [
      "A bridge, which reads the token by itself:",
      renderEntry(row, entryOf(undefined)),
      ...bridged,
    ];
  const literal = entryOf({ literal: "THE-TOKEN" });
  if (row.reference === undefined)
    return ["The token stands in the file:", renderEntry(row, literal), ...bridged];
  return [
    "With the token itself, which is the default where git does not track the file:",
    renderEntry(row, literal),
    `With \`--token reference\`, and in a file that git tracks:`,
    renderEntry(row, entryOf({ variable: TOKEN_VARIABLE })),
    ...bridged,
  ];
}

const TOKEN_FILE = { tokenFile: "/home/ada/.config/wraptool/token" };

function renderEntry(row: ClientRow, entry: ClientEntry): string {
  const { format, keyPath, listedBy } = row;
  const place = { format, keyPath, listedBy, name: DEFAULT_NAME };
  const language = format === "jsonc" ? "json" : format;
  const fragment = renderFragment(place, buildEntry(row, DEFAULT_NAME, entry));
  return `\`\`\`${language}\n${fragment}\`\`\``;
}

function renderNext({ project, global, next, reference, http }: ClientRow): string[] {
  const steps = [
    ...(project ? [`- Project: ${next.project}`] : []),
    ...(global ? [`- Global: ${next.global}`] : []),
  ];
  const started = `With a reference, start the client with the token in its environment: \`export ${TOKEN_VARIABLE}="$(cat "$(wraptool token path)")"\`.`;
  return [
    steps.join("\n"),
    "`wraptool doctor` tells whether the entry leads to this gateway with the right token.",
    ...(http && reference ? [started + (reference.note ? ` ${reference.note}` : "")] : []),
  ];
}

function describeFormat({ format, keyPath, listedBy, preamble }: ClientRow): string {
  const names = { json: "strict JSON", jsonc: "JSON, comments kept", toml: "TOML", yaml: "YAML" };
  const where = keyPath.map((key) => `\`${key}\``).join(", ");
  const list = listedBy === undefined ? "below" : "in the list";
  const head = preamble && `; a new file begins with ${Object.keys(preamble).join(", ")}`;
  return `${names[format]}, servers ${list} ${where}${head ?? ""}`;
}

function describeSse({ http, sse }: ClientRow): string {
  if (http === undefined) return "a bridge to `/mcp`";
  return sse === undefined ? "becomes `/mcp`" : "kept";
}

function describeToken({ http, reference }: ClientRow): string {
  if (http === undefined) return "in no file";
  if (reference === undefined) return "literal only";
  if (reference.kind === "members")
    return `literal, or \`${Object.keys(reference.members).at(-1)}\``;
  return `literal, or \`${reference.before}${TOKEN_VARIABLE}${reference.after}\``;
}

function systemOf(platform: NodeJS.Platform): string {
  return { darwin: "macOS", win32: "Windows", linux: "Linux" }[platform as string] ?? platform;
}

function describePath(path: TablePath): string {
  if (typeof path === "string") return `\`${path}\``;
  const { linux, darwin, win32 } = path;
  const mac = darwin === linux ? "" : `, macOS \`${darwin}\``;
  return `\`${linux}\`${mac}, Windows \`${win32}\``;
}

function linuxPaths(file: ClientFile | undefined): string {
  const paths = file?.candidates.map(({ path }) => (typeof path === "string" ? path : path.linux));
  return (
    paths
      ?.reverse()
      .map((path) => `\`${path}\``)
      .join(", ") ?? "none"
  );
}

function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, at) => Math.max(3, ...all.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(header), rule, ...rows.map(line)].join("\n");
}

/** Parts with a blank line between them; items of a list stand together. */
function joinParts(parts: readonly string[]): string {
  return parts
    .map((part, at) => {
      const isInList = isItem(part) && isItem(parts[at - 1] ?? "");
      return at === 0 ? part : (isInList ? "\n" : "\n\n") + part;
    })
    .join("");
}

const isItem = (part: string) => part.trimStart().startsWith("- ");
