import { isObject } from "@core/wire";

/** The references to the resources that content links to or embeds, by URI. */
export type Links = ReadonlyMap<string, string>;

/** `refer` is undefined for one URI too many. */
export function referencesIn(
  content: readonly unknown[],
  refer: (uri: string) => string | undefined,
): Links {
  const links = new Map<string, string>();
  for (const block of content) {
    if (!isObject(block)) continue;
    const named = block.type === "resource" ? block.resource : block;
    const isLink = block.type === "resource" || block.type === "resource_link";
    if (!isLink || !isObject(named) || typeof named.uri !== "string") continue;
    const reference = refer(named.uri);
    if (reference !== undefined) links.set(named.uri, reference);
  }
  return links;
}
