import { CommandError, type createProgram, EXIT, type Report } from "@core/terminal";
import type { AiosServer } from "./server.ts";

/** One run of the program: its commands, where it speaks, the world around it and the folder that its flags name. */
export interface Run {
  readonly program: ReturnType<typeof createProgram>;
  readonly report: Report;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Absolute paths of the user's home folder and of the working folder. */
  readonly home: string;
  readonly cwd: string;
  /** Absolute path of the AIOS folder. To be asked once the flags were read. */
  folder(): string;
  server(): AiosServer;
  /** Prints to stdout, as it is. */
  print(text: string): void;
}

/** A command line that makes no sense: exit status 2. */
export function usage(message: string): CommandError {
  return new CommandError("USAGE", message, {
    hint: "See --help of the command",
    status: EXIT.usage,
  });
}
