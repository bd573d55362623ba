import { quote } from "../errors.ts";
import type { Outcome } from "../operation/outcome.ts";
import { draftCall } from "./call.ts";
import { draftDescribe } from "./describe.ts";
import { type Draft, textBlock } from "./draft.ts";
import { draftPrompt, draftPrompts } from "./prompts.ts";
import { draftResource, draftResources } from "./resources.ts";
import { draftStatus } from "./status.ts";
import { draftList, draftSearch } from "./tools.ts";

/** What an outcome looks like to a model, before it is bounded. */
export function draftOutcome(outcome: Outcome): Draft {
  switch (outcome.operation) {
    case "status":
      return draftStatus(outcome);
    case "tools.list":
      return draftList(outcome);
    case "tools.search":
      return draftSearch(outcome);
    case "tools.describe":
      return draftDescribe(outcome);
    case "tools.call":
      return draftCall(outcome);
    case "resources.list":
      return draftResources(outcome);
    case "resources.read":
      return draftResource(outcome);
    case "prompts.list":
      return draftPrompts(outcome);
    case "prompts.get":
      return draftPrompt(outcome);
    case "reconnect": {
      const { server } = outcome;
      const blocks = [textBlock(`MCP server ${quote(server)} reconnected`)];
      return { label: "reconnect", server, isError: false, blocks };
    }
  }
}
