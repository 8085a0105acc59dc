/** Programs for tests: the programs of Debian packages by their names in the table, and Node itself. */
import { checkWords } from '../setup/shell-text.ts';
import { systemTool, type SystemTool } from '../setup/system-packages.ts';
import { programStarter, type ProgramEnd } from './program-starter.ts';

/** The output of a program and its end. */
export interface ProgramResult {
  /** Exit code; null after an end by a signal. */
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
  /** The whole environment, in place of the tests' own. */
  readonly onlyEnvironment?: Readonly<Record<string, string>>;
  /** Another user and group to run as; needs root. */
  readonly user?: number;
  /** Ends the program after so many milliseconds: for programs hanging on damaged files. */
  readonly limit?: number;
}

const run = async (path: string, parameters: readonly string[], options: ProgramOptions = {}): Promise<ProgramEnd> =>
  programStarter.run({
    path,
    parameters,
    folder: options.folder ?? process.cwd(),
    environment: { ...(options.onlyEnvironment ?? process.env), ...options.environment },
    user: options.user,
    limit: options.limit,
  });

/** Runs a program to its end. Rejects only after a failed start: a missing oracle fails the test. */
export async function runProgram(
  program: SystemTool,
  parameters: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  checkWords(program, parameters);
  try {
    const { code, output, errors } = await run(systemTool(program), parameters, options);
    return { code, output: output.toString(), errors: errors.toString() };
  } catch (error) {
    throw new Error(`${program} cannot be run.`, { cause: error });
  }
}

/** The standard output of a program ended without a fault; throws its standard error otherwise. */
function outputOf(program: string, { code, output, errors }: ProgramEnd): Buffer {
  if (code !== 0) throw new Error(`${program} ended with ${code ?? 'a signal'}: ${errors.toString()}`);
  return output;
}

/** Runs a program and answers its standard output as text; rejects with its standard error on failure. */
export async function runTool(
  program: SystemTool,
  parameters: readonly string[],
  options: ProgramOptions = {},
): Promise<string> {
  return (await runToolForBytes(program, parameters, options)).toString();
}

/** Runs a program and answers its standard output as bytes; rejects with its standard error on failure. */
export async function runToolForBytes(
  program: SystemTool,
  parameters: readonly string[],
  options: ProgramOptions = {},
): Promise<Buffer> {
  checkWords(program, parameters);
  return outputOf(program, await run(systemTool(program), parameters, options));
}

/** Runs a program compiled by the test, and answers its standard output; rejects on failure. */
export const runCompiled = async (path: string, parameters: readonly string[] = []): Promise<string> =>
  outputOf(path, await run(path, parameters)).toString();

/** Runs a script in this Node and answers its standard output; rejects with its standard error on failure. */
export async function runNode(parameters: readonly string[], options: ProgramOptions = {}): Promise<string> {
  return outputOf(parameters[0] ?? 'node', await run(process.execPath, parameters, options)).toString();
}
