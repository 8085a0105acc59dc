/** Times of a report are in UTC, to the second: `2026-01-02 03:04:05 UTC`. */
export const reportTime = (date: Date): string => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
