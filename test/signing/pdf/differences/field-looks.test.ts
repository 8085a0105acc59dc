/** Looks of fields in later revisions: what a blank field may show, and what nobody can explain. */
import { describe, expect, it } from 'vitest';
import type { Objects } from '../build-pdf.ts';
import { changesBy, textOf, withEdits, type Edits } from './unsigned-changes.ts';

const X = '/Type /XObject /Subtype /Form /BBox [0 0 100 20]';
const looks = (data: string, more = '') => ({ dictionary: `${X} ${more}`, data });
const W = '/Type /Annot /Subtype /Widget /F 4 /P 3 0 R';
/** Object numbers: 6 text field, 7 button, 8 text field with the widgets 9 and 10 below the field 11, 12 check box. */
const BASE: Objects = {
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm 5 0 R>>',
  2: '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842]>>',
  3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [6 0 R 7 0 R 9 0 R 10 0 R 12 0 R]>>',
  4: { dictionary: '', data: 'BT ET' },
  5: '<</Fields [6 0 R 7 0 R 11 0 R 12 0 R]>>',
  6: `<<${W} /FT /Tx /T (name) /Rect [0 0 100 20] /DA (/Helv 9 Tf)>>`,
  7: `<<${W} /FT /Btn /T (push) /Ff 65536 /Rect [0 30 100 50]>>`,
  8: '<</FT /Tx /T (twice) /Parent 11 0 R /Kids [9 0 R 10 0 R]>>',
  9: `<<${W} /Parent 8 0 R /Rect [0 60 100 70]>>`,
  10: `<<${W} /Parent 8 0 R /Rect [0 80 100 90] /AP <</N 20 0 R>>>>`,
  11: '<</T (group) /Kids [8 0 R]>>',
  12: `<<${W} /FT /Btn /T (check) /Rect [0 100 10 110] /AS /Off /AP <</N <</On 20 0 R /Off 21 0 R>>>>>>`,
  20: looks('0 0 m 9 9 l 9 0 l f'),
  21: looks(''),
};
const e: Edits = {};
const given = (data: string, more = '', stream = ''): Edits => ({
  6: [['/FT', `/AP <</N 30 0 R>> ${more} /FT`]],
  30: looks(data, stream),
});
const asking = (characteristics: string): Edits => ({ 6: [['/FT', `/MK ${characteristics} /FT`]] });
const pushed = (data: string): Edits => ({ 7: [['/FT', '/AP <</N 30 0 R>> /FT']], 30: looks(data) });
const chain = (levels: number, value: string): Edits => {
  const all: Record<number, Objects[number]> = { 6: textOf(BASE, 6).replace('/FT', '/Parent 40 0 R /FT') };
  for (let level = 0; level < levels; level += 1) {
    all[40 + level] = level === levels - 1 ? `<<${value}>>` : `<</Parent ${41 + level} 0 R>>`;
  }
  return all;
};
const drawn: Edits = { 6: [['/FT', '/AP <</N 30 0 R>> /FT']], 30: looks('(x) Tj') };

