import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signPdf } from '../../../src/signing/pdf/signature/sign-pdf.ts';
import type { DetachedSigner } from '../../../src/signing/pdf/sign-request.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { verifyWithPdfBox } from '../../oracles/pdf-box.ts';
import { runProgram } from '../../oracles/run-program.ts';
import { toPem } from '../cms/test-identities.ts';
import { buildPdf, emptySignatureField, withFields } from './build-pdf.ts';
import { QpdfView } from './long-term-oracles.ts';
import { LongTermWorkshop } from './long-term-workshop.ts';
import { askPdfsig, askQpdf } from './oracles.ts';
import { SIGNING_TIME } from './workshop.ts';

let bench: LongTermWorkshop;
beforeAll(async () => {
  bench = await LongTermWorkshop.open();
});
afterAll(() => bench.close());

/** A PDF with a signature made entirely by `openssl cms`, with the signer's certificate alone. */
async function signWithOpenssl(): Promise<string> {
  const { person } = bench.authority;
  const empty: DetachedSigner = {
    digest: 'sha256',
    certificate: person.certificate,
    detachedSizeLimit: 8192,
    signDigest: () => Promise.resolve(Buffer.alloc(8192)),
  };
  const request = bench.request(await bench.plain(), empty);
  const options = { subFilter: 'adbe.pkcs7.detached', signingTime: SIGNING_TIME } as const;
  const { byteRange } = await signPdf({ ...request, options });
  const file = await readFile(request.outputPath);
  const [, first, second] = byteRange;
  const path = (name: string): string => `${bench.workshop.folder}/openssl.${name}`;
  await writeFile(path('key'), toPem(person.privateKey, 'PRIVATE KEY'));
  await writeFile(path('certificate'), toPem(person.certificate));
  await writeFile(path('data'), Buffer.concat([file.subarray(0, first), file.subarray(second)]));
  const choices = ['-sign', '-binary', '-outform', 'DER', '-md', 'sha256'];
  const files = ['-signer', path('certificate'), '-inkey', path('key'), '-in', path('data'), '-out', path('cms')];
  const { code, errors } = await runProgram('openssl', ['cms', ...choices, ...files]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  file.write((await readFile(path('cms'))).toString('hex'), first + 1, 'latin1');
  return bench.workshop.write(file);
}

describe("raisePdf, on someone else's file", () => {
  it('brings a signature by OpenSSL to B-LTA, and PDFBox and Bouncy Castle verify all its parts', async () => {
    const foreign = await signWithOpenssl();
    const stamped = await bench.raise(foreign, 'B-T');
    expect(stamped.added).toEqual(['document-timestamp']);
    const proven = await bench.raise(stamped.path, 'B-LT');
    expect(proven.added).toEqual(['validation-material']);
    const archived = await bench.raise(proven.path, 'B-LTA');
    expect(archived.added).toEqual(['document-timestamp']);
    const atOnce = await bench.raise(foreign, 'B-LTA');
    expect(atOnce.added).toEqual(['document-timestamp', 'validation-material', 'document-timestamp']);
    expect(await verifyWithPdfBox([archived.path, atOnce.path])).toEqual(
      Array(2).fill('signature timestamp timestamp certs=6 ocsps=4 crls=0'),
    );
    for (const { path: output } of [archived, atOnce]) {
      expect((await askPdfsig(output))?.[0]?.valid).toBe(true);
      expect(await askQpdf(output)).toMatchObject({ exitCode: 0, complaints: [] });
      const view = await QpdfView.open(output);
      expect(Object.keys(view.entries).sort()).toEqual(
        view.signatures
          .slice(0, 2)
          .map(({ key }) => key)
          .sort(),
      );
    }
  });
});

describe('raisePdf', () => {
  it('copies the file when the level is reached already', async () => {
    const { path } = await bench.sign(await bench.plain(), 'B-LT');
    for (const level of ['B-T', 'B-LT'] as const) {
      const again = await bench.raise(path, level);
      expect(again.added).toEqual([]);
      expect((await readFile(again.path)).equals(await readFile(path))).toBe(true);
    }
  });

  it('needs no document time stamp for a signature with a time stamp inside', async () => {
    const { path } = await bench.sign(await bench.plain(), 'B-T');
    expect((await bench.raise(path, 'B-LT')).added).toEqual(['validation-material']);
  });

  it('raises two signatures of two people at once', async () => {
    const { path } = await bench.sign(await bench.plain(), 'B-T');
    const second = bench.request(path);
    await signPdf(second);
    const raised = await bench.raise(second.outputPath, 'B-LTA');
    expect(raised.added).toEqual(['document-timestamp', 'validation-material', 'document-timestamp']);
    const view = await QpdfView.open(raised.path);
    expect(Object.keys(view.entries)).toHaveLength(3);
    expect((await verifyPdf(raised.path)).signatures.map(({ outcome }) => outcome)).toEqual(Array(4).fill('intact'));
  });

  it('adds to a file certified against any change, and the certification stays valid', async () => {
    const signature = bench.request(
      await bench.workshop.write(
        buildPdf(
          withFields({ 6: emptySignatureField('Certified', '/Lock <</Type /SigFieldLock /Action /All /P 1>>') }),
        ),
      ),
    );
    await signPdf({ ...signature, options: { ...signature.options, fieldName: 'Certified' } });
    const refused = signPdf(bench.request(signature.outputPath));
    await expect(refused).rejects.toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    const raised = await bench.raise(signature.outputPath, 'B-LTA');
    expect((await askPdfsig(raised.path))?.[0]?.valid).toBe(true);
    expect(raised.added).toHaveLength(3);
  });

  it('adds to a certified file allowing no change, and refuses only to sign', async () => {
    const certified = bench.request(await bench.plain());
    await signPdf({ ...certified, options: { ...certified.options, certify: 'no-changes' } });
    const refused = signPdf(bench.request(certified.outputPath));
    await expect(refused).rejects.toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    const { path } = await bench.raise(certified.outputPath, 'B-LTA');
    // An appearance, even if empty, counts as a change of looks for other validators.
    const added = (await readFile(path, 'latin1')).slice((await readFile(certified.outputPath)).length);
    expect(added.match(/\/Subtype ?\/Widget/g)).toHaveLength(2);
    expect(added).not.toMatch(/\/AP\b/);
    expect((await askPdfsig(path))?.[0]?.valid).toBe(true);
    expect(await askQpdf(path)).toMatchObject({ exitCode: 0, complaints: [] });
  });

  it('refuses a PDF without signatures', async () => {
    await expect(bench.raise(await bench.plain(), 'B-T')).rejects.toMatchObject({ code: 'PDF_FIELD_NOT_FOUND' });
  });

  it('refuses a broken signature instead of improving its looks', async () => {
    const file = await readFile((await bench.sign(await bench.plain(), 'B-T')).path);
    file.write('B', file.indexOf('A document'), 'latin1');
    const raising = bench.raise(await bench.workshop.write(file), 'B-LT');
    await expect(raising).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
  });

  it('refuses material for a kind of signature without levels', async () => {
    const request = bench.request(await bench.plain());
    await signPdf({ ...request, options: { ...request.options, subFilter: 'adbe.pkcs7.detached' } });
    const file = await readFile(request.outputPath, 'latin1');
    const renamed = Buffer.from(file.replace('adbe.pkcs7.detached', 'adbe.x509.rsa_sha1 '), 'latin1');
    const raising = bench.raise(await bench.workshop.write(renamed), 'B-LT');
    await expect(raising).rejects.toMatchObject({ code: 'PDF_UNSUPPORTED' });
  });

  it('does not use the collector for B-T', async () => {
    const { path } = await bench.workshop.sign(await bench.plain());
    const collector = { collect: () => Promise.reject(new Error('It was asked.')) };
    expect((await bench.raise(path, 'B-T', { collector })).added).toEqual(['document-timestamp']);
  });
});
