/** The lists of a server: how each is asked for, where the answer has it, and what names an entry. */
export const LISTS = Object.freeze({
  tools: { method: "tools/list", member: "tools", name: "name" },
  resources: { method: "resources/list", member: "resources", name: "uri" },
  templates: {
    method: "resources/templates/list",
    member: "resourceTemplates",
    name: "uriTemplate",
  },
  prompts: { method: "prompts/list", member: "prompts", name: "name" },
});

export type ListKind = keyof typeof LISTS;

export const LIST_KINDS = Object.keys(LISTS) as ListKind[];

/** The lists that a notification announces a change of; undefined for another notification. */
export function changedList(method: string): readonly ListKind[] | undefined {
  switch (method) {
    case "notifications/tools/list_changed":
      return ["tools"];
    case "notifications/resources/list_changed":
      return ["resources", "templates"];
    case "notifications/prompts/list_changed":
      return ["prompts"];
    default:
      return undefined;
  }
}
