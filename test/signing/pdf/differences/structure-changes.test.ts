/** Changes of the structure, each with everything that is told about the change. */
import { describe, expect, it } from 'vitest';
import type { Objects } from '../build-pdf.ts';
import { changesBy, textOf, withEdits, type Edits } from './unsigned-changes.ts';

const stream = (data: string) => ({ dictionary: '', data });
/**
 * Object numbers: 3 and 13 pages with the contents 4 and 14, 6 note, 8 link, 30 root of the structure with the document
 * 31, its paragraphs 32 and 37, the element 36 of the note, the tree of parents 33 with the leaves 40 and 41, the
 * identifiers 34 and the namespace 35.
 */
const BASE: Objects = {
  1: '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 30 0 R /Extra 50 0 R>>',
  2: '<</Type /Pages /Kids [3 0 R 13 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
  3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /StructParents 0 /Annots [6 0 R]>>',
  13: '<</Type /Page /Parent 2 0 R /Contents 14 0 R /Annots [8 0 R]>>',
  4: stream('/P <</MCID 0>> BDC (One) Tj EMC /P <</MCID 1>> BDC (Two) Tj EMC'),
  14: stream('BT ET'),
  6: '<</Type /Annot /Subtype /Text /Rect [9 9 29 29] /Contents (note) /P 3 0 R /StructParent 1>>',
  8: '<</Type /Annot /Subtype /Link /Rect [9 9 29 29] /P 13 0 R>>',
  30: '<</Type /StructTreeRoot /K [31 0 R] /ParentTree 33 0 R /ParentTreeNextKey 2 /IDTree 34 0 R /Namespaces [35 0 R] /RoleMap <</Text1 /P>>>>',
  31: '<</Type /StructElem /S /Document /P 30 0 R /K [32 0 R 36 0 R 37 0 R]>>',
  32: '<</Type /StructElem /S /Text1 /P 31 0 R /Pg 3 0 R /K [0] /ID (p1)>>',
  36: '<</Type /StructElem /S /Annot /P 31 0 R /Pg 3 0 R /K <</Type /OBJR /Obj 6 0 R>> /Alt (note)>>',
  37: '<</Type /StructElem /S /P /P 31 0 R /Pg 3 0 R /K <</Type /MCR /MCID 1 /Pg 3 0 R>>>>',
  33: '<</Kids [40 0 R 41 0 R]>>',
  40: '<</Limits [0 0] /Nums [0 [32 0 R 37 0 R]]>>',
  41: '<</Limits [1 1] /Nums [1 36 0 R]>>',
  34: '<</Names [(p1) 32 0 R]>>',
  35: '<</Type /Namespace /NS (http://iso.org/pdf2/ssn)>>',
  50: '<<>>',
};
const e: Edits = {};
const NOTE = '<</Type /Annot /Subtype /Text /Rect [0 0 0 0] /P 3 0 R /StructParent 2>>';
const OBJR = '<</Type /OBJR /Obj 60 0 R /Pg 3 0 R>>';
const element = (kids: string, more = ''): string =>
  `<</Type /StructElem /S /Annot /P 31 0 R /Pg 3 0 R /K ${kids} ${more}>>`;
/** A note with its element, and other edits. */
const tagged = (more: Edits = {}): Edits => ({
  3: [['/Annots [', '/Annots [60 0 R ']],
  60: NOTE,
  61: element(OBJR),
  30: [['NextKey 2', 'NextKey 3']],
  31: [['36 0 R 37 0 R', '36 0 R 37 0 R 61 0 R']],
  41: '<</Limits [1 2] /Nums [1 36 0 R 2 61 0 R]>>',
  ...more,
});
const withKids = (kids: string): Edits => ({ 31: [['[32 0 R 36 0 R 37 0 R]', kids]] });
const WRAPPED: Edits = {
  30: [['[31 0 R]', '[62 0 R]']],
  62: '<</Type /StructElem /S /Document /P 30 0 R /K [31 0 R]>>',
  31: [['/P 30 0 R', '/P 62 0 R']],
};
/** A structure without an element for the whole document. */
const PART: Edits = { 31: [['/S /Document', '/S /Part']] };
const WRAPPED_PART: Edits = {
  ...WRAPPED,
  31: [
    ['/S /Document', '/S /Part'],
    ['/P 30 0 R', '/P 62 0 R'],
  ],
};
/** Elements above each other, from the object 100 up to the document. */
const chainOf = (length: number): Edits =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [
      100 + index,
      `<</Type /StructElem /S /Sect /P ${index === length - 1 ? 31 : 101 + index} 0 R>>`,
    ]),
  );
