/** Changes of the catalog and of what stands below, each with everything that is told about the change. */
import { describe, expect, it } from 'vitest';
import type { Objects } from '../build-pdf.ts';
import { changesBy, textOf, withEdits, type Edits } from './unsigned-changes.ts';

const stream = (data: string, dictionary = '') => ({ dictionary, data });
/**
 * Object numbers: 2 pages with the page 3, 5 names with the tree 6 of destinations and its leaf 7, 8 page labels, 9
 * extensions, 10 security store with the certificate 11, the answer 12 and the list 13, 14 metadata, 15 permissions, 16
 * outlines, 17 another stream.
 */
const BASE: Objects = {
  1: `<</Type /Catalog /Version /1.6 /Pages 2 0 R /Names 5 0 R /PageLabels 8 0 R /Extensions 9 0 R /DSS 10 0 R
    /Metadata 14 0 R /Perms 15 0 R /Outlines 16 0 R /Lang (en)>>`,
  2: '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842]>>',
  3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R>>',
  4: stream('BT ET'),
  5: '<</Dests 6 0 R>>',
  6: '<</Kids [7 0 R]>>',
  7: '<</Limits [(a) (b)] /Names [(a) [3 0 R /Fit] (b) [3 0 R /FitH]]>>',
  8: '<</Nums [0 <</S /D>>]>>',
  9: '<</ADBE <</BaseVersion /1.7 /ExtensionLevel 3>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>]>>',
  10: '<</Certs [11 0 R] /OCSPs [12 0 R] /CRLs [13 0 R]>>',
  11: stream('certificate'),
  12: stream('answer'),
  13: stream('list'),
  14: stream('<x/>', '/Type /Metadata /Subtype /XML'),
  15: '<</UR3 17 0 R>>',
  16: '<</Type /Outlines>>',
  17: stream('other'),
};
const e: Edits = {};
const extension = (text: string): Edits => ({ 9: text });
const version = (text: string): Edits => ({ 1: [['/Version /1.6', text]] });

