const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

/** A length of time in its largest whole unit: `7 days`, `90 minutes`. */
export function formatDuration(seconds: number, language: string): string {
  const { unit, seconds: length } =
    units.find((one) => seconds >= one.seconds && seconds % one.seconds === 0) ?? units[3];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}

/** A time of day with its seconds. */
export function formatTime(instant: string, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(new Date(instant));
}
