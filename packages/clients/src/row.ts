/** How a client writes its file. `json` is strict; `jsonc` may hold comments and trailing commas. */
export type ClientFormat = "json" | "jsonc" | "toml" | "yaml";

/** A value of an entry: what all four formats can write. */
export type EntryValue =
  | string
  | number
  | boolean
  | readonly EntryValue[]
  | { readonly [key: string]: EntryValue };

/** A map of an entry's members, in the order in which they are written. */
export type EntryMap = { readonly [key: string]: EntryValue };

/**
 * A path as the table writes it: below `~` (home), below `%APPDATA%` (the folder of settings on Windows),
 * or relative to the project's folder; with `/` on every platform.
 */
export type TablePath =
  | string
  | { readonly linux: string; readonly darwin: string; readonly win32: string };

/** One place where a client's file may be. */
export interface FileCandidate {
  readonly path: TablePath;
  /** The client reads this place if the marker exists. The last candidate of a list has none. */
  readonly marker?: TablePath;
  /** Why the marker decides: a sentence that a message can end with. */
  readonly because?: string;
}

/** Where a client's file of one scope is. */
export interface ClientFile {
  /** In order: the first whose marker exists is used, else the one without a marker. */
  readonly candidates: readonly [FileCandidate, ...FileCandidate[]];
  /** The place that the client's own documentation names today, which is where a fragment belongs. */
  readonly documented: TablePath;
}

/** An environment variable that puts another folder, or another file, in the place of `from`. */
export interface MovedPath {
  readonly variable: string;
  readonly from: string;
  /** Where the client honours it; everywhere if absent. */
  readonly platforms?: readonly NodeJS.Platform[];
}

/**
 * What an entry looks like: its members in order, with slots for what differs. `<name>`, `<url>`, `<headers>` (left out
 * without a token), `<command>` and `<args>` stand for a value; `<argv>` for command and arguments in one list;
 * `<variables>` for the list of the variables that the entry refers to. A map in which nothing is left is left out.
 */
export type EntryShape = EntryMap;

/**
 * How a client takes the token from its environment: as a text, where the variable between `before` and `after` stands
 * for the token in the header; or as members with a slot `<variable>`, which stand in the entry for the headers.
 */
export type TokenReference = (
  | { readonly kind: "text"; readonly before: string; readonly after: string }
  | { readonly kind: "members"; readonly members: EntryShape }
) & {
  /** What must be known of this client before the variable is of use: a sentence. */
  readonly note?: string;
};

/** How sure a row is, and what it rests on. It is printed on the client's page. */
export interface Evidence {
  /**
   * `high`: seen in the client, or its source and documentation agree. `medium`: documented, or said by several others.
   * `low`: one of them alone.
   */
  readonly confidence: "high" | "medium" | "low";
  /** Pages, repositories or versions that were looked at. */
  readonly sources: readonly string[];
  /** What is not known for certain, in sentences. */
  readonly doubts: readonly string[];
}

/** One MCP client: where its files are, how an entry looks and what its user must know. */
export interface ClientRow {
  /** What a person names the client by: one lower-case word. */
  readonly id: string;
  readonly title: string;
  readonly format: ClientFormat;
  /** The keys from the root to the map, or list, of servers. */
  readonly keyPath: readonly [string, ...string[]];
  /** The member by which an entry is told from others where the servers stand in a list, which only YAML has here. */
  readonly listedBy?: string;
  /** What a file of this client begins with if it is made for the entry. */
  readonly preamble?: EntryMap;
  readonly project?: ClientFile;
  readonly global?: ClientFile;
  /** The first variable that is set and applies to a path decides. */
  readonly moved?: readonly MovedPath[];
  /** A server at a URL that speaks Streamable HTTP; absent where the client only starts programs. */
  readonly http?: EntryShape;
  /** A server at a URL that speaks legacy SSE; absent where the client does not, or is not known to. */
  readonly sse?: EntryShape;
  readonly stdio: EntryShape;
  /** Absent where the client has no way to take the token from its environment. */
  readonly reference?: TokenReference;
  /** What must be known before the entry is of use. */
  readonly notes: readonly string[];
  /** What to do after the entry is in the file. */
  readonly next: { readonly project?: string; readonly global?: string };
  /** What the client does to its file or to tools that one would not expect; it is printed on the client's page. */
  readonly cautions?: readonly string[];
  readonly evidence: Evidence;
}
