import { describe, expect, it } from 'vitest';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { appendRevision } from '../pdf/build-pdf.ts';
import type { Objects } from '../pdf/build-pdf.ts';
import { bodyOf } from '../pdf/differences/contract.ts';
import { craftCms } from './craft-cms.ts';
import { craftPdf } from './craft-pdf.ts';
import { validatePdfBytes } from './finding-rows.ts';
import { ValidationWorld } from './validation-world.ts';

const signedPdf = (person: TestIdentity): Promise<Buffer> =>
  craftPdf('ETSI.CAdES.detached', (content) => craftCms(person, { content, attached: false }));

const annotated = (file: Buffer, annotation: string): Objects => ({
  3: bodyOf(file, 3).replace(/\/Annots \[/, '/Annots [60 0 R '),
  60: annotation,
});

describe('a valid signature', () => {
  it.each([
    [
      'an opaque text over the page',
      true,
      (file: Buffer) => annotated(file, '<</Type /Annot /Subtype /FreeText /Rect [0 700 300 740] /Contents (Pay)>>'),
    ],
    ['nothing but unused objects', false, (): Objects => ({ 60: '(nobody)' })],
    ['other metadata', false, (): Objects => ({ 1: '' })],
  ])('behind which a revision adds %s: changed since is %s', async (_, changedSince, change) => {
    const world = await ValidationWorld.open();
    const person = await world.person();
    const file = await signedPdf(person);
    const objects = change(file);
    const catalog = bodyOf(file, 1).replace('/Pages', '/Metadata 61 0 R /Pages');
    const later =
      1 in objects ? { 1: catalog, 61: { dictionary: '/Type /Metadata /Subtype /XML', data: '<x/>' } } : objects;
    const report = await validatePdfBytes(appendRevision(file, later), { world });
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(report.signatures[0]?.pdf).toMatchObject({ changedSince, changesAllowed: true, signedSize: file.length });
    expect(report.revisionEnds).toHaveLength(3);
    expect(report.revisionEnds?.[1]).toBeGreaterThan(file.length - 3);
  });

  it('is not changed since where nothing follows', async () => {
    const world = await ValidationWorld.open();
    const file = await signedPdf(await world.person());
    const { signatures } = await validatePdfBytes(file, { world });
    expect(signatures[0]?.pdf).toMatchObject({ changedSince: false, signedSize: file.length });
  });
});
