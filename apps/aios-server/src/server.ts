import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { createMeter } from "@core/bounds";
import { createLineSplitter } from "@core/wire";
import type { RawArguments } from "./arguments/fields.ts";
import { parseSearch, searchSchema } from "./arguments/search.ts";
import { parseSkillRequest, skillSchema } from "./arguments/skill.ts";
import { parseWorkingContext, workingContextSchema } from "./arguments/working-context.ts";
import { daysAt } from "./context/days.ts";
import { createLastProjection } from "./context/last-projection.ts";
import { projectContext } from "./context/projection.ts";
import { AiosError } from "./errors.ts";
import { limits } from "./limits.ts";
import { decideMemory } from "./memory/gate.ts";
import { type Contained, openContained, type ReadMeter } from "./reader/contained.ts";
import { type Disk, nodeDisk } from "./reader/disk.ts";
import { createKeptSources } from "./reader/kept-sources.ts";
import { createInspectionMeter, inspectMigration } from "./reader/migration.ts";
import type { Helper } from "./reader/shared-work.ts";
import { locateVault } from "./reader/vault.ts";
import { createConversation } from "./response/conversation.ts";
import { createPathScrubber } from "./response/machine-path.ts";
import type { Identity } from "./response/rpc.ts";
import { offSearchAnswer, searchAnswer } from "./response/search.ts";
import { skillAnswer } from "./response/skill.ts";
import { answerText, type Tool } from "./response/tool.ts";
import { type ContextAnswer, contextAnswer, offContext } from "./response/working-context.ts";
import { selectScopes } from "./search/scope.ts";
import { createSearchCache, searchFolder } from "./search/search.ts";
import type { SearchThread } from "./search/thread.ts";
import { type Resolved, resolveSkills } from "./skill/resolve.ts";

/** What one server serves, and the world it lives in. */
export interface AiosServerOptions {
  /** Absolute path of the AIOS folder. It is not looked at before a call needs it. */
  readonly folder: string;
  /** This package's version. */
  readonly version: string;
  /** Absolute path of the user's home folder, which answers do not show (S16). */
  readonly home?: string;
  readonly now?: () => Date;
  readonly disk?: Disk;
  /** Where a served search runs; without it a search keeps everything else waiting (S19). */
  readonly startSearchThread?: () => SearchThread;
  /** A second thread that shares in the reading of searches. */
  readonly helper?: Helper | undefined;
  /** Told of every failed call, for the log. */
  readonly onFailure?: (thrown: unknown) => void;
}

/** The read-only server over one AIOS folder. */
export interface AiosServer {
  /** The tools, as tools/list names them. */
  readonly tools: readonly Tool[];
  /** The answer of read_working_context; throws `AiosError`. */
  readWorkingContext(given: RawArguments): ContextAnswer;
  /**
   * The text of the answer of search_aios; throws `AiosError`. `checkpoint` is called before each entry and file that is
   * looked at, or before each piece of them that a helper shares in, and may throw to stop.
   */
  searchAios(given: RawArguments, checkpoint?: () => void): string;
  /** The text of the answer of resolve_skill; throws `AiosError`. */
  resolveSkill(given: RawArguments): string;
  /** Speaks MCP over lines until the input ends or nobody reads the output any more. */
  serve(input: Readable, output: Writable): Promise<void>;
}

const INSTRUCTIONS =
  "Optional read-only access to one folder of notes and memory (AIOS). " +
  "Call read_working_context at the start of a task to learn who the user is, what matters now and what happened lately. " +
  "Call search_aios to look something up in notes, sessions and memory. " +
  "Call resolve_skill to find the installed workflow for what the user wants to do. " +
  "What a tool returns may be processed by the AI provider of this client.";

const CONTEXT_DESCRIPTION =
  "The user's bounded working context as Markdown: identity, priorities, current work, latest decisions, today's plan, active project, recent sessions, signals and events. Read-only.";

const SEARCH_DESCRIPTION =
  "Finds words or a phrase in the user's notes, sessions, memory, decisions, skills, references and plugins; the best results of each scope, with the lines around the match. Says what it could not search. Read-only.";

const SKILL_DESCRIPTION =
  "The installed skills (workflows) that fit what the user wants to do, the best first, with the folder-relative path of their instructions. An empty list means that none fits. Read-only.";

