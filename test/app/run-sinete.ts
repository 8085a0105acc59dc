import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../src/app/sinete.js', import.meta.url));

/** How a command ended. */
export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A folder for a single test file, with a data folder and a key file inside, as set up by a person without a keychain.
 */
export interface Workplace {
  readonly folder: string;
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export async function makeWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-app-'));
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  return {
    folder,
    data,
    environment: {
      SINETE_DATA: data,
      SINETE_SECRET_STORE_MODE: 'key-file',
      SINETE_SECRET_STORE_KEY_FILE: join(folder, 'keys', 'master.key'),
    },
    remove: async () => rm(folder, { recursive: true, force: true }),
  };
}

/** Surroundings of a command besides its arguments. */
export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Everything readable from standard input. */
  readonly input?: string;
  /** For a command of `ownProcess` refused before any change: runs in the process of the test. */
  readonly isRefused?: boolean;
}

/** First words of commands changing or keeping their process: these always get a process of their own. */
const ownProcess = new Set(['start', 'serve', 'desktop', 'link', 'test-services']);

/** The end of the command running now in this process: only one can have the streams, environment and folder. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line, with nothing to read from but `input`; in this process, where the command allows, because
 * starting a process takes longer than most commands. Tests about processes call `spawnSinete`.
 */
export async function runSinete(
  workplace: Workplace,
  words: readonly string[],
  options: CommandOptions = {},
): Promise<CommandOutcome> {
  if (ownProcess.has(words[0] ?? '') && options.isRefused !== true) return spawnSinete(workplace, words, options);
  const outcome = previous.then(async () => runHere(workplace, words, options));
  previous = outcome.catch(() => undefined);
  return outcome;
}

async function runHere(
  workplace: Workplace,
  words: readonly string[],
  { environment = {}, input = '' }: CommandOptions,
): Promise<CommandOutcome> {
  const { runCommandLine } = await import('../../src/app/cli.ts');
  const [output, errors] = [new Recorder(), new Recorder()];
  const restore = standIn({ stdin: Readable.from([input]), stdout: output, stderr: errors });
  const [folder, exitCode, environmentBefore] = [process.cwd(), process.exitCode, { ...process.env }];
  try {
    process.chdir(workplace.folder);
    setEnvironment({ ...plainEnvironment(), ...workplace.environment, ...environment });
    process.exitCode = undefined;
    await runCommandLine([process.execPath, entry, ...words]);
    return { code: exitCodeHere(), stdout: output.text, stderr: errors.text };
  } finally {
    process.exitCode = exitCode;
    setEnvironment(environmentBefore);
    process.chdir(folder);
    restore();
  }
}

const exitCodeHere = (): number => Number(process.exitCode ?? 0);

/** Keeps the text written. */
class Recorder extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}

/** Puts other streams in the place of this process's; answers a function to put its own back. */
function standIn(streams: Readonly<Record<'stdin' | 'stdout' | 'stderr', Readable | Writable>>): () => void {
  const own = Object.keys(streams).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true });
  }
  return () => {
    for (const [name, descriptor] of own)
      if (descriptor !== undefined) Object.defineProperty(process, name, descriptor);
  };
}

/** Changes `process.env` in place: modules hold on to the object. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in wanted)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, wanted);
}

/** Runs the command line in a process of its own. */
export async function spawnSinete(
  workplace: Workplace,
  words: readonly string[],
  options: CommandOptions & {
    /** Words for Node itself, in front of the program. */
    readonly nodeWords?: readonly string[];
    /** The entry of another copy of the program. */
    readonly program?: string;
    /** Standard output is closed at once, without a reader. */
    readonly closeOutput?: boolean;
  } = {},
): Promise<CommandOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(options.nodeWords ?? []), options.program ?? entry, ...words], {
      cwd: workplace.folder,
      env: { ...plainEnvironment(), ...workplace.environment, ...options.environment },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    if (options.closeOutput === true) child.stdout.destroy();
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
    });
    child.stdin.end(options.input ?? '');
  });
}

/** A running instance in a process of its own. */
export interface ServingProcess {
  readonly pid: number;
  readonly baseUrl: string;
  readonly output: () => string;
  /** Asks the process to stop and answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `sinete serve` on a free port and waits for its message of running: from then on, signals end the process in
 * order. `program` is the entry of another copy, `nodeWords` are words for Node itself.
 */
export async function serve(
  workplace: Workplace,
  words: readonly string[] = [],
  program = entry,
  nodeWords: readonly string[] = [],
): Promise<ServingProcess> {
  const child = spawn(process.execPath, [...nodeWords, program, 'serve', '--port', '0', ...words], {
    cwd: workplace.folder,
    env: { ...plainEnvironment(), ...workplace.environment },
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    const read = (text: string): void => {
      output += text;
      if (output.includes('Ctrl+C stops.')) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void ended.then(() => reject(new Error(`It ended: ${output}`)));
  });
  // On a full disk the instance has no file yet, and tells its address here only.
  const told = /Window: +http:\/\/127\.0\.0\.1:(\d+)\//.exec(output)?.[1];
  return {
    pid: child.pid ?? 0,
    baseUrl: `http://127.0.0.1:${told ?? (await portOf(workplace))}`,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function portOf({ data }: Workplace): Promise<number> {
  return (JSON.parse(await readFile(join(data, 'instance.json'), 'utf8')) as { readonly port: number }).port;
}

/** The environment of the test without settings of our own or a display. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(SINETE_|DISPLAY|WAYLAND_|DBUS_|NODE_|VITEST)/.test(name),
  );
  return Object.fromEntries(entries);
}

/** Test services in a process of their own, or in the instance running on the data folder. */
export interface TestServicesProcess {
  readonly origin: string;
  readonly output: () => string;
  stop(): Promise<number | null>;
}

/** Starts `sinete test-services` and waits for its message of running services. */
export async function runTestServices(workplace: Workplace): Promise<TestServicesProcess> {
  const child = spawn(process.execPath, [entry, 'test-services'], {
    cwd: workplace.folder,
    env: { ...plainEnvironment(), ...workplace.environment },
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (text: string): void => {
      output += text;
      const found = /run at (http:\S+\d)\./.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void ended.then(() => reject(new Error(`It ended: ${output}`)));
  });
  return {
    origin,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/**
 * A port without a listener now. The system gives ports above 32,767 to connections and to listeners naming none, so
 * such a port could go to another test before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(18_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('A hundred ports in a row were taken.');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
