import type { Client } from "../connection/client.ts";
import { limits } from "../limits.ts";

/** The opaque names by which resources are read (A17): one for each URI of one generation of a connection. */
export interface References {
  /** The reference to a URI; undefined when the client has given out as many as it may. */
  to(client: Client, uri: string): string | undefined;
  /** The URI behind a reference; undefined if that client never gave it out. */
  uriOf(client: Client, reference: string): string | undefined;
}

/** `random` gives 16 random bytes as 32 hexadecimal digits. */
export function createReferences(random: () => string): References {
  const books = new WeakMap<Client, { byUri: Map<string, string>; uris: Map<string, string> }>();

  function bookOf(client: Client) {
    const book = books.get(client) ?? { byUri: new Map(), uris: new Map() };
    books.set(client, book);
    return book;
  }

  return {
    to(client, uri) {
      const { byUri, uris } = bookOf(client);
      const known = byUri.get(uri);
      if (known !== undefined || uris.size >= limits.maxReferences) return known;
      const reference = `mcp-resource-${random()}`;
      byUri.set(uri, reference);
      uris.set(reference, uri);
      return reference;
    },
    uriOf: (client, reference) => books.get(client)?.uris.get(reference),
  };
}
