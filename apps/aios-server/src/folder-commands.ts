import { CommandError, EXIT } from "@core/terminal";
import { examineFolder, type Finding, MIGRATOR } from "./doctor.ts";
import type { Run } from "./run.ts";

const JSON_FLAG = ["--json", "print one JSON object"] as const;

/** Adds what concerns the folder's own state. */
export function addFolderCommands({ program, report, folder, home }: Run): void {
  program
    .command("doctor")
    .description("report the folder's state and what to do about it; only reads")
    .option(...JSON_FLAG)
    .action(() => {
      const findings = examineFolder({ folder: folder(), home });
      const ok = findings.every(({ level }) => level !== "error");
      report.exitCode = ok ? EXIT.done : EXIT.failed;
      report.result(findingsText(findings), { ok, folder: folder(), findings });
    });
  program
    .command("migrate")
    .description("say which program migrates the folder; this one does not")
    .option(...JSON_FLAG)
    .action(() => {
      throw new CommandError("READ_ONLY", "This program only reads, so it migrates no folder", {
        hint: `The program that wrote the folder does, over the same folder: ${MIGRATOR}`,
      });
    });
}

function findingsText(findings: readonly Finding[]): string {
  if (findings.length === 0) return "The folder is as this program expects it.";
  return findings
    .map(({ level, subject, reason, remedy }) => `${level}: ${subject}: ${reason}\n  ${remedy}`)
    .join("\n");
}
