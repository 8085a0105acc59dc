import {
  spawn,
  type ChildProcess,
  type ChildProcessByStdio,
  type SpawnOptionsWithStdioTuple,
} from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort, makeWorkplace, plainEnvironment, type Workplace } from './run-sinete.ts';

const root = join(import.meta.dirname, '../..');

/** Starts a process as if its Node were too old: the command runs again under the Node of the checkout. */
const pretendOld = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })",
)}`;

type Start = (
  options: SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'>,
) => ChildProcessByStdio<null, Readable, Readable>;

const wrappers: readonly (readonly [name: string, start: Start])[] = [
  ['npm start', (options) => spawn('npm', ['start'], options)],
  ['npx sinete serve', (options) => spawn('npx', ['sinete', 'serve'], options)],
  [
    'an older Node',
    (options) => spawn(process.execPath, ['--import', pretendOld, 'src/app/sinete.js', 'serve'], options),
  ],
];

interface Instance {
  readonly pid: number;
  readonly port: number;
}

let place: Workplace;
let wrapper: ChildProcess | undefined;
let instance: Instance | undefined;

beforeEach(async () => {
  place = await makeWorkplace();
});

afterEach(async () => {
  wrapper?.kill('SIGKILL');
  if (instance !== undefined && isAlive(instance.pid)) process.kill(instance.pid, 'SIGKILL');
  [wrapper, instance] = [undefined, undefined];
  await place.remove();
});

describe.each(wrappers)('an instance started by %s', (_name, start) => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'ends in order and frees its port when only this process gets %s',
    async (signal) => {
      instance = await run(start);
      expect(instance.pid).not.toBe(wrapper?.pid);
      wrapper?.kill(signal);
      const { pid, port } = instance;
      await vi.waitUntil(() => !isAlive(pid), { timeout: 120_000, interval: 100 });
      // An instance ending in order removes the file; after a crash the file stays.
      expect(existsSync(join(place.data, 'instance.json'))).toBe(false);
      await listenOnce(port);
    },
  );
});

/** Resolves at the instance's message of running; from then on signals end the instance in order. */
async function run(start: Start): Promise<Instance> {
  const environment = { ...plainEnvironment(), ...place.environment, SINETE_PORT: String(await freePort()) };
  const started = start({ cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  wrapper = started;
  await new Promise<void>((resolve, reject) => {
    let output = '';
    const read = (text: string): void => {
      output += text;
      if (output.includes('Ctrl+C stops.')) resolve();
    };
    started.stdout.setEncoding('utf8').on('data', read);
    started.stderr.setEncoding('utf8').on('data', read);
    started.once('error', reject);
    started.once('exit', () => reject(new Error(`It ended: ${output}`)));
  });
  return JSON.parse(await readFile(join(place.data, 'instance.json'), 'utf8')) as Instance;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function listenOnce(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}
