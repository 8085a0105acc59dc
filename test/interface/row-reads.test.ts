import { Session } from 'node:inspector/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { startRealInstance, type RealInstance } from './real-instance.ts';

/** Bounds on repeated work for a single document signed over HTTP, with everything real behind the interface. */

const wanted = ['fromTransactionRow', 'fromStateRow', 'fromDocumentRow', 'readFields'] as const;
type Calls = Readonly<Record<(typeof wanted)[number], number>>;

let instance: RealInstance;

beforeEach(async () => {
  // The sweep of every minute reads rows too, and must not fall into the count.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  instance = await startRealInstance({ approve: 'all' });
  const calls = instance.sinete.handlers['user-interface'];
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
});
afterEach(async () => {
  await instance.stop();
  vi.useRealTimers();
});

/** The calls of functions of this thread during `action`, as V8 counts them. */
async function countCalls(action: () => Promise<void>): Promise<Calls> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await action();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functions = result
      .filter(({ url }) => /(columns\/transactions|columns\/documents|parse-certificate)\.ts$/.test(url))
      .flatMap((script) => script.functions);
    const callsOf = (name: string): number =>
      functions.filter((one) => one.functionName === name).reduce((sum, one) => sum + (one.ranges[0]?.count ?? 0), 0);
    return Object.fromEntries(wanted.map((name) => [name, callsOf(name)])) as Calls;
  } finally {
    session.disconnect();
  }
}

async function fetchOk(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(`${instance.url}${path}`, init);
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

/** Creates a transaction, uploads its only document, waits for the signature and downloads the result. */
async function signOne(type: string, document: Buffer, fileName: string): Promise<void> {
  const body = JSON.stringify({ type, documents_source: 'UPLOAD_REFERENCE' });
  const headers = { 'content-type': 'application/json' };
  const created = await fetchOk('/signature-service', { method: 'POST', headers, body });
  const { tcn } = (await created.json()) as { readonly tcn: string };
  const form = new FormData();
  form.append('document', new Blob([new Uint8Array(document)]), fileName);
  await fetchOk(`/file-transfer/${tcn}/eot`, { method: 'POST', body: form });
  const signed = await fetchOk(`/signature-service/${tcn}?wait=60`);
  expect(await signed.json()).toMatchObject({ status: 'SIGNED' });
  const result = await fetchOk(`/file-transfer/${tcn}/0`);
  expect((await result.arrayBuffer()).byteLength).toBeGreaterThan(1000);
}

it.each([
  [
    'a document in a file',
    'PAdES',
    writeTextPdf({ title: 'Contract', paragraphs: ['One page.'], footer: '' }, new Date(0)),
    'contract.pdf',
  ],
  ['a small document in the database', 'CAdES-attached', Buffer.from('note'), 'note.txt'],
] as const)('%s is decoded once for each step and its certificate is not parsed again', async (...row) => {
  const [, type, document, fileName] = row;
  const calls = await countCalls(async () => {
    await signOne(type, document, fileName);
    // The signing run may read its last row after the answer: a stop waits for the run.
    await instance.sinete.core.transactions.close();
  });
  expect(calls).toMatchObject({ fromTransactionRow: 5, readFields: 0 });
});
