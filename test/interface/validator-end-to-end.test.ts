import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { validatorBody } from '../../src/http/signing-service/validator-schemas.ts';
import { freePort, runSinete } from '../app/run-sinete.ts';
import { runProgram } from '../oracles/run-program.ts';
import { MARIA_CPF } from '../pki/identities.ts';
import { makeScratchFolder } from '../signing/cms/scratch-folder.ts';
import { startRealInstance, type RealInstance } from './real-instance.ts';
import { writeZip } from '../signing/certificates/trust/write-zip.ts';

/** Validation of files signed by this instance, with real trust and revocation: over HTTP by curl, by the calls. */

let instance: RealInstance;
const scratch = makeScratchFolder();

interface Answer {
  readonly status: boolean | number;
  readonly code?: string;
  readonly indication: string;
  readonly sub_indication: string | null;
  readonly detail: Readonly<Record<string, { readonly status: boolean; readonly code: number }>>;
  readonly signatures: readonly { readonly level: string | null }[];
}

async function sign(type: string, path: string, signed: string): Promise<void> {
  const answer = await instance.send('POST', '/signature-service', {
    json: { type, mode: 'sync', documents_source: 'FILE_PATH', documents: [path] },
  });
  const [entry] = answer.content.documents as readonly { readonly result: string }[];
  // Beside the document named by its path.
  await rename(entry?.result ?? '', signed);
}

async function validate(type: string, signature: string, document?: string): Promise<Answer> {
  const { code, output } = await runProgram('curl', [
    '--silent',
    '--form',
    `type=${type}`,
    '--form',
    `signature=@${signature}`,
    ...(document === undefined ? [] : ['--form', `document=@${document}`]),
    `${instance.url}/validator-service`,
  ]);
  expect(code).toBe(0);
  return JSON.parse(output) as Answer;
}

const codesOf = ({ detail }: Answer): (number | undefined)[] =>
  [detail.signature, detail.date, detail.crl, detail.trust].map((part) => part?.code);

beforeAll(async () => {
  instance = await startRealInstance({ testServicesPort: await freePort(), approve: 'all' });
  const { handlers } = instance.sinete;
  await handlers['command-line']['certificates.makeTestIdentity']({ name: 'Maria de Teste', cpf: MARIA_CPF });
  await handlers['command-line']['testServices.run']({});
  await writeFile(scratch.path('note.txt'), 'the content');
  await writeFile(
    scratch.path('page.pdf'),
    writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date()),
  );
  await sign('CAdES-detached', scratch.path('note.txt'), scratch.path('note.txt.p7s'));
  await sign('CMS-attached', scratch.path('note.txt'), scratch.path('note.p7m'));
  await sign('PAdES', scratch.path('page.pdf'), scratch.path('page-signed.pdf'));
});
afterAll(async () => instance.stop());

