/** Many documents through a real instance, and their costs. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeWorkplace, runSinete, serve, type Workplace } from '../app/run-sinete.ts';
import { Chance } from '../fuzz/mutate.ts';
import { letTimePass } from '../setup/waits.ts';
import { runJob, type LoadTarget } from './http-load.ts';
import { descriptorsOf, PeakWatch } from './watch-process.ts';

const CLIENTS = 4;
/** Results are erased while the soak runs, and so the erasing is part of the soak; seconds. */
const LIFETIME = 30;
/** Milliseconds for an instance without work to close its open files. */
const REST = 30_000;

export interface SoakFigures {
  readonly signed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Bytes: the most memory in each quarter of the documents. */
  readonly peaks: readonly [number, number, number, number];
  /** Open files without work: before the first document, after a quarter of them, and at the end. */
  readonly descriptors: { readonly before: number; readonly early: number; readonly end: number };
  readonly notified: number;
  /** How the instance ended; 0 is well. */
  readonly exitCode: number | null;
}

/** Signs at least so many documents. Rejects when the instance does not do as the interface promises. */
export async function soakDocuments(
  count: number,
  seed: number,
  tell: (line: string) => void = () => undefined,
): Promise<SoakFigures> {
  const workplace = await prepare();
  const receiver = await startCounter();
  const instance = await serve(workplace, ['--approve', 'all']);
  try {
    const { pid } = JSON.parse(await readFile(join(workplace.data, 'instance.json'), 'utf8')) as { pid: number };
    const target = { baseUrl: instance.baseUrl, callback: `${receiver.url}/?tcn=` };
    const measured = await measure({ pid, target, count, seed, tell });
    return { ...measured, notified: receiver.count(), exitCode: await instance.stop() };
  } finally {
    await instance.stop('SIGKILL');
    await receiver.close();
    await workplace.remove();
  }
}

async function prepare(): Promise<Workplace> {
  const workplace = await makeWorkplace();
  const words = ['certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35'];
  const { code, stderr } = await runSinete(workplace, words);
  if (code !== 0) throw new Error(stderr);
  return { ...workplace, environment: { ...workplace.environment, SINETE_SIGNING_LIFETIME: String(LIFETIME) } };
}

async function measure(parts: {
  readonly pid: number;
  readonly target: LoadTarget;
  readonly count: number;
  readonly seed: number;
  readonly tell: (line: string) => void;
}): Promise<Omit<SoakFigures, 'notified' | 'exitCode'>> {
  const { pid, target, count, seed, tell } = parts;
  const begun = performance.now();
  const done = { signed: 0, failed: 0 };
  const progress = (): number => (done.signed + done.failed) / count;
  const before = descriptorsOf(pid);
  const watch = new PeakWatch(pid, progress);
  const runUntil = async (share: number): Promise<void> => {
    const client = async (_: unknown, index: number): Promise<void> => {
      const chance = new Chance(seed * 1000 + index + Math.round(share * 100) * CLIENTS);
      while (progress() < share) {
        const { signed, failed } = await runJob(target, chance);
        done.signed += signed;
        done.failed += failed;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    watch.look();
    tell(`${done.signed + done.failed} documents, ${Math.round((performance.now() - begun) / 1000)} s`);
  };
  try {
    await runUntil(0.25);
    const early = await atRest(pid, before);
    for (const share of [0.5, 0.75, 1]) await runUntil(share);
    const seconds = Math.round((performance.now() - begun) / 1000);
    return { ...done, seconds, peaks: watch.peaks, descriptors: { before, early, end: await atRest(pid, early) } };
  } finally {
    watch.stop();
  }
}

/** The open files as soon as no more than wanted, or their number at the end of patience. */
async function atRest(pid: number, wanted: number): Promise<number> {
  const end = performance.now() + REST;
  let least = Infinity;
  while (performance.now() < end) {
    least = Math.min(least, descriptorsOf(pid));
    if (least <= wanted) return least;
    await letTimePass(200);
  }
  return least;
}

/** A counting receiver of notifications. */
async function startCounter(): Promise<{ url: string; count: () => number; close: () => Promise<void> }> {
  let count = 0;
  const server: Server = createServer((request, response) => {
    count++;
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
