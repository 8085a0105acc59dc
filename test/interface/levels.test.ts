import { hash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, runTool } from '../oracles/run-program.ts';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { readSignature } from '../../src/signing/signed-data/signature-input.ts';
import { contextTag } from '../../src/signing/der/reader.ts';
import { baselineLevels, icpBrasilProfiles } from '../../src/request/signature-policies.ts';
import { verifyCms, verifyPdf } from '../../src/signing/index.ts';
import { createTestAuthority, issueTestCompany, writePkcs12 } from '../../src/test-authority/index.ts';
import { verifyWithOpenssl } from '../oracles/openssl.ts';
import { pem } from '../pki/openssl.ts';
import { QpdfView, verifyTimestampsWithOpenssl } from '../signing/pdf/long-term-oracles.ts';
import { askOpenssl } from '../signing/pdf/oracles.ts';
import {
  freePort,
  makeWorkplace,
  runSinete,
  runTestServices,
  serve,
  type ServingProcess,
  type TestServicesProcess,
  type Workplace,
} from '../app/run-sinete.ts';

/** Levels and policies over HTTP, by an instance whose test services run, judged by openssl, poppler and qpdf. */

let place: Workplace;
let instance: ServingProcess;
let services: TestServicesProcess;
let root: Buffer;
const note = 'conteúdo da nota';
let issuing: Buffer;
const fileOf = (name: string): string => join(place.folder, name);

interface Entry {
  readonly id: string;
  readonly status: string;
  readonly signature?: string;
  readonly result: string | null;
  readonly error?: { readonly code: string; readonly detail: string };
  readonly repaired?: boolean;
  readonly repairs?: readonly string[];
}

interface Answer {
  readonly status: string;
  readonly code?: string;
  readonly detail?: string;
  readonly policy: string;
  readonly tsa: boolean;
  readonly documents_source: string | null;
  readonly documents: readonly Entry[];
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
}

async function sinete(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runSinete(place, words);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function create(body: object): Promise<Answer> {
  const response = await fetch(`${instance.baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ mode: 'sync', documents_source: 'FILE_PATH', ...body }),
  });
  return (await response.json()) as Answer;
}

async function download(entry: Entry | undefined): Promise<Buffer> {
  expect(entry, JSON.stringify(entry)).toMatchObject({ status: 'SIGNED' });
  return readFile(entry?.result ?? '');
}

async function certificateAt(path: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${services.origin}${path}`)).arrayBuffer());
}

beforeAll(async () => {
  place = await makeWorkplace();
  const environment = {
    ...place.environment,
    SINETE_TEST_SERVICES_PORT: String(await freePort()),
    SINETE_POLICIES_SOURCE: 'http://127.0.0.1:1',
  };
  place = { ...place, environment };
  await writeFile(fileOf('nota.txt'), note);
  const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
  await writeFile(fileOf('um.pdf'), pdf);
  await writeFile(fileOf('damaged.pdf'), pdf.toString('latin1').replace('startxref', 'startxxxx'), 'latin1');
  await sinete('certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35');
  const company = await issueTestCompany(await createTestAuthority(), {
    name: 'PADARIA LTDA',
    cnpj: '11222333000181',
    responsible: { name: 'ANA LIMA', cpf: '11144477735' },
  });
  await writeFile(fileOf('company.p12'), await writePkcs12(company, 'segredo'));
  await writeFile(fileOf('password'), 'segredo');
  await sinete('certificates', 'add', 'company.p12', '--password-file', 'password');
  await sinete('certificates', 'set-default', 'Ana Lima:11144477735');
  instance = await serve(place, ['--approve', 'all']);
});
afterAll(async () => {
  await instance.stop();
  await place.remove();
});

describe('an instance without a time-stamp server', () => {
  it.each(['B-T', 'B-LTA', 'AD-RT'])('refuses %s, naming the field', async (policy) => {
    const answer = await create({ type: 'CAdES', policy, documents: [fileOf('nota.txt')] });
    expect(answer).toMatchObject({ status: 422, code: 'TSA_NOT_CONFIGURED', errors: [{ field: 'policy' }] });
  });
});

