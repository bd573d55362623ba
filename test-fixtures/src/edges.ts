/** The three numbers at which a limit of n is tested: under it, on it, over it. */
export function edges(n: number): readonly [under: number, on: number, over: number] {
  return [n - 1, n, n + 1];
}