type Row = readonly [what: string, base: Edits, edits: Edits, changes: readonly string[]];
const rows: readonly Row[] = [
  ['text in a field without a value', e, given('(x) Tj'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['text in hexadecimal in a field without a value', e, given('<78> Tj'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a list of texts in a field without a value', e, given('[(x)] TJ'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['text by an apostrophe', e, given("(x) '"), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['text by a quotation mark', e, given('1 1 (x) "'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['an object', e, given('/Im Do'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a picture', e, given('BI /W 1 ID x EI'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a shading', e, given('/Sh sh'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['an operator behind a bracket', e, given('[(x)]TJ'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['an operator in front of a bracket', e, given('/Im Do(x)'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a word that begins like an operator', e, given('(x) Tjx'), ['FIELD_APPEARANCE_CHANGED 6 page 1 name']],
  ['a word that ends like an operator', e, given('(x) xTj'), ['FIELD_APPEARANCE_CHANGED 6 page 1 name']],
  ['an empty text', e, given('() Tj'), ['FIELD_APPEARANCE_CHANGED 6 page 1 name']],
  ['empty texts without blanks', e, given('()Tj <>Tj'), ['FIELD_APPEARANCE_CHANGED 6 page 1 name']],
  ['empty texts with blanks', e, given('()  Tj <  >  Tj'), ['FIELD_APPEARANCE_CHANGED 6 page 1 name']],
  ['nothing at all', e, given('q Q'), ['FIELD_APPEARANCE_CHANGED 6 page 1 name']],
  ['a filled rectangle', e, given('0 0 9 9 re f'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a filled rectangle by the other rule', e, given('0 0 9 9 re f*'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a filled and stroked rectangle', e, given('0 0 9 9 re B*'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a closed and painted rectangle', e, given('0 0 9 9 re b'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['an old filled rectangle', e, given('0 0 9 9 re F'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a stroked rectangle', e, given('0 0 9 9 re S'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a closed and stroked rectangle', e, given('0 0 9 9 re s'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['a rectangle that only clips', e, given('0 0 9 9 re W n'), ['FIELD_APPEARANCE_CHANGED 6 page 1 name']],
  [
    'a filled rectangle where the field asks for a background',
    asking('<</BG [1]>>'),
    given('0 0 9 9 re f'),
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
  [
    'a stroked rectangle where the field asks for a border',
    asking('<</BC [1]>>'),
    given('0 0 9 9 re S'),
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
  [
    'a stroked rectangle where the field asks for a rotation',
    asking('<</R 90>>'),
    given('0 0 9 9 re S'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'a moved path in place of the box',
    asking('<</BG [1]>>'),
    given('0 0 m f'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  ['a line in place of the box', asking('<</BG [1]>>'), given('1 1 l f'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  [
    'a curve in place of the box',
    asking('<</BG [1]>>'),
    given('1 1 1 1 1 1 c f'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'a shorter curve in place of the box',
    asking('<</BG [1]>>'),
    given('1 1 1 1 v f'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'another shorter curve in place of the box',
    asking('<</BG [1]>>'),
    given('1 1 1 1 y f'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  ['text in the box', asking('<</BG [1]>>'), given('0 0 9 9 re f (x) Tj'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['an unreadable appearance', e, given('x', '', '/Filter /Unknown'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['an appearance that is too large', e, given(' '.repeat(1024 * 1024 + 1)), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  [
    'an appearance as large as one may be',
    e,
    given(' '.repeat(1024 * 1024)),
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
  ['text, and a value', e, given('(x) Tj', '/V (x)'), ['FIELD_FILLED 6 page 1 name']],
  ['text, and an empty value', e, given('(x) Tj', '/V ()'), ['FIELD_FILLED 6 page 1 name']],
  [
    'text, and a value that was there',
    { 6: [['/FT', '/V (x) /FT']] },
    given('(x) Tj'),
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
  [
    'text, where the value was empty',
    { 6: [['/FT', '/V () /FT']] },
    given('(x) Tj'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'text, where a list of values was there',
    { 6: [['/FT', '/V [(x)] /FT']] },
    given('(x) Tj'),
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
  [
    'text, where the list of values was empty',
    { 6: [['/FT', '/V [] /FT']] },
    given('(x) Tj'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'text, where the value was a name',
    { 6: [['/FT', '/V /On /FT']] },
    given('(x) Tj'),
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
  [
    'text, where the value was off',
    { 6: [['/FT', '/V /Off /FT']] },
    given('(x) Tj'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'text, where the value was null',
    { 6: [['/FT', '/V null /FT']] },
    given('(x) Tj'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'text, where the parent has a value',
    chain(1, '/V (x)'),
    given('(x) Tj'),
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
  [
    'text, where a distant parent has a value',
    chain(15, '/V (x)'),
    given('(x) Tj'),
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
  ['text, where a parent is too far', chain(16, '/V (x)'), given('(x) Tj'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['text, where the parents have no value', chain(3, ''), given('(x) Tj'), ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name']],
  ['text where text was', drawn, { 30: looks('(y) Tj') }, ['FIELD_APPEARANCE_CHANGED 6 page 1 name']],
  [
    'text where nothing was',
    { ...drawn, 30: looks('q Q') },
    { 30: looks('(y) Tj') },
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'a caption of a button',
    { 7: [['/FT', '/MK <</CA (Go)>> /FT']] },
    pushed('(Go) Tj'),
    ['FIELD_APPEARANCE_CHANGED 7 page 1 push'],
  ],
  [
    'an icon of a button',
    { 7: [['/FT', '/MK <</I 20 0 R>> /FT']] },
    pushed('/Im Do'),
    ['FIELD_APPEARANCE_CHANGED 7 page 1 push'],
  ],
  [
    'text on a button without a caption',
    { 7: [['/FT', '/MK <</R 90>> /FT']] },
    pushed('(Go) Tj'),
    ['FIELD_LOOKS_UNEXPLAINED 7 page 1 push'],
  ],
  ['text on a button without characteristics', e, pushed('(Go) Tj'), ['FIELD_LOOKS_UNEXPLAINED 7 page 1 push']],
  [
    'text in a field with a caption',
    { 6: [['/FT', '/MK <</CA (Go)>> /FT']] },
    given('(Go) Tj'),
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'looks of the one widget, as of the other',
    e,
    { 9: [['/Rect', '/AP <</N 30 0 R>> /Rect']], 30: looks('(x) Tj') },
    ['FIELD_LOOKS_UNEXPLAINED 8 page 1 group.twice'],
  ],
  [
    'looks of a widget that drew before',
    e,
    { 20: looks('(x) Tj') },
    ['FIELD_APPEARANCE_CHANGED 8 page 1 group.twice', 'FIELD_APPEARANCE_CHANGED 12 page 1 check'],
  ],
  [
    'looks of a state that was drawn before',
    e,
    { 12: [['/AS /Off', '/AS /On']] },
    ['FIELD_APPEARANCE_CHANGED 12 page 1 check'],
  ],
  [
    'looks of a state where no state drew',
    { 12: [['20 0 R', '21 0 R']] },
    { 12: [['/On 21 0 R', '/On 30 0 R']], 30: looks('(x) Tj') },
    ['FIELD_LOOKS_UNEXPLAINED 12 page 1 check'],
  ],
  [
    'looks of a state deeper than states are',
    { 12: [['20 0 R', '21 0 R']] },
    { 12: [['/On 21 0 R', '/On <</X 30 0 R>>']], 30: looks('(x) Tj') },
    ['FIELD_APPEARANCE_CHANGED 12 page 1 check'],
  ],
  [
    'looks below a dictionary of looks',
    e,
    { 6: [['/FT', '/AP <</N <</X 30 0 R>>>> /FT']], 30: looks('(x) Tj') },
    ['FIELD_LOOKS_UNEXPLAINED 6 page 1 name'],
  ],
  [
    'looks below two dictionaries of looks',
    e,
    { 6: [['/FT', '/AP <</N <</X <</Y 30 0 R>>>>>> /FT']], 30: looks('(x) Tj') },
    ['FIELD_APPEARANCE_CHANGED 6 page 1 name'],
  ],
];

describe('a field', () => {
  it.each(rows)('that gets %s is judged by what it shows', async (_, base, edits, changes) => {
    const start = withEdits(BASE, base, true);
    expect(await changesBy(start, withEdits(start, edits))).toEqual(changes);
  });
});