describe('an instance whose test services run', () => {
  beforeAll(async () => {
    services = await runTestServices(place);
    [root, issuing] = await Promise.all([certificateAt('/ca/root.crt'), certificateAt('/ca/issuing.crt')]);
    await Promise.all([
      writeFile(fileOf('root.pem'), pem('CERTIFICATE', root)),
      writeFile(fileOf('issuing.pem'), pem('CERTIFICATE', issuing)),
    ]);
  });
  afterAll(async () => {
    expect(await services.stop()).toBe(0);
  });

  it('stamps when asked to by "sinete tsa test", and lists the server as one without legal value', async () => {
    expect(await sinete('tsa', 'list')).toMatch(/test .*test, no legal value/);
    expect(await sinete('tsa', 'test', 'test')).toContain('Carimbo do Tempo de Teste');
    expect(await sinete('trust', 'list')).toMatch(/AC Raiz de Teste.*test, no legal value/);
  });

  const cades = [...baselineLevels.filter((level) => level !== 'B-B'), ...icpBrasilProfiles];
  it.each(cades)('makes CAdES at %s', async (policy) => {
    const answer = await create({ type: 'CAdES-detached', policy, documents: [fileOf('nota.txt')] });
    expect([answer.policy, answer.tsa]).toEqual([policy, policy !== 'AD-RB']);
    const signature = await download(answer.documents[0]);
    await writeFile(fileOf('nota.p7s'), signature);
    expect((await verifyCms(signature, { path: fileOf('nota.txt') })).intact).toBe(true);
    await runTool('openssl', [
      'cms',
      '-verify',
      '-binary',
      '-inform',
      'DER',
      '-in',
      fileOf('nota.p7s'),
      '-content',
      fileOf('nota.txt'),
      '-CAfile',
      fileOf('root.pem'),
      '-certfile',
      fileOf('issuing.pem'),
      '-purpose',
      'any',
    ]);
    const token = signatureTimestamp(signature);
    if (policy === 'AD-RB') expect(token).toBeUndefined();
    else await expectStampOver(token, signature);
  });

  const byHash = cades.filter((policy) => policy !== 'AD-RA');
  it.each(byHash)('makes CAdES at %s of the hash of a document that stays away', async (policy) => {
    const hashes = (['sha256', 'sha512'] as const).map((digest) => ({
      hash: hash(digest, note, 'hex'),
      hash_algorithm: digest,
      original_file_name: `${digest}.txt`,
    }));
    const answer = await create({ type: 'CAdES-detached', policy, documents_source: undefined, hashes });
    expect([answer.policy, answer.documents_source]).toEqual([policy, null]);
    for (const { id, status, signature = '' } of answer.documents) {
      expect(status).toBe('SIGNED');
      await writeFile(fileOf('hash.p7s'), Buffer.from(signature, 'base64'));
      const { signers, intact } = await verifyCms(Buffer.from(signature, 'base64'), { path: fileOf('nota.txt') });
      expect([intact, signers[0]?.digestAlgorithm]).toEqual([true, id === '0' ? 'sha256' : 'sha512']);
      await runTool('openssl', [
        ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', fileOf('hash.p7s'), '-purpose', 'any'],
        ...['-content', fileOf('nota.txt'), '-CAfile', fileOf('root.pem'), '-certfile', fileOf('issuing.pem')],
      ]);
      if (policy === 'AD-RB') continue;
      await expectStampOver(signatureTimestamp(Buffer.from(signature, 'base64')), Buffer.from(signature, 'base64'));
    }
  });

  it('refuses AD-RA of a hash, because its archive time stamp covers the document', async () => {
    const hashes = [{ hash: hash('sha256', note, 'hex') }];
    const answer = await create({ type: 'CAdES-detached', policy: 'AD-RA', documents_source: undefined, hashes });
    expect(answer).toMatchObject({ code: 'POLICY_NOT_SUPPORTED', errors: [{ field: 'policy' }] });
  });

  /** The first signer's time stamp over the signature (RFC 5126 §6.1.1). */
  function signatureTimestamp(signature: Buffer): Buffer | undefined {
    const { signers } = readSignature(signature, true);
    return signers[0]?.unsignedAttributes.find(({ oid }) => oid === '1.2.840.113549.1.9.16.2.14')?.values[0]?.bytes;
  }

  async function expectStampOver(token: Buffer | undefined, signature: Buffer): Promise<void> {
    await writeFile(fileOf('token'), token ?? '');
    await writeFile(fileOf('value'), readSignature(signature, true).signers[0]?.signature ?? '');
    const files = ['-data', fileOf('value'), '-token_in', '-in', fileOf('token')];
    const trust = ['-CAfile', fileOf('root.pem'), '-untrusted', fileOf('issuing.pem')];
    expect(await runTool('openssl', ['ts', '-verify', ...files, ...trust])).toContain('Verification: OK');
  }

  const pades = [
    ['B-T', '/ETSI.CAdES.detached', 0, 0],
    ['B-LT', '/ETSI.CAdES.detached', 1, 0],
    ['B-LTA', '/ETSI.CAdES.detached', 1, 1],
    ['AD-RB', '/PBAD.PAdES', 0, 0],
    ['AD-RT', '/PBAD.PAdES', 0, 0],
    ['AD-RC', '/PBAD.PAdES', 1, 1],
  ] as const;
  it.each(pades)('makes PAdES at %s', async (policy, subFilter, entries, stamps) => {
    const answer = await create({ type: 'PAdES', policy, tsa_server_id: 'test', documents: [fileOf('um.pdf')] });
    const signed = await download(answer.documents[0]);
    expect(signed.subarray(0, (await readFile(fileOf('um.pdf'))).length)).toEqual(await readFile(fileOf('um.pdf')));
    await writeFile(fileOf('signed.pdf'), signed);
    const { signatures } = await verifyPdf(fileOf('signed.pdf'));
    expect(signatures.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 1 + stamps }, () => 'intact'));
    const view = await QpdfView.open(fileOf('signed.pdf'));
    expect(view.signatures[0]?.dictionary['/SubFilter']).toBe(subFilter);
    expect(Object.keys(view.entries).length > 0).toBe(entries > 0);
    const verdicts = await verifyTimestampsWithOpenssl(fileOf('signed.pdf'), root, issuing);
    expect(verdicts).toEqual(Array.from({ length: stamps }, () => 'OK'));
    if (subFilter === '/ETSI.CAdES.detached') {
      expect(await runTool('pdfsig', [fileOf('signed.pdf')])).toContain('Signature is Valid');
    }
  });

  it.each([
    ['B-T', false, 0, 0],
    ['B-LT', true, 1, 0],
    ['B-LTA', true, 2, 1],
  ] as const)('makes a plain PDF signature at %s', async (policy, hasAttribute, certificates, stamps) => {
    const answer = await create({ type: 'PDFSignature', policy, documents: [fileOf('um.pdf')] });
    const path = fileOf(`plain-${policy}.pdf`);
    await writeFile(path, await download(answer.documents[0]));
    const { signatures } = await verifyPdf(path);
    expect(signatures.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 1 + stamps }, () => 'intact'));
    const view = await QpdfView.open(path);
    expect(view.signatures[0]?.dictionary['/SubFilter']).toBe('/adbe.pkcs7.detached');
    expect(Object.keys(view.entries).length > 0).toBe(certificates > 0);
    expect(await verifyTimestampsWithOpenssl(path, root, issuing)).toEqual(Array.from({ length: stamps }, () => 'OK'));
    expect(await runTool('pdfsig', [path])).toContain('Signature is Valid');
    expect((await askOpenssl(path))[0]).toBe(true);
    const cms = view.signatures[0]?.contents ?? Buffer.alloc(0);
    await expectStampOver(signatureTimestamp(cms), cms);
    await expectRevocationData(cms, hasAttribute);
  });

  /** RevocationInfoArchival of the signer's path (ISO 32000-2 §12.8.3.3.2), as OpenSSL reads and trusts it. */
  async function expectRevocationData(cms: Buffer, isThere: boolean): Promise<void> {
    const [signer] = readSignature(cms, true).signers;
    const value = signer?.signedAttributes.find(({ oid }) => oid === '1.2.840.113583.1.1.8')?.values[0];
    expect(value !== undefined).toBe(isThere);
    const responses = value?.find(contextTag(1))?.child(0, 'the responses').children ?? [];
    expect(responses.length).toBe(isThere ? 2 : 0);
    for (const { bytes } of responses) {
      await writeFile(fileOf('response'), bytes);
      const trust = ['-CAfile', fileOf('root.pem'), '-verify_other', fileOf('issuing.pem')];
      const { output, errors } = await runProgram('openssl', [
        'ocsp',
        '-respin',
        fileOf('response'),
        '-text',
        ...trust,
      ]);
      expect(output).toContain('Cert Status: good');
      expect(errors).toContain('Response verify OK');
    }
  }

  const refusals: readonly (readonly [string, object, string, string, RegExp])[] = [
    ['an unknown server', { tsa_server_id: 'act' }, 'TSA_NOT_CONFIGURED', 'tsa_server_id', /Configured ids: test\./],
    ['AD-RV for a PDF', { type: 'PAdES', policy: 'AD-RV' }, 'POLICY_NOT_SUPPORTED', 'policy', /no policy AD-RV/],
    [
      'AD-RA for a PDF without its files',
      { type: 'PAdES', policy: 'AD-RA' },
      'POLICY_NOT_SUPPORTED',
      'policy',
      /trust update/,
    ],
    ['a policy for CMS', { type: 'CMS', policy: 'B-T' }, 'POLICY_NOT_SUPPORTED', 'policy', /CAdES or PAdES/],
    [
      'an ICP-Brasil policy for a plain PDF signature',
      { type: 'PDFSignature', policy: 'AD-RB' },
      'POLICY_NOT_SUPPORTED',
      'policy',
      /needs the type CAdES or PAdES\.$/,
    ],
    [
      'a hash that the policy does not allow',
      { policy: 'AD-RB', hash_algorithm: 'SHA384' },
      'ALGORITHM_NOT_SUPPORTED',
      'hash_algorithm',
      /It allows: .*sha512/,
    ],
    ['an OID of no policy', { policy: '2.16.76.1.7.1.99.1' }, 'POLICY_NOT_SUPPORTED', 'policy', /is unknown/],
    [
      'a company that the certificate is not of',
      { signer_company: '11222333000181' },
      'REQUEST_INVALID',
      'signer_company',
      /e-CNPJ/,
    ],
    ['a company by its name', { signer_company: 'ACME' }, 'REQUEST_INVALID', 'signer_company', /Give the CNPJ/],
    ['a signature that is none', { signature: 'AAAA' }, 'REQUEST_INVALID', 'signature', /no CMS signature/],
    [
      'a stamp for CAdES',
      { signature_settings: { visible_signature: true } },
      'FEATURE_NOT_SUPPORTED',
      'signature_settings[0].visible_signature',
      /PDF/,
    ],
  ];
  it.each(refusals)('refuses %s', async (_name, fields, code, field, detail) => {
    const answer = await create({ type: 'CAdES', documents: [fileOf('um.pdf')], ...fields });
    expect(answer).toMatchObject({ status: 422, code, errors: [{ field }] });
    expect(answer.errors?.[0]?.detail).toMatch(detail);
  });

  it('adds a signer to a signature that is there, and refuses another document', async () => {
    const first = await download(
      (await create({ type: 'CAdES-detached', documents: [fileOf('nota.txt')] })).documents[0],
    );
    const fields = { type: 'CAdES-detached', policy: 'B-T', signature: first.toString('base64') };
    const both = await download((await create({ ...fields, documents: [fileOf('nota.txt')] })).documents[0]);
    const verified = await verifyCms(both, { path: fileOf('nota.txt') });
    expect([verified.intact, verified.signers.length]).toEqual([true, 2]);
    await writeFile(fileOf('both.p7s'), both);
    const files = { signature: fileOf('both.p7s'), content: fileOf('nota.txt'), trusted: fileOf('root.pem') };
    expect(await verifyWithOpenssl({ ...files, cades: true })).toMatchObject({ valid: true });
    const other = await create({ ...fields, documents: [fileOf('um.pdf')] });
    expect(other.documents[0]).toMatchObject({ status: 'ERROR', error: { code: 'DOCUMENT_UNREADABLE' } });
  });

  it('shows the signature, certifies, and says so to other programs', async () => {
    const settings = {
      reason: 'Aprovo',
      certify: 'form-filling',
      visible_sign_page: 1,
      visible_sign_x: 50,
      visible_sign_y: 60,
      extraInfo: [{ label: 'Conselho', value: 'CRM 1234' }],
    };
    const answer = await create({ type: 'PAdES', documents: [fileOf('um.pdf')], signature_settings: settings });
    await writeFile(fileOf('shown.pdf'), await download(answer.documents[0]));
    const text = await runTool('pdftotext', [fileOf('shown.pdf'), '-']);
    expect(text).toContain('Ana Lima');
    expect(text).toContain('***.444.777-**');
    expect(text).toContain('CRM 1234');
    expect(text).not.toContain('11144477735');
    expect((await QpdfView.open(fileOf('shown.pdf'))).catalog['/Perms']).toBeDefined();
    expect(await runTool('pdfsig', [fileOf('shown.pdf')])).toContain('Signature is Valid');
  });

  it('writes named entries of extraInfo into the document information, without a stamp', async () => {
    const extraInfo = [{ name: '2.16.76.1.12.1.1' }, { name: '2.16.76.1.4.2.2.1', value: '12345' }];
    const answer = await create({
      type: 'PDFSignature',
      documents: [fileOf('um.pdf')],
      signature_settings: { extraInfo },
    });
    expect(answer).not.toHaveProperty('ignored_fields');
    await writeFile(fileOf('informed.pdf'), await download(answer.documents[0]));
    const custom = await runTool('pdfinfo', ['-custom', fileOf('informed.pdf')]);
    expect(custom).toMatch(/^2\.16\.76\.1\.12\.1\.1: *$/m);
    expect(custom).toMatch(/^2\.16\.76\.1\.4\.2\.2\.1: *12345$/m);
    expect(await runTool('pdftotext', [fileOf('informed.pdf'), '-'])).not.toContain('12345');
    expect(await runTool('pdfsig', [fileOf('informed.pdf')])).toContain('Signature is Valid');
  });

  it('names the company of an e-CNPJ on the stamp, its number masked', async () => {
    const answer = await create({
      type: 'PAdES',
      documents: [fileOf('um.pdf')],
      certificate_alias: 'PADARIA LTDA:11222333000181',
      signer_company: { name: 'Padaria da Esquina', cnpj: '11.222.333/0001-81' },
      signature_settings: { visible_signature: true },
    });
    await writeFile(fileOf('company.pdf'), await download(answer.documents[0]));
    const text = await runTool('pdftotext', [fileOf('company.pdf'), '-']);
    expect(text).toContain('Padaria da Esquina');
    expect(text).toContain('CNPJ: ');
    expect(text).not.toMatch(/11222333000181|11\.222\.333\/0001-81/);
  });

  it('repairs a damaged PDF only when asked to, and reports what was done', async () => {
    const fields = { type: 'PAdES', policy: 'B-T', documents: [fileOf('damaged.pdf')] };
    expect((await create(fields)).documents[0]).toMatchObject({ error: { code: 'DOCUMENT_UNREADABLE' } });
    const [entry] = (await create({ ...fields, auto_fix_document: true })).documents;
    expect(entry).toMatchObject({ status: 'SIGNED', repaired: true });
    expect(entry?.repairs?.length).toBeGreaterThan(0);
    await writeFile(fileOf('repaired.pdf'), await download(entry));
    expect(await runTool('pdfsig', [fileOf('repaired.pdf')])).toContain('Signature is Valid');
  });

  it('signs from the command line: a policy, a place, and the password of an encrypted PDF from a file', async () => {
    await runTool('qpdf', ['--encrypt', 'user', 'owner', '256', '--', fileOf('um.pdf'), fileOf('secret.pdf')]);
    await writeFile(fileOf('pdf-password'), 'user\n');
    await mkdir(fileOf('out'));
    const words = ['--policy', 'B-LT', '--tsa', 'test', '--visible', 'last,40,40,200,70', '--out', 'out'];
    words.push('--information', '2.16.76.1.12.1.1', '--information', '2.16.76.1.4.2.2.1=1=2');
    await sinete('sign', 'secret.pdf', ...words, '--password-file', 'pdf-password', '--approve-here');
    const stdout = await runTool('pdfsig', ['-upw', 'user', fileOf('out/secret-signed.pdf')]);
    expect(stdout).toContain('Signature is Valid');
    const custom = await runTool('pdfinfo', ['-custom', '-upw', 'user', fileOf('out/secret-signed.pdf')]);
    expect(custom).toMatch(/^2\.16\.76\.1\.12\.1\.1:$/m);
    expect(custom).toMatch(/^2\.16\.76\.1\.4\.2\.2\.1: *1=2$/m);
    const database = await readFile(join(place.data, 'sinete.db-wal')).catch(() =>
      readFile(join(place.data, 'sinete.db')),
    );
    expect(database.includes('secret.pdf')).toBe(true);
    expect(database.includes('"user"')).toBe(false);
  });

  it('signs one kind of files where the policy is refused for the other, and says so', async () => {
    await mkdir(fileOf('mixed'));
    const words = ['um.pdf', 'nota.txt', '--policy', 'AD-RV', '--out', 'mixed', '--approve-here', '--json'];
    const { code, stdout } = await runSinete(place, ['sign', ...words]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { status: 'ERROR', error: { code: 'REFUSED', detail: 'There is no policy AD-RV for PAdES.' } },
      { status: 'SIGNED', result: fileOf('mixed/nota.txt.p7m') },
    ]);
  });
});