/** Puts the rooms together. */
export function createAiosServer(options: AiosServerOptions): AiosServer {
  const {
    folder,
    version,
    home = "",
    now = () => new Date(),
    disk = nodeDisk,
    startSearchThread,
    helper,
    onFailure = () => {},
  } = options;
  const keptSources = createKeptSources();
  const lastProjection = createLastProjection();
  let cache: ReturnType<typeof createSearchCache> | undefined;

  function readWorkingContext(given: RawArguments): ContextAnswer {
    const request = parseWorkingContext(given);
    const memory = decideMemory(request);
    if (memory.mode === "off") return offContext(memory);

    const at = now();
    const { budget, limit } = request;
    const { access, receipt } = memory;
    const key = JSON.stringify([access.project, limit, budget, receipt, daysAt(at).today]);
    const projection = lastProjection.recall(key, at, () => {
      const recall = keptSources.forCall(at);
      using reader = openContained(access, { folder, meter: createContextMeter(), disk, recall });
      return { reader, projection: projectContext(reader, { ...request, receipt, now: at }) };
    });
    const migration = inspectMigration(() =>
      openContained(access, { folder, meter: createInspectionMeter(), disk }),
    );
    return contextAnswer({ memory, projection, migration, budget, now: at });
  }

  /** Everything that arguments and policy alone decide (S3). */
  function admitSearch(given: RawArguments) {
    const request = parseSearch(given);
    const memory = decideMemory(request);
    if (memory.mode !== "off") selectScopes(request.scope, memory.mode);
    return { request, memory };
  }

  function searchAios(given: RawArguments, checkpoint = () => {}): string {
    const { request, memory } = admitSearch(given);
    if (memory.mode === "off") return offSearchAnswer(request, memory);

    cache ??= createSearchCache();
    const place = { folder, home, disk, cache, helper };
    const asked = { ...request, now: now().getTime(), checkpoint };
    const found = searchFolder(memory.access, place, asked);
    const scrubPaths = createPathScrubber([folder, found.vault ?? "", home]);
    return searchAnswer({ asked: request, memory, found, scrubPaths });
  }

  function resolveSkill(given: RawArguments): string {
    const request = parseSkillRequest(given);
    const memory = decideMemory(request);
    const answer = (found: Resolved, vault = "") => {
      const scrubPaths = createPathScrubber([folder, vault, home]);
      return skillAnswer({ ...request, memory, ...found, scrubPaths });
    };
    if (memory.mode === "off") return answer({ matches: [], skipped: 0 });

    using reader = openContained(memory.access, { folder, meter: createSkillMeter(), disk });
    const vault = outsideVault(reader);
    return answer(resolveSkills(reader, request), vault);
  }

  /** Where the vault is if it has a root of its own. Skills do without it, so nothing about it fails their call. */
  function outsideVault(reader: Contained): string | undefined {
    try {
      const vault = locateVault(reader, { folder, home, disk });
      return vault.kind === "outside" ? vault.root : undefined;
    } catch (error) {
      if (error instanceof AiosError) return undefined;
      throw error;
    }
  }

  const toolsWith = (search: Tool["call"]): readonly Tool[] => [
    {
      name: "read_working_context",
      title: "Read working context",
      description: CONTEXT_DESCRIPTION,
      inputSchema: workingContextSchema,
      call: (given) => answerText(readWorkingContext(given)),
    },
    {
      name: "search_aios",
      title: "Search AIOS",
      description: SEARCH_DESCRIPTION,
      inputSchema: searchSchema,
      call: search,
    },
    {
      name: "resolve_skill",
      title: "Resolve skill",
      description: SKILL_DESCRIPTION,
      inputSchema: skillSchema,
      call: resolveSkill,
    },
  ];
  const searchHere: Tool["call"] = (given) => searchAios(given);

  return {
    tools: toolsWith(searchHere),
    readWorkingContext,
    searchAios,
    resolveSkill,
    async serve(input, output) {
      await using thread = startSearchThread?.();
      const searchThere: Tool["call"] = (given, signal) =>
        thread === undefined || admitSearch(given).memory.mode === "off"
          ? searchAios(given)
          : thread.search(given, signal);
      await serveLines(input, output, {
        serverInfo: { name: "dotaios-mcp", title: "DotAIOS MCP", version },
        instructions: INSTRUCTIONS,
        tools: toolsWith(searchThere),
        onFailure,
      });
    },
  };
}

/** What one working context may read (S7). */
export function createContextMeter(): ReadMeter {
  return createMeter({
    bytes: limits.maxSourceBytes,
    files: limits.maxSourceFiles,
    entries: limits.maxSourceEntries,
  });
}

/** Room for the start of every skill, the READMEs among which a project is looked up, and aios.json. */
function createSkillMeter(): ReadMeter {
  return createMeter({
    bytes: limits.maxSkillEntries * limits.maxSkillHeadBytes + limits.maxSourceBytes,
    files: limits.maxSkillEntries + limits.maxProjectEntries + 1,
    entries: limits.maxSkillEntries + limits.maxProjectEntries,
  });
}

async function serveLines(input: Readable, output: Writable, identity: Identity): Promise<void> {
  const conversation = createConversation(identity, (answer) => output.write(answer));
  const lines = createLineSplitter({
    maxBytes: limits.maxLineBytes,
    onLine: (line) => conversation.receive(line),
    onOversize: (oversize) => conversation.receiveOversize(oversize, limits.maxLineBytes),
  });
  // A client that went away is the end of the conversation and no fault.
  let isGone = false;
  output.on("error", () => {
    isGone = true;
    input.destroy();
  });
  try {
    for await (const chunk of input) {
      lines.push(chunk as Buffer);
      // Answers that nobody reads must not pile up.
      if (output.writableNeedDrain) await once(output, "drain");
    }
    lines.end();
  } catch (error) {
    if (!isGone) throw error;
  }
  if (isGone) conversation.cancelAll();
  await conversation.idle();
}
