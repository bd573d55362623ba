import { KIB, MIB } from "@core/bounds";

/** Every number of the gateway that has a meaning. Bytes are UTF-8 or raw bytes, times are milliseconds. */

// Defaults of the configuration file.
export const DEFAULT_LISTEN = "127.0.0.1:8717";
export const DEFAULT_MAX_BODY_BYTES = 4 * MIB;
export const DEFAULT_MAX_CONNECTIONS = 1024;
export const DEFAULT_MAX_SESSIONS = 256;
export const DEFAULT_IDLE_TIMEOUT_MS = 30 * 60_000;
export const DEFAULT_LIST_WAIT_MS = 5_000;
export const DEFAULT_MAX_MESSAGE_BYTES = 16 * MIB;
export const DEFAULT_CALL_TIMEOUT_MS = 60_000;
export const DEFAULT_INIT_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_OUTPUT_BYTES = MIB;
export const DEFAULT_MAX_OUTPUT_LINES = 20_000;
export const DEFAULT_MAX_CHILDREN = 16;
export const DEFAULT_AUDIT_BYTES = 10 * MIB;
export const DEFAULT_AUDIT_KEEP = 5;

// The audit.
/** Decisions that wait for a disk which takes nothing; about a megabyte. */
export const MAX_AUDIT_BACKLOG_LINES = 4_000;

// Files that hold secrets.
/** A generated token: 256 bits, as 43 characters of base64url. */
export const TOKEN_BYTES = 32;
/** A token shorter than this can be guessed over a network. */
export const MIN_TOKEN_CHARACTERS = 16;
export const MAX_TOKEN_FILE_BYTES = 4 * KIB;

// Names.
/** Model APIs refuse a tool name above this, and with it the whole request. */
export const MAX_TOOL_NAME_CHARACTERS = 64;

// Rules for arguments: what keeps a pattern from taking long.
export const MAX_PATTERN_CHARACTERS = 200;
export const MAX_PATTERN_VALUE_BYTES = 4 * KIB;

// HTTP.
export const SESSION_ID_BYTES = 32;
/** What an id holds beside its random bytes: the mark of a start, and the code that proves who issued it for whom. */
export const SESSION_BOOT_BYTES = 8;
export const SESSION_MAC_BYTES = 32;
export const SESSION_KEY_BYTES = 32;
/** Ended sessions of an earlier start that are remembered, so that they do not come back. */
export const MAX_ENDED_SESSIONS = 10_000;
/** Hexadecimal digits by which the audit tells sessions apart. */
export const SESSION_LABEL_CHARACTERS = 12;
/** Proxies and clients drop a stream that is silent for a minute or more. */
export const KEEP_ALIVE_MS = 15_000;
/** A call that takes longer is answered as an event stream, so that the connection shows life. */
export const STREAM_AFTER_MS = 5_000;
export const WRONG_TOKEN_DELAY_MS = 200;
/** PATH_MAX of Linux: a longer path names no folder. */
export const MAX_CWD_CHARACTERS = 4096;
/** Time for a client to send a request's headers, and the whole request. */
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 30_000;
/** How often slow connections are looked for. */
export const CONNECTION_CHECK_MS = 2_000;
export const MAX_HEADER_BYTES = 16 * KIB;
/** What the systems with the shortest socket addresses take (macOS; Linux takes 107). */
export const MAX_SOCKET_PATH_BYTES = 103;
/** How long an unused connection stays open; longer than the pools of common clients keep theirs. */
export const IDLE_CONNECTION_MS = 65_000;
/** How often the log tells of connections that are refused. */
export const REFUSALS_WARN_MS = 10_000;
/** Descriptors that the gateway needs beside its connections and servers: its own (22, counted), and files at work. */
export const RESERVED_DESCRIPTORS = 40;
/** The three pipes of a server's process. */
export const CHILD_DESCRIPTORS = 3;
/** With fewer connections at once no client gets anywhere. */
export const MIN_CONNECTIONS = 4;
/** TCP probes of a silent connection, which find a peer that vanished. */
export const TCP_PROBE_AFTER_MS = 30_000;
/** Up to this length it is cheaper to copy a message than to write it in two pieces (measured). */
export const SINGLE_WRITE_BYTES = 16 * KIB;
/** What a client is told to wait when every session is busy. */
export const RETRY_AFTER_SECONDS = 5;
/** Idle sessions are looked for at least this often. */
export const SESSION_SWEEP_MS = 30_000;

