/** The two local calendar dates that a working context looks at, as `YYYY-MM-DD`. */
export interface Days {
  readonly today: string;
  readonly yesterday: string;
}

/** Today and yesterday on the clock's own calendar. */
export function daysAt(now: Date): Days {
  const dayBefore = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return { today: dateOf(now), yesterday: dateOf(dayBefore) };
}

function dateOf(day: Date): string {
  const year = String(day.getFullYear()).padStart(4, "0");
  const month = String(day.getMonth() + 1).padStart(2, "0");
  return `${year}-${month}-${String(day.getDate()).padStart(2, "0")}`;
}
