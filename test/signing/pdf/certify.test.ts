import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Certification, PdfSignatureOptions } from '../../../src/signing/pdf/sign-request.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { buildPdf, emptySignatureField, onePage, withFields } from './build-pdf.ts';
import type { Objects } from './build-pdf.ts';
import { makeWithQpdf, readObjectsWithQpdf, readSignaturesWithQpdf } from './oracles.ts';
import { expectValid, Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const build = (objects: Objects): Promise<string> => workshop.write(buildPdf(objects));
const PLACE = { x: 10, y: 10, width: 100, height: 40, text: 'Stamp' };

/** The catalog as read by qpdf. */
async function catalogOf(path: string): Promise<Record<string, unknown>> {
  for (const object of (await readObjectsWithQpdf(path)).values()) {
    const { value } = object as { value?: Record<string, unknown> };
    if (value?.['/Type'] === '/Catalog') return value;
  }
  throw new Error('There is no catalog.');
}

describe('signPdf with certification', () => {
  it.each<[Certification, number]>([
    ['no-changes', 1],
    ['form-filling', 2],
    ['annotations', 3],
  ])('writes DocMDP and names it in the catalog for "%s"', async (certify, permission) => {
    const { path } = await workshop.sign(await build(onePage()), { certify });
    await expectValid(path, 1);
    const [signature] = await readSignaturesWithQpdf(path);
    const parameters = { '/Type': '/TransformParams', '/P': permission, '/V': '/1.2' };
    expect(signature?.['/Reference']).toEqual([
      { '/Type': '/SigRef', '/TransformMethod': '/DocMDP', '/TransformParams': parameters },
    ]);
    const named = (await catalogOf(path))['/Perms'] as Record<string, string>;
    const { value } = (await readObjectsWithQpdf(path)).get(`obj:${named['/DocMDP'] ?? ''}`) as { value: unknown };
    expect(value).toEqual(signature);
  });

  it('lets the next signature come only where the certification allows signing', async () => {
    const original = await build(onePage());
    const { path: closed } = await workshop.sign(original, { certify: 'no-changes' });
    expect(await workshop.refusal(closed)).toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    const { path: open } = await workshop.sign(original, { certify: 'form-filling' });
    await expectValid((await workshop.sign(open)).path, 2);
  });

  it('is refused behind another signature', async () => {
    const { path } = await workshop.sign(await build(onePage()));
    const refusal = await workshop.refusal(path, { certify: 'form-filling' });
    expect(refusal).toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    expect(refusal.message).toContain('Only the first signature');
  });

  it('forbids a visible field of one’s own where only form filling is allowed', async () => {
    const { path: filling } = await workshop.sign(await build(onePage()), { certify: 'form-filling' });
    const refusal = await workshop.refusal(filling, { appearance: { ...PLACE, pages: [1] } });
    expect(refusal).toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    expect(refusal.message).toContain('Sign invisibly');
  });

  it('forbids stamps on several pages unless annotations are allowed', async () => {
    const two = { ...onePage(), 2: '<</Type /Pages /Kids [3 0 R 6 0 R] /Count 2 /MediaBox [0 0 595 842]>>' };
    const original = await build({ ...two, 6: '<</Type /Page /Parent 2 0 R>>' });
    const appearance = { ...PLACE, pages: [1, 2] };
    const { path: filling } = await workshop.sign(original, { certify: 'form-filling' });
    expect(await workshop.refusal(filling, { appearance })).toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    const { path: annotations } = await workshop.sign(original, { certify: 'annotations' });
    await expectValid((await workshop.sign(annotations, { appearance })).path, 2);
  });
});

describe('signPdf into a field with seed values', () => {
  const seeded = (seeds: string): Promise<string> =>
    build(withFields({ 6: emptySignatureField('Seeded', `/SV <</Type /SV ${seeds}>>`) }));

  it.each<[string, string, Partial<PdfSignatureOptions>]>([
    ['the kind of signature', '/SubFilter [/ETSI.CAdES.detached] /Ff 2', {}],
    ['the handler', '/Filter /Adobe.PPKLite /Ff 1', {}],
    ['the digest', '/DigestMethod [(SHA256) (SHA512)] /Ff 64', {}],
    ['the reason', '/Reasons [(Concordo) (Aprovo)] /Ff 8', { reason: 'Aprovo' }],
    ['no reason', '/Reasons [(.)] /Ff 8', {}],
    ['another reason, as a mere wish', '/Reasons [(Concordo)]', { reason: 'Aprovo' }],
    ['no certification', '/MDP <</P 0>>', {}],
  ])('signs honouring %s', async (_, seeds, options) => {
    const { path } = await workshop.sign(await seeded(seeds), { fieldName: 'Seeded', ...options });
    await expectValid(path, 1);
  });

  it.each<[string, string, Partial<PdfSignatureOptions>, string]>([
    ['the kind of signature', '/SubFilter [/adbe.pkcs7.sha1] /Ff 2', {}, 'adbe.pkcs7.sha1'],
    ['the handler', '/Filter /Entrust.PPKEF /Ff 1', {}, 'Entrust.PPKEF'],
    ['the digest', '/DigestMethod [(SHA512)] /Ff 64', {}, 'SHA512'],
    ['the reason', '/Reasons [(Concordo)] /Ff 8', { reason: 'Aprovo' }, '"Concordo"'],
    ['no reason', '/Reasons [(.)] /Ff 8', { reason: 'Aprovo' }, 'allows no reason'],
    ['no certification', '/MDP <</P 0>>', { certify: 'annotations' }, 'does not certify'],
    ['another certification', '/MDP <</P 2>>', { certify: 'no-changes' }, '"form-filling"'],
  ])('is refused not honouring %s', async (_, seeds, options, message) => {
    const refusal = await workshop.refusal(await seeded(seeds), { fieldName: 'Seeded', ...options });
    expect(refusal).toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    expect(refusal.message).toContain(message);
  });

  it('certifies on demand of the field', async () => {
    const { path } = await workshop.sign(await seeded('/MDP <</P 2>>'), { fieldName: 'Seeded' });
    await expectValid(path, 1);
    expect((await catalogOf(path))['/Perms']).toBeDefined();
  });
});

describe('signPdf on a PDF needing a password', () => {
  const KINDS = [
    ['RC4 of 40 bits', ['40'], ['--allow-weak-crypto']],
    ['RC4 of 128 bits', ['128', '--use-aes=n'], ['--allow-weak-crypto']],
    ['AES of 128 bits', ['128', '--use-aes=y'], ['--allow-weak-crypto']],
    ['AES of 256 bits', ['256'], []],
  ] as const;

  it.each(KINDS)('signs with the user or the owner password, and refuses others: %s', async (_, bits, weak) => {
    const encrypted = workshop.newPath();
    const plain = await build(onePage());
    await makeWithQpdf([...weak, '--encrypt', 'senha', 'dono-ção', ...bits, '--', plain, encrypted]);
    for (const password of ['senha', 'dono-ção']) {
      const { path } = await workshop.sign(encrypted, { reason: 'Concordo' }, password);
      expect((await verifyPdf(path, { password })).signatures).toMatchObject([{ outcome: 'intact' }]);
      const decrypted = workshop.newPath();
      await makeWithQpdf(['--password=senha', '--decrypt', path, decrypted]);
      expect(await readSignaturesWithQpdf(decrypted)).toMatchObject([{ '/Reason': 'u:Concordo' }]);
    }
    expect(await workshop.refusal(encrypted)).toMatchObject({ code: 'PDF_ENCRYPTED' });
    expect(await workshop.refusal(encrypted, {}, 'errada')).toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });
});
