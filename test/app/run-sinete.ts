import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../src/app/sinete.js', import.meta.url));

/** How a command ended. */
export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder for one test file, with a data folder and a key file inside, as a person without a keychain would set up. */
export interface Workplace {
  readonly folder: string;
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export async function makeWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-app-'));
  const data = join(folder, 'data');
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

/** Runs the command line in a process of its own, with nothing to read from but `input`. */
export async function runSinete(
  workplace: Workplace,
  words: readonly string[],
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly input?: string;
    /** Words for Node itself, in front of the program. */
    readonly nodeWords?: readonly string[];
    /** The entry of another copy of the program. */
    readonly program?: string;
    /** Nobody reads standard output: it is closed at once. */
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
  readonly baseUrl: string;
  readonly output: () => string;
  /** Asks it to stop and answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `sinete serve` on a free port and waits until it answers. */
export async function serve(workplace: Workplace, words: readonly string[] = []): Promise<ServingProcess> {
  const child = spawn(process.execPath, [entry, 'serve', '--port', '0', ...words], {
    cwd: workplace.folder,
    env: { ...plainEnvironment(), ...workplace.environment },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const port = await Promise.race([
    portOf(workplace.data, child.pid),
    ended.then(() => Promise.reject(new Error(`It ended: ${output}`))),
  ]);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function portOf(data: string, pid: number | undefined): Promise<number> {
  for (let tries = 0; tries < 600; tries += 1) {
    const text = await readFile(join(data, 'instance.json'), 'utf8').catch(() => '');
    const instance = text === '' ? undefined : (JSON.parse(text) as { pid: number; port: number });
    if (instance !== undefined && instance.pid === pid) return instance.port;
    await sleep(100);
  }
  throw new Error('The instance did not start in a minute.');
}

/** The environment of the test without settings of our own or a display. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(SINETE_|DISPLAY|WAYLAND_|DBUS_|NODE_|VITEST)/.test(name),
  );
  return Object.fromEntries(entries);
}

/** Test services in a process of their own, or in the instance that runs on the data folder. */
export interface TestServicesProcess {
  readonly origin: string;
  stop(): Promise<number | null>;
}

/** Starts `sinete test-services` and waits until it says that they run. */
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
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** A port that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
