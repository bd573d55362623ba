import { splice } from "@core/wire";
import type { Log } from "../audit/log.ts";
import type { Pins, PinVerdict } from "../policy/pins.ts";
import type { PermittedCall, Policy } from "../policy/policy.ts";
import type { PermittedPrompt, PromptPolicy } from "../policy/prompt.ts";
import type { PermittedRead, ResourcePolicy } from "../policy/resource.ts";
import type { Scrub } from "../response/scrub.ts";
import type { ListedEntry } from "../upstream/catalogue.ts";
import { LIST_KINDS, type ListKind } from "../upstream/list-kind.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** What clients see of the servers' lists, under the names by which they call it. */
export interface Exposure {
  /** Works a list out anew. Returns whether clients see another one than before. */
  update(kind: ListKind): boolean;
  entries(kind: ListKind): readonly Buffer[];
  /** How many tools of a server clients see. */
  countTools(server: string): number;
  /** Whether a pinned tool is hidden because its definition is not known to be the accepted one. */
  isHidden(call: PermittedCall): boolean;
  prompt(exposed: string): PermittedPrompt | undefined;
  template(uri: string): PermittedRead | undefined;
  /** The lists that anything of this server may be exposed in. */
  kindsOf(server: string): readonly ListKind[];
  /** Whether any tool of this server is pinned. */
  hasPins(server: string): boolean;
}

export interface ExposureOptions {
  readonly policy: Policy;
  readonly resources: ResourcePolicy;
  readonly prompts: PromptPolicy;
  readonly pins: Pins;
  readonly scrub: Scrub;
  readonly log: Log;
  /** In the configuration's order. */
  readonly upstreams: readonly Pick<Upstream, "name" | "entries">[];
}

interface Exposed {
  readonly server: string;
  readonly bytes: Buffer;
}

const HIDDEN: Readonly<Record<Exclude<PinVerdict, "kept">, string>> = {
  drifted:
    "its definition is not the accepted one: see wraptool pin list, then wraptool pin accept",
  broken: "the file of accepted definitions cannot be used: see wraptool pin list",
};

export function createExposure(options: ExposureOptions): Exposure {
  const { policy, resources, prompts, pins, scrub, log, upstreams } = options;
  const lists = new Map<ListKind, readonly Exposed[]>();
  const said = new Set<string>();
  let promptsByName = new Map<string, PermittedPrompt>();
  let shown = new Set<PermittedCall>();

  /** A sentence is said once, however often its list is worked out. */
  const warnOnce = (sentence: string) => {
    if (said.has(sentence)) return;
    said.add(sentence);
    log.warn(sentence);
  };

  const isKept = (call: PermittedCall, { bytes }: ListedEntry) => {
    if (!call.pinned) return true;
    const verdict = pins.judge(call.server, call.tool, bytes);
    const subject = `tool ${call.tool} of server ${call.server} is hidden: `;
    if (verdict === "kept") {
      for (const reason of Object.values(HIDDEN)) said.delete(subject + reason);
      return true;
    }
    warnOnce(subject + HIDDEN[verdict]);
    return false;
  };

  function exposeTools(): Exposed[] {
    const now = new Set<PermittedCall>();
    const exposed = upstreams.flatMap(({ name, entries }) => {
      const allowed = policy.exposedBy(name);
      const listed = entries("tools");
      const found = listed.flatMap((entry) => {
        const call = allowed.get(entry.name);
        if (call === undefined || !isKept(call, entry)) return [];
        now.add(call);
        return { server: name, bytes: scrub.entry(renamed(entry, call.exposedJson)) };
      });
      const names = new Set(listed.map((entry) => entry.name));
      const missing = [...allowed.keys()].filter((tool) => !names.has(tool));
      if (listed.length > 0 && missing.length > 0)
        warnOnce(`server ${name} does not have the allowed tools ${missing.join(", ")}`);
      return found;
    });
    shown = now;
    return exposed;
  }

  function exposePrompts(): Exposed[] {
    const byName = new Map<string, PermittedPrompt>();
    const exposed = upstreams.flatMap(({ name, entries }) =>
      entries("prompts").flatMap((entry) => {
        const found = prompts.permit(name, entry.name);
        if (found === undefined) {
          const problem = prompts.problem(name, entry.name);
          if (problem !== undefined)
            warnOnce(
              `prompt ${entry.name} of server ${name} is hidden: its exposed name ${problem}`,
            );
          return [];
        }
        const owner = byName.get(found.exposed);
        if (owner !== undefined) {
          warnOnce(
            `prompt ${entry.name} of server ${name} is hidden: ${owner.server} has its name`,
          );
          return [];
        }
        byName.set(found.exposed, found);
        return { server: name, bytes: scrub.entry(renamed(entry, found.exposedJson)) };
      }),
    );
    promptsByName = byName;
    return exposed;
  }

  const exposeWhere = (kind: ListKind, isShown: (server: string, uri: string) => boolean) =>
    upstreams.flatMap(({ name, entries }) =>
      entries(kind)
        .filter((entry) => isShown(name, entry.name))
        .map(({ bytes }) => ({ server: name, bytes: scrub.entry(bytes) })),
    );

  const expose: Readonly<Record<ListKind, () => Exposed[]>> = {
    tools: exposeTools,
    prompts: exposePrompts,
    resources: () =>
      exposeWhere("resources", (server, uri) => resources.permit(uri)?.server === server),
    templates: () =>
      exposeWhere(
        "templates",
        (server, uri) => resources.permitTemplate(server, uri) !== undefined,
      ),
  };
  const hasPins = (server: string) =>
    [...policy.exposedBy(server).values()].some(({ pinned }) => pinned);
  const anyPinned = upstreams.some(({ name }) => hasPins(name));
  const exposure: Exposure = {
    update(kind) {
      const before = lists.get(kind) ?? [];
      const after = expose[kind]();
      lists.set(kind, after);
      return !isSame(before, after);
    },
    entries(kind) {
      if (kind === "tools" && anyPinned && pins.needsLook()) exposure.update("tools");
      return (lists.get(kind) ?? []).map(({ bytes }) => bytes);
    },
    countTools: (server) =>
      (lists.get("tools") ?? []).filter((one) => one.server === server).length,
    isHidden(call) {
      if (!call.pinned) return false;
      if (pins.needsLook()) exposure.update("tools");
      return !shown.has(call);
    },
    prompt: (exposed) => promptsByName.get(exposed),
    template(uri) {
      for (const { name } of upstreams) {
        const found = resources.permitTemplate(name, uri);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    hasPins,
    kindsOf: (server) =>
      LIST_KINDS.filter((kind) => {
        if (kind === "tools") return policy.exposedBy(server).size > 0;
        return (kind === "prompts" ? prompts : resources).servers.includes(server);
      }),
  };
  return exposure;
}

function renamed({ bytes, nameStart, nameEnd }: ListedEntry, nameJson: string): Buffer {
  return splice(bytes, [{ start: nameStart, end: nameEnd, text: nameJson }]);
}

function isSame(a: readonly Exposed[], b: readonly Exposed[]): boolean {
  return (
    a.length === b.length && a.every(({ bytes }, at) => bytes.equals((b[at] as Exposed).bytes))
  );
}
