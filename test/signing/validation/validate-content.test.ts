import { beforeAll, describe, expect, it } from 'vitest';
import { withPdfFacts } from '../../../src/signing/pdf/differences/with-pdf-facts.ts';
import { validateWithContent } from '../../../src/signing/validation/validate-content.ts';
import type { ValidationReport } from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { writeZip } from '../certificates/trust/write-zip.ts';
import { craftCms } from './craft-cms.ts';
import { craftPdf } from './craft-pdf.ts';
import { ValidationWorld } from './validation-world.ts';

let world: ValidationWorld;
let maria: TestIdentity;
beforeAll(async () => {
  world = await ValidationWorld.open();
  maria = await world.person();
});

const wrap = (content: Uint8Array): Buffer => craftCms(maria, { content });
const validate = async (signature: Buffer): Promise<ValidationReport> =>
  validateWithContent({ signature }, world.services(), {}, withPdfFacts);

/** A signature whose content was changed afterwards. */
function changed(): Buffer {
  const signed = wrap(Buffer.from('Pay 100'));
  signed.write('Pay 999', signed.indexOf('Pay 100'));
  return signed;
}

const summary = ({ indication, signatures, checks }: ValidationReport) => ({
  indication,
  found: signatures.map(({ id, indication: own }) => `${id} ${own}`),
  checks: checks.map(({ code }) => code).filter((code) => code.startsWith('CONTENT_')),
});

describe('a signature over a signed file', () => {
  it.each<[string, (inner: Buffer) => Buffer]>([
    ['DER', (inner) => inner],
    ['base64', (inner) => Buffer.from(inner.toString('base64'))],
    ['PEM', (inner) => Buffer.from(`-----BEGIN PKCS7-----\n${inner.toString('base64')}\n-----END PKCS7-----\n`)],
  ])('in %s lists both signatures', async (_form, write) => {
    expect(summary(await validate(wrap(write(wrap(Buffer.from('Prezada Ana'))))))).toEqual({
      indication: 'TOTAL-PASSED',
      found: ['1 TOTAL-PASSED', 'content/1 TOTAL-PASSED'],
      checks: ['CONTENT_SIGNED'],
    });
  });

  it('does not pass where the inner signature is false', async () => {
    expect(summary(await validate(wrap(changed())))).toEqual({
      indication: 'TOTAL-FAILED',
      found: ['1 TOTAL-PASSED', 'content/1 TOTAL-FAILED'],
      checks: ['CONTENT_SIGNED'],
    });
  });

  it('looks into every layer', async () => {
    const { found, indication } = summary(await validate(wrap(wrap(wrap(changed())))));
    expect(found).toEqual([
      '1 TOTAL-PASSED',
      'content/1 TOTAL-PASSED',
      'content/content/1 TOTAL-PASSED',
      'content/content/content/1 TOTAL-FAILED',
    ]);
    expect(indication).toBe('TOTAL-FAILED');
  });

  it('says that layers without end were not examined', async () => {
    let file = wrap(Buffer.from('x'));
    for (let layer = 0; layer < 12; layer += 1) file = wrap(file);
    expect(summary(await validate(file))).toMatchObject({
      indication: 'INDETERMINATE',
      checks: ['CONTENT_SIGNED', 'CONTENT_NOT_EXAMINED'],
    });
  });

  it('lists the signatures of a PDF', async () => {
    const pdf = await craftPdf('ETSI.CAdES.detached', (content) => craftCms(maria, { content, attached: false }));
    const { found } = summary(await validate(wrap(pdf)));
    expect(found[0]).toBe('1 TOTAL-PASSED');
    expect(found[1]).toMatch(/^content\/1 /);
  });

  it('lists the signatures of the files of an archive, with their documents', async () => {
    const letter = Buffer.from('Prezada Ana');
    const files = [
      { name: 'carta.txt', content: letter },
      { name: 'carta.txt.p7s', content: craftCms(maria, { content: letter, attached: false, signingTime: world.now }) },
      { name: 'falsa.p7m', content: changed() },
    ];
    expect(summary(await validate(wrap(writeZip(files))))).toMatchObject({
      indication: 'TOTAL-FAILED',
      found: ['1 TOTAL-PASSED', 'content/carta.txt.p7s/1 TOTAL-PASSED', 'content/falsa.p7m/1 TOTAL-FAILED'],
    });
  });

  it.each<[string, () => Buffer]>([
    [
      'an XML signature',
      () => Buffer.from('<?xml version="1.0"?><NFe><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/></NFe>'),
    ],
    [
      'an archive with XML signatures',
      () => writeZip([{ name: 'META-INF/signatures.xml', content: Buffer.from('<x/>') }]),
    ],
    ['a damaged signature', () => wrap(Buffer.from('x')).subarray(0, 200)],
    ['a damaged PDF', () => Buffer.from('%PDF-1.7 /ByteRange [0 1 2 3]')],
  ])('is open where the content is %s', async (_what, content) => {
    expect(summary(await validate(wrap(content())))).toEqual({
      indication: 'INDETERMINATE',
      found: ['1 TOTAL-PASSED'],
      checks: ['CONTENT_NOT_EXAMINED'],
    });
  });

  it.each<[string, Buffer]>([
    ['a text', Buffer.from('Prezada Ana')],
    ['XML without a signature', Buffer.from('<?xml version="1.0"?><carta/>')],
    ['a PDF without a signature', Buffer.from('%PDF-1.7\n')],
    ['an archive without signed files', writeZip([{ name: 'a.txt', content: Buffer.from('a') }])],
  ])('has nothing to add where the content is %s', async (_what, content) => {
    expect(summary(await validate(wrap(content)))).toEqual({
      indication: 'TOTAL-PASSED',
      found: ['1 TOTAL-PASSED'],
      checks: [],
    });
  });
});
