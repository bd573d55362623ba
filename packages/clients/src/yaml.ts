import type { EntryAddress, ReadDialect } from "./dialect.ts";
import { openYaml } from "./yaml-document.ts";
import {
  columnOf,
  isBlockMap,
  linesOf,
  membersOf,
  removeLines,
  replaceLines,
  writeEmpty,
} from "./yaml-lines.ts";

/** YAML of one document. Entries are edited in block maps; a map in braces is edited only while it is empty. */
export const readYaml: ReadDialect = (text, refuse) => {
  const { value, isBlank, eol, find, write, insertMember, refuseForm } = openYaml(text, refuse);
  const memberAt = ({ keyPath, name }: EntryAddress) => {
    const map = find(keyPath)!.value;
    if (!isBlockMap(map)) throw refuseForm(map, keyPath);
    return find([...keyPath, name])!;
  };
  return {
    value,
    isBlank,
    offsetOf: (path) => find(path)?.key.range[0],
    insertion: ({ keyPath, name }, entry, preamble) =>
      insertMember([...keyPath, name], entry, preamble),
    replacement: (address, entry) => {
      const member = memberAt(address);
      const written = write({ [address.name]: entry }, columnOf(text, member));
      return [replaceLines(text, linesOf(text, member), written, eol)];
    },
    removal: (address) => {
      const removed = removeLines(text, linesOf(text, memberAt(address)));
      const owner = find(address.keyPath)!;
      if (membersOf(owner.value).length > 1) return [removed];
      // A key without a value would be null, and the map has to stay a map.
      return [writeEmpty(text, owner, "{}"), removed];
    },
  };
};
