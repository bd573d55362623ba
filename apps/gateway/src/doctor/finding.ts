/** One thing that doctor looked at. No field holds a secret. */
export interface Finding {
  /** What kind of thing: `config`, `token`, `bind`, `socket`, `env-file`, `command`, `server`, `daemon` or `harness`. */
  readonly id: string;
  readonly level: "ok" | "warning" | "error";
  /** Which one: a file, a server's name, an address. */
  readonly subject: string;
  readonly reason: string;
  /** What to do about it; null where nothing is to be done. */
  readonly remedy: string | null;
}

type Looked = Pick<Finding, "id" | "subject">;

export const fine = ({ id, subject }: Looked, reason: string): Finding => ({
  id,
  level: "ok",
  subject,
  reason,
  remedy: null,
});

export const warning = ({ id, subject }: Looked, reason: string, remedy: string): Finding => ({
  id,
  level: "warning",
  subject,
  reason,
  remedy,
});

export const fault = ({ id, subject }: Looked, reason: string, remedy: string): Finding => ({
  id,
  level: "error",
  subject,
  reason,
  remedy,
});

/** The findings as lines for people, the worst last, where they are seen. */
export function describeFindings(findings: readonly Finding[]): string {
  const order = ["ok", "warning", "error"];
  const sorted = [...findings].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  const lines = sorted.map(({ id, level, subject, reason, remedy }) => {
    const line = `${level.padEnd(7)} ${id} ${subject}: ${reason}`;
    return remedy === null ? line : `${line}\n        ${remedy}`;
  });
  return lines.join("\n");
}
