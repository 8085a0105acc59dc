/**
 * Exit codes of every command: 0 success, 1 negative verdict or failed file, 2 wrong use, 3 something is unreachable.
 */
export type ExitCode = 0 | 1 | 2 | 3;

/** The error of a command that cannot do its work; `message` is a sentence with the remedy. */
export class AppError extends Error {
  readonly exitCode: ExitCode;
  /** The code of the service's or the core's error, where a call failed. */
  readonly code: string | undefined;

  constructor(exitCode: ExitCode, message: string, options?: { readonly cause?: unknown; readonly code?: string }) {
    super(message, options);
    this.code = options?.code;
    this.name = 'AppError';
    this.exitCode = exitCode;
  }
}

/** 3 for codes about unreachable things, 1 or 2 for refusals. */
export function exitCodeOf(code: string): 1 | 2 | 3 {
  if (code === 'INPUT_INVALID' || code === 'REQUEST_INVALID') return 2;
  return /UNAVAILABLE|STORAGE|MODULE_|TOKEN_|UNREACHABLE|BUSY|INTERNAL/.test(code) ? 3 : 1;
}
