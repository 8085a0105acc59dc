/**
 * Runs programs from a small process beside the tests' process. Linux copies the page tables of the process starting a
 * program, and the tables of a test process, with more than a gigabyte, are large.
 */
import { execFile, fork, type ChildProcess, type ExecFileOptionsWithBufferEncoding } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program to run to its end. Everything is given: the starter's own folder and environment count for nothing. */
export interface Program {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** User and group to run as, where different from the tests' own. */
  readonly user?: number | undefined;
  /** Ends the program with SIGKILL after so many milliseconds. */
  readonly limit?: number | undefined;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Exit code; null after an end by a signal. */
  readonly code: number | null;
  readonly output: Buffer;
  readonly errors: Buffer;
}

/** The end of a program, or the reason of its absence: a failed start, or too much output. */
type Answer = { readonly number: number } & (ProgramEnd | { readonly failure: string });

/** The most bytes of output allowed to a program. */
const MAX_OUTPUT = 2 ** 26;

/** A starter, started at its first program. The starter ends with the process asking. */
class ProgramStarter {
  #process: ChildProcess | undefined;
  #number = 0;
  readonly #waiting = new Map<number, (answer: Answer | Error) => void>();

  /** Runs a program to its end. Rejects when there is no such end. */
  async run(program: Program): Promise<ProgramEnd> {
    this.#process ??= this.#start();
    this.#process.channel?.ref();
    const number = ++this.#number;
    const answer = await new Promise<Answer | Error>((resolve) => {
      this.#waiting.set(number, resolve);
      this.#process?.send({ number, program });
    });
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) this.#process.channel?.unref();
    if (answer instanceof Error) throw answer;
    if ('failure' in answer) throw new Error(answer.failure);
    return answer;
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(import.meta.url), [], {
      serialization: 'advanced',
      execArgv: [],
      // A reader of the tests' output would wait for this process too.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.unref();
    child.on('message', (answer: Answer) => this.#waiting.get(answer.number)?.(answer));
    child.once('exit', () => {
      this.#process = undefined;
      for (const settle of this.#waiting.values()) settle(new Error('The starter of programs has ended.'));
    });
    return child;
  }
}

/** The starter of this process. */
export const programStarter = new ProgramStarter();

function runHere({ path, parameters, folder, environment, user, limit }: Program, answer: (end: object) => void): void {
  const options: ExecFileOptionsWithBufferEncoding = {
    maxBuffer: MAX_OUTPUT,
    encoding: 'buffer',
    cwd: folder,
    env: { ...environment },
    ...(user === undefined ? {} : { uid: user, gid: user }),
    ...(limit === undefined ? {} : { timeout: limit, killSignal: 'SIGKILL' }),
  };
  // eslint-disable-next-line tests/programs-of-the-table -- The callers have asked the table.
  const child = execFile(path, parameters, options, (error, output, errors) => {
    if (typeof error?.code === 'string') answer({ failure: error.message });
    else answer({ code: child.exitCode, output, errors } satisfies ProgramEnd);
  });
}

function answerRequest({ number, program }: { readonly number: number; readonly program: Program }): void {
  const answer = (end: object): unknown => process.send?.({ number, ...end });
  try {
    runHere(program, answer);
  } catch (error) {
    // A parameter impossible for every program, such as one with a zero byte.
    answer({ failure: String(error) });
  }
}

// `fork` has started this file. The process ends with the asking process, also while a program runs.
if (import.meta.main && process.send !== undefined) {
  process.on('message', answerRequest).once('disconnect', () => process.exit());
}
