import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePkcs12 } from '../../src/test-authority/index.ts';
import { appendRevision, buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { personWith } from '../pki/identities.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

/** The command line decides by the content of a file on reading and signing. */

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);
const pdf = buildPdf(onePage());

beforeAll(async () => {
  place = await makeWorkplace();
  const file = await writePkcs12(await personWith({ name: 'ANA LIMA' }), 'segredo');
  await writeFile(fileOf('ana.p12'), Buffer.from(file).toString('base64'));
  await writeFile(fileOf('password'), 'segredo\n', { mode: 0o600 });
}, 120_000);
afterAll(() => place.remove());

const sign = async (...words: readonly string[]) => runSinete(place, ['sign', '-y', ...words]);

describe('certificates add', () => {
  it('imports a PKCS#12 file in base64, under any name', async () => {
    const added = await runSinete(place, ['certificates', 'add', 'ana.p12', '--password-file', 'password']);
    expect(added.stderr).toBe('');
    expect(added.stdout).toContain('ANA LIMA');
  });

  it('names a key store of Java and the command to convert the store', async () => {
    await writeFile(fileOf('keys.p12'), Buffer.from('feedfeed00000002000000010000000100036b6579', 'hex'));
    const { code, stderr } = await runSinete(place, ['certificates', 'add', 'keys.p12', '--password-file', 'password']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('Java key store (JKS)');
    expect(stderr).toContain('keytool');
  });
});

describe('sign without --type', () => {
  it.each(['contrato', 'contrato.download', 'contrato.txt'])('signs the PDF in %s as PAdES', async (name) => {
    await writeFile(fileOf(name), pdf);
    const { code, stdout, stderr } = await sign(name);
    expect(code, stderr).toBe(0);
    const [, result = ''] = / → (.*)$/m.exec(stdout) ?? [];
    expect(result).toMatch(/-signed\.pdf$/);
    expect((await readFile(result, 'latin1')).startsWith(Buffer.from(pdf).toString('latin1'))).toBe(true);
  });

  it('signs a text as CAdES, and a PDF in base64 is a text', async () => {
    await mkdir(fileOf('texts'));
    await writeFile(fileOf('texts/nota.txt'), 'Vale o escrito.');
    await writeFile(fileOf('texts/base64'), Buffer.from(pdf).toString('base64'));
    const { stdout } = await sign('texts/nota.txt', 'texts/base64');
    expect(stdout).toContain('nota.txt.p7m');
    expect(stdout).toContain('base64.p7m');
  });

  it('encloses a signed file once more, and says how to sign beside its signers', async () => {
    await writeFile(fileOf('carta.txt'), 'Vale o escrito.');
    await sign('carta.txt');
    const { code, stdout, stderr } = await sign('carta.txt.p7m');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('carta.txt.p7m.p7m');
    expect(stderr).toMatch(/carta\.txt\.p7m is signed already.*sinete sign DOCUMENT --cosign/);
    const both = await runSinete(place, ['validate', '--offline', 'carta.txt.p7m.p7m']);
    expect(both.stdout).toMatch(/^1 .*ANA LIMA.*\ncontent\/1 .*ANA LIMA/m);
  });

  it('refuses a signed file as PAdES', async () => {
    const { code, stdout } = await sign('--type', 'PAdES', 'carta.txt.p7m');
    expect(code).toBe(1);
    expect(stdout).toContain('not a PDF but a CMS message (PKCS#7)');
  });

  it('tells the real kind of a false .pdf file', async () => {
    await writeFile(fileOf('baixado.pdf'), '<!doctype html><title>Entrar</title>');
    const { code, stdout } = await sign('baixado.pdf');
    expect(code).toBe(1);
    expect(stdout).toContain('not a PDF but a web page');
  });
});

describe('a PDF whose last version was cut off', () => {
  const secondPage = appendRevision(pdf, {
    2: '<</Type /Pages /Kids [3 0 R 20 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
    20: '<</Type /Page /Parent 2 0 R /Contents 4 0 R>>',
  });
  const cut = secondPage.subarray(0, secondPage.lastIndexOf('xref'));

  it('is refused in the words of the validation', async () => {
    await writeFile(fileOf('cortado.pdf'), cut);
    const { code, stdout } = await sign('cortado.pdf');
    expect(code).toBe(1);
    expect(stdout).toContain('its last version was cut off');
    expect(stdout).toContain('A repair finds 2 pages.');
    expect((await runSinete(place, ['validate', '--offline', 'cortado.pdf'])).stdout).toContain(
      'its last version was cut off',
    );
  });

  it('is repaired on request, and the pages before and after are told', async () => {
    await writeFile(fileOf('inteiro.pdf'), cut);
    const pages = 'The document showed 1 page before the repair, and shows 2 pages now.';
    const { code, stdout, stderr } = await sign('inteiro.pdf', '--auto-fix');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`! ${pages}`);
    const { stdout: json } = await sign('cortado.pdf', '--auto-fix', '--json');
    expect(JSON.parse(json)).toMatchObject([{ status: 'SIGNED', repairs: expect.arrayContaining([pages]) as unknown }]);
  });
});

describe('sign --visible', () => {
  it('tells a stamp that was moved into its page', async () => {
    await writeFile(fileOf('carimbo.pdf'), pdf);
    const { code, stdout, stderr } = await sign('carimbo.pdf', '--visible', '99,100,100,150,50');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^ {2}! .*page/m);
  });
});
