import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { makeWorkplace, runSinete, serve, type Workplace } from '../app/run-sinete.ts';
import type { Benchmark, BenchLine } from './harness.ts';

const TRANSACTIONS = 1000;
const UPLOADS = 100;
const UPLOAD_SIZE = 4 * 2 ** 20;
const CREATES = 100;
const CREATE_SIZE = 2 ** 20;
/** More than the instance had after its start, in units of 10^6 bytes. */
const MOST_MEMORY = 200;

/** The most memory ever held by the instance, in units of 10^6 bytes. Linux tells it. */
async function peakOf({ data }: Workplace): Promise<number> {
  const { pid } = JSON.parse(await readFile(join(data, 'instance.json'), 'utf8')) as { pid: number };
  const kibibytes = /VmHWM:\s*(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}

async function post(address: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

const question = { type: 'CAdES-attached' } as const;

async function openTransactions(baseUrl: string): Promise<string[]> {
  const tcns: string[] = [];
  const body = { ...question, documents_source: 'UPLOAD_REFERENCE' };
  while (tcns.length < TRANSACTIONS) tcns.push(String((await post(`${baseUrl}/signature-service`, body)).tcn));
  return tcns;
}

/** An upload stopping in its middle until `goOn`; `halfway` tells of its arrival. */
function upload(address: string, content: Buffer, goOn: Promise<unknown>, halfway: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': content.length };
    const sending = request(address, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume().once('end', () => {
        resolve(answer.statusCode ?? 0);
      });
    });
    sending.once('error', reject);
    const middle = content.length >> 1;
    sending.write(content.subarray(0, middle), halfway);
    void goOn.then(() => sending.end(content.subarray(middle)));
  });
}

/** All uploads are under way at the same time before any ends. */
async function uploadTogether(baseUrl: string, tcns: readonly string[]): Promise<void> {
  const content = randomBytes(UPLOAD_SIZE);
  const together = Promise.withResolvers<undefined>();
  let halfway = 0;
  const statuses = await Promise.all(
    tcns.slice(0, UPLOADS).map((tcn) =>
      upload(`${baseUrl}/file-transfer/${tcn}/continue`, content, together.promise, () => {
        if (++halfway === UPLOADS) together.resolve(undefined);
      }),
    ),
  );
  assert.deepEqual(new Set(statuses), new Set([200]));
}

async function createTogether(baseUrl: string): Promise<void> {
  const data = `data:application/octet-stream;base64,${randomBytes(CREATE_SIZE).toString('base64')}`;
  const body = { ...question, documents_source: 'DATA_URL', documents: [data] };
  await Promise.all(Array.from({ length: CREATES }, () => post(`${baseUrl}/signature-service`, body)));
}

export const benchmark: Benchmark = {
  name: `${TRANSACTIONS} open transactions with ${UPLOADS} uploads of ${UPLOAD_SIZE >> 20} MiB under way at once`,
  async run() {
    const place = await makeWorkplace();
    const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
    await writeFile(join(place.folder, 'k.p12'), await writePkcs12(person, 'x'));
    await writeFile(join(place.folder, 'password'), 'x');
    const added = await runSinete(place, ['certificates', 'add', 'k.p12', '--password-file', 'password']);
    assert.equal(added.code, 0, added.stderr);
    const instance = await serve(place);
    try {
      const rest = await peakOf(place);
      const lines: BenchLine[] = [
        { what: 'after its start', ratio: rest, detail: 'MB, the most resident memory of the instance so far' },
      ];
      const note = async (what: string, bound?: BenchLine['bound']): Promise<void> => {
        const peak = await peakOf(place);
        const detail = `MB more than after its start: ${peak.toFixed(0)} MB`;
        lines.push({ what, ratio: peak - rest, detail, bound });
      };
      const tcns = await openTransactions(instance.baseUrl);
      await note('with the transactions open');
      await uploadTogether(instance.baseUrl, tcns);
      await note('with the uploads under way', { atMost: MOST_MEMORY });
      await createTogether(instance.baseUrl);
      await note(`after ${CREATES} creates at once with a document of 1 MiB in their bodies`, { atMost: MOST_MEMORY });
      return lines;
    } finally {
      await instance.stop();
      await place.remove();
    }
  },
};
