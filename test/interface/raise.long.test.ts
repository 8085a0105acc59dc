import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWithPdfBox } from '../oracles/pdf-box.ts';
import { runTool } from '../oracles/run-program.ts';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { verifyCms, verifyPdf } from '../../src/signing/index.ts';
import { readSignature } from '../../src/signing/signed-data/signature-input.ts';
import { verifyWithBouncyCastle } from '../oracles/bouncy-castle.ts';
import { verifyWithOpenssl } from '../oracles/openssl.ts';
import { pem } from '../pki/openssl.ts';
import { verifyTimestampsWithOpenssl } from '../signing/pdf/long-term-oracles.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { askQpdf } from '../signing/pdf/oracles.ts';
import {
  freePort,
  makeWorkplace,
  runSinete,
  runTestServices,
  type CommandOutcome,
  type TestServicesProcess,
  type Workplace,
} from '../app/run-sinete.ts';

/** `sinete raise` and `sinete sign --cosign`, judged by openssl, Bouncy Castle, PDFBox, qpdf and poppler. */

let place: Workplace;
let services: TestServicesProcess;
const fileOf = (name: string): string => join(place.folder, name);
const sinete = (...words: readonly string[]): Promise<CommandOutcome> => runSinete(place, words);

async function done(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sinete(...words);
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

const certificateAt = async (path: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${services.origin}${path}`)).arrayBuffer());

/** OIDs of the unsigned attributes of each signer. */
async function unsignedOf(name: string): Promise<readonly (readonly string[])[]> {
  const { signers } = readSignature(await readFile(fileOf(name)));
  return signers.map(({ unsignedAttributes }) => unsignedAttributes.map(({ oid }) => oid));
}
const stamp = '1.2.840.113549.1.9.16.2.14';
const archive = '0.4.0.1733.2.4';

async function expectGood(signature: string, content?: string): Promise<void> {
  const files = {
    signature: fileOf(signature),
    content: content === undefined ? undefined : fileOf(content),
  };
  expect(await verifyWithOpenssl({ ...files, trusted: fileOf('root.pem'), cades: true })).toMatchObject({
    valid: true,
  });
  expect((await verifyWithBouncyCastle(files)).every(Boolean)).toBe(true);
}

beforeAll(async () => {
  place = await makeWorkplace();
  const environment = { ...place.environment, SINETE_TEST_SERVICES_PORT: String(await freePort()) };
  place = { ...place, environment };
  await writeFile(fileOf('nota.txt'), 'conteúdo da nota');
  const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
  await writeFile(fileOf('contrato.pdf'), pdf);
  await done('certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35');
  services = await runTestServices(place);
  await writeFile(fileOf('root.pem'), pem('CERTIFICATE', await certificateAt('/ca/root.crt')));
  await done('sign', 'contrato.pdf', 'nota.txt', '--approve-here');
  await done('sign', 'nota.txt', '--detached', '--approve-here');
});
afterAll(async () => {
  await services.stop();
  await place.remove();
});

describe('sinete raise', () => {
  it('raises a PDF level by level, and again', async () => {
    let path = 'contrato-signed.pdf';
    for (const level of ['B-T', 'B-LT', 'B-LTA']) {
      expect(await done('raise', path, '--level', level)).toContain(`-${level}.pdf`);
      path = path.replace('.pdf', `-${level}.pdf`);
      expect(await askQpdf(fileOf(path))).toMatchObject({ exitCode: 0, complaints: [] });
    }
    const original = await readFile(fileOf('contrato-signed.pdf'));
    const raised = await readFile(fileOf(path));
    expect(raised.subarray(0, original.length).equals(original)).toBe(true);
    const { signatures } = await verifyPdf(fileOf(path));
    expect(signatures.map(({ outcome }) => outcome)).toEqual(['intact', 'intact', 'intact']);
    const [root, issuing] = [await certificateAt('/ca/root.crt'), await certificateAt('/ca/issuing.crt')];
    expect(await verifyTimestampsWithOpenssl(fileOf(path), root, issuing)).toEqual(['OK', 'OK']);
    expect((await verifyWithPdfBox([fileOf(path)]))[0]).toMatch(/^signature timestamp timestamp certs=[5-9]/);
    expect(await runTool('pdfsig', [fileOf(path)])).toContain('Signature is Valid');
  });

  it('tells the effect of a time stamp on the standard claimed by a PDF', async () => {
    const claiming = onePage({
      1: '<</Type /Catalog /Pages 2 0 R /Metadata 30 0 R>>',
      30: { dictionary: '/Type /Metadata /Subtype /XML', data: '<pdfuaid:part>1</pdfuaid:part>' },
    });
    await writeFile(fileOf('acessivel.pdf'), buildPdf(claiming));
    await done('sign', 'acessivel.pdf', '--approve-here');
    const json = await done('raise', 'acessivel-signed.pdf', '--level', 'B-T', '--json');
    expect(JSON.parse(json)).toMatchObject([
      { error: null, warnings: [{ code: 'FILE_NOT_TAGGED', standard: 'PDF/UA-1', kept: false }] },
    ]);
    await mkdir(fileOf('told'));
    const told = await done('raise', 'acessivel-signed.pdf', '--level', 'B-T', '--out', 'told');
    expect(told).toContain('! The file claims PDF/UA-1');
  });

  it('raises attached and detached signatures, finding the document beside the detached signature', async () => {
    await mkdir(fileOf('raised'));
    await done('raise', 'nota.txt.p7m', 'nota.txt.p7s', '--level', 'B-LTA', '--out', 'raised');
    await expectGood('raised/nota.txt.p7m');
    await expectGood('raised/nota.txt.p7s', 'nota.txt');
    for (const name of ['raised/nota.txt.p7m', 'raised/nota.txt.p7s']) {
      expect(await unsignedOf(name)).toEqual([[stamp, archive]]);
    }
  });

  it('refuses an invalid signature, goes on with the others, and replaces nothing', async () => {
    await writeFile(fileOf('outra.txt'), 'outro conteúdo');
    await writeFile(fileOf('outra.txt.p7s'), await readFile(fileOf('nota.txt.p7s')));
    const files = ['outra.txt.p7s', 'nota.txt', 'missing.p7s', 'nota.txt.p7s'];
    const { code, stdout } = await sinete('raise', ...files, '--level', 'B-T', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { result: null, error: expect.stringContaining('does not hold') as string },
      { result: null, error: expect.stringContaining('not a CMS signature') as string },
      { result: null, error: 'There is no such file.' },
      { result: fileOf('nota.txt-B-T.p7s'), error: null },
    ]);
    expect(await unsignedOf('nota.txt-B-T.p7s')).toEqual([[stamp]]);
    const again = await sinete('raise', 'nota.txt.p7s', '--level', 'B-T');
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('already exists')]);
    await expect(readFile(fileOf('outra.txt-B-T.p7s'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('sinete extend --due', () => {
  const archiveFolder = 'archive/2026';
  interface DueRow {
    readonly file: string;
    readonly state: string;
    readonly protected_until: string;
    readonly protected_until_before?: string;
  }
  const due = async (...words: readonly string[]): Promise<readonly DueRow[]> => {
    const { stdout } = await sinete('extend', '--due', 'archive', ...words, '--json');
    return (JSON.parse(stdout) as { readonly files: readonly DueRow[] }).files;
  };
  const stateOf = (rows: readonly DueRow[]): object =>
    Object.fromEntries(rows.map(({ file, state }) => [file.slice(fileOf(archiveFolder).length + 1), state]));

  it('renews in place every file ending soon, once protected for longer, and tells the proof', async () => {
    await mkdir(fileOf(archiveFolder), { recursive: true });
    for (const name of ['contrato-signed.pdf', 'nota.txt.p7m', 'nota.txt.p7s', 'nota.txt']) {
      await copyFile(fileOf(name), fileOf(`${archiveFolder}/${name}`));
    }
    await copyFile(fileOf('nota.txt.p7s'), fileOf(`${archiveFolder}/lost.txt.p7s`));
    await writeFile(fileOf(`${archiveFolder}/plain.pdf`), await readFile(fileOf('contrato.pdf')));
    await writeFile(fileOf(`${archiveFolder}/.nota.txt.p7m.sinete-renewal`), 'left behind by a killed command');
    const before = await readFile(fileOf(`${archiveFolder}/contrato-signed.pdf`));

    const others = { 'lost.txt.p7s': 'content-missing', 'plain.pdf': 'no-signature' };
    const signed = ['contrato-signed.pdf', 'nota.txt.p7m', 'nota.txt.p7s'];
    const all = (state: string): object => ({ ...others, ...Object.fromEntries(signed.map((name) => [name, state])) });
    expect(stateOf(await due())).toEqual(all('not-due'));
    expect(stateOf(await due('--within', '400d', '--dry-run'))).toEqual(all('due'));
    expect((await readFile(fileOf(`${archiveFolder}/contrato-signed.pdf`))).equals(before)).toBe(true);

    const rows = await due('--within', '400d', '--report', 'renewed.json');
    expect(stateOf(rows)).toEqual(all('renewed'));
    const renewed = rows.filter(({ state }) => state === 'renewed');
    expect(renewed.every((row) => row.protected_until > (row.protected_until_before ?? ''))).toBe(true);
    const after = await readFile(fileOf(`${archiveFolder}/contrato-signed.pdf`));
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    await expectGood(`${archiveFolder}/nota.txt.p7s`, 'nota.txt');
    expect(await readdir(fileOf(archiveFolder))).not.toContain('.nota.txt.p7m.sinete-renewal');
    const report = JSON.parse(await readFile(fileOf('renewed.json'), 'utf8')) as { readonly files: readonly DueRow[] };
    expect(report.files.find(({ file }) => file.endsWith('nota.txt.p7s'))).toMatchObject({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      sha256_before: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      signatures: [
        {
          level_proven: 'B-LTA',
          time_stamps: [{ valid: true }, { role: 'archive', authority: expect.stringContaining('Carimbo') as string }],
        },
      ],
    });

    // The same authority protects for no longer: the file stays, and the remedy is another server.
    const again = await due('--within', '400d');
    expect(stateOf(again)).toEqual(all('failed'));
    expect(again.find(({ file }) => file.endsWith('.pdf') && !file.endsWith('plain.pdf'))).toMatchObject({
      detail: expect.stringContaining('configure another time-stamp server') as string,
    });
    expect((await readFile(fileOf(`${archiveFolder}/contrato-signed.pdf`))).equals(after)).toBe(true);
  });
});

describe('sinete extend --due of a PDF claiming a standard', () => {
  it('tells the effect of the new time stamp on the standard', async () => {
    const path = 'told/acessivel-signed.pdf';
    await copyFile(fileOf('acessivel-signed.pdf'), fileOf(path));
    const told = await done('extend', '--due', path, '--within', '400d');
    expect(told).toContain(`! ${fileOf(path)}: The file claims PDF/UA-1`);
    await copyFile(fileOf('acessivel-signed.pdf'), fileOf(path));
    const { files } = JSON.parse(await done('extend', '--due', path, '--within', '400d', '--json')) as {
      readonly files: readonly object[];
    };
    expect(files).toMatchObject([{ state: 'renewed', warnings: [{ code: 'FILE_NOT_TAGGED', kept: false }] }]);
  });
});

describe('sinete sign --cosign', () => {
  it.each([
    ['nota.txt.p7s', 'nota.txt-cosigned.p7s', 'nota.txt'],
    ['nota.txt.p7m', 'nota.txt-cosigned.p7m', undefined],
  ])('adds a signer with a time stamp to %s', async (existing, result, content) => {
    await done('sign', 'nota.txt', '--cosign', existing, '--policy', 'B-T', '--approve-here');
    const { intact, signers } = await verifyCms(
      await readFile(fileOf(result)),
      content === undefined ? undefined : { path: fileOf(content) },
    );
    expect([intact, signers.length]).toEqual([true, 2]);
    expect((await unsignedOf(result)).toSorted((one, other) => one.length - other.length)).toEqual([[], [stamp]]);
    await expectGood(result, content);
  });

  it('refuses a file without a signature, and several documents', async () => {
    const other = await sinete('sign', 'nota.txt', '--cosign', 'contrato.pdf', '--approve-here');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('no CMS signature')]);
    const several = await sinete('sign', 'nota.txt', 'contrato.pdf', '--cosign', 'nota.txt.p7s');
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining('one document')]);
  });
});
