/** Exit codes of every command: done, a verdict is negative or a file failed, wrong use, something is out of reach. */
export type ExitCode = 0 | 1 | 2 | 3;

/** What a command ends with when it cannot do what was asked; `message` is a sentence that says what to do. */
export class AppError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.exitCode = exitCode;
  }
}

/** Codes that say that something is out of reach; the others say no. */
export function exitCodeOf(code: string): 1 | 2 | 3 {
  if (code === 'INPUT_INVALID' || code === 'REQUEST_INVALID') return 2;
  return /UNAVAILABLE|STORAGE|MODULE_|TOKEN_|UNREACHABLE|BUSY|INTERNAL/.test(code) ? 3 : 1;
}
