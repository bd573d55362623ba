/** Noon of the sample folder's last day, on the test machine's own calendar. */
export const sampleNoon = () => new Date(2026, 10, 30, 12);
