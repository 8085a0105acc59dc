/** Clients of a single instance: each job is a few documents through the interface, or a request to be refused. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import type { Chance } from '../fuzz/mutate.ts';

/** The target of the load, and the address for news of finished transactions. */
export interface LoadTarget {
  readonly baseUrl: string;
  readonly callback: string;
}

/** The result of a single job: its documents by their final status. */
export interface JobOutcome {
  readonly signed: number;
  readonly failed: number;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Transaction {
  readonly tcn: string;
  readonly status: 'WAITING' | 'SIGNED' | 'ERROR';
  readonly documents: readonly { readonly status: string; readonly result: string | null }[];
}

type Job = (target: LoadTarget, chance: Chance) => Promise<JobOutcome>;

const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto do contrato.'], footer: 'Página 1' }, new Date(0));
const nothing: JobOutcome = { signed: 0, failed: 0 };

/** Jobs with how often each is chosen. */
const jobs: readonly (readonly [weight: number, job: Job])[] = [
  [5, dataUrls('CAdES-detached')],
  [4, dataUrls('CAdES-attached')],
  [3, uploads('CAdES-attached', (chance) => Buffer.alloc(70_000 + chance.below(200_000), 'long '))],
  [3, uploads('PAdES', () => pdf)],
  [1, notAPdf],
  [1, brokenUpload],
  [1, refused],
];

const hat = jobs.flatMap(([weight, job]) => Array.from({ length: weight }, () => job));

/** Runs a random job. Rejects when the instance breaks a promise of the interface. */
export async function runJob(target: LoadTarget, chance: Chance): Promise<JobOutcome> {
  return chance.pick(hat)(target, chance);
}

function dataUrls(type: string): Job {
  return async (target, chance) => {
    const documents = Array.from({ length: 1 + chance.below(12) }, () => ({
      data: `data:text/plain;base64,${Buffer.alloc(1 + chance.below(20_000), 'short ').toString('base64')}`,
    }));
    const callback = chance.below(4) === 0 ? { notification_callback: target.callback } : {};
    const body = { type, documents_source: 'DATA_URL', documents, mode: 'sync', ...callback };
    const { tcn } = await create(target, body);
    return collect(target, tcn, documents.length);
  };
}

function uploads(type: string, content: (chance: Chance) => Buffer): Job {
  return async (target, chance) => {
    const { tcn } = await create(target, { type, documents_source: 'UPLOAD_REFERENCE' });
    const files = Array.from({ length: 1 + chance.below(4) }, () => content(chance));
    const answer = await send(target, 'POST', `/file-transfer/${tcn}/eot`, formOf(files));
    expectStatus(answer, 200);
    return collect(target, tcn, files.length);
  };
}

/** One document of two is no PDF: this document fails, and the other is signed. */
async function notAPdf(target: LoadTarget): Promise<JobOutcome> {
  const { tcn } = await create(target, { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE' });
  const form = formOf([Buffer.from('no PDF'), pdf]);
  expectStatus(await send(target, 'POST', `/file-transfer/${tcn}/eot`, form), 200);
  return collect(target, tcn, 1, 1);
}

/** A client goes in the middle of its upload, and begins again. */
async function brokenUpload(target: LoadTarget): Promise<JobOutcome> {
  const { tcn } = await create(target, { type: 'CAdES-detached', documents_source: 'UPLOAD_REFERENCE' });
  const form = formOf([Buffer.alloc(100_000, 'broken ')]);
  await sendHalf(target, `/file-transfer/${tcn}/eot`, form);
  expectStatus(await send(target, 'POST', `/file-transfer/${tcn}/eot`, form), 200);
  return collect(target, tcn, 1);
}

async function refused(target: LoadTarget): Promise<JobOutcome> {
  const json = { 'Content-Type': 'application/json' };
  const broken = await send(target, 'POST', '/signature-service', { headers: json, body: Buffer.from('{"type":') });
  expectStatus(broken, 400);
  expectStatus(await send(target, 'GET', '/signature-service/AAAAAAAAAAAAAAAAAAAAAAAAAA'), 404);
  const unknown = Buffer.from(JSON.stringify({ type: 'XAdES', documents_source: 'DATA_URL' }));
  expectStatus(await send(target, 'POST', '/signature-service', { headers: json, body: unknown }), 422);
  return nothing;
}

async function create(target: LoadTarget, body: object): Promise<Transaction> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await send(target, 'POST', '/signature-service', { headers, body: Buffer.from(JSON.stringify(body)) });
  return readTransaction(answer, 201);
}

/** Waits for the end, downloads the signed documents, and counts. */
async function collect(target: LoadTarget, tcn: string, signed: number, failed = 0): Promise<JobOutcome> {
  let transaction: Transaction;
  do transaction = readTransaction(await send(target, 'GET', `/signature-service/${tcn}?wait=30`), 200);
  while (transaction.status === 'WAITING');
  const { documents } = transaction;
  const results = documents.flatMap(({ status, result }) => (status === 'SIGNED' && result !== null ? [result] : []));
  if (results.length !== signed || documents.length !== signed + failed) {
    throw new Error(`Of ${documents.length} documents ${results.length} were signed, not ${signed}.`);
  }
  for (const result of results) {
    const answer = await send(target, 'GET', new URL(result).pathname);
    expectStatus(answer, 200);
    const isSignature = answer.body[0] === 0x30 || answer.body.subarray(0, 5).toString() === '%PDF-';
    if (!isSignature) throw new Error('A result is no signature.');
  }
  return { signed, failed };
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function formOf(files: readonly Buffer[]): Sent {
  const boundary = 'soak-boundary';
  const parts = files.flatMap((content, index) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="document[${index}]"; filename="d${index}.bin"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    content,
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, body };
}

/** Each request has a connection of its own, so none is open without a request. */
function send({ baseUrl }: LoadTarget, method: string, path: string, sent?: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = sent === undefined ? {} : { 'Content-Length': String(sent.body.length) };
    const options = { method, agent: false as const, headers: { ...sent?.headers, ...length } };
    const outgoing = request(new URL(path, baseUrl), options, (response) => {
      const { statusCode = 0, headers } = response;
      buffer(response).then((body) => resolve({ status: statusCode, headers, body }), reject);
    });
    outgoing.once('error', reject).end(sent?.body);
  });
}

function sendHalf({ baseUrl }: LoadTarget, path: string, { headers, body }: Sent): Promise<void> {
  return new Promise((resolve) => {
    const length = { 'Content-Length': String(body.length) };
    const options = { method: 'POST', agent: false as const, headers: { ...headers, ...length } };
    const outgoing = request(new URL(path, baseUrl), options);
    outgoing.once('error', () => undefined).once('close', resolve);
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
  });
}

function readTransaction(answer: Answer, status: number): Transaction {
  expectStatus(answer, status);
  return JSON.parse(answer.body.toString()) as Transaction;
}

function expectStatus({ status, body }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`It answered ${status}, not ${expected}: ${body.toString().slice(0, 500)}`);
}
