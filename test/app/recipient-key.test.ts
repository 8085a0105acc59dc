import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { writePkcs12, type TestIdentity } from '../../src/test-authority/index.ts';
import { runJava } from '../oracles/java.ts';
import { personWith } from '../pki/identities.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

/** A PDF that PDFBox encrypts for the holder of a certificate, signed with the command line. */

/** Java and four processes of the program, on a machine that may be busy. */
const PATIENCE = 300_000;

let place: Workplace;
let maria: TestIdentity;
const fileOf = (name: string): string => join(place.folder, name);

beforeAll(async () => {
  place = await makeWorkplace();
  maria = await personWith({ keyKind: 'rsa-2048' });
  await writeFile(fileOf('maria.p12'), await writePkcs12(maria, 'segredo'));
  await writeFile(fileOf('maria.cer'), maria.certificate);
  await writeFile(fileOf('password'), 'segredo\n', { mode: 0o600 });
  const text = { title: 'Contrato', paragraphs: ['Segredo de Maria.'], footer: 'x' };
  await writeFile(fileOf('open.pdf'), writeTextPdf(text, new Date()));
  const libraries = ['pdfbox2', 'fontbox2', 'commons-logging', 'bcprov', 'bcpkix', 'bcutil'];
  const words = ['encrypt', fileOf('open.pdf'), fileOf('secret.pdf'), '128', 'aes', fileOf('maria.cer')];
  const [answer, added] = await Promise.all([
    runJava({ source: 'RecipientPdf.java', libraries }, words),
    runSinete(place, ['certificates', 'add', 'maria.p12', '--password-file', 'password']),
  ]);
  expect(answer).toEqual(['encrypted']);
  expect(added.code, added.stderr).toBe(0);
}, PATIENCE);
afterAll(() => place.remove());

it(
  'refuses a PDF that is encrypted for a certificate, and signs it with the key of its recipient',
  async () => {
    const refused = await runSinete(place, ['sign', 'secret.pdf', '--approve-here', '--json']);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('DOCUMENT_ENCRYPTED');

    const key = ['--recipient-key', 'maria.p12', '--recipient-password-file'];
    await writeFile(fileOf('wrong'), 'errado');
    const wrong = await runSinete(place, ['sign', 'secret.pdf', ...key, 'wrong', '--approve-here']);
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).not.toContain('errado');

    const signed = await runSinete(place, ['sign', 'secret.pdf', ...key, 'password', '--approve-here']);
    expect(signed.code, signed.stderr + signed.stdout).toBe(0);
    const recipient = { certificate: maria.certificate, privateKey: maria.privateKey };
    const { signatures } = await verifyPdf(fileOf('secret-signed.pdf'), { recipient });
    expect(signatures.map(({ outcome }) => outcome)).toEqual(['intact']);
  },
  PATIENCE,
);
