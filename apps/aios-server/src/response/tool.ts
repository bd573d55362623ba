import type { RawArguments } from "../arguments/fields.ts";

/** One row of tools/list, and how it is called. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  /** The answer to a call, to be written as JSON; throws `AiosError`. */
  call(given: RawArguments): unknown;
}

/** The JSON text of an answer, as a tool's result and `--json` carry it. */
export function answerText(answer: unknown): string {
  return JSON.stringify(answer, null, 2);
}
