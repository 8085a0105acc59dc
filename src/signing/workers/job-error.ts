import { SigningError } from '../errors.ts';
import type { JobError } from './jobs.ts';

/** What an error becomes on its way to another thread. Unknown errors lose their text: it may quote the document. */
export function toJobError(error: unknown): JobError {
  if (error instanceof SigningError) return { code: error.code, message: error.message };
  return { code: 'UNEXPECTED', message: error instanceof Error ? error.name : 'unknown' };
}

/** The same error on the other side. */
export function fromJobError({ code, message }: JobError): Error {
  if (code === 'UNEXPECTED') return new Error(`A worker failed unexpectedly: ${message}.`);
  return new SigningError(code, message);
}

/** The error of a job that used more than it may. */
export const limitExceeded = (what: string): JobError => ({
  code: 'LIMIT_EXCEEDED',
  message: `The file was given up: reading it took ${what}.`,
});