const DIRECT: Edits = {
  1: [['30 0 R', '<</Type /StructTreeRoot /K 31 0 R /ParentTree 33 0 R>>']],
  31: [['/P 30 0 R', '/P <</Type /StructTreeRoot>>']],
};

type Row = readonly [what: string, base: Edits, edits: Edits, changes: readonly string[]];
const rows: readonly Row[] = [
  ['an element of a new note', e, tagged(), ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED']],
  [
    'an element in an element of a new note',
    e,
    tagged({ 61: element('[62 0 R]'), 62: element(OBJR).replace('31 0', '61 0') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  ['an element of nothing', e, tagged({ 61: element('[]') }), ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED']],
  [
    'an element without kids',
    e,
    tagged({ 61: '<</Type /StructElem /S /Annot /P 31 0 R>>' }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'an element without a type',
    e,
    tagged({ 61: element(OBJR).replace('/Type /StructElem', '') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'an element of another type',
    e,
    tagged({ 61: element(OBJR).replace('/StructElem', '/Other') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element without a kind',
    e,
    tagged({ 61: element(OBJR).replace('/S /Annot', '') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with content of the page',
    e,
    tagged({ 61: element('[0]') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with a note and content',
    e,
    tagged({ 61: element(`[${OBJR} 0]`) }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with marked content',
    e,
    tagged({ 61: element('<</Type /MCR /MCID 0>>') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with an object that is no annotation',
    e,
    tagged({ 61: element(OBJR.replace('60 0 R', '50 0 R')) }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with an object that is nothing',
    e,
    tagged({ 61: element(OBJR.replace('60 0 R', '90 0 R')) }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with words and a note',
    e,
    tagged({ 61: element(OBJR, '/Alt (x)') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'an element with words alone',
    e,
    tagged({ 61: element('[]', '/Alt (x)') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with other words alone',
    e,
    tagged({ 61: element('[]', '/ActualText (x)') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with an expansion alone',
    e,
    tagged({ 61: element('[]', '/E (x)') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with words above an empty element',
    e,
    tagged({ 61: element('[62 0 R]', '/Alt (x)'), 62: element('[]') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element with an old element',
    e,
    tagged({ 61: element('[32 0 R]') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an old object as an element',
    { 50: element(OBJR).replace('60 0 R', '6 0 R') },
    withKids('[32 0 R 36 0 R 37 0 R 50 0 R]'),
    ['OBJECT_CHANGED 31'],
  ],
  [
    'an element of an element twice',
    e,
    tagged({ 31: [['36 0 R 37 0 R', '36 0 R 37 0 R 61 0 R 61 0 R']] }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'elements nested as deep as elements may be',
    e,
    tagged(
      Object.fromEntries(
        Array.from({ length: 16 }, (_, depth) => [61 + depth, element(depth === 15 ? OBJR : `[${62 + depth} 0 R]`)]),
      ),
    ),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'elements nested deeper',
    e,
    tagged(
      Object.fromEntries(
        Array.from({ length: 17 }, (_, depth) => [61 + depth, element(depth === 16 ? OBJR : `[${62 + depth} 0 R]`)]),
      ),
    ),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31', 'OBJECT_CHANGED 41'],
  ],
  [
    'an element in the list of another',
    e,
    tagged({ 31: [['37 0 R', '37 0 R 61 0 R']] }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'an element in front',
    e,
    tagged({ 31: [['[32 0 R', '[61 0 R 32 0 R']] }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'an element and another order',
    e,
    tagged({ 31: [['[32 0 R 36 0 R 37 0 R]', '[37 0 R 36 0 R 32 0 R 61 0 R]']] }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31'],
  ],
  [
    'an element in place of another',
    e,
    tagged({ 31: [['[32 0 R 36 0 R 37 0 R]', '[61 0 R 36 0 R 37 0 R]']] }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31'],
  ],
  [
    'an element inside the list',
    e,
    tagged({ 31: [['37 0 R', `37 0 R ${element(OBJR)}`]], 41: textOf(BASE, 41) }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'OBJECT_CHANGED 31'],
  ],
  [
    'an element without a key',
    e,
    tagged({ 41: textOf(BASE, 41) }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  ['another order', e, withKids('[36 0 R 32 0 R 37 0 R]'), ['OBJECT_CHANGED 31']],
  ['a paragraph less', e, withKids('[36 0 R 37 0 R]'), ['OBJECT_CHANGED 31']],
  ['a paragraph twice', e, withKids('[32 0 R 32 0 R 36 0 R 37 0 R]'), ['OBJECT_CHANGED 31']],
  ['the element of a note less', e, withKids('[32 0 R 37 0 R]'), ['ANNOTATION_CHANGED 31']],
  [
    'the element of a note less, with its key',
    e,
    { ...withKids('[32 0 R 37 0 R]'), 33: '<</Kids [40 0 R]>>' },
    ['ANNOTATION_CHANGED 31', 'ANNOTATION_CHANGED 33'],
  ],
  ['no kids', e, withKids('[]'), ['OBJECT_CHANGED 31']],
  [
    'an element that is none, less',
    withKids('[32 0 R 36 0 R 37 0 R 50 0 R 90 0 R <</P 31 0 R>>]'),
    { 31: textOf(BASE, 31) },
    ['OBJECT_CHANGED 31'],
  ],
  [
    'an element that has content, less',
    withKids('[32 0 R 36 0 R 37 0 R <</MCID 7>>]'),
    { 31: textOf(BASE, 31) },
    ['OBJECT_CHANGED 31'],
  ],
  ['content less', e, { 32: [['[0]', '[]']] }, ['OBJECT_CHANGED 32']],
  ['other content', e, { 32: [['[0]', '[1]']] }, ['OBJECT_CHANGED 32']],
  ['content without a list', e, { 32: [['[0]', '0']] }, ['STRUCTURE_UPDATED']],
  ['content in other words', e, { 32: [['[0]', '[0.0]']] }, []],
  ['marked content in another order of keys', e, { 37: [['/MCID 1 /Pg 3 0 R', '/Pg 3 0 R /MCID 1']] }, []],
  ['other marked content', e, { 37: [['/MCID 1', '/MCID 0']] }, ['OBJECT_CHANGED 37']],
  ['marked content of another page', e, { 37: [['/MCID 1 /Pg 3', '/MCID 1 /Pg 13']] }, ['OBJECT_CHANGED 37']],
  ['marked content with another name', e, { 37: [['/MCID 1', '/MCID 1 /Stm /X']] }, ['OBJECT_CHANGED 37']],
  [
    'the kid in an object',
    e,
    { 37: [['<</Type /MCR /MCID 1 /Pg 3 0 R>>', '[70 0 R]']], 70: '<</Type /MCR /MCID 1 /Pg 3 0 R>>' },
    ['STRUCTURE_UPDATED'],
  ],
  ['other words of a paragraph', e, { 32: [['/ID', '/Alt (evil) /ID']] }, ['OBJECT_CHANGED 32']],
  ['another kind of a paragraph', e, { 32: [['/Text1', '/H1']] }, ['OBJECT_CHANGED 32']],
  ['another page of a paragraph', e, { 32: [['/Pg 3', '/Pg 13']] }, ['OBJECT_CHANGED 32']],
  ['another parent of a paragraph', e, { 32: [['/P 31 0 R', '/P 36 0 R']] }, ['OBJECT_CHANGED 32']],
  ['other words of a note', e, { 36: [['(note)', '(other)']] }, ['ANNOTATION_CHANGED 36 page 1']],
  ['other words of a note in another encoding', e, { 36: [['(note)', '<feff006e006f00740065>']] }, []],
  ['another page of a note', e, { 36: [['/Pg 3', '/Pg 13']] }, ['OBJECT_CHANGED 36']],
  ['another parent of a note', e, { 36: [['/P 31', '/P 32']] }, ['OBJECT_CHANGED 36']],
  ['another note of an element', e, { 36: [['6 0 R', '8 0 R']] }, ['ANNOTATION_CHANGED 36 page 1']],
  [
    'content in the element of a note',
    e,
    { 36: [['<</Type /OBJR /Obj 6 0 R>>', '[<</Type /OBJR /Obj 6 0 R>> 0]']] },
    ['OBJECT_CHANGED 36'],
  ],
  [
    'other words of a note with content',
    { 36: [['<</Type /OBJR /Obj 6 0 R>>', '[<</Type /OBJR /Obj 6 0 R>> 0]']] },
    { 36: [['(note)', '(other)']] },
    ['OBJECT_CHANGED 36'],
  ],
  [
    'other words of an element below nothing',
    { 36: [['/P 31 0 R', '']] },
    { 36: [['(note)', '(other)']] },
    ['OBJECT_CHANGED 36'],
  ],
  [
    'other words of an element below another object',
    { 36: [['/P 31 0 R', '/P 50 0 R']] },
    { 36: [['(note)', '(other)']] },
    ['OBJECT_CHANGED 36'],
  ],
  [
    'the list of kids in an object',
    e,
    { 31: [['[32 0 R 36 0 R 37 0 R]', '70 0 R']], 70: '[32 0 R 36 0 R 37 0 R]' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'an element in a list with an object',
    { 31: [['[32 0 R 36 0 R 37 0 R]', '70 0 R']], 70: '[32 0 R 36 0 R 37 0 R]' },
    tagged({ 31: [['/S', '/S']], 70: '[32 0 R 36 0 R 37 0 R 61 0 R]' }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'another order in a list with an object',
    { 31: [['[32 0 R 36 0 R 37 0 R]', '70 0 R']], 70: '[32 0 R 36 0 R 37 0 R]' },
    { 70: '[36 0 R 32 0 R 37 0 R]' },
    ['OBJECT_CHANGED 70'],
  ],
  [
    'an element in a list of the root with an object',
    { 30: [['[31 0 R]', '70 0 R']], 70: '[31 0 R]' },
    tagged({ 31: [['/S', '/S']], 70: '[31 0 R 61 0 R]', 61: element(OBJR).replace('31 0', '30 0') }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'a list with an object that no element has',
    { 50: '<</X 70 0 R>>', 70: '[32 0 R]' },
    { 70: '[32 0 R 36 0 R]' },
    ['OBJECT_CHANGED 70'],
  ],
  [
    'the first kid of a list below another element',
    { 31: [['[32 0 R 36 0 R 37 0 R]', '70 0 R']], 70: '[50 0 R 32 0 R 36 0 R 37 0 R]' },
    { 70: '[32 0 R 36 0 R 37 0 R]' },
    ['OBJECT_CHANGED 70'],
  ],
  [
    'an old element in a deep structure',
    { 32: [['/P 31 0 R', '/P 90 0 R']] },
    { 32: [['/ID', '/Alt (x) /ID']] },
    ['OBJECT_CHANGED 32'],
  ],
  [
    'a wrapper below the role of a role without end',
    { ...PART, 30: [['/Text1 /P', '/Text1 /P /Doc /Doc']] },
    { ...WRAPPED, 62: '<</Type /StructElem /S /Doc /P 30 0 R /K [31 0 R]>>' },
    ['OBJECT_CHANGED 30', 'OBJECT_CHANGED 31'],
  ],
  [
    'other words of a note below a deep chain',
    { 36: [['/P 31 0 R', '/P 100 0 R']], ...chainOf(126) },
    { 36: [['(note)', '(other)']] },
    ['ANNOTATION_CHANGED 36 page 1'],
  ],
  [
    'other words of a note below a chain that is too deep',
    { 36: [['/P 31 0 R', '/P 100 0 R']], ...chainOf(127) },
    { 36: [['(note)', '(other)']] },
    ['OBJECT_CHANGED 36'],
  ],
  [
    'other words of a note below an element without a kind',
    { 36: [['/P 31 0 R', '/P 100 0 R']], 100: '<</Type /StructElem /P 31 0 R>>' },
    { 36: [['(note)', '(other)']] },
    ['OBJECT_CHANGED 36'],
  ],
  [
    'other words of a note in a structure of the catalog',
    DIRECT,
    { 36: [['(note)', '(other)']] },
    ['ANNOTATION_CHANGED 36 page 1'],
  ],
  [
    'other words of a paragraph in a structure of the catalog',
    DIRECT,
    { 32: [['/ID', '/Alt (x) /ID']] },
    ['OBJECT_CHANGED 32'],
  ],
  [
    'other words of a note below another root',
    { ...DIRECT, 31: [['/P 30 0 R', '/P <</Type /Other>>']] },
    { 36: [['(note)', '(other)']] },
    ['OBJECT_CHANGED 36'],
  ],
  [
    'the kid of a note in an object',
    { 36: [['<</Type /OBJR /Obj 6 0 R>>', '70 0 R']], 70: '<</Type /OBJR /Obj 6 0 R>>' },
    { 36: [['70 0 R', '[70 0 R]']] },
    ['STRUCTURE_UPDATED'],
  ],
  ['a missing kid less', withKids('[32 0 R 36 0 R 37 0 R 90 0 R]'), { 31: [[' 90 0 R', '']] }, ['STRUCTURE_UPDATED']],
  // The root and its trees.
  ['another type of root', e, { 30: [['/Type /StructTreeRoot', '']] }, ['OBJECT_CHANGED 30']],
  ['a map of classes', e, { 30: [['/K', '/ClassMap <<>> /K']] }, ['STRUCTURE_UPDATED']],
  [
    'an empty map of roles',
    { 30: [['/RoleMap <</Text1 /P>>', '']] },
    { 30: [['/K', '/RoleMap <<>> /K']] },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a map of roles',
    { 30: [['/RoleMap <</Text1 /P>>', '']] },
    { 30: [['/K', '/RoleMap <</Text1 /P>> /K']] },
    ['OBJECT_CHANGED 30'],
  ],
  ['another map of roles', e, { 30: [['/Text1 /P', '/Text1 /H1']] }, ['OBJECT_CHANGED 30']],
  [
    'the map of roles in an object',
    e,
    { 30: [['<</Text1 /P>>', '70 0 R']], 70: '<</Text1 /P>>' },
    ['STRUCTURE_UPDATED'],
  ],
  ['a later next key', e, { 30: [['NextKey 2', 'NextKey 7']] }, ['STRUCTURE_UPDATED']],
  ['an earlier next key', e, { 30: [['NextKey 2', 'NextKey 1']] }, ['OBJECT_CHANGED 30']],
  ['no next key', e, { 30: [['/ParentTreeNextKey 2', '']] }, ['OBJECT_CHANGED 30']],
  [
    'a first next key',
    { 30: [['/ParentTreeNextKey 2', '']] },
    { 30: [['/K', '/ParentTreeNextKey 2 /K']] },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a negative next key',
    { 30: [['/ParentTreeNextKey 2', '']] },
    { 30: [['/K', '/ParentTreeNextKey -1 /K']] },
    ['OBJECT_CHANGED 30'],
  ],
  [
    'an element without a next key',
    { 30: [['/ParentTreeNextKey 2', '']] },
    tagged({ 30: [['/Namespaces', '/Namespaces']] }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  ['a wrapper', PART, WRAPPED, ['STRUCTURE_UPDATED']],
  [
    'a wrapper of another kind',
    PART,
    { ...WRAPPED, 62: '<</Type /StructElem /S /Part /P 30 0 R /K [31 0 R]>>' },
    ['OBJECT_CHANGED 30', 'OBJECT_CHANGED 31'],
  ],
  [
    'a wrapper with words',
    PART,
    { ...WRAPPED, 62: '<</Type /StructElem /S /Document /P 30 0 R /K [31 0 R] /Alt (x)>>' },
    ['OBJECT_CHANGED 30', 'OBJECT_CHANGED 31'],
  ],
  [
    'a wrapper with a namespace',
    PART,
    { ...WRAPPED, 62: '<</Type /StructElem /S /Document /P 30 0 R /K [31 0 R] /NS 35 0 R>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a wrapper below another object',
    PART,
    { ...WRAPPED, 62: '<</Type /StructElem /S /Document /P 50 0 R /K [31 0 R]>>' },
    ['OBJECT_CHANGED 30', 'OBJECT_CHANGED 31'],
  ],
  [
    'a wrapper by a role',
    { ...PART, 30: [['/Text1 /P', '/Text1 /P /Doc /Whole /Whole /Document']] },
    { ...WRAPPED, 62: '<</Type /StructElem /S /Doc /P 30 0 R /K [31 0 R]>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a wrapper without its kid',
    PART,
    { ...WRAPPED, 62: '<</Type /StructElem /S /Document /P 30 0 R /K []>>' },
    ['STRUCTURE_UPDATED', 'OBJECT_CHANGED 30'],
  ],
  [
    'a wrapper less',
    WRAPPED_PART,
    { 30: [['[62 0 R]', '[31 0 R]']], 31: [['/P 62 0 R', '/P 30 0 R']] },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'another wrapper',
    WRAPPED_PART,
    {
      30: [['[62 0 R]', '[63 0 R]']],
      63: '<</Type /StructElem /S /Document /P 30 0 R /K [31 0 R]>>',
      31: [['/P 62 0 R', '/P 63 0 R']],
    },
    ['STRUCTURE_UPDATED'],
  ],
  ['another document', e, { 30: [['[31 0 R]', '[37 0 R]']] }, ['OBJECT_CHANGED 30']],
  ['the same tree of parents in one node', e, { 33: '<</Nums [0 [32 0 R 37 0 R] 1 36 0 R]>>' }, ['STRUCTURE_UPDATED']],
  [
    'the same tree of parents in another object',
    e,
    { 30: [['33 0 R', '70 0 R']], 70: '<</Nums [0 [32 0 R 37 0 R] 1 36 0 R]>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'the parents of a page in an object',
    e,
    { 40: '<</Limits [0 0] /Nums [0 70 0 R]>>', 70: '[32 0 R 37 0 R]' },
    ['STRUCTURE_UPDATED'],
  ],
  ['other parents of a page', e, { 40: '<</Limits [0 0] /Nums [0 [37 0 R 32 0 R]]>>' }, ['OBJECT_CHANGED 40']],
  ['a parent of a page less', e, { 40: '<</Limits [0 0] /Nums [0 [32 0 R]]>>' }, ['OBJECT_CHANGED 40']],
  ['a parent of a page more', e, { 40: '<</Limits [0 0] /Nums [0 [32 0 R 37 0 R 37 0 R]]>>' }, ['OBJECT_CHANGED 40']],
  ['no parents of a page', e, { 40: '<</Limits [0 0] /Nums []>>' }, ['OBJECT_CHANGED 40']],
  ['another parent of a note in the tree', e, { 41: '<</Limits [1 1] /Nums [1 32 0 R]>>' }, ['OBJECT_CHANGED 41']],
  ['no parent of a note in the tree', e, { 41: '<</Limits [1 1] /Nums []>>' }, ['ANNOTATION_CHANGED 41']],
  [
    'a new parent of a note in the tree',
    e,
    tagged({ 41: '<</Limits [1 1] /Nums [1 61 0 R]>>' }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'ANNOTATION_CHANGED 41'],
  ],
  ['an empty parent of a note in the tree', e, { 41: '<</Limits [1 1] /Nums [1 null]>>' }, ['ANNOTATION_CHANGED 41']],
  [
    'an entry of nothing in the tree, less',
    { 41: '<</Limits [1 2] /Nums [1 36 0 R 2 50 0 R]>>' },
    { 41: textOf(BASE, 41) },
    ['STRUCTURE_UPDATED'],
  ],
  ['an old element under a new key', e, { 41: '<</Limits [1 2] /Nums [1 36 0 R 2 32 0 R]>>' }, ['OBJECT_CHANGED 41']],
  [
    'a page without content under a new key',
    e,
    { 41: '<</Limits [1 2] /Nums [1 36 0 R 2 []]>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a page with empty places under a new key',
    e,
    { 41: '<</Limits [1 2] /Nums [1 36 0 R 2 [null null]]>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a page with content under a new key',
    e,
    { 41: '<</Limits [1 2] /Nums [1 36 0 R 2 [32 0 R]]>>' },
    ['OBJECT_CHANGED 41'],
  ],
  ['text under a new key', e, { 41: '<</Limits [1 2] /Nums [1 36 0 R 2 (x)]>>' }, ['OBJECT_CHANGED 41']],
  ['no tree of parents', e, { 30: [['/ParentTree 33 0 R', '']] }, ['OBJECT_CHANGED 30']],
  ['a tree of parents that is none', e, { 33: '(x)' }, ['OBJECT_CHANGED 33']],
  [
    'an identifier of a new element',
    e,
    tagged({ 34: '<</Names [(n1) 61 0 R (p1) 32 0 R]>>' }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  ['an identifier of an old element', e, { 34: '<</Names [(n1) 37 0 R (p1) 32 0 R]>>' }, ['OBJECT_CHANGED 34']],
  ['an identifier less', e, { 34: '<</Names []>>' }, ['OBJECT_CHANGED 34']],
  ['another element of an identifier', e, { 34: '<</Names [(p1) 37 0 R]>>' }, ['OBJECT_CHANGED 34']],
  [
    'the identifiers in another object',
    e,
    { 30: [['34 0 R', '70 0 R']], 70: '<</Names [(p1) 32 0 R]>>' },
    ['STRUCTURE_UPDATED'],
  ],
  ['no identifiers', e, { 30: [['/IDTree 34 0 R', '']] }, ['OBJECT_CHANGED 30']],
  [
    'a further namespace',
    e,
    { 30: [['[35 0 R]', '[35 0 R 70 0 R]']], 70: '<</Type /Namespace /NS (x)>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a further namespace with roles',
    e,
    { 30: [['[35 0 R]', '[35 0 R 70 0 R]']], 70: '<</Type /Namespace /NS (x) /RoleMapNS <<>>>>' },
    ['OBJECT_CHANGED 30'],
  ],
  ['a further namespace that is none', e, { 30: [['[35 0 R]', '[35 0 R (x)]']] }, ['OBJECT_CHANGED 30']],
  [
    'two namespaces, one exchanged',
    { 30: [['[35 0 R]', '[35 0 R 71 0 R]']], 71: '<</Type /Namespace /NS (y)>>' },
    { 30: [['71 0 R', '70 0 R']], 70: '<</Type /Namespace /NS (x)>>' },
    ['OBJECT_CHANGED 30'],
  ],
  [
    'two further namespaces, one with roles',
    e,
    {
      30: [['[35 0 R]', '[35 0 R 70 0 R 71 0 R]']],
      70: '<</Type /Namespace /NS (x)>>',
      71: '<</NS (y) /RoleMapNS <<>>>>',
    },
    ['OBJECT_CHANGED 30'],
  ],
  [
    'a further namespace behind one with roles',
    { 35: '<</Type /Namespace /NS (z) /RoleMapNS <<>>>>' },
    { 30: [['[35 0 R]', '[35 0 R 70 0 R]']], 70: '<</Type /Namespace /NS (x)>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'two identifiers, one of another element',
    { 34: '<</Names [(a) 36 0 R (p1) 32 0 R]>>' },
    { 34: '<</Names [(a) 36 0 R (p1) 37 0 R]>>' },
    ['OBJECT_CHANGED 34'],
  ],
  ['identifiers that are no tree', e, { 34: '<</Names (x)>>' }, ['OBJECT_CHANGED 34']],
  [
    'a first next key of zero',
    { 30: [['/ParentTreeNextKey 2', '']] },
    { 30: [['/K', '/ParentTreeNextKey 0 /K']] },
    ['STRUCTURE_UPDATED'],
  ],
  ['a next key that is none', e, { 30: [['NextKey 2', 'NextKey (x)']] }, ['OBJECT_CHANGED 30']],
  [
    'a key below the next key',
    { 30: [['NextKey 2', 'NextKey 9']] },
    tagged({ 30: [['/Namespaces', '/Namespaces']] }),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'nodes of parents that moved, and others that stayed',
    { 33: '<</Kids [40 0 R 41 0 R 42 0 R]>>', 42: '<</Limits [5 5] /Nums [5 []]>>', 30: [['NextKey 2', 'NextKey 6']] },
    { 41: '<</Limits [1 2] /Nums [1 36 0 R 2 []]>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a node of parents that is used no more',
    {
      33: '<</Kids [40 0 R 41 0 R 42 0 R]>>',
      42: '<</Limits [5 5] /Nums [5 32 0 R]>>',
      30: [['NextKey 2', 'NextKey 6']],
    },
    { 33: '<</Kids [40 0 R 41 0 R]>>' },
    ['OBJECT_CHANGED 33'],
  ],
  [
    'a node of parents that is new',
    { 30: [['NextKey 2', 'NextKey 6']] },
    { 33: '<</Kids [40 0 R 41 0 R 42 0 R]>>', 42: '<</Limits [5 5] /Nums [5 []]>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a node of parents that is new, with an old element',
    { 30: [['NextKey 2', 'NextKey 6']] },
    { 33: '<</Kids [40 0 R 41 0 R 42 0 R]>>', 42: '<</Limits [5 5] /Nums [5 32 0 R]>>' },
    ['OBJECT_CHANGED 33'],
  ],
  ['the list of a page that became an element', e, { 40: '<</Limits [0 0] /Nums [0 32 0 R]>>' }, ['OBJECT_CHANGED 40']],
  [
    'a structure where none was',
    { 1: [['/StructTreeRoot 30 0 R', '']] },
    { 1: [['/Extra', '/StructTreeRoot 30 0 R /Extra']] },
    ['CATALOG_CHANGED 1'],
  ],
  ['a structure that is none', e, { 30: '(x)' }, ['OBJECT_CHANGED 30']],
  [
    'another namespace',
    e,
    { 30: [['[35 0 R]', '[70 0 R]']], 70: '<</Type /Namespace /NS (x)>>' },
    ['OBJECT_CHANGED 30'],
  ],
  ['a namespace less', e, { 30: [['[35 0 R]', '[]']] }, ['OBJECT_CHANGED 30']],
  ['no structure', e, { 1: [['/StructTreeRoot 30 0 R', '']] }, ['CATALOG_CHANGED 1']],
  ['another structure', e, { 1: [['30 0 R', '70 0 R']], 70: textOf(BASE, 30) }, ['CATALOG_CHANGED 1']],
  ['a free key of a page', e, { 13: [['/Contents', '/StructParents 7 /Contents']] }, ['STRUCTURE_UPDATED']],
  ['a used key of a page', e, { 13: [['/Contents', '/StructParents 1 /Contents']] }, ['PAGE_CHANGED 13 page 2']],
  [
    'a key of a page that is no number',
    e,
    { 13: [['/Contents', '/StructParents (x) /Contents']] },
    ['PAGE_CHANGED 13 page 2'],
  ],
  [
    'a free key of a page with an empty list',
    e,
    { 13: [['/Contents', '/StructParents 2 /Contents']], 41: '<</Limits [1 2] /Nums [1 36 0 R 2 []]>>' },
    ['STRUCTURE_UPDATED'],
  ],
  [
    'a free key of a page with a new element',
    e,
    tagged({ 13: [['/Contents', '/StructParents 2 /Contents']] }),
    ['PAGE_CHANGED 13 page 2', 'ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED'],
  ],
  [
    'an element used elsewhere',
    { 50: '<</X 31 0 R>>' },
    tagged(),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'SHARED_OBJECT_CHANGED 31'],
  ],
  [
    'a tree used elsewhere',
    { 50: '<</X 41 0 R>>' },
    tagged(),
    ['ANNOTATION_ADDED 60 page 1', 'STRUCTURE_UPDATED', 'SHARED_OBJECT_CHANGED 41'],
  ],
];

describe('a later revision of a tagged document', () => {
  it.each(rows)('with %s is told exactly', async (_, base, edits, changes) => {
    const start = withEdits(BASE, base, true);
    expect(await changesBy(start, withEdits(start, edits))).toEqual(changes);
  });
});
