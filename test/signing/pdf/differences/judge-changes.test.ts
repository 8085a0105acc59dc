/** The judgement about changes: levels, certifications and locks of fields, without any comparison. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainChange } from '../../../../src/signing/pdf/differences/compare-revisions.ts';
import {
  areAllowed,
  highestLevel,
  readRestriction,
  type Restriction,
} from '../../../../src/signing/pdf/differences/judge-changes.ts';
import type { PdfChange, PdfChangeCode } from '../../../../src/signing/pdf/differences/pdf-facts.ts';
import { readObject } from '../../../../src/signing/pdf/differences/reference-index.ts';
import { walkFields } from '../../../../src/signing/pdf/reading/form-fields.ts';
import { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { buildPdf, onePage } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const change = (code: PdfChangeCode, fieldName?: string): PdfChange => ({ ...plainChange(2, code), fieldName });
const fields = new Set(['name', 'person', 'person.age']);
const without: Restriction = { permission: undefined, locks: [] };
const certified = (permission: 1 | 2 | 3): Restriction => ({ permission, locks: [] });
const locked = (action: 'All' | 'Include' | 'Exclude', ...names: string[]): Restriction => ({
  permission: undefined,
  locks: [{ action, names }],
});
const isAllowed = (restrictions: readonly Restriction[], ...changes: PdfChange[]): boolean =>
  areAllowed(restrictions, changes, fields);

describe('a change', () => {
  it.each<[PdfChangeCode, readonly [none: boolean, one: boolean, two: boolean, three: boolean]]>([
    ['SECURITY_STORE_UPDATED', [true, true, true, true]],
    ['DOCUMENT_TIMESTAMP_ADDED', [true, true, true, true]],
    ['FIELD_FILLED', [true, false, true, true]],
    ['SIGNATURE_ADDED', [true, false, true, true]],
    ['VISIBLE_SIGNATURE_ADDED', [true, false, false, true]],
    ['VISIBLE_FIELD_ADDED', [true, false, false, true]],
    ['ANNOTATION_CHANGED', [true, false, false, true]],
    ['PAGE_CONTENT_CHANGED', [false, false, false, false]],
  ])('%s is allowed without a certification, and by one for nothing, forms and annotations: %j', (code, allowed) => {
    const restrictions = [without, certified(1), certified(2), certified(3)];
    expect(restrictions.map((restriction) => isAllowed([restriction], change(code, 'new')))).toEqual(allowed);
  });

  it('is allowed when every restriction allows every change', () => {
    expect(isAllowed([])).toBe(true);
    expect(isAllowed([certified(2), without], change('FIELD_FILLED', 'name'))).toBe(true);
    expect(isAllowed([certified(2), certified(1)], change('FIELD_FILLED', 'name'))).toBe(false);
    expect(isAllowed([certified(2)], change('FIELD_FILLED', 'name'), change('ANNOTATION_ADDED'))).toBe(false);
    expect(isAllowed([], change('FIELD_FILLED'), change('PAGES_CHANGED'))).toBe(false);
  });

  it.each([
    ['signed later', 'later', true],
    ['left empty', 'other', false],
  ])('that adds a field to a certified form is allowed for a field %s', (_, signed, allowed) => {
    for (const code of ['SIGNATURE_ADDED', 'DOCUMENT_TIMESTAMP_ADDED'] as const) {
      const changes = [change('SIGNATURE_FIELD_ADDED', 'later'), change(code, signed)];
      expect(isAllowed([certified(2)], ...changes)).toBe(allowed);
      expect(isAllowed([certified(3)], ...changes)).toBe(true);
    }
    expect(isAllowed([certified(2)], change('SIGNATURE_FIELD_ADDED'), change('SIGNATURE_ADDED'))).toBe(false);
  });

  it.each<[string, Restriction, string | undefined, boolean]>([
    ['a named field', locked('Include', 'name'), 'name', false],
    ['a field below a named field', locked('Include', 'person'), 'person.age', false],
    ['a field with a name that only begins like a named one', locked('Include', 'pers'), 'person', true],
    ['another field', locked('Include', 'name', 'other'), 'person', true],
    ['one of two named fields', locked('Include', 'other', 'name'), 'name', false],
    ['a field left out of the lock', locked('Exclude', 'name'), 'name', true],
    ['a field below a field left out', locked('Exclude', 'person'), 'person.age', true],
    ['a field not left out', locked('Exclude', 'name'), 'person', false],
    ['any field under a lock of all', locked('All', 'other'), 'name', false],
    ['no field', locked('All'), undefined, true],
    ['a field that came later', locked('All'), 'later', true],
  ])('of %s obeys the lock', (_, lock, name, allowed) => {
    expect(isAllowed([lock], change('FIELD_FILLED', name))).toBe(allowed);
    expect(isAllowed([without, { ...lock, locks: [{ action: 'Include', names: [] }, ...lock.locks] }], change('FIELD_FILLED', name))).toBe(allowed); // prettier-ignore
  });

  it.each(['SIGNATURE_FIELD_ADDED', 'VISIBLE_SIGNATURE_ADDED', 'VISIBLE_FIELD_ADDED'] as const)(
    'of the kind %s adds a field, which no lock names',
    (code) => {
      expect(isAllowed([locked('All')], change(code, 'name'))).toBe(true);
    },
  );
});

describe('the level of several changes', () => {
  it.each<[PdfChange['level'], readonly PdfChangeCode[]]>([
    ['none', []],
    ['long-term-update', ['METADATA_UPDATED', 'SECURITY_STORE_UPDATED']],
    ['annotations', ['FIELD_FILLED', 'ANNOTATION_ADDED', 'METADATA_UPDATED']],
    ['other', ['PAGES_CHANGED', 'FIELD_FILLED']],
  ])('is %s, the highest of %j', (level, codes) => {
    expect(highestLevel(codes.map((code) => change(code)))).toBe(level);
  });
});

/** The restriction of a signature with these entries, in a field with these. */
async function restrictionOf(signature: string, field = ''): Promise<Restriction> {
  const objects = onePage({
    1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [6 0 R]>>>>',
    6: `<</FT /Sig /T (approval) ${field}>>`,
    7: `<</Type /Sig ${signature}>>`,
    8: '(name)',
    9: '[(name) 8 0 R /Name () (other)]',
  });
  const document = await PdfDocument.open(await workshop.write(buildPdf(objects)));
  try {
    const [found] = walkFields(document);
    const value = readObject(document, 7);
    if (found === undefined || !(value instanceof Map)) throw new Error('There is no signature.');
    return readRestriction(document, value, found);
  } finally {
    await document.close();
  }
}
const reference = (method: string, parameters: string): string =>
  `/Reference [<</Type /SigRef /TransformMethod /${method} /TransformParams <<${parameters}>>>>]`;

