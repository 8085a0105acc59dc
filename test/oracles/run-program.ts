import { execFile } from 'node:child_process';

/** What a program printed and how it ended. */
export interface ProgramResult {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program to its end. Rejects only when it cannot be started: a missing oracle fails the test. */
export function runProgram(program: string, programArguments: readonly string[]): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, programArguments, { maxBuffer: 2 ** 26 }, (error, output, errors) => {
      if (typeof error?.code === 'string') reject(new Error(`${program} cannot be run.`, { cause: error }));
      else resolve({ code: child.exitCode, output, errors });
    });
  });
}
