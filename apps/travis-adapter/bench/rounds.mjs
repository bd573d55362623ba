export function median(numbers) {
  return quantile(numbers, 0.5);
}

/** The number below which that part of all lies. */
export function quantile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** The median of the ratios within each round: what troubled the machine troubled both. */
export function ratio(times, floors) {
  return median(times.map((time, round) => time / floors[round])).toFixed(2);
}
