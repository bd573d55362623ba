/** A command as one line for the shell of this platform: a POSIX shell, or PowerShell. */
export function quoteCommand(words: readonly string[], platform: NodeJS.Platform): string {
  const escaped = platform === "win32" ? "''" : "'\\''";
  return words
    .map((word) => (isPlain(word) ? word : `'${word.replaceAll("'", escaped)}'`))
    .join(" ");
}

/** The line that sets a variable to what stands in a file. */
export function exportFile(variable: string, file: string, platform: NodeJS.Platform): string {
  const path = quoteCommand([file], platform);
  return platform === "win32"
    ? `$env:${variable} = Get-Content ${path}`
    : `export ${variable}="$(cat ${path})"`;
}

/** Whether both kinds of shell take the word as it is. */
function isPlain(word: string): boolean {
  return /^[A-Za-z0-9_./:=+-]+$/.test(word);
}
