import { createScrubber } from "@core/config";
import { describe, expect, it } from "vitest";
import type { Log } from "../audit/log.ts";
import type { PinVerdict } from "../policy/pins.ts";
import { createPolicy, type ServerRules } from "../policy/policy.ts";
import { createPromptPolicy } from "../policy/prompt.ts";
import { createResourcePolicy } from "../policy/resource.ts";
import { createScrub } from "../response/scrub.ts";
import type { ListKind } from "../upstream/list-kind.ts";
import { createExposure } from "./exposure.ts";

const rules = (change: Partial<ServerRules>): ServerRules => ({
  name: "one",
  namePrefix: undefined,
  allow: [],
  deny: [],
  ...change,
});

/** An exposure of servers whose lists hold these names. */
function exposing(
  servers: readonly ServerRules[],
  lists: Record<string, { [K in ListKind]?: string[] }>,
) {
  const warnings: string[] = [];
  let verdict: PinVerdict = "kept";
  const log = { warn: (text: string) => warnings.push(text) } as unknown as Log;
  const policy = createPolicy(servers);
  const exposure = createExposure({
    policy,
    resources: createResourcePolicy(servers),
    prompts: createPromptPolicy(servers),
    pins: { judge: () => verdict, hasChanged: () => false, needsLook: () => false },
    scrub: createScrub(createScrubber([]), false),
    log,
    upstreams: servers.map(({ name }) => ({
      name,
      entries: (kind: ListKind) =>
        (lists[name]?.[kind] ?? []).map((entry) => {
          const bytes = Buffer.from(`{"name":${JSON.stringify(entry)},"x-kept":1e3}`);
          return { name: entry, bytes, nameStart: 8, nameEnd: 10 + entry.length };
        }),
    })),
  });
  const shown = (kind: ListKind) => exposure.entries(kind).map((entry) => entry.toString());
  const judge = (next: PinVerdict) => {
    verdict = next;
  };
  return { exposure, policy, shown, warnings, judge };
}

describe("createExposure", () => {
  it("[G16] tells a change of the exposed set from one of what is hidden", () => {
    const lists = { one: { tools: ["a", "hidden"] } };
    const { exposure, shown } = exposing(
      [rules({ namePrefix: "p", allow: [{ tool: "a" }, { tool: "b" }] })],
      lists,
    );
    expect(exposure.update("tools")).toBe(true);
    expect(shown("tools")).toEqual(['{"name":"p_a","x-kept":1e3}']);
    lists.one.tools = ["other", "a"];
    expect(exposure.update("tools")).toBe(false);
    lists.one.tools = ["a", "b"];
    expect([exposure.update("tools"), exposure.countTools("one")]).toEqual([true, 2]);
  });

  it("[G10] [G16] hides with a warning, once, a prompt whose name is taken or cannot be used", () => {
    const servers = [
      rules({ namePrefix: "p", allow: [{ prompt: "*" }] }),
      rules({ name: "two", allow: [{ prompt: "*" }] }),
    ];
    const lists = { one: { prompts: ["a", "b c"] }, two: { prompts: ["p_a", "d"] } };
    const { exposure, shown, warnings } = exposing(servers, lists);
    exposure.update("prompts");
    exposure.update("prompts");
    expect(shown("prompts").map((entry) => JSON.parse(entry).name)).toEqual(["p_a", "d"]);
    expect(exposure.prompt("p_a")?.server).toBe("one");
    expect(warnings).toEqual([
      "prompt b c of server one is hidden: its exposed name may hold only letters, digits, _, . and -",
      "prompt p_a of server two is hidden: one has its name",
    ]);
  });

  it("[G16] lists a resource if and only if it is read from that server", () => {
    const servers = [
      rules({ allow: [{ resource: "x:*" }], deny: [{ resource: "x:no" }] }),
      rules({ name: "two", allow: [{ resource: "x:*" }] }),
    ];
    const uris = ["x:a", "x:no", "y:a"];
    const { exposure, shown } = exposing(servers, {
      one: { resources: uris },
      two: { resources: uris },
    });
    exposure.update("resources");
    expect(shown("resources").map((entry) => JSON.parse(entry).name)).toEqual(["x:a", "x:no"]);
    expect(exposure.kindsOf("one")).toEqual(["resources", "templates"]);
  });

  it("[G17] hides a pinned tool from list and call alike while its definition is not the accepted one", () => {
    const servers = [rules({ allow: [{ tool: "a", pin: true }, { tool: "b" }] })];
    const { exposure, policy, shown, warnings, judge } = exposing(servers, {
      one: { tools: ["a", "b"] },
    });
    const call = policy.permit("a");
    if (call === undefined) throw new Error("not permitted");
    expect(exposure.isHidden(call)).toBe(true);
    for (const [verdict, count] of [
      ["kept", 2],
      ["drifted", 1],
      ["broken", 1],
      ["kept", 2],
    ] as const) {
      judge(verdict);
      exposure.update("tools");
      expect([shown("tools").length, exposure.isHidden(call)]).toEqual([count, count === 1]);
    }
    expect(warnings).toHaveLength(2);
  });
});