describe('the restriction of a signature', () => {
  it.each<[string, string, string, Restriction]>([
    ['nothing without a certification or a lock', '', '', without],
    ['nothing for references that are none', '/Reference [null (x)]', '/Lock [1]', without],
    ['forms by default', reference('DocMDP', ''), '', certified(2)],
    ['what the certification says', reference('DocMDP', '/P 3'), '', certified(3)],
    ['nothing at all for an unknown certification', reference('DocMDP', '/P 4'), '', certified(1)],
    ['nothing by another method', reference('UR3', '/P 1 /Action /All'), '', without],
    ['all fields for an unknown action', reference('FieldMDP', '/Action /Some'), '', locked('All')],
    ['all fields without an action', reference('FieldMDP', ''), '', locked('All')],
    [
      'the texts among the named fields',
      reference('FieldMDP', '/Action /Include /Fields 9 0 R'),
      '',
      locked('Include', 'name', 'name', 'other'),
    ],
    ['a lock of the field', '', '/Lock <</Action /Exclude /Fields [8 0 R]>>', locked('Exclude', 'name')],
    [
      'a certification in the transform of fields',
      reference('FieldMDP', '/Action /All /P 1'),
      '',
      { ...locked('All'), permission: 1 },
    ],
    [
      'the strictest certification of all',
      reference('DocMDP', '/P 3'),
      '/Lock <</Action /All /P 2>>',
      { ...locked('All'), permission: 2 },
    ],
    [
      'the strictest certification, whichever comes first',
      reference('DocMDP', '/P 1'),
      '/Lock <</Action /All /P 3>>',
      { ...locked('All'), permission: 1 },
    ],
  ])('is %s', async (_, signature, field, restriction) => {
    expect(await restrictionOf(signature, field)).toEqual(restriction);
  });
});