type Row = readonly [what: string, base: Edits, edits: Edits, changes: readonly string[]];
const rows: readonly Row[] = [
  ['nothing new', e, { 1: [['(en)', '(en) ']] }, []],
  ['the language in another encoding', e, { 1: [['(en)', '<feff0065006e>']] }, []],
  ['another language', e, { 1: [['(en)', '(pt)']] }, ['CATALOG_CHANGED 1']],
  ['an action', e, { 1: [['/Lang', '/OpenAction <<>> /Lang']] }, ['CATALOG_CHANGED 1']],
  ['no outlines', e, { 1: [['/Outlines 16 0 R', '']] }, ['CATALOG_CHANGED 1']],
  ['the outlines in another object', e, { 1: [['16 0 R', '30 0 R']], 30: '<</Type /Outlines>>' }, []],
  ['another outline', e, { 16: '<</Type /Outlines /Count 0>>' }, ['OBJECT_CHANGED 16']],
  ['layers', e, { 1: [['/Lang', '/OCProperties <<>> /Lang']] }, ['OPTIONAL_CONTENT_CHANGED 1']],
  ['a later version', e, version('/Version /1.7'), []],
  ['the version of the header', e, version('/Version /1.4'), []],
  ['no version', e, version(''), []],
  ['a version that is none', e, version('/Version (x)'), []],
  ['a version lower than before', { 1: [['/1.6', '/2.0']] }, { 1: [['/2.0', '/1.9']] }, ['CATALOG_CHANGED 1']],
  [
    'a version that is no number, lower than before',
    { 1: [['/1.6', '/2.0']] },
    { 1: [['/2.0', '/x']] },
    ['CATALOG_CHANGED 1'],
  ],
  ['no version, lower than before', { 1: [['/1.6', '/2.0']] }, { 1: [['/Version /2.0', '']] }, ['CATALOG_CHANGED 1']],
  [
    'other pages',
    e,
    { 1: [['/Pages 2 0 R', '/Pages 30 0 R']], 30: '<</Type /Pages /Kids [] /Count 0>>' },
    ['PAGES_CHANGED 1'],
  ],
  [
    'the pages in another object',
    e,
    { 1: [['/Pages 2 0 R', '/Pages 30 0 R']], 30: textOf(BASE, 2), 3: [['2 0 R', '30 0 R']] },
    [],
  ],
  // Names.
  ['the names in the catalog', e, { 1: [['5 0 R', '<</Dests 6 0 R>>']] }, []],
  [
    'the same names in one node',
    e,
    { 5: '<</Dests 30 0 R>>', 30: '<</Names [(a) [3 0 R /Fit] (b) [3 0 R /FitH]]>>' },
    ['OBJECT_CHANGED 5'],
  ],
  ['the same names in one node, in place', e, { 6: '<</Names [(a) [3 0 R /Fit] (b) [3 0 R /FitH]]>>' }, []],
  [
    'the same names in two nodes',
    e,
    {
      6: '<</Kids [7 0 R 30 0 R]>>',
      7: '<</Limits [(a) (a)] /Names [(a) [3 0 R /Fit]]>>',
      30: '<</Limits [(b) (b)] /Names [(b) [3 0 R /FitH]]>>',
    },
    [],
  ],
  [
    'the same names in a new node, named in the catalog',
    e,
    { 1: [['5 0 R', '<</Dests 30 0 R>>']], 30: '<</Names [(a) [3 0 R /Fit] (b) [3 0 R /FitH]]>>' },
    [],
  ],
  [
    'other names in a new node, named in the catalog',
    e,
    { 1: [['5 0 R', '<</Dests 30 0 R>>']], 30: '<</Names [(a) [3 0 R /Fit] (b) [3 0 R /FitV]]>>' },
    ['CATALOG_CHANGED 1'],
  ],
  [
    'names of another kind, named in the catalog',
    e,
    { 1: [['5 0 R', '<</JavaScript 6 0 R>>']] },
    ['CATALOG_CHANGED 1'],
  ],
  [
    'names that are no tree, in a new object',
    { 5: '<</Dests (x)>>' },
    { 1: [['5 0 R', '<</Dests (y)>>']] },
    ['CATALOG_CHANGED 1'],
  ],
  [
    'names in place of what was no tree',
    { 5: '<</Dests (x)>>' },
    { 1: [['5 0 R', '<</Dests 6 0 R>>']] },
    ['CATALOG_CHANGED 1'],
  ],
  ['no tree in place of names', e, { 1: [['5 0 R', '<</Dests (x)>>']] }, ['CATALOG_CHANGED 1']],
  [
    'the same names where the dictionary became a list',
    { 5: '[6 0 R]' },
    { 1: [['5 0 R', '<</Dests 6 0 R>>']] },
    ['CATALOG_CHANGED 1'],
  ],
  [
    'a leaf that was no tree before',
    { 7: '(x)' },
    { 7: '<</Limits [(a) (a)] /Names [(a) [3 0 R /Fit]]>>' },
    ['OBJECT_CHANGED 7'],
  ],
  [
    'a tree of numbers under another key',
    { 1: [['/Lang', '/Own 8 0 R /Lang']] },
    { 1: [['/Own 8 0 R', '/Own 30 0 R']], 30: '<</Kids [31 0 R]>>', 31: '<</Nums [0 <</S /D>>]>>' },
    ['CATALOG_CHANGED 1'],
  ],
  ['another name', e, { 7: [['(b) [', '(c) [']] }, ['OBJECT_CHANGED 7']],
  ['another destination of a name', e, { 7: [['/FitH', '/FitV']] }, ['OBJECT_CHANGED 7']],
  ['a further name', e, { 7: [['/Names [', '/Names [(A) [3 0 R /Fit] ']] }, ['OBJECT_CHANGED 7']],
  ['a name less', e, { 7: [['(a) [3 0 R /Fit]', '']] }, ['OBJECT_CHANGED 7']],
  [
    'another kind of names',
    e,
    { 5: '<</Dests 6 0 R /JavaScript 30 0 R>>', 30: '<</Names [(x) <<>>]>>' },
    ['OBJECT_CHANGED 5'],
  ],
  [
    'another kind of names in the catalog',
    e,
    { 1: [['5 0 R', '<</Dests 6 0 R /JavaScript 30 0 R>>']], 30: '<</Names [(x) <<>>]>>' },
    ['CATALOG_CHANGED 1'],
  ],
  ['no names', e, { 1: [['/Names 5 0 R', '']] }, ['CATALOG_CHANGED 1']],
  ['names that are none', e, { 1: [['/Names 5 0 R', '/Names (x)']] }, ['CATALOG_CHANGED 1']],
  [
    'names where none were',
    { 1: [['/Names 5 0 R', '']] },
    { 1: [['/Lang', '/Names 5 0 R /Lang']] },
    ['CATALOG_CHANGED 1'],
  ],
  ['the page labels in two nodes', e, { 8: '<</Kids [30 0 R]>>', 30: '<</Limits [0 0] /Nums [0 <</S /D>>]>>' }, []],
  [
    'the page labels in another object',
    e,
    { 1: [['8 0 R', '30 0 R']], 30: '<</Kids [31 0 R]>>', 31: '<</Nums [0 <</S /D>>]>>' },
    [],
  ],
  ['other page labels', e, { 8: '<</Nums [0 <</S /R>>]>>' }, ['OBJECT_CHANGED 8']],
  [
    'other page labels in another object',
    e,
    { 1: [['8 0 R', '30 0 R']], 30: '<</Nums [0 <</S /R>>]>>' },
    ['CATALOG_CHANGED 1'],
  ],
  ['no page labels', e, { 1: [['/PageLabels 8 0 R', '']] }, ['CATALOG_CHANGED 1']],
  [
    'page labels used elsewhere',
    { 16: '<</Type /Outlines /X 8 0 R>>' },
    { 8: '<</Kids [30 0 R]>>', 30: '<</Nums [0 <</S /D>>]>>' },
    ['SHARED_OBJECT_CHANGED 8'],
  ],
  // Extensions.
  [
    'a higher level of an extension',
    e,
    extension('<</ADBE <</BaseVersion /1.7 /ExtensionLevel 8>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>]>>'),
    ['EXTENSIONS_UPDATED'],
  ],
  [
    'a lower level of an extension',
    e,
    extension('<</ADBE <</BaseVersion /1.7 /ExtensionLevel 2>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>]>>'),
    ['CATALOG_CHANGED'],
  ],
  [
    'a lower level of an extension of a later version',
    e,
    extension('<</ADBE <</BaseVersion /2.0 /ExtensionLevel 2>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>]>>'),
    ['EXTENSIONS_UPDATED'],
  ],
  [
    'an extension of an earlier version',
    e,
    extension('<</ADBE <</BaseVersion /1.6 /ExtensionLevel 9>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>]>>'),
    ['CATALOG_CHANGED'],
  ],
  [
    'an extension without a version',
    e,
    extension('<</ADBE <</ExtensionLevel 9>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>]>>'),
    ['CATALOG_CHANGED'],
  ],
  [
    'an extension without a level',
    e,
    extension('<</ADBE <</BaseVersion /1.7>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>]>>'),
    ['CATALOG_CHANGED'],
  ],
  ['an extension less', e, extension('<</ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>]>>'), ['CATALOG_CHANGED']],
  [
    'an extension less in a list',
    e,
    extension('<</ADBE <</BaseVersion /1.7 /ExtensionLevel 3>> /ESIC []>>'),
    ['CATALOG_CHANGED'],
  ],
  [
    'an extension more in a list',
    e,
    extension(
      '<</ADBE <</BaseVersion /1.7 /ExtensionLevel 3>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 2>> <</BaseVersion /1.7 /ExtensionLevel 5>>]>>',
    ),
    ['EXTENSIONS_UPDATED'],
  ],
  [
    'a level of another extension in a list',
    { 9: '<</ESIC [<</BaseVersion /1.7 /ExtensionLevel 2>> <</BaseVersion /2.0 /ExtensionLevel 5>>]>>' },
    extension('<</ESIC [<</BaseVersion /1.7 /ExtensionLevel 2>>]>>'),
    ['CATALOG_CHANGED'],
  ],
  [
    'an extension more',
    e,
    extension(
      '<</ADBE <</BaseVersion /1.7 /ExtensionLevel 3>> /ESIC [<</BaseVersion /1.7 /ExtensionLevel 5>>] /ISO_ <<>>>>',
    ),
    ['EXTENSIONS_UPDATED'],
  ],
  [
    'an extension that was none',
    { 9: '<</ADBE (x) /ESIC <</BaseVersion /1.7>>>>' },
    extension('<<>>'),
    ['EXTENSIONS_UPDATED'],
  ],
  ['no extensions', e, { 1: [['/Extensions 9 0 R', '']] }, ['CATALOG_CHANGED']],
  ['extensions in the catalog', e, { 1: [['9 0 R', textOf(BASE, 9)]] }, ['EXTENSIONS_UPDATED']],
  // The security store.
  [
    'another certificate in the store',
    e,
    { 10: [['[11 0 R]', '[11 0 R 30 0 R]']], 30: stream('new') },
    ['SECURITY_STORE_UPDATED'],
  ],
  [
    'the same material under other numbers',
    e,
    {
      10: '<</Certs [30 0 R] /OCSPs [31 0 R] /CRLs [32 0 R]>>',
      30: stream('certificate'),
      31: stream('answer'),
      32: stream('list'),
    },
    ['SECURITY_STORE_UPDATED'],
  ],
  ['a certificate less', e, { 10: [['[11 0 R]', '[]']] }, ['SECURITY_STORE_REMOVED']],
  ['an answer less', e, { 10: [['/OCSPs [12 0 R]', '']] }, ['SECURITY_STORE_REMOVED']],
  ['a list less', e, { 10: [['[13 0 R]', '[11 0 R]']] }, ['SECURITY_STORE_REMOVED']],
  [
    'another list in its place',
    e,
    { 10: [['[13 0 R]', '[30 0 R]']], 30: stream('other list') },
    ['SECURITY_STORE_REMOVED'],
  ],
  [
    'a certificate less and another one under a new number',
    { 10: [['[11 0 R]', '[11 0 R 17 0 R]']] },
    { 10: '<</Certs [30 0 R] /OCSPs [12 0 R] /CRLs [13 0 R]>>', 30: stream('certificate') },
    ['SECURITY_STORE_REMOVED'],
  ],
  [
    'a certificate less and another one kept',
    { 10: [['[11 0 R]', '[11 0 R 17 0 R]']] },
    { 10: [['11 0 R 17 0 R', '11 0 R']] },
    ['SECURITY_STORE_REMOVED'],
  ],
  ['a store without lists', { 10: '<</Certs (x)>>' }, { 10: '<</Certs 7>>' }, ['SECURITY_STORE_UPDATED']],
  [
    'a certificate that cannot be read, under a new number',
    { 11: { dictionary: '/Filter /Unknown', data: 'x' } },
    { 10: [['[11 0 R]', '[30 0 R]']], 30: { dictionary: '/Filter /Unknown', data: 'x' } },
    ['SECURITY_STORE_UPDATED'],
  ],
  ['no store', e, { 1: [['/DSS 10 0 R', '']] }, ['SECURITY_STORE_REMOVED']],
  ['a store that is none', e, { 1: [['/DSS 10 0 R', '/DSS (x)']] }, ['SECURITY_STORE_REMOVED']],
  [
    'a store where none was',
    { 1: [['/DSS 10 0 R', '']] },
    { 1: [['/Lang', '/DSS 10 0 R /Lang']] },
    ['SECURITY_STORE_UPDATED'],
  ],
  [
    'a store with lists inside the store',
    { 10: '<</Certs [(direct)]>>' },
    { 10: '<</Certs []>>' },
    ['SECURITY_STORE_UPDATED'],
  ],
  ['material written again', e, { 11: stream('evil') }, ['SECURITY_STORE_REMOVED']],
  // Metadata, permissions and other entries.
  ['other metadata', e, { 14: stream('<y/>', '/Type /Metadata /Subtype /XML') }, ['METADATA_UPDATED']],
  ['no metadata', e, { 1: [['/Metadata 14 0 R', '']] }, ['METADATA_UPDATED']],
  [
    'metadata in another object',
    e,
    { 1: [['14 0 R', '30 0 R']], 30: stream('<x/>', '/Type /Metadata /Subtype /XML') },
    ['METADATA_UPDATED'],
  ],
  ['no permissions', e, { 1: [['/Perms 15 0 R', '']] }, ['USAGE_RIGHTS_REMOVED']],
  ['permissions without usage rights', e, { 1: [['15 0 R', '30 0 R']], 30: '<<>>' }, ['USAGE_RIGHTS_REMOVED']],
  ['permissions without usage rights, in place', e, { 15: '<<>>' }, ['OBJECT_CHANGED 15']],
  ['the permissions in the catalog', e, { 1: [['15 0 R', '<</UR3 17 0 R>>']] }, []],
  ['other usage rights', e, { 1: [['15 0 R', '<</UR3 16 0 R>>']] }, ['CERTIFICATION_CHANGED 1']],
  [
    'a certification in the permissions',
    e,
    { 1: [['15 0 R', '<</UR3 17 0 R /DocMDP 17 0 R>>']] },
    ['CERTIFICATION_CHANGED 1'],
  ],
  [
    'permissions where none were',
    { 1: [['/Perms 15 0 R', '']] },
    { 1: [['/Lang', '/Perms 15 0 R /Lang']] },
    ['CERTIFICATION_CHANGED 1'],
  ],
  [
    'permissions without a certification',
    { 15: '<</UR3 17 0 R /DocMDP 17 0 R>>' },
    { 1: [['/Perms 15 0 R', '']] },
    ['CERTIFICATION_CHANGED 1'],
  ],
  [
    'permissions without the first usage rights',
    { 15: '<</UR 17 0 R>>' },
    { 1: [['/Perms 15 0 R', '']] },
    ['USAGE_RIGHTS_REMOVED'],
  ],
  ['an output intent', e, { 1: [['/Lang', '/OutputIntents [<</S /GTS_PDFA1>>] /Lang']] }, ['CATALOG_CHANGED 1']],
  ['a structure', e, { 1: [['/Lang', '/StructTreeRoot <</Type /StructTreeRoot>> /Lang']] }, ['CATALOG_CHANGED 1']],
];

describe('a later revision of a catalog', () => {
  it.each(rows)('with %s is told exactly', async (_, base, edits, changes) => {
    const start = withEdits(BASE, base, true);
    expect(await changesBy(start, withEdits(start, edits))).toEqual(changes);
  });
});
