import type { ClientScope, EntryToken, Surroundings } from "@core/clients";
import { revealSecret, type Secret } from "@core/config";
import { CommandError } from "@core/terminal";
import type { Environment } from "@core/wire";
import type { Endpoint } from "./endpoint.ts";
import type { GitStanding } from "./git.ts";

/** The name of an entry unless another is asked for. */
export const DEFAULT_NAME = "wraptool";
/** The variable that an entry refers to instead of holding the token. */
export const TOKEN_VARIABLE = "WRAPTOOL_TOKEN";

/** How a token stands in a file: itself, or the name of a variable that holds it. */
export type TokenForm = "literal" | "reference";

/** What one run of `init` is about, the same for each harness. */
export interface Setting {
  readonly scope: ClientScope;
  readonly name: string;
  readonly around: Surroundings & { readonly environment: Environment };
  readonly endpoint: Endpoint;
  /** The gateway's token; absent where it asks for none. */
  readonly token?: Secret | undefined;
  readonly tokenFile?: string | undefined;
  /** The form that was asked for. */
  readonly tokenForm?: TokenForm | undefined;
  /** Whether a literal token may stand in a file that git tracks. */
  readonly force: boolean;
  /** The words that run this program. */
  readonly launcher: readonly [string, ...string[]];
  readonly ledgerFile: string;
  readonly backupFolder: string;
}

/** What decides about the token in one harness's file. */
export interface HarnessFile {
  readonly title: string;
  readonly file: string;
  readonly takesReference: boolean;
  /** Whether the entry starts a bridge, which finds the token by itself. */
  readonly isBridged: boolean;
}

/** The token as it is written, and why, where that was not asked for. */
export interface ChosenToken {
  readonly token?: EntryToken;
  readonly remark?: string;
}

/**
 * Decides how the token stands in a file. Throws CommandError where the harness has no form that this file may hold:
 * a literal token in a file that git tracks (or may track) is one commit away from everybody.
 */
export function chooseToken(
  { token, tokenForm, force }: Setting,
  harness: HarnessFile,
  standing: GitStanding,
): ChosenToken {
  if (harness.isBridged || token === undefined) return {};
  const mayBeCommitted = standing.kind === "tracked" || standing.kind === "unknown";
  const why =
    standing.kind === "tracked"
      ? "git tracks this file"
      : "git does not say if it tracks this file";
  if (tokenForm === "literal" && mayBeCommitted && !force)
    throw new CommandError(
      "TRACKED_FILE",
      `${harness.file}: must not hold the token, because ${why}`,
      {
        hint: "Use --token reference, or --force if the repository is yours alone",
      },
    );
  const form = tokenForm ?? (mayBeCommitted ? "reference" : "literal");
  if (form === "literal") return { token: { literal: revealSecret(token) } };
  if (harness.takesReference)
    return {
      token: { variable: TOKEN_VARIABLE },
      ...(tokenForm === undefined && {
        remark: `The entry names ${TOKEN_VARIABLE} instead of holding the token, because ${why}.`,
      }),
    };
  const reason = `${harness.title} has no way to take a token from its environment`;
  if (tokenForm === "reference")
    throw new CommandError("NO_REFERENCE", reason, { hint: "Use --token literal" });
  throw new CommandError("TRACKED_FILE", `${harness.file}: ${why}, and ${reason}`, {
    hint: "Use --global, or --token literal --force if the repository is yours alone",
  });
}
