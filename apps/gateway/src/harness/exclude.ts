import { readClientFile, removeClientFile, writeClientFile } from "@core/clients";

/** One line of a list of files that git does not track. */
export interface ExcludeLine {
  readonly file: string;
  readonly line: string;
}

/** Adds the line at the end. Throws ClientFileError, and the list is as it was. */
export async function addExclude({ file, line }: ExcludeLine): Promise<void> {
  const state = await readClientFile(file);
  await writeClientFile(state, withLine(state.text ?? "", line));
}

/** Takes the line out again, and with the last line the list. Other lines stay as they are. */
export async function removeExclude({ file, line }: ExcludeLine): Promise<void> {
  const state = await readClientFile(file);
  if (state.text === undefined) return;
  const text = withoutLine(state.text, line);
  if (text === "" && state.text !== "") return removeClientFile(state);
  await writeClientFile(state, text);
}

/** A list without a final line end gets none, so that the line can be taken out to the byte. */
export function withLine(text: string, line: string): string {
  return text === "" || text.endsWith("\n") ? `${text}${line}\n` : `${text}\n${line}`;
}

export function withoutLine(text: string, line: string): string {
  const lines = text.split("\n");
  const at = lines.lastIndexOf(line);
  return at === -1 ? text : lines.toSpliced(at, 1).join("\n");
}
