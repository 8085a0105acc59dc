import { SigningError } from '../errors.ts';
import type { JobError } from './jobs.ts';

/** An error in its form for another thread. Unknown errors lose their text, because the text may quote the document. */
export function toJobError(error: unknown): JobError {
  if (error instanceof SigningError) return { code: error.code, message: error.message };
  return { code: 'UNEXPECTED', message: error instanceof Error ? error.name : 'unknown' };
}

/** The same error on the other side. */
export function fromJobError({ code, message }: JobError): Error {
  if (code === 'UNEXPECTED') return new Error(`A worker failed unexpectedly: ${message}.`);
  return new SigningError(code, message);
}

/** The error of a job beyond its limits. */
export const limitExceeded = (what: string): JobError => ({
  code: 'LIMIT_EXCEEDED',
  message: `The file was given up: reading it took ${what}.`,
});
