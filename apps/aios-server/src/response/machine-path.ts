/** What stands in the place of a path that says something about this machine or its user. */
export const PATH_MARK = "[path]";

/** Ends an address in running text, and a path as well, which `?` and `*` cannot stand in. */
const ADDRESS_END = String.raw`\s"'\x60<>|,;()\[\]{}`;
const END = `${ADDRESS_END}?*`;
/** What a path cannot start after, since it is then a part of something longer: `notes/home/x`, `~/home/x`. */
const START = String.raw`(?<![\p{L}\p{N}_.~\/\\-])`;
/** The rest of a path, without the mark that ends a sentence. */
const REST = `(?:[^${END}]*[^${END}.:!])?`;

/** Addresses are not of this machine; found first, so that what they hold is left alone. `file:` is no such address. */
const ADDRESS = String.raw`(?<address>(?<![\p{L}\p{N}])(?!file:)[a-z][a-z0-9+.-]{1,31}:\/\/[^${ADDRESS_END}]+)`;

/** Where people's own folders are, also as other systems on the same machine see them. */
const POSIX = String.raw`\/+(?:(?:mnt\/[a-z]|var|usr|private|System\/Volumes\/Data)\/+)?(?:Users|home|root)\/+[^${END}\/]${REST}`;
const FILE = String.raw`[Ff][Ii][Ll][Ee]:(?=[\/\\]|[A-Za-z]:)${REST}`;
/** A blank belongs to a path of Windows where what follows it goes on with a backslash. */
const WINDOWS_REST = String.raw`(?:[^${END}]| (?=[^${END}\\]+\\))*`;
const DRIVE = String.raw`[A-Za-z]:(?:\\|\/(?!\/))${WINDOWS_REST}`;
const NETWORK = String.raw`\\\\+(?:[?.]\\|[\p{L}\p{N}_.$-]+\\)+[^${END}]${WINDOWS_REST}`;

const ANY_MACHINE = new RegExp(`${ADDRESS}|${START}(?:${FILE}|${DRIVE}|${NETWORK}|${POSIX})`, "gu");

/**
 * Makes a function that replaces machine paths in free text (S16): all below one of the `places`, which are absolute
 * paths (the folder, the vault, the home folder), and any below `/Users`, `/home` or `/root`, on a drive, on a
 * network share or after `file:`. Addresses and relative paths stay. Best effort: only what is written like a path is
 * found, and a blank ends it. To be used before a text is cut.
 */
export function createPathScrubber(places: readonly string[]): (text: string) => string {
  const own = ownPlaces(places);
  return (text) => {
    const rest = own === undefined ? text : text.replace(own, keepAddress);
    return rest.replace(ANY_MACHINE, keepAddress);
  };
}

function keepAddress(match: string, address: string | undefined): string {
  return address === undefined ? PATH_MARK : match;
}

/** The longest place first, in any case of letters and with either slash; a root alone is no place of anybody's. */
function ownPlaces(places: readonly string[]): RegExp | undefined {
  const names = places
    .map((place) => place.replace(/[\\/]+$/, ""))
    .filter((place) => /[\\/][^\\/]/.test(place))
    .sort((a, b) => b.length - a.length)
    .map((place) =>
      place.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\\\\|\//g, String.raw`[\\/]`),
    );
  if (names.length === 0) return undefined;
  return new RegExp(
    String.raw`${ADDRESS}|${START}(?:${names.join("|")})(?![\p{L}\p{N}_-])${REST}`,
    "giu",
  );
}
