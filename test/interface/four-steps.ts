import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTool } from '../oracles/run-program.ts';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { itNeeding } from '../setup/needs.ts';
import { makeWorkplace, runSinete, type ServingProcess, type Workplace } from '../app/run-sinete.ts';

/** The whole program, seen from outside: an instance in a process of its own, called by curl, judged by openssl and poppler. */

let place: Workplace;
let instance: ServingProcess;
const fileOf = (name: string): string => join(place.folder, name);

interface Entry {
  readonly id: string;
  readonly status: string;
  readonly original_file_name: string | null;
  readonly checksum: string | null;
  readonly size: number | null;
  readonly result: string | null;
  readonly lifetime: number | null;
  readonly signature_setting: string;
  readonly signature?: string;
  readonly error?: { readonly code: string };
}

interface Answer {
  readonly tcn: string;
  readonly status: string;
  readonly code: string;
  readonly tsa: boolean;
  readonly documents: readonly Entry[];
  readonly end_of_transaction: boolean;
}

/** An instance with a key of ANA LIMA signing without a question. */
export interface ReadyInstance {
  readonly instance: ServingProcess;
  readonly place: Workplace;
  /** Removes everything outside the workplace. */
  readonly remove: () => Promise<void>;
}

/** Runs a command expected to succeed, and answers its output. */
export async function succeed(workplace: Workplace, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runSinete(workplace, words);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function curl(...words: readonly string[]): Promise<string> {
  const stdout = await runTool('curl', ['--silent', '--show-error', ...words], {
    folder: place.folder,
  });
  return stdout;
}

const json = ['--header', 'Content-Type: application/json', '--header', 'Accept: application/json'];

async function create(body: object): Promise<Answer> {
  const answer = await curl(...json, '--data', JSON.stringify(body), `${instance.baseUrl}/signature-service`);
  return JSON.parse(answer) as Answer;
}

async function upload(path: string, ...words: readonly string[]): Promise<Answer> {
  return JSON.parse(await curl(...words, `${instance.baseUrl}/file-transfer/${path}`)) as Answer;
}

async function finished(tcn: string): Promise<Answer> {
  for (let tries = 0; tries < 6; tries += 1) {
    const answer = JSON.parse(await curl(...json, `${instance.baseUrl}/signature-service/${tcn}?wait=20`)) as Answer;
    if (answer.status !== 'WAITING') return answer;
  }
  throw new Error('not finished');
}

/** Downloads a result under its own name and answers the name. */
async function download(entry: Entry | undefined): Promise<string> {
  const headers = await curl('--remote-name', '--remote-header-name', '--dump-header', '-', entry?.result ?? '');
  const name = /filename="?([^"\r\n;]+)"?/.exec(headers)?.[1] ?? '';
  const written = fileOf(name);
  const digest = createHash('sha256')
    .update(await readFile(written))
    .digest('hex');
  expect(headers.toLowerCase()).toContain(`etag: "${digest}"`);
  return name;
}

async function pdfIsValid(name: string, original: string): Promise<void> {
  const stdout = await runTool('pdfsig', [fileOf(name)]);
  expect(stdout).toContain('Signature is Valid');
  expect(stdout).toContain('Total document signed');
  expect(stdout).toContain('ANA LIMA');
  const [signed, before] = [await readFile(fileOf(name)), await readFile(fileOf(original))];
  expect(signed.subarray(0, before.length).equals(before)).toBe(true);
}

