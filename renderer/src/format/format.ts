const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size for a person, in decimal units: `1.4 MB`. A line never breaks between the number and its unit. */
export function formatSize(bytes: number, language: string): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), sizes.length - 1);
  const value = bytes / 1000 ** power;
  const size = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: sizes[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  }).format(value);
  return size.replaceAll(' ', '\u{a0}');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Creating a formatter takes far longer than using it. The time zone is part of the key, because it changes on a
 * traveller's computer.
 */
function formatDate(instant: string, language: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(instant);
  const key = [language, options.dateStyle, options.timeStyle, new Date().getTimezoneOffset()].join(' ');
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, format);
  return format.format(date);
}

/** A day: `31 de dez. de 2027`. */
export function formatDay(instant: string, language: string): string {
  return formatDate(instant, language, { dateStyle: 'medium' });
}

/** A day and a time of day. */
export function formatInstant(instant: string, language: string): string {
  return formatDate(instant, language, { dateStyle: 'medium', timeStyle: 'short' });
}

const steps = [
  { unit: 'minute', seconds: 60 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'day', seconds: 86_400 },
] as const;

/** How long ago: `5 minutes ago`; a date from a week on. */
export function formatAgo(instant: string, now: number, language: string): string {
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  if (seconds >= 7 * 86_400) return formatDay(instant, language);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const step = steps.findLast((candidate) => seconds >= candidate.seconds);
  return step === undefined
    ? format.format(0, 'second')
    : format.format(-Math.floor(seconds / step.seconds), step.unit);
}

/** Whole days until an instant; negative for a past instant. */
export function daysUntil(instant: string, now: number): number {
  return Math.floor((Date.parse(instant) - now) / 86_400_000);
}

/** A hexadecimal number in groups of four, easier to compare by eye. */
export function groupHex(hex: string): string {
  return hex.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** Beginning and end of a long digest, for a quick comparison. */
export function shortenHex(hex: string): string {
  return hex.length <= 20 ? hex : `${hex.slice(0, 10)}…${hex.slice(-8)}`;
}

/** A count with the language's grouping of digits: `1.234`. Short numbers need neither grouping nor locale data. */
export function formatCount(count: number, language: string): string {
  return count < 1000 ? String(count) : count.toLocaleString(language);
}