/** A client that leaves so much of its stream unread has stopped reading. */
export const MAX_STREAM_BACKLOG_BYTES = MIB;
/** The same where a session's answers share one stream. */
export const MAX_ANSWER_BACKLOG_BYTES = 64 * MIB;
/**
 * A client that takes nothing of what waits for it for so long, or up to twice as long, is cut off. Systems take a third of
 * their buffer at once, so that one that reads 30 KiB a second may seem still for as long.
 */
export const UNREAD_MS = 30_000;

// Upstream servers.
/** A call's timeout starts anew with each progress notification, up to this many times its length in all. */
export const MAX_TIMEOUT_RESETS = 10;
/** How long a call is kept for a client that was asked for something and has to come back with it. */
export const MAX_HELD_MS = 10 * 60_000;
/** How often one call may be sent again because its server asks for more input. */
export const MAX_INPUT_ROUNDS = 10;
/** How much of a server's own error message is repeated. */
export const MAX_QUOTED_CHARACTERS = 500;
/** How long a server that has not taken `initialize` may take for `server/discover`. */
export const DISCOVER_WAIT_MS = 5_000;
/** Resources that one session may have subscribed to, and all sessions together. */
export const MAX_SESSION_SUBSCRIPTIONS = 128;
export const MAX_SUBSCRIPTIONS = 4096;
export const MAX_LIST_PAGES = 100;
/** Entries of one list of one server. */
export const MAX_LISTED_ENTRIES = 10_000;
/** The n-th end of a server within the window delays the next start by floor × 2^(n−1). */
export const RESTART_WINDOW_MS = 60_000;
export const RESTART_FLOOR_MS = 100;
/** So many ends within the window, and calls fail at once for a while. */
export const MAX_ENDS_IN_WINDOW = 5;
export const RESTART_PAUSE_MS = 60_000;

// Containers that servers run in.
/** How long a container may take to end with its client before it is stopped by its id. */
export const CONTAINER_GRACE_MS = 2_000;
/** What the runtime gives the container between SIGTERM and SIGKILL. */
export const CONTAINER_STOP_SECONDS = 1;
/** How long the runtime may take for it in all. */
export const CONTAINER_STOP_MS = 4_000;

// Answers that are cut.
/** A page of a kept answer where `max_output` sets no bytes. */
export const MAX_PAGE_BYTES = MIB;
/** What is kept at once, of all sessions and of one. */
export const SPILL_QUOTA_BYTES = 512 * MIB;
export const MAX_SESSION_SPILLS = 64;

// Commands.
/** How long the daemon may take to tell its status, and the longest one. */
export const STATUS_WAIT_MS = 5_000;
export const MAX_STATUS_BYTES = 4 * MIB;
/** How long git may take to tell what it does with a file. */
export const GIT_WAIT_MS = 5_000;
/** A line of git's answer is a path. */
export const MAX_GIT_LINE_BYTES = 16 * KIB;
/** How long a run waits for others that write the ledger, how often it looks, and when a lock counts as left behind. */
export const LOCK_WAIT_MS = 15_000;
export const LOCK_POLL_MS = 20;
export const LOCK_STALE_MS = 10_000;

// The bridge.
/** The longest message in either direction; the daemon's own limits are lower unless they are raised. */
export const MAX_BRIDGED_BYTES = 256 * MIB;
/** How long a message waits for a daemon that is not there, and how often it is looked for. */
export const DIAL_WAIT_MS = 5_000;
export const DIAL_POLL_MS = 100;
/** How long a broken stream waits before it is opened again: at first, and at most. */
export const STREAM_PAUSE_MS = 100;
export const MAX_STREAM_PAUSE_MS = 5_000;
/** How long calls in flight may finish once the client has closed its side. */
export const BRIDGE_DRAIN_MS = 1_000;
/** How long the daemon may take to end the session. */
export const FAREWELL_MS = 500;
/** How often a bridge looks whether its parent still is the one that started it. */
export const PARENT_POLL_MS = 1_000;

// Reload.
/** The key to the pipe by which a reload is asked for, and how long who has opened the pipe may take to say it. */
export const RELOAD_KEY_BYTES = 32;
export const KNOCK_WAIT_MS = 5_000;
/** How long `wraptool reload` waits for the outcome, and how often it looks. */
export const RELOAD_WAIT_MS = 30_000;
export const RELOAD_POLL_MS = 50;

// Shutdown.
/** How long calls in flight may finish. */
export const DRAIN_MS = 3_000;
