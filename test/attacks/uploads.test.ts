/** Uploads trying to put a document under the name of another, over HTTP. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type Answer, type RealInstance } from '../interface/real-instance.ts';

let instance: RealInstance;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sinete-uploads-'));
  instance = await startRealInstance({ approve: 'all' });
  const { 'user-interface': calls } = instance.sinete.handlers;
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
});
afterAll(async () => {
  await instance.stop();
  rmSync(home, { recursive: true });
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function announce(documents: readonly object[], changes: object = {}): Promise<string> {
  const json = { type: 'CMS-attached', documents_source: 'UPLOAD_REFERENCE', documents, ...changes };
  return String((await instance.send('POST', '/signature-service', { json })).content.tcn);
}

interface Part {
  readonly field: string;
  readonly fileName: string;
  readonly content: string;
}

async function upload(tcn: string, end: 'eot' | 'continue', parts: readonly Part[]): Promise<number> {
  const form = new FormData();
  for (const { field, fileName, content } of parts) form.append(field, new Blob([content]), fileName);
  const answer = await fetch(`${instance.url}/file-transfer/${tcn}/${end}`, { method: 'POST', body: form });
  await answer.arrayBuffer();
  return answer.status;
}

/** The answer once no document waits. */
async function finished(tcn: string): Promise<Answer> {
  for (;;) {
    const answer = await instance.send('GET', `/signature-service/${tcn}?wait=5`);
    if (answer.content.status !== 'WAITING') return answer;
  }
}

const checksumsOf = ({ content }: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (content.documents as readonly { readonly id: string; readonly checksum: string }[]).map(({ id, checksum }) => [
      id,
      checksum,
    ]),
  );

const two = [
  { id: 'A', original_file_name: 'fa.txt' },
  { id: 'B', original_file_name: 'fb.txt' },
];
const fa = { fileName: 'fa.txt', content: 'AAA' };
const fb = { fileName: 'fb.txt', content: 'BBB' };

describe('a client uploading announced documents', () => {
  it.each([
    ['in another order, by name', ['document', 'document']],
    ['in another order, by id', ['document[B]', 'document[A]']],
    ['in another order, by their position in the request and by name', ['document[1]', 'document[0]']],
  ])('has each signed under its own name %s', async (_how, [first = '', second = '']) => {
    const tcn = await announce(two);
    expect(await upload(tcn, 'continue', [{ field: first, ...fb }])).toBe(200);
    expect(await upload(tcn, 'eot', [{ field: second, ...fa }])).toBe(200);
    expect(checksumsOf(await finished(tcn))).toEqual({ A: sha256('AAA'), B: sha256('BBB') });
    const signed = await instance.send('GET', `/file-transfer/${tcn}/A`);
    expect([signed.headers['content-disposition'], signed.body.includes('AAA')]).toEqual([
      expect.stringContaining('fa.txt.p7m'),
      true,
    ]);
  });

  it('has each signed under its own name in parallel requests of any length', async () => {
    const documents = Array.from({ length: 12 }, (_one, index) => ({
      id: `d${index}`,
      original_file_name: `f${index}`,
    }));
    const tcn = await announce(documents);
    const contents = documents.map((_one, index) => 'x'.repeat(index % 3 === 0 ? 300_000 : 10) + String(index));
    const answers = contents.map(async (content, index) =>
      upload(tcn, 'continue', [{ field: 'document', fileName: `f${index}`, content }]),
    );
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    await upload(tcn, 'eot', []);
    const wanted = Object.fromEntries(contents.map((content, index) => [`d${index}`, sha256(content)]));
    expect(checksumsOf(await finished(tcn))).toEqual(wanted);
  });

  it('has each result at the destination of its own name', async () => {
    const documents = two.map((one) => ({
      ...one,
      destination_file_name: join(home, `${one.original_file_name}.p7m`),
    }));
    const tcn = await announce(documents, { documents_destination: 'FILE_PATH' });
    await upload(tcn, 'continue', [{ field: 'document', ...fb }]);
    await upload(tcn, 'eot', [{ field: 'document', ...fa }]);
    await finished(tcn);
    expect(readFileSync(join(home, 'fa.txt.p7m')).includes('AAA')).toBe(true);
    expect(readFileSync(join(home, 'fb.txt.p7m')).includes('BBB')).toBe(true);
  });

  it.each([
    ['a name that nobody announced', 'document', 'fc.txt', 422],
    ['an id that nobody announced', 'document[C]', 'fa.txt', 422],
    ['the id of one and the name of another', 'document[A]', 'fb.txt', 422],
    ['a name that is here already', 'document', 'fb.txt', 409],
    ['an id that is here already', 'document[B]', 'x', 409],
  ])('is refused for %s, with the whole request', async (_what, field, fileName, status) => {
    const tcn = await announce(two);
    expect(await upload(tcn, 'continue', [{ field: 'document', ...fb }])).toBe(200);
    const parts = [{ field: 'document', ...fa }, { field, fileName, content: 'CCC' }]; // prettier-ignore
    expect(await upload(tcn, 'eot', parts)).toBe(status);
    const { content } = await instance.send('GET', `/signature-service/${tcn}`);
    expect(content).toMatchObject({ waiting_for: 'upload', documents: [{ size: null }, { size: 3 }] });
    expect(readdirSync(join(instance.sinete.core.dataFolder, 'incoming'))).toEqual([]);
  });
});