const pades = { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE' };

/** The tests of the four steps: create, upload, query, download. `prepare` brings the key into an empty workplace. */
export function testFourSteps(prepare: (workplace: Workplace) => Promise<ReadyInstance>): void {
  let remove = (): Promise<void> => Promise.resolve();

  beforeAll(async () => {
    place = await makeWorkplace();
    for (const name of ['um', 'dois', 'três']) {
      const pdf = writeTextPdf({ title: name, paragraphs: ['Texto.'], footer: name }, new Date());
      await writeFile(fileOf(`${name}.pdf`), pdf);
    }
    await writeFile(fileOf('nota.txt'), 'conteúdo da nota');
    ({ place, instance, remove } = await prepare(place));
  });

  afterAll(async () => {
    const code = await instance.stop();
    await place.remove();
    await remove();
    expect(code).toBe(0);
  });

  it('signs a batch of document[0] to document[2] in a single request', async () => {
    const { tcn, status } = await create({ ...pades, signature_settings: { reason: 'Aprovo', location: 'Recife' } });
    expect([status, /^[\w-]{26}$/.test(tcn)]).toEqual(['WAITING', true]);
    const parts = ['um.pdf', 'dois.pdf', 'três.pdf'].flatMap((name, n) => ['--form', `document[${n}]=@${name}`]);
    const uploaded = await upload(`${tcn}/eot`, ...parts);
    expect(uploaded.end_of_transaction).toBe(true);
    expect(uploaded.documents.map(({ id, original_file_name: name }) => [id, name])).toEqual([
      ['0', 'um.pdf'],
      ['1', 'dois.pdf'],
      ['2', 'três.pdf'],
    ]);
    const { documents, tsa } = await finished(tcn);
    expect(tsa).toBe(false);
    expect(documents.map((one) => one.status)).toEqual(['SIGNED', 'SIGNED', 'SIGNED']);
    expect(documents[0]?.lifetime).toBeGreaterThan(43_000);
    const original = await readFile(fileOf('um.pdf'));
    expect(documents[0]).toMatchObject({
      size: original.length,
      checksum: createHash('sha256').update(original).digest('hex'),
    });
    await pdfIsValid(await download(documents[0]), 'um.pdf');
    await pdfIsValid(await download(documents[1]), 'dois.pdf');
    expect((await readFile(fileOf('um-signed.pdf'))).toString('latin1')).toContain('Aprovo');
  });

  it('signs documents coming one at a time: continue, an empty segment, no segment, and eot with the last', async () => {
    const { tcn } = await create({ ...pades, type: 'CAdES-detached' });
    const one = ['--form', 'document=@nota.txt'];
    await upload(`${tcn}/continue`, ...one);
    await upload(`${tcn}//default`, ...one);
    await upload(`${tcn}/`, ...one);
    await upload(tcn, ...one);
    const last = await upload(`${tcn}/eot/default`, ...one);
    expect(last.documents.map(({ id }) => id)).toEqual(['4']);
    const { documents } = await finished(tcn);
    expect(documents.map((entry) => entry.status)).toEqual(Array.from({ length: 5 }, () => 'SIGNED'));
    const name = await download(documents[3]);
    expect(name).toBe('nota.txt.p7s');
    const verify = [
      'cms',
      '-verify',
      '-noverify',
      '-inform',
      'DER',
      '-in',
      fileOf(name),
      '-content',
      fileOf('nota.txt'),
    ];
    expect(await runTool('openssl', verify)).toBe('conteúdo da nota');
  });

  it('ends a batch with a request of its own', async () => {
    const { tcn } = await create({ ...pades, type: 'CMS' });
    await upload(tcn, '--form', 'document=@nota.txt');
    const ended = await upload(`${tcn}/eot`, '--request', 'POST');
    expect(ended).toMatchObject({ end_of_transaction: true, documents: [] });
    const { documents } = await finished(tcn);
    const name = await download(documents[0]);
    expect(name).toBe('nota.txt.p7m');
    const verify = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', fileOf(name)];
    expect(await runTool('openssl', verify)).toBe('conteúdo da nota');
    const late = await upload(tcn, '--form', 'document=@nota.txt');
    expect(late.code).toBe('UPLOAD_CLOSED');
  });

  it('asks for the setting when there are two, and signs each document under its own', async () => {
    const settings = [
      { id: 'primeira', reason: 'Primeira razão' },
      { id: 'segunda', reason: 'Segunda razão' },
    ];
    const { tcn } = await create({ ...pades, signature_settings: settings });
    const unnamed = await upload(tcn, '--form', 'document=@um.pdf');
    const unknown = await upload(`${tcn}/continue/terceira`, '--form', 'document=@um.pdf');
    expect([unnamed.code, unknown.code]).toEqual(['SIGNATURE_SETTING_REQUIRED', 'SIGNATURE_SETTING_UNKNOWN']);
    await upload(`${tcn}/continue/primeira`, '--form', 'document=@um.pdf');
    await upload(`${tcn}/eot/segunda`, '--form', 'document=@dois.pdf');
    const { documents } = await finished(tcn);
    expect(documents.map((entry) => [entry.status, entry.signature_setting])).toEqual([
      ['SIGNED', 'primeira'],
      ['SIGNED', 'segunda'],
    ]);
  });

  it('takes the raw body, answers at once in sync mode, and returns the signature when asked to', async () => {
    const { tcn } = await create(pades);
    await upload(`${tcn}/eot`, '--header', 'Content-Type: application/pdf', '--data-binary', '@um.pdf');
    expect((await finished(tcn)).status).toBe('SIGNED');
    const data = `data:text/plain;base64,${Buffer.from('oi').toString('base64')}`;
    const sync = await create({
      type: 'cades',
      documents_source: 'data_url',
      documents: data,
      mode: 'sync',
      hash_algorithm: 'SHA-512',
      return_signature: true,
    });
    expect(sync.status).toBe('SIGNED');
    await writeFile(fileOf('sync.p7m'), Buffer.from(sync.documents[0]?.signature ?? '', 'base64'));
    const verify = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', fileOf('sync.p7m')];
    expect(await runTool('openssl', verify)).toBe('oi');
  });

  it('signs files by their path, into a path, without upload or download', async () => {
    const { tcn } = await create({
      type: 'PDFSignature',
      documents_source: 'FILE_PATH',
      documents_destination: 'FILE_PATH',
      documents: [{ path: fileOf('dois.pdf'), destination_file_name: fileOf('dois-assinado.pdf') }],
    });
    const { documents } = await finished(tcn);
    expect(documents[0]).toMatchObject({ status: 'SIGNED', result: fileOf('dois-assinado.pdf') });
    await pdfIsValid('dois-assinado.pdf', 'dois.pdf');
  });

  it('writes the result beside a file given by its path, under a free name, and lets the result be downloaded', async () => {
    await copyFile(fileOf('dois.pdf'), fileOf('beside.pdf'));
    const sign = async (): Promise<Answer> => {
      const documents = [fileOf('beside.pdf'), fileOf('beside.pdf')];
      const created = await create({ type: 'PAdES', documents_source: 'FILE_PATH', documents });
      expect(created).toMatchObject({ tcn: expect.any(String) as string });
      const answer = await finished(created.tcn);
      expect(answer).toMatchObject({ status: 'SIGNED' });
      return answer;
    };
    const answers = await Promise.all([sign(), sign()]);
    const results = answers.flatMap(({ documents }) => documents.map(({ result }) => result));
    const names = ['', ' (2)', ' (3)', ' (4)'].map((number) => `beside-signed${number}.pdf`);
    expect(new Set(results)).toEqual(new Set(names.map(fileOf)));
    for (const name of names) await pdfIsValid(name, 'beside.pdf');
    const downloaded = await curl(`${instance.baseUrl}/file-transfer/${answers[0].tcn}/0`);
    expect(downloaded.slice(0, 5)).toBe('%PDF-');
  });

  it('lets a document fail without stopping the others', async () => {
    const { tcn } = await create(pades);
    await upload(`${tcn}/eot`, '--form', 'document[0]=@nota.txt', '--form', 'document[1]=@um.pdf');
    const { status, documents } = await finished(tcn);
    expect(status).toBe('ERROR');
    expect(documents.map((one) => one.status)).toEqual(['ERROR', 'SIGNED']);
    expect(documents[0]?.error?.code).toMatch(/^DOCUMENT_/);
    const refused = await curl(`${instance.baseUrl}/file-transfer/${tcn}/0`);
    expect(JSON.parse(refused)).toMatchObject({ status: 409, code: 'SIGNING_FAILED' });
  });

  it('answers the first transaction again to the same key and body, and 409 to another body', async () => {
    const again = async (body: object): Promise<Answer> =>
      JSON.parse(
        await curl(
          ...[...json, '--header', 'Idempotency-Key: pedido-1', '--data', JSON.stringify(body)],
          `${instance.baseUrl}/signature-service`,
        ),
      ) as Answer;
    const first = await again(pades);
    const second = await again(pades);
    const other = await again({ ...pades, type: 'CMS' });
    expect(second.tcn).toBe(first.tcn);
    expect(other.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('counts, is well, and sends parts of a result', async () => {
    const dashboard = JSON.parse(await curl(`${instance.baseUrl}/dashboard`)) as { status: { SIGNED: number } };
    expect(dashboard.status.SIGNED).toBeGreaterThan(10);
    const health = JSON.parse(await curl(`${instance.baseUrl}/health-check?full=true`)) as Record<string, unknown>;
    expect(health).toMatchObject({
      status: 'OK',
      details: {
        memory: { total: expect.stringMatching(/^[\d.]+ [GM]B$/) as unknown },
        signature: { status: { SIGNED: dashboard.status.SIGNED } },
      },
    });
    const { tcn } = await create(pades);
    await upload(`${tcn}/eot`, '--form', 'document=@um.pdf');
    const { documents } = await finished(tcn);
    const part = await curl('--range', '0-4', '--write-out', ' %{http_code}', documents[0]?.result ?? '');
    expect(part).toBe('%PDF- 206');
  });

  it('keeps no TCN and no personal number in its log', async () => {
    const log = await readFile(join(place.data, 'sinete.log'), 'utf8');
    expect(log).toContain('"route":"uploadDocuments"');
    expect(log).not.toMatch(/"[\w-]{26}"/);
    expect(log).not.toContain('11144477735');
  });

  // Only root can become another user.
  itNeeding('root')('refuses another user of this computer, allowed only to find it', async () => {
    const asNobody = { user: 65534 };
    const refused = await runTool('curl', ['-s', `${instance.baseUrl}/dashboard`], asNobody);
    const found = await runTool('curl', ['-s', `${instance.baseUrl}/.well-known/sinete`], asNobody);
    expect(JSON.parse(refused)).toMatchObject({ status: 403, code: 'USER_NOT_ALLOWED' });
    expect(JSON.parse(found)).toMatchObject({ name: 'Sinete' });
  });
}
