import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { makeWorkplace, runSinete, serve, type Workplace } from '../app/run-sinete.ts';
import { parseRecord } from '../faults/disk-after-power-loss.ts';
import { recordingDisk } from '../faults/power-loss.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const SIZE = 10_000;
/** Requests of a round. */
const REQUESTS = 60;
const CALLERS = 16;
/** Requests whose statements and flushes are counted, after some that fill the caches. */
const COUNTED = 20;

const dataUrl = (): string => `data:application/octet-stream;base64,${randomBytes(SIZE).toString('base64')}`;

async function post(address: string, body: unknown): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  const { status } = (await answer.json()) as { readonly status?: string };
  assert.equal(status, 'SIGNED');
}

const sinete = (baseUrl: string) => async (): Promise<void> =>
  post(`${baseUrl}/signature-service`, {
    type: 'CAdES-detached',
    mode: 'sync',
    documents_source: 'DATA_URL',
    documents: [dataUrl()],
  });
const minimal = (baseUrl: string) => async (): Promise<void> => post(`${baseUrl}/sign`, { document: dataUrl() });

/** Requests in a second, from so many callers. */
async function rate(send: () => Promise<void>, callers: number): Promise<number> {
  let left = REQUESTS;
  const caller = async (): Promise<void> => {
    while (left-- > 0) await send();
  };
  return (REQUESTS * 1000) / (await milliseconds(async () => Promise.all(Array.from({ length: callers }, caller))));
}

/** A workplace with one key, and the same key for the minimal service in the folder `minimal`. */
async function makePlace(): Promise<Workplace> {
  const place = await makeWorkplace();
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
  await mkdir(join(place.folder, 'minimal'));
  await writeFile(join(place.folder, 'minimal', 'key.der'), person.privateKey);
  await writeFile(join(place.folder, 'k.p12'), await writePkcs12(person, 'x'));
  await writeFile(join(place.folder, 'password'), 'x');
  const added = await runSinete(place, ['certificates', 'add', 'k.p12', '--password-file', 'password']);
  assert.equal(added.code, 0, added.stderr);
  return place;
}

/** Counts what a document asks of the database and the disk: numbers that hold on every machine. */
async function countWork(place: Workplace): Promise<readonly BenchLine[]> {
  const own = mkdtempSync(join(tmpdir(), 'sinete-bench-one-'));
  const { recorded, record } = await recordingDisk(place, realpathSync(place.folder), own);
  const statements = join(own, 'statements');
  const counter = fileURLToPath(new URL('count-statements.cjs', import.meta.url));
  const instance = await serve(
    {
      ...recorded,
      environment: {
        ...recorded.environment,
        NODE_OPTIONS: `--require ${counter}`,
        COUNT_STATEMENTS: statements,
      },
    },
    ['--approve', 'all'],
  );
  try {
    const send = sinete(instance.baseUrl);
    for (let request = 0; request < COUNTED; request++) await send();
    const from = { record: statSync(record).size, statements: statSync(statements).size };
    for (let request = 0; request < COUNTED; request++) await send();
    const entries = parseRecord(readFileSync(record).subarray(from.record));
    const written = entries.filter(({ kind }) => kind === 'write');
    const lines = readFileSync(statements).subarray(from.statements).toString('utf8').trimEnd().split('\n');
    const each = (count: number): number => count / COUNTED;
    const bytes = each(written.reduce((sum, { data }) => sum + data.length, 0));
    return [
      {
        what: 'flushes for a document, created and signed in sync mode',
        ratio: each(entries.filter(({ kind }) => kind === 'flushed').length),
        bound: { atMost: 2.05 },
        detail: 'one of the commit, one of the mark beside the key',
      },
      {
        what: 'statements of SQLite for the same',
        ratio: each(lines.length),
        bound: { atMost: 15 },
        detail: 'with "begin" and "commit"',
      },
      {
        what: 'writes to files for the same',
        ratio: each(written.length),
        detail: `${(bytes / 1000).toFixed(0)} kB for a document of ${SIZE / 1000} kB, whose bytes are not stored`,
      },
    ];
  } finally {
    await instance.stop();
    rmSync(own, { recursive: true });
  }
}

async function compareRates(place: Workplace): Promise<readonly BenchLine[]> {
  const program = fileURLToPath(new URL('minimal-service.ts', import.meta.url));
  const peer = fork(program, [join(place.folder, 'minimal')]);
  const instance = await serve(place, ['--approve', 'all']);
  try {
    const [peerUrl] = (await once(peer, 'message')) as [string];
    const [ours, theirs] = [sinete(instance.baseUrl), minimal(peerUrl)];
    const rates = await interleave({
      ours: async () => rate(ours, 1),
      theirs: async () => rate(theirs, 1),
      oursTogether: async () => rate(ours, CALLERS),
      theirsTogether: async () => rate(theirs, CALLERS),
    });
    const detail = (one: keyof typeof rates, other: keyof typeof rates): string =>
      `${median(rates[one]).toFixed(0)}/s against ${median(rates[other]).toFixed(0)}/s`;
    return [
      {
        what: 'a document in a transaction of its own, one caller, against Express + SQLite + bare RSA',
        ...compared(rates, 'ours', 'theirs'),
        bound: { atLeast: 0.5 },
        detail: detail('ours', 'theirs'),
      },
      {
        what: `the same of ${CALLERS} callers at once`,
        ...compared(rates, 'oursTogether', 'theirsTogether'),
        bound: { atLeast: 0.5 },
        detail: detail('oursTogether', 'theirsTogether'),
      },
    ];
  } finally {
    await instance.stop();
    peer.disconnect();
  }
}

export const benchmark: Benchmark = {
  name: `one document of ${SIZE} bytes over HTTP: its work, and its rate against the least service`,
  async run() {
    const place = await makePlace();
    try {
      return [...(await countWork(place)), ...(await compareRates(place))];
    } finally {
      await place.remove();
    }
  },
};
