import type { RawArguments } from "../arguments/fields.ts";

/** One row of tools/list, and how it is called. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  /**
   * The text of the answer to a call; throws or rejects with `AiosError`. Once `signal` is aborted nobody waits for the
   * answer any more, and the call should stop its work.
   */
  call(given: RawArguments, signal: AbortSignal): string | Promise<string>;
}

/** The JSON text of an answer, as a tool's result and `--json` carry it. */
export function answerText(answer: unknown): string {
  return JSON.stringify(answer, null, 2);
}
