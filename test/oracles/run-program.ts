/** Programs that tests run: those of Debian packages by their names in the table, and Node itself. */
import { execFile, type ExecFileOptions } from 'node:child_process';
import { checkWords } from '../setup/shell-text.ts';
import { systemTool, type SystemTool } from '../setup/system-packages.ts';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

/** The output of a program and how it ended. */
export interface ProgramResult {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** How a program runs. Passwords go through `environment`: `-passin env:NAME`. */
export interface ProgramOptions {
  /** Its working folder. */
  readonly folder?: string;
  /** Added to the environment of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The whole environment, in place of that of the tests. */
  readonly onlyEnvironment?: Readonly<Record<string, string>>;
  /** Another user and group to run as; needs root. */
  readonly user?: number;
  /** Ends the program after so many milliseconds: for programs that hang on damaged files. */
  readonly limit?: number;
}

const MAX_OUTPUT = 2 ** 26;

function executeOptions({ folder, environment, onlyEnvironment, user, limit }: ProgramOptions): ExecFileOptions {
  return {
    maxBuffer: MAX_OUTPUT,
    env: { ...(onlyEnvironment ?? process.env), ...environment },
    ...dropUndefined({ cwd: folder }),
    ...(user === undefined ? {} : { uid: user, gid: user }),
    ...(limit === undefined ? {} : { timeout: limit, killSignal: 'SIGKILL' }),
  };
}

/** Runs a program to its end. Rejects only when it cannot be started: a missing oracle fails the test. */
export function runProgram(
  program: SystemTool,
  parameters: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    checkWords(program, parameters);
    const settings = { ...executeOptions(options), encoding: 'utf8' } as const;
    const child = execFile(systemTool(program), parameters, settings, (error, output, errors) => {
      if (typeof error?.code === 'string') reject(new Error(`${program} cannot be run.`, { cause: error }));
      else resolve({ code: child.exitCode, output, errors });
    });
  });
}

/** Runs a program and answers its standard output as text; rejects with its standard error when it fails. */
export async function runTool(
  program: SystemTool,
  parameters: readonly string[],
  options: ProgramOptions = {},
): Promise<string> {
  const { code, output, errors } = await runProgram(program, parameters, options);
  if (code !== 0) throw new Error(`${program} ended with ${code ?? 'a signal'}: ${errors}`);
  return output;
}

/** Runs a program and answers its standard output as bytes; rejects when it fails. */
export function runToolForBytes(program: SystemTool, parameters: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    checkWords(program, parameters);
    execFile(
      systemTool(program),
      parameters,
      { maxBuffer: MAX_OUTPUT, encoding: 'buffer' },
      (error, output, errors) => {
        if (error === null) resolve(output);
        else reject(new Error(`${program}: ${errors.toString()}`, { cause: error }));
      },
    );
  });
}

/** Runs a program that the test has compiled, and answers its standard output; rejects when it fails. */
export function runCompiled(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // eslint-disable-next-line tests/programs-of-the-table -- No package brings a program that was compiled just now.
    execFile(path, (error, output, errors) => {
      if (error === null) resolve(output);
      else reject(new Error(`${path}: ${errors}`, { cause: error }));
    });
  });
}

/** Runs a script in this Node and answers its standard output; rejects with its standard error when it fails. */
export function runNode(parameters: readonly string[], options: ProgramOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = { ...executeOptions(options), encoding: 'utf8' } as const;
    execFile(process.execPath, parameters, settings, (error, output, errors) => {
      if (error === null) resolve(output);
      else reject(new Error(`${parameters[0] ?? 'node'}: ${errors}`, { cause: error }));
    });
  });
}
