import {
  ClientFileError,
  type ClientRow,
  clients,
  describeEdit,
  findClient,
  readLedger,
} from "@core/clients";
import { revealSecret } from "@core/config";
import { CommandError, describeFailure } from "@core/terminal";
import { carryOut } from "./apply.ts";
import { type Plan, planEntry, planRemoval } from "./plan.ts";
import type { Setting } from "./setting.ts";

/** What became of one harness, as `init --json` prints it. No field holds the token. */
export type Outcome = Done | Refused;

export interface Done {
  readonly harness: string;
  readonly scope: Setting["scope"];
  readonly file: string;
  readonly action: "added" | "renewed" | "unchanged" | "removed" | "absent";
  /** The edit as a diff, credentials masked; only of a dry run. */
  readonly diff?: string;
  /** The line that keeps the file out of git, and the list that it was added to. */
  readonly exclude?: { readonly file: string; readonly line: string };
  /** A copy of the file as it was. */
  readonly backup?: string;
  readonly notes: readonly string[];
  readonly next: readonly string[];
}

interface Refused {
  readonly harness: string;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    /** What to paste by hand, credentials masked. */
    readonly fragment?: string;
  };
}

export interface InitOptions {
  readonly remove: boolean;
  readonly dryRun: boolean;
  readonly now: Date;
}

/** Connects the harnesses one after another, or takes their entries back. One that is refused does not keep the others. */
export async function connectHarnesses(
  harnesses: readonly string[],
  setting: Setting,
  options: InitOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const harness of harnesses) {
    try {
      outcomes.push(await connectHarness(rowOf(harness), setting, options));
    } catch (error) {
      outcomes.push(refused(harness, error));
    }
  }
  return outcomes;
}

async function connectHarness(
  row: ClientRow,
  setting: Setting,
  { remove, dryRun, now }: InitOptions,
): Promise<Done> {
  // Read first: an entry that cannot be recorded is not written.
  const ledger = await readLedger(setting.ledgerFile);
  const plan = await (remove ? planRemoval : planEntry)(row, setting, ledger);
  const backup = dryRun ? undefined : await carryOut(plan, setting, now);
  const { next } = row;
  return {
    harness: row.id,
    scope: setting.scope,
    file: plan.place.file,
    action: DONE[plan.action],
    ...(dryRun && { diff: diffOf(plan, setting) }),
    ...(plan.exclude && { exclude: plan.exclude }),
    ...(backup !== undefined && { backup }),
    notes: remove ? plan.remarks : [...plan.remarks, ...row.notes],
    next: remove ? [] : [next[setting.scope] ?? ""].filter((step) => step !== ""),
  };
}

const DONE = {
  add: "added",
  renew: "renewed",
  keep: "unchanged",
  remove: "removed",
  none: "absent",
} as const;

function diffOf({ state, text, place }: Plan, { token }: Setting): string {
  const secrets = token === undefined ? [] : [revealSecret(token)];
  return describeEdit(state.text ?? "", text ?? "", { ...place, secrets });
}

function rowOf(id: string): ClientRow {
  const row = findClient(id);
  if (row !== undefined) return row;
  throw new CommandError("UNKNOWN_HARNESS", "no harness of this name is known", {
    hint: `Known are ${clients.map((client) => client.id).join(", ")}`,
  });
}

function refused(harness: string, error: unknown): Refused {
  const { code, message, hint } = describeFailure(error);
  const fragment = error instanceof ClientFileError ? error.fragment : undefined;
  return {
    harness,
    error: { code, message, ...(hint && { hint }), ...(fragment && { fragment }) },
  };
}
