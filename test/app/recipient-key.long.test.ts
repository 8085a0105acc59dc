import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { writePkcs12, type TestIdentity } from '../../src/test-authority/index.ts';
import { recipientPdf } from '../oracles/pdf-box.ts';
import { personWith } from '../pki/identities.ts';
import { freePort, makeWorkplace, runSinete, runTestServices, type Workplace } from './run-sinete.ts';

/** A PDF encrypted by PDFBox for the holder of a certificate, signed with the command line. */

/** Java and four processes of the program, on a possibly busy machine. */
const PATIENCE = 300_000;

let place: Workplace;
let maria: TestIdentity;
const fileOf = (name: string): string => join(place.folder, name);

beforeAll(async () => {
  place = await makeWorkplace();
  const environment = { ...place.environment, SINETE_TEST_SERVICES_PORT: String(await freePort()) };
  place = { ...place, environment };
  maria = await personWith({ keyKind: 'rsa-2048' });
  await writeFile(fileOf('maria.p12'), await writePkcs12(maria, 'segredo'));
  await writeFile(fileOf('maria.cer'), maria.certificate);
  await writeFile(fileOf('password'), 'segredo\n', { mode: 0o600 });
  const text = { title: 'Contrato', paragraphs: ['Segredo de Maria.'], footer: 'x' };
  await writeFile(fileOf('open.pdf'), writeTextPdf(text, new Date()));
  const words = ['encrypt', fileOf('open.pdf'), fileOf('secret.pdf'), '128', 'aes', fileOf('maria.cer')];
  const [answer, added] = await Promise.all([
    recipientPdf(...words),
    runSinete(place, ['certificates', 'add', 'maria.p12', '--password-file', 'password']),
  ]);
  expect(answer).toEqual(['encrypted']);
  expect(added.code, added.stderr).toBe(0);
}, PATIENCE);
afterAll(() => place.remove());

it(
  'refuses a PDF encrypted for a certificate, and signs with the key of its recipient',
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

it(
  'mends, signs at a level, raises and validates with the key of the recipient, and tells of a missing key',
  async () => {
    const words = ['certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35', '--json'];
    const made = await runSinete(place, words);
    const [{ alias }] = JSON.parse(made.stdout) as [{ alias: string }];
    const services = await runTestServices(place);
    const key = ['--recipient-key', 'maria.p12', '--recipient-password-file', 'password'];
    try {
      const sound = await readFile(fileOf('secret.pdf'), 'latin1');
      await writeFile(fileOf('hurt.pdf'), sound.replace(/startxref\n\d+/, 'startxref\n7'), 'latin1');
      const choices = ['--auto-fix', '--policy', 'B-LT', '--certificate', alias, '--approve-here'];
      const signed = await runSinete(place, ['sign', 'hurt.pdf', ...choices, ...key]);
      expect(signed.code, signed.stderr + signed.stdout).toBe(0);

      const closed = await runSinete(place, ['raise', 'hurt-signed.pdf', '--level', 'B-LTA']);
      expect([closed.code, closed.stdout]).toEqual([1, expect.stringContaining('Give the key of one of them')]);
      const raised = await runSinete(place, ['raise', 'hurt-signed.pdf', '--level', 'B-LTA', ...key]);
      expect(raised.code, raised.stderr + raised.stdout).toBe(0);

      const validated = await runSinete(place, ['validate', 'hurt-signed-B-LTA.pdf', ...key]);
      expect(validated.code, validated.stderr + validated.stdout).toBe(0);
    } finally {
      await services.stop();
    }
  },
  PATIENCE,
);
