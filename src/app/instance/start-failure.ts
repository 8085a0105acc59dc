import { ServiceError } from '../../service/errors/index.ts';
import { StorageError } from '../../storage/index.ts';
import { AppError } from '../app-error.ts';

const full = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
/** Codes of failing system calls (errno) and of SQLite. */
const systemCode = /^(E[A-Z0-9]+|SQLITE_[A-Z_]+)$/;

/** True if the error means that the disk was full. */
export function isDiskFull(error: unknown): boolean {
  return full.has(codeOf(error) ?? '');
}

/**
 * Converts the error of a failed start: failing disks and limits of the system become a sentence with the remedy and
 * exit code 3. Other errors are defects of this program and stay unchanged.
 */
export function asStartFailure(error: unknown): unknown {
  if (error instanceof AppError || error instanceof StorageError) return error;
  const code = codeOf(error);
  if (code !== undefined && full.has(code)) {
    return new AppError(3, 'The disk of the data folder is full. Free some disk space, and start again.', {
      cause: error,
    });
  }
  if (error instanceof ServiceError) {
    return error.code.startsWith('STORAGE_') ? new AppError(3, error.message, { cause: error }) : error;
  }
  if (code === undefined) return error;
  return new AppError(
    3,
    `The start failed, because the operating system refused a call (${code}). Check the disk, its rights and the limits of the process.`,
    { cause: error },
  );
}

/** The code of the error or of the nearest cause with a system code. */
function codeOf(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string' && systemCode.test(one.code)) return one.code;
  }
  return undefined;
}
