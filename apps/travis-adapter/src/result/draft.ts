import type { OperationLabel } from "../request/request.ts";

/** A part of an answer before it is bounded and redacted. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  /** `data` is base64. */
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  /** What is not shown but kept as a file; `text` tells of it, given the file's name or why there is none. */
  | {
      readonly type: "file";
      readonly data: string | Uint8Array;
      readonly extension: string;
      text(kept: string): string;
    };

/** An answer as an operation would like to give it. Only `bound.ts` makes a result of it. */
export interface Draft {
  readonly label: OperationLabel;
  readonly server?: string;
  readonly isError: boolean;
  readonly blocks: readonly Block[];
  /** What the host's record gets beside the label, the server and `isError`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** How to ask for less, as the end of a sentence, where the answer may be too long. */
  readonly narrow?: string;
  /** What ends a preview of it, where a mark was opened in it. */
  readonly closing?: string;
}

export function textBlock(text: string): Block {
  return { type: "text", text };
}
