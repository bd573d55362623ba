import { KIB, MIB } from "@core/bounds";

/** Every number with a meaning, with its unit. The seed is the user's document; A.. are the ids of the adapter's contract. */
export const limits = Object.freeze({
  /** Bytes of one configuration file (A6). */
  maxConfigFileBytes: 1 * MIB,
  /** Servers in one configuration file (A6). */
  maxConfigServers: 1000,
  /** Nesting levels of one configuration file (A6). */
  maxConfigDepth: 64,
  /** UTF-8 bytes of a configuration error shown (A31). */
  maxConfigErrorBytes: 4000,
  /** Milliseconds: what a JavaScript timer holds, and therefore the largest `requestTimeoutMs` (A6). */
  maxTimeoutMs: 2_147_483_647,
  /** Connects that one reconnect may try (seed). */
  maxReconnectAttempts: 3,
  /** Milliseconds, the range of `reconnect.baseDelayMs` (seed). */
  minReconnectDelayMs: 100,
  maxReconnectDelayMs: 500,

  /** UTF-8 bytes of the tool's description and input schema together (A10). */
  maxToolDefinitionBytes: 1600,
  /** UTF-8 bytes of a request that the command reads from its input. */
  maxRequestBytes: 4 * MIB,
  /** UTF-8 bytes of one line that a host sends (A4): a request beside the host's whole environment. */
  maxFrameBytes: 16 * MIB,
  /** Servers that doctor starts side by side. */
  maxExaminedAtOnce: 4,
  /** Configured names listed after an unknown server, and near names after an unknown tool (A11). */
  maxNamesListed: 20,
  maxNearNames: 5,
  /** Tools that a list leaves out and names with the reason. */
  maxRejectedNames: 3,

  /** Pages of one catalog (seed). */
  maxCatalogPages: 100,
  /** Entries of a tool catalog, of a prompt catalog, and of resources and templates together (seed). */
  maxTools: 10_000,
  maxPrompts: 5000,
  maxResources: 5000,
  /** References that one connection gives out: those of its resources, and those of links in results. */
  maxReferences: 50_000,
  /** Messages of one prompt (seed). */
  maxPromptMessages: 100,
  /** Milliseconds of one whole discovery when the server has no `requestTimeoutMs` (A23). */
  defaultDiscoveryMs: 300_000,
  /** Rows of a search (seed), and UTF-8 bytes of its whole text (A14). */
  maxSearchMatches: 20,
  maxSearchBytes: 4 * KIB,
  /** Code points of a description in a list or a search row. */
  maxRowDescription: 240,
  maxSearchDescription: 120,

  /** Failing places that are named when arguments do not fit a schema. */
  maxArgumentErrors: 5,
  /** UTF-8 bytes of a description in tools.describe, and the bytes and lines kept free there for notes. */
  maxDescriptionBytes: 8 * KIB,
  maxSchemaNoteBytes: 4 * KIB,
  maxSchemaNoteLines: 10,

  /** Milliseconds of the connect and of each request without `requestTimeoutMs` (A23: the SDK's default). */
  defaultRequestMs: 60_000,
  /** How often its timeout a request may last in all while progress keeps resetting it (A23). */
  maxTimeoutExtension: 10,
  /** Milliseconds of silence after which the platform's own fetch gives a response up. */
  maxPlatformSilenceMs: 300_000,
  /** Milliseconds at the end of a silent connect, and the part of it, that are kept for server/discover (A22). */
  maxDiscoverMs: 2000,
  discoverPart: 0.25,
  /** Milliseconds before a stream of notices that ended is opened again; the least, and the most unless the server asks for more. */
  streamRetryMs: 1000,
  minStreamRetryMs: 100,
  maxStreamRetryMs: 60_000,
  /** UTF-8 bytes of one message that a server sends, and of one that answers a resource or prompt request (A31). */
  maxMessageBytes: 32 * MIB,
  maxResponseBytes: 8 * MIB,
  /** Milliseconds for the polite end of an HTTP session, and for the whole shutdown (A30). */
  maxSessionEndMs: 2000,
  maxShutdownMs: 8000,

  /** Text of one result that a model sees: UTF-8 bytes and lines (seed). */
  maxInlineBytes: 50 * KIB,
  maxInlineLines: 2000,
  /** UTF-8 bytes and lines of the preview that stands for a longer text. */
  maxPreviewBytes: 4 * KIB,
  maxPreviewLines: 100,
  /** Decoded bytes of one image shown inline (A33). */
  maxInlineImageBytes: 5 * MIB,
  /** Bytes of all spills of a session (A32). */
  maxSpillBytes: 256 * MIB,
  /** UTF-8 bytes of an error's text (A31). */
  maxErrorBytes: 2 * KIB,
  /** UTF-8 bytes of a server's own words inside an error. */
  maxServerMessageBytes: 1 * KIB,
  /** Code points of a name, type or path quoted in a sentence. */
  maxQuoted: 80,
});
