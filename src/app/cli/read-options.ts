import type { DigestAlgorithm } from '../../service/transactions/index.ts';
import { timestampHashes, type TimestampDigest } from '../../ui-contract/timestamp-hashes.ts';
import { AppError } from '../app-error.ts';

/** Reads the name of a hash, with or without a hyphen. */
export function readHash(text: string): DigestAlgorithm {
  const name = text.toLowerCase().replaceAll('-', '');
  if (name === 'sha256' || name === 'sha384' || name === 'sha512') return name;
  throw new AppError(2, `"${text}" is not a hash that is used here: use SHA256, SHA384 or SHA512.`);
}

/** Reads the name of a hash function of time stamps: those of `readHash`, and SHA-3. */
export function readTimestampHash(text: string): TimestampDigest {
  const name = text.toLowerCase().replaceAll('-', '');
  const found = timestampHashes.find((one) => one.replaceAll('-', '') === name);
  if (found !== undefined) return found;
  throw new AppError(2, `"${text}" is no hash of time stamps: use SHA256, SHA384, SHA512 or SHA3-256, -384, -512.`);
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads a length of time, `90s`, `30m`, `1h` or `7d`, as seconds. */
export function readDuration(text: string): number {
  const [, number = '', unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (unitSeconds[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new AppError(2, `"${text}" is not a length of time: write 90s, 30m, 1h or 7d.`);
}

/** Reads a number of years. */
export function readYears(text: string): number {
  const years = Number(text);
  if (Number.isInteger(years) && years >= 1 && years <= 30) return years;
  throw new AppError(2, `"${text}" is not a number of years: write a whole number from 1 to 30.`);
}

/** Reads a moment, `2036-03-01` or `2036-03-01T12:00:00Z`, as ISO 8601 with a time. */
export function readMoment(text: string): string {
  const date = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(date.getTime())) return date.toISOString();
  throw new AppError(2, `"${text}" is not a moment: write 2036-03-01 or 2036-03-01T12:00:00Z.`);
}
