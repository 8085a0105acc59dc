import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SigningError } from '../../../src/signing/index.ts';
import { describeDamage } from '../../../src/signing/pdf/repair/describe-damage.ts';
import { inspectPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { buildPdf, onePage } from './build-pdf.ts';
import { Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(async () => workshop.close());

const sound = buildPdf(onePage());

/** The error of reading the file, in the words for a person. */
async function damageOf(content: Buffer): Promise<SigningError> {
  const path = await workshop.write(content);
  const error: unknown = await inspectPdf(path).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SigningError);
  return (await describeDamage(path, {}, error)) as SigningError;
}

describe('the words for a damaged PDF', () => {
  it.each<[string, Buffer]>([
    ['is cut off before its cross-reference', sound.subarray(0, sound.lastIndexOf('xref\n0'))],
    [
      'names a wrong place of its cross-reference',
      Buffer.from(sound.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'),
    ],
  ])('tell the finding of a repair when the file %s', async (_how, content) => {
    const { code, message } = await damageOf(content);
    expect(code).toBe('PDF_DAMAGED');
    expect(message).toMatch(/^The PDF is damaged: .+\. A repair finds 1 page\. .*--auto-fix/);
  });

  it('say a signature cannot be judged, and a repair would break the signature', async () => {
    const { path } = await workshop.sign(await workshop.write(sound));
    const { readFile } = await import('node:fs/promises');
    const signed = (await readFile(path)).toString('latin1').replace(/startxref\n\d+/g, 'startxref\n7');
    const { code, message } = await damageOf(Buffer.from(signed, 'latin1'));
    expect(code).toBe('PDF_DAMAGED');
    expect(message).toContain('It carries a signature, which cannot be judged');
  });

  it.each<[string, Buffer]>([
    ['has no page', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['is noise behind a header', Buffer.from(`%PDF-1.7\n${'x'.repeat(500)}`)],
  ])('stay unchanged when nothing can be found, because the file %s', async (_why, content) => {
    expect((await damageOf(content)).code).toBe('PDF_MALFORMED');
  });
});