// At the end: the instance remembers the missing answer for the certificate for seconds.
describe('a claimed role', () => {
  /** The statements about the signer in the report of a file, by the program's own validator. */
  const claimedRolesOf = async (path: string, ...content: readonly string[]): Promise<unknown> => {
    const { stdout } = await runSinete(place, ['validate', path, ...content, '--json']);
    return /"claimed_roles":\s*(\[[^\]]*\])/.exec(stdout)?.[1]?.replaceAll(/\s/g, '');
  };

  it.each([
    ['CAdES', 'nota.txt', 'role.p7m'],
    ['PAdES', 'um.pdf', 'role.pdf'],
  ])('is signed in %s when a request has it, and the report tells it', async (type, file, name) => {
    const documents = [{ path: fileOf(file), destination_file_name: fileOf(name) }];
    const where = { documents_destination: 'FILE_PATH', documents };
    await download((await create({ type, claimed_role: 'Diretora', ...where })).documents[0]);
    expect(await claimedRolesOf(fileOf(name))).toBe('["Diretora"]');
  });

  it('is signed when the command line has it', async () => {
    await sinete('sign', 'nota.txt', '--claimed-role', 'Fiscal', '--approve-here');
    expect(await claimedRolesOf(fileOf('nota.txt.p7m'))).toBe('["Fiscal"]');
  });

  it.each(['CMS', 'PDFSignature'])('is refused for %s', async (type) => {
    const answer = await create({ type, claimed_role: 'Diretora', documents: [fileOf('um.pdf')] });
    expect(answer).toMatchObject({ code: 'FEATURE_NOT_SUPPORTED', errors: [{ field: 'claimed_role' }] });
  });
});