describe('POST /validator-service › files signed by this instance', () => {
  it.each([
    ['CAdES', 'note.txt.p7s', 'note.txt'],
    ['cms', 'note.p7m', undefined],
    ['pades', 'page-signed.pdf', undefined],
  ])('is valid as %s: %s', async (type, signature, document) => {
    const answer = await validate(
      type,
      scratch.path(signature),
      document === undefined ? undefined : scratch.path(document),
    );
    expect(answer).toMatchObject({ status: true, indication: 'TOTAL-PASSED' });
    expect(codesOf(answer)).toEqual([1185, 1187, 1191, 1189]);
    expect(validatorBody.strict().parse(answer)).toEqual(answer);
    expect(JSON.stringify(answer).replaceAll(/"pem":"[^"]*"/g, '')).not.toContain(MARIA_CPF);
  });

  it('is broken with another document', async () => {
    await writeFile(scratch.path('other.txt'), 'other content');
    const answer = await validate('CAdES', scratch.path('note.txt.p7s'), scratch.path('other.txt'));
    expect(answer).toMatchObject({ status: false, indication: 'TOTAL-FAILED', sub_indication: 'HASH_FAILURE' });
    expect(codesOf(answer)).toEqual([1186, 1187, 1191, 1189]);
  });

  it('misses an unsent document: 200 and 1194', async () => {
    const answer = await validate('CAdES', scratch.path('note.txt.p7s'));
    expect(answer).toMatchObject({ status: false, sub_indication: 'SIGNED_DATA_NOT_FOUND' });
    expect(codesOf(answer)[0]).toBe(1194);
  });

  it('is broken after the change of a byte of the PDF', async () => {
    const pdf = await readFile(scratch.path('page-signed.pdf'));
    pdf[pdf.indexOf('Texto') + 1] = 0x45;
    await writeFile(scratch.path('changed.pdf'), pdf);
    const answer = await validate('PDF', scratch.path('changed.pdf'));
    expect([answer.status, codesOf(answer)[0]]).toEqual([false, 1186]);
  });

  it.each([
    ['CMS', 'note.txt'],
    ['CMS', 'page-signed.pdf'],
    ['PDF', 'page.pdf'],
    ['PDF', 'note.p7m'],
  ])('answers NOT_A_SIGNATURE to %s with %s', async (type, file) => {
    const answer = await validate(type, scratch.path(file));
    expect([answer.status, answer.code]).toEqual([422, 'NOT_A_SIGNATURE']);
  });

  const container = writeZip([{ name: 'META-INF/signatures001.xml', content: Buffer.from('<s/>') }]);

  it.each<[type: string, file: string, content: string | Buffer, sentence: string]>([
    [
      'CAdES',
      'nota.xml',
      '<?xml version="1.0"?><nfeProc><ds:Signature Id="s"/></nfeProc>',
      'Sinete does not validate XAdES',
    ],
    ['CMS', 'token.json', '{"payload":"e30","signatures":[]}', 'Sinete does not validate JAdES'],
    ['TimeStamp', 'token.jws', 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA', 'Sinete does not validate JAdES'],
    ['PAdES', 'box.asice', 'PK\x03\x04mimetypeapplication/vnd.etsi.asic-e+zip', 'Sinete does not validate ASiC'],
    ['CAdES', 'plain.zip', container, 'Sinete does not validate ASiC'],
    ['CMS', 'utf16.xml', Buffer.from('\ufeff<ds:Signature/>', 'utf16le'), 'Sinete does not validate XAdES'],
  ])('answers TYPE_NOT_SUPPORTED to %s with %s', async (type, file, content, sentence) => {
    await writeFile(scratch.path(file), content);
    const answer = await validate(type, scratch.path(file));
    expect([answer.status, answer.code]).toEqual([422, 'TYPE_NOT_SUPPORTED']);
    expect(answer.detail as unknown).toEqual(expect.stringContaining(sentence));
  });

  it('keeps no file behind', async () => {
    expect(await readdir(join(instance.sinete.core.dataFolder, 'uploads'))).toEqual([]);
  });
});

describe('the calls of the window', () => {
  it('validate files sent over the bridge, and give the report in every form', async () => {
    const handlers = instance.sinete.handlers['user-interface'];
    const { receivedFiles } = instance.sinete.core;
    const send = async (name: string): Promise<{ upload: string }> =>
      receivedFiles.receive(name, toChunks(await readFile(scratch.path(name))));
    const signature = { upload: (await send('note.txt.p7s')).upload };
    const content = { upload: (await send('note.txt')).upload };
    const validation = await handlers['validation.run']({ signature, content, language: 'pt-BR' });
    expect(validation).toMatchObject({
      status: true,
      fileName: 'note.txt.p7s',
      contentName: 'note.txt',
      report: { verdict: 'Válida, sem valor legal', signatures: [{ holder: 'Maria de Teste', hierarchy: 'test' }] },
    });
    const records = [await send('note.txt')];
    const beside = await handlers['validation.run']({ signature, content, records, language: 'en' });
    expect(beside).toMatchObject({ status: true, report: { documentTimestamps: [{ indication: 'TOTAL-FAILED' }] } });
    for (const [format, start] of [
      ['html', '<!doctype html>'],
      ['pdf', '%PDF-'],
      ['json', '{'],
    ] as const) {
      const file = await handlers['validation.report']({ id: validation.id, format, language: 'en' });
      expect(file.name).toBe(`note.txt.p7s-validation.${format}`);
      expect(Buffer.from(file.data, 'base64').toString('latin1').startsWith(start)).toBe(true);
    }
    await expect(handlers['validation.report']({ id: 'x', format: 'pdf', language: 'en' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(handlers['validation.run']({ signature: { upload: 'x' }, language: 'en' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('take a file over the bridge, for sessions only', async () => {
    const put = async (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`${instance.url}/ui/files`, { method: 'PUT', headers, body: 'x' });
    expect((await put({})).status).toBe(401);
    const key = new URL(instance.sinete.issueLink()).hash.replace('#key=', '');
    const opened = await instance.send('POST', '/ui/session', { json: { key } });
    const identify = `Sinete-UI ${String(opened.content.session)}`;
    const answer = await put({ Authorization: identify, 'X-File-Name': 'a%20b.p7s' });
    expect(answer.status).toBe(201);
    const { upload } = (await answer.json()) as { readonly upload: string };
    expect(instance.sinete.core.receivedFiles.find(upload).name).toBe('a b.p7s');
  });

  it('inspect a certificate of a key, and the certificates of a file', async () => {
    const handlers = instance.sinete.handlers['user-interface'];
    const [one] = await handlers['certificates.inspect']({ alias: `Maria de Teste:${MARIA_CPF}` });
    expect(one).toMatchObject({ detail: { date: { code: 1187 }, crl: { code: 1191 }, trust: { code: 1189 } } });
    const file = Buffer.from(one?.pem ?? '').toString('base64');
    const [same] = await handlers['certificates.inspect']({ file });
    expect(same).toMatchObject({ alias: null, certificate: { fingerprint_sha256: one?.chain[0]?.fingerprint } });
    await expect(handlers['certificates.inspect']({ file: 'AAAA' })).rejects.toMatchObject({
      code: 'CERTIFICATE_NOT_VALID',
    });
  });
});

describe('sinete validate, beside the running instance', () => {
  const sinete = async (...words: readonly string[]): ReturnType<typeof runSinete> => {
    const data = instance.sinete.core.dataFolder;
    return runSinete(
      { folder: scratch.path('.'), data, environment: { SINETE_DATA: data }, remove: async () => Promise.resolve() },
      words,
    );
  };

  it('finds the content beside a detached signature, prints a table, and ends with 0', async () => {
    const { code, stdout } = await sinete('validate', 'note.txt.p7s', 'page-signed.pdf');
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 {2}Valid, no legal value {2}Maria de Teste {2}\*\*\*\.982\.247-\*\*/);
    expect(stdout).toContain('https://validar.iti.gov.br');
  });

  it('prints every word in Portuguese on demand', async () => {
    const past = await sinete('validate', 'note.txt.p7s', '--at', '2020-01-02', '--language', 'pt-BR');
    const [, headings = '', , row = ''] = past.stdout.split('\n');
    expect(headings.trim().split(/ {2,}/)).toEqual([
      'Resultado',
      'Signatário',
      'CPF/CNPJ',
      'Nível',
      'Hierarquia',
      'Motivo',
    ]);
    expect(row).toMatch(/^1 {2}Inválida, sem valor legal .* \(provado: nenhum\) {2}teste {2}/);
    const report = await sinete('validate', 'note.txt.p7s', '--report', scratch.path('r.html'), '--language', 'pt-BR');
    expect(report.stderr).toContain('Relatório: ');
  });

  it('calls padding behind a signature harmless, once', async () => {
    const padded = Buffer.concat([await readFile(scratch.path('note.p7m')), Buffer.from('\n')]);
    await writeFile(scratch.path('padded.p7m'), padded);
    const { code, stdout } = await sinete('validate', 'padded.p7m');
    expect(code).toBe(0);
    expect(stdout).toContain('→ Zeros or white space follow the signature. There is nothing to do');
  });

  it('tells a worthless evidence record beside the file', async () => {
    const told = await sinete('validate', 'page-signed.pdf', '--evidence-record', 'note.txt');
    expect(told.code).toBe(0);
    expect(told.stdout).toMatch(/Not valid .*evidence record/);
    const two = await sinete('validate', 'page-signed.pdf', 'note.txt.p7s', '--evidence-record', 'note.txt');
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('--evidence-record is over one file.')]);
  });

  it('judges as of a past time by --at, never as of a future time', async () => {
    const { stdout } = await sinete('validate', 'page-signed.pdf', '--at', '2020-01-02', '--json');
    const [{ validated_at: at, status }] = JSON.parse(stdout) as [{ validated_at: string; status: boolean }];
    expect([at, status]).toEqual(['2020-01-02T00:00:00.000Z', false]);
    const tooLate = await sinete('validate', 'page-signed.pdf', '--at', '2999-01-01');
    expect(tooLate.code).not.toBe(0);
    expect(tooLate.stdout + tooLate.stderr).toContain('a time that has passed');
    expect((await sinete('validate', 'page-signed.pdf', '--at', 'soon')).code).toBe(2);
  });

  it('ends with 1 when a verdict is negative, and tells the remedy', async () => {
    const { code, stdout } = await sinete('validate', 'note.txt.p7s', '--content', 'other.txt', '--report', 'r.html');
    expect(code).toBe(1);
    expect(stdout).toContain('ask the signer for the original');
    expect(await readFile(scratch.path('r.html'), 'utf8')).toContain('<html lang="en">');
  });

  it('answers with --json the body of the interface, and an error for other files than signatures', async () => {
    const { code, stdout } = await sinete('validate', 'page-signed.pdf', 'note.txt', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { file: 'page-signed.pdf', status: true, detail: { signature: { code: 1185 } } },
      { file: 'note.txt', status: false },
    ]);
  });

  it.each([
    [['none.p7s']],
    [['note.txt.p7s', '--report', 'r.doc']],
    [['note.txt.p7s', 'note.p7m', '--content', 'note.txt']],
  ])('ends with 2 for %j', async (words) => {
    expect((await sinete('validate', ...words)).code).toBe(2);
  });

  it('shows a certificate of a file with its status', async () => {
    const [one] = await instance.sinete.handlers['command-line']['certificates.inspect']({
      alias: `Maria de Teste:${MARIA_CPF}`,
    });
    await writeFile(scratch.path('maria.pem'), one?.pem ?? '');
    const { code, stdout } = await sinete('certificates', 'show', 'maria.pem');
    expect(code).toBe(0);
    expect(stdout).toContain('✔ CRL is valid (1191)');
    expect(stdout).toMatch(/Policy +2\.16\.76\.1\.2\.1\.999999, A1/);
  });
});

async function* toChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
