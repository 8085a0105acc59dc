import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { examinePdf, signPdf, type ActiveContent, type PdfExamination } from '../../../../src/signing/index.ts';
import { buildPdf, emptySignatureField, onePage, withFields, type Objects, type PdfShape } from '../build-pdf.ts';
import { makePdfSigners } from '../signers.ts';
import { activeObjects } from './active-objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-active-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function examine(objects: Objects, shape: PdfShape = {}): Promise<PdfExamination> {
  const path = join(folder, 'examined.pdf');
  writeFileSync(path, buildPdf(objects, shape));
  return examinePdf(path);
}

const catalog = (more: string): string => `<</Type /Catalog /Pages 2 0 R ${more}>>`;
const page = (more: string): string =>
  `<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>> ${more}>>`;

const picture = (space: string): Objects[number] => ({ dictionary: `/Subtype /Image /ColorSpace ${space}`, data: '' });
const mask = (space: string): Objects => ({
  6: '<</S /Luminosity /G 7 0 R>>',
  7: { dictionary: `/Subtype /Form /BBox [0 0 9 9] /Group <</S /Transparency /CS ${space}>>`, data: '' },
});
const widths = (entries: string): string => `<</Type /Font /Subtype /CIDFontType2 /W [${entries}]>>`;
/** A segment of a halftone: the way onto the page, and the flags of the halftone. */
const halftone = (way: string, flags: string): Objects[number] => ({
  dictionary: '/Subtype /Image /Filter /JBIG2Decode',
  data: Buffer.from(`0000000217000100000012${'00'.repeat(16)}${way}${flags}`, 'hex'),
});
const pattern = (step: number): Objects[number] => ({
  dictionary: `/PatternType 1 /BBox [0 0 10 10] /XStep ${step} /YStep ${step}`,
  data: '',
});
const pageWithFont = (font: string): string =>
  `<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R /Z <</Type /Font ${font}>>>>>>>>`;

/** Annotations without a look, red and in a rectangle of 100 by 100 points. */
const strokes: readonly (readonly [title: string, entries: string, found: readonly ActiveContent[]])[] = [
  ['nothing in a line of a stated width', '/Subtype /Line /L [5 5 95 95] /Border [0 0 4]', []],
  ['nothing in a box of a stated width', '/Subtype /Square /BS <</W 4>>', []],
  ['nothing in a stroke of a pen', '/Subtype /Ink /InkList [[5 5 95 95] [5 95 95 5]] /BS <</W 1 /S /S>>', []],
  ['nothing in lines without ends', '/Subtype /PolyLine /Vertices [5 5 9 9] /LE [/None /None] /BS <</W 1>>', []],
  ['a box without a width', '/Subtype /Square', ['own-look']],
  ['a box of no width', '/Subtype /Square /BS <</W 0>>', ['own-look']],
  ['a dashed box', '/Subtype /Square /BS <</W 4 /S /D>>', ['own-look']],
  ['a box with dashes in its border', '/Subtype /Square /Border [0 0 4 [3]]', ['own-look']],
  ['a filled box', '/Subtype /Square /IC [1 0 0] /BS <</W 4>>', ['own-look']],
  ['a box like a cloud', '/Subtype /Square /BE <</S /C /I 1>> /BS <</W 4>>', ['own-look']],
  ['an arrow', '/Subtype /Line /L [5 5 95 95] /LE [/None /OpenArrow] /BS <</W 4>>', ['own-look']],
  ['a line with a leader', '/Subtype /Line /L [5 5 95 95] /LL 9 /BS <</W 4>>', ['own-look']],
  ['a line that leaves its rectangle', '/Subtype /Line /L [5 5 95 105] /BS <</W 4>>', ['own-look']],
  ['a thick line at the edge of its rectangle', '/Subtype /Line /L [5 5 95 95] /BS <</W 40>>', ['own-look']],
  ['a line without an end', '/Subtype /Line /L [5 5] /BS <</W 4>>', ['own-look']],
  ['a polygon', '/Subtype /Polygon /Vertices [5 5 95 95 5 95] /BS <</W 4>>', ['own-look']],
];

const NEW_LOOKS = '/NeedAppearances true';
const FRAME = '/MK <</BC [1 0 0] /BG [1 1 1]>>';

/** Fields, with the entries of their form, their own entries, and the instructions of their look. */
const fields: readonly (readonly [
  title: string,
  form: string,
  entries: string,
  data: string | null,
  found: readonly ActiveContent[],
])[] = [
  ['nothing in an empty field to write', NEW_LOOKS, '/FT /Tx /V (\xfe\xff)', '/Tx BMC EMC', []],
  ['nothing in an empty field with a plain frame to draw', NEW_LOOKS, `/FT /Tx ${FRAME} /BS <</W 1 /S /S>>`, null, []],
  ['an empty field with a bevel to draw', NEW_LOOKS, `/FT /Tx ${FRAME} /BS <</W 1 /S /B>>`, null, ['field-values']],
  ['an empty field with a frame of no stated width', NEW_LOOKS, `/FT /Tx ${FRAME}`, null, ['field-values']],
  ['an empty field with boxes for characters', NEW_LOOKS, `/FT /Tx /Ff 16777216 ${FRAME} /BS <</W 1 /S /S>>`, null, ['field-values']], // prettier-ignore
  ['an empty field with other words in its look', NEW_LOOKS, '/FT /Tx /V ()', 'BT (999) Tj ET', ['field-values']],
  ['a field whose value is to be written again', NEW_LOOKS, '/FT /Tx /V (9)', 'BT (9) Tj ET', ['field-values']],
  ['a plain frame that no form asks to draw', '', `/FT /Tx ${FRAME} /BS <</W 1 /S /S>>`, null, ['field-values']],
  ['a widget without a type of field', '', '', 'f', ['own-look']],
  ['words in an unsigned signature field', '', '/FT /Sig', 'BT (a) Tj ET', ['own-look']],
  ['nothing in an unsigned signature field that is blank', '', '/FT /Sig', '% DSBlank', []],
  ['nothing in an unsigned signature field without a look', '', '/FT /Sig', null, []],
  ['a framed signature field without a look', '', `/FT /Sig ${FRAME}`, null, ['own-look']],
  ['nothing in a signed field with a look', '', '/Parent <</FT /Sig /V <<>>>>', 'BT (a) Tj ET', []],
  [
    'a signed field whose look is to be made again',
    NEW_LOOKS,
    '/Parent <</FT /Sig /V <<>>>>',
    'BT (a) Tj ET',
    ['field-values'],
  ],
];

/** Changes of a plain page, and the resulting content. */
const rows: readonly (readonly [title: string, changes: Objects, found: readonly ActiveContent[]])[] = [
  ['nothing in a plain page', {}, []],
  ['a script at opening', { 1: catalog('/OpenAction <</S /JavaScript /JS (x)>>') }, ['javascript']],
  [
    'a script in a stream',
    { 1: catalog('/OpenAction 6 0 R'), 6: '<</S /JavaScript /JS 7 0 R>>', 7: { dictionary: '', data: 'x' } },
    ['javascript'],
  ],
  [
    'a script whose type is behind a reference',
    { 1: catalog('/OpenAction <</S 6 0 R>>'), 6: '/JavaScript' },
    ['javascript'],
  ],
  ['a script whose type is written with escapes', { 1: catalog('/OpenAction <</S /Java#53cript>>') }, ['javascript']],
  [
    'a script in the tree of names',
    { 1: catalog('/Names <</JavaScript <</Names [(a) <</S /JavaScript /JS (x)>>]>>>>') },
    ['javascript'],
  ],
  ['a script when the document is closed', { 1: catalog('/AA <</WC <</S /JavaScript /JS (x)>>>>') }, ['javascript']],
  ['a script when a page is opened', { 3: page('/AA <</O <</S /JavaScript /JS (x)>>>>') }, ['javascript']],
  [
    'a script behind another action',
    { 1: catalog('/OpenAction <</S /Named /N /NextPage /Next [<</S /JavaScript /JS (x)>>]>>') },
    ['javascript'],
  ],
  ['a script of a rendition', { 3: page('/Annots [<</Subtype /Link /A <</S /Rendition /JS (x)>>>>]') }, ['javascript']],
  ['a script in the outline', { 1: catalog('/Outlines <</First <</A <</S /JavaScript /JS (x)>>>>>>') }, ['javascript']],
  ['a program to start', { 3: page('/Annots [<</Subtype /Link /A <</S /Launch /F (x)>>>>]') }, ['launch']],
  ['a form to send', { 3: page('/Annots [<</Subtype /Widget /A <</S /SubmitForm /F (x)>>>>]') }, ['submit']],
  [
    'an attachment of the document',
    {
      1: catalog('/Names <</EmbeddedFiles <</Names [(a) 6 0 R]>>>>'),
      6: '<</EF <</F 7 0 R>>>>',
      7: { dictionary: '', data: 'x' },
    },
    ['attachment'],
  ],
  ['an attachment on a page', { 3: page('/Annots [<</Subtype /FileAttachment>>]') }, ['attachment']],
  [
    'an associated file',
    { 1: catalog('/AF [<</EF <</F 6 0 R>>>>]'), 6: { dictionary: '', data: 'x' } },
    ['attachment'],
  ],
  ['a film', { 3: page('/Annots [<</Subtype /Movie>>]') }, ['media']],
  [
    'an XFA form in a stream',
    { 1: catalog('/AcroForm <</Fields [] /XFA 6 0 R>>'), 6: { dictionary: '', data: 'x' } },
    ['xfa'],
  ],
  [
    'a layer hidden at first',
    { 1: catalog('/OCProperties <</OCGs [6 0 R] /D <</OFF [6 0 R]>>>>'), 6: '<</Type /OCG>>' },
    ['hidden-layer'],
  ],
  [
    'layers hidden as a rule',
    { 1: catalog('/OCProperties <</OCGs [6 0 R] /D <</BaseState /OFF>>>>'), 6: '<</Type /OCG>>' },
    ['hidden-layer'],
  ],
  [
    'a layer that is not printed',
    {
      1: catalog('/OCProperties <</OCGs [6 0 R] /D <</AS [<</Event /Print>>]>>>>'),
      6: '<</Type /OCG /Usage <</Print <</PrintState /OFF>>>>>>',
    },
    ['hidden-layer'],
  ],
  [
    'nothing in visible layers',
    { 1: catalog('/OCProperties <</OCGs [6 0 R] /D <</Order [6 0 R]>>>>'), 6: '<</Type /OCG>>' },
    [],
  ],
  [
    'a layer that depends on the zoom',
    {
      1: catalog('/OCProperties <</OCGs [6 0 R] /D <</AS [<</Event /View /Category [/Zoom]>>]>>>>'),
      6: '<</Type /OCG /Usage <</Zoom <</max 1>>>>>>',
    },
    ['hidden-layer'],
  ],
  ['an action that changes layers', { 1: catalog('/OpenAction <</S /SetOCGState /State []>>') }, ['hidden-layer']],
  ['an action that shows annotations', { 1: catalog('/OpenAction <</S /Hide /T (x) /H false>>') }, ['hidden-layer']],
  [
    'an action of a page that changes layers, behind another action',
    { 3: page('/AA <</O <</S /Named /Next [<</S /SetOCGState /State []>>]>>>>') },
    ['hidden-layer'],
  ],
  ['an annotation that hides others when shown', { 3: page('/Annots [<</Subtype /Link /AA <</PV <</S /Hide>>>>>>]') }, ['hidden-layer']], // prettier-ignore
  ['a click that shows an annotation', { 3: page('/Annots [<</Subtype /Link /A <</S /Hide /H false>>>>]') }, ['hidden-layer']], // prettier-ignore
  ['nothing in a click that hides a layer', { 3: page('/Annots [<</Subtype /Link /A <</S /SetOCGState /State []>>>>]') }, []], // prettier-ignore
  ['nothing in a click that hides an annotation', { 3: page('/Annots [<</Subtype /Link /A <</S /Hide /T (x)>>>>]') }, []], // prettier-ignore
  ['content that is shown while layers are off', { 3: page('/X <</Type /OCMD /P /AllOff>>') }, ['hidden-layer']],
  ['content that is shown while a layer is off', { 3: page('/X <</Type /OCMD /P /AnyOff>>') }, ['hidden-layer']],
  ['content that is shown by an expression', { 3: page('/X <</Type /OCMD /VE [/Not 6 0 R]>>') }, ['hidden-layer']],
  ['nothing in content that is shown while layers are on', { 3: page('/X <</Type /OCMD /P /AnyOn>>') }, []],
  [
    'an annotation on paper only',
    { 3: page('/Annots [<</Subtype /Stamp /Rect [0 0 9 9] /F 36 /AP <<>>>>]') },
    ['hidden-layer'],
  ],
  ['a hidden annotation', { 3: page('/Annots [<</Subtype /Stamp /Rect [0 0 9 9] /F 2 /AP <<>>>>]') }, ['hidden-layer']],
  [
    'nothing in a printed annotation',
    {
      3: page('/Annots [<</Subtype /Stamp /Rect [0 0 9 9] /F 4 /AP <</N 6 0 R>>>>]'),
      6: { dictionary: '/Subtype /Form /BBox [0 0 9 9]', data: '' },
    },
    [],
  ],
  [
    'nothing in a hidden annotation without a look',
    { 3: page('/Annots [<</Subtype /Text /Rect [0 0 9 9] /F 2>>]') },
    [],
  ],
  [
    'nothing in a hidden window of a note',
    { 3: page('/Annots [<</Subtype /Popup /Rect [0 0 9 9] /F 2 /AP <<>>>>]') },
    [],
  ],
  [
    'another picture for printing',
    { 3: page('/X 6 0 R'), 6: { dictionary: '/Subtype /Image /Alternates [<</DefaultForPrinting true>>]', data: '' } },
    ['hidden-layer'],
  ],
  [
    'a page of another file',
    { 3: page('/X 6 0 R'), 6: { dictionary: '/Subtype /Form /Ref <</F (x.pdf) /Page 0>>', data: '' } },
    ['external'],
  ],
  ['a stream whose data are elsewhere', { 4: { dictionary: '/F (x)', data: '' } }, ['external']],
  ['a key with two values', { 3: page('/Contents 5 0 R') }, ['ambiguous']],
  ['a key with two values in another spelling', { 3: page('/#43ontents 5 0 R') }, ['ambiguous']],
  ['a catalog with two trees of pages', { 1: catalog('/Pages 3 0 R /Pages 2 0 R') }, ['ambiguous']],
  ['nothing in a key that has the same value twice', { 3: page('/Type /Page /Contents 4 0 R') }, []],
  ['a count that hides pages', { 2: '<</Type /Pages /Kids [3 0 R] /Count 0 /MediaBox [0 0 595 842]>>' }, ['ambiguous']],
  ['a page in the place of the tree', { 1: '<</Type /Catalog /Pages 3 0 R>>' }, ['ambiguous']],
  [
    'a page inside of the tree',
    { 2: '<</Type /Pages /Kids [<</Type /Page /Parent 2 0 R>>] /Count 1 /MediaBox [0 0 595 842]>>' },
    ['ambiguous'],
  ],
  ['a tree without a count', { 2: '<</Type /Pages /Kids [3 0 R] /MediaBox [0 0 595 842]>>' }, ['ambiguous']],
  ['nothing in a font called JS', { 3: page('/X <</Font <</JS 5 0 R>>>>') }, []],
  [
    'nothing in a link to a page of the web',
    { 3: page('/Annots [<</Subtype /Link /A <</S /URI /URI (https://example.com)>>>>]') },
    [],
  ],
  [
    'a layer that its usage hides, although nothing says that usage counts',
    {
      1: catalog('/OCProperties <</OCGs [6 0 R] /D <</ON [6 0 R]>>>>'),
      6: '<</Type /OCG /Usage <</View <</ViewState /OFF>>>>>>',
    },
    ['hidden-layer'],
  ],
  [
    'nothing in a layer whose usage shows it',
    {
      1: catalog('/OCProperties <</OCGs [6 0 R] /D <</ON [6 0 R]>>>>'),
      6: '<</Type /OCG /Usage <</View <</ViewState /ON>>>>>>',
    },
    [],
  ],
  ['instructions with stray delimiters', { 4: { dictionary: '', data: 'q ] ) >> Q' } }, ['broken-drawing']],
  [
    'an error in one part of a page',
    { 3: page('/Contents [4 0 R 6 0 R]').replace('/Contents 4 0 R', ''), 6: { dictionary: '', data: '(' } },
    ['broken-drawing'],
  ],
  [
    'nothing in an instruction that two parts of a page share',
    {
      3: page('/Contents [6 0 R 7 0 R]').replace('/Contents 4 0 R', ''),
      6: { dictionary: '', data: 'BT (a)' },
      7: { dictionary: '', data: 'Tj ET' },
    },
    [],
  ],
  [
    'an error in a form',
    { 3: page('/X 6 0 R'), 6: { dictionary: '/Subtype /Form /BBox [0 0 9 9]', data: '] q Q' } },
    ['broken-drawing'],
  ],
  [
    'an error in a pattern',
    { 3: page('/X 6 0 R'), 6: { dictionary: '/PatternType 1 /BBox [0 0 9 9]', data: 'nosuch' } },
    ['broken-drawing'],
  ],
  [
    'an error in a glyph',
    {
      3: page('/X <</Type /Font /Subtype /Type3 /CharProcs <</a 6 0 R>>>>'),
      6: { dictionary: '', data: '9 0 d0 <<' },
    },
    ['broken-drawing'],
  ],
  [
    'instructions that cannot be decompressed',
    { 4: { dictionary: '/Filter /FlateDecode', data: 'not compressed' } },
    ['broken-drawing'],
  ],
  ['nothing in a stream that is not drawn', { 6: { dictionary: '', data: ']' }, 3: page('/X 6 0 R') }, []],
  ['a note without a look', { 3: page('/Annots [<</Subtype /Text /Rect [0 0 9 9]>>]') }, ['own-look']],
  [
    'a stamp with looks for states, and no state',
    {
      3: page('/Annots [<</Subtype /Stamp /Rect [0 0 9 9] /AP <</N <</On 6 0 R>>>>>>]'),
      6: { dictionary: '/Subtype /Form /BBox [0 0 9 9]', data: '' },
    },
    ['own-look'],
  ],
  [
    'nothing in a stamp with a look',
    {
      3: page('/Annots [<</Subtype /Stamp /Rect [0 0 9 9] /AP <</N 6 0 R>>>>]'),
      6: { dictionary: '/Subtype /Form /BBox [0 0 9 9]', data: '' },
    },
    [],
  ],
  ...strokes.map(([title, entries, found]): (typeof rows)[number] => [
    title,
    { 3: page(`/Annots [<</Rect [0 0 100 100] /C [1 0 0] ${entries}>>]`) },
    found,
  ]),
  ...fields.map(([title, form, entries, data, found]): (typeof rows)[number] => [
    title,
    {
      1: catalog(`/AcroForm <</Fields [6 0 R] ${form}>>`),
      3: page('/Annots [6 0 R]'),
      6: `<</Subtype /Widget /T (a) /Rect [0 0 99 20] ${entries} ${data === null ? '' : '/AP <</N 7 0 R>>'}>>`,
      7: { dictionary: '/Subtype /Form /BBox [0 0 99 20]', data: data ?? '' },
    },
    found,
  ]),
  ['the frame of a link', { 3: page('/Annots [<</Subtype /Link /Rect [0 0 9 9] /C [1 0 0]>>]') }, ['own-look']],
  [
    'nothing in a link that says nothing about a frame',
    { 3: page('/Annots [<</Subtype /Link /Rect [0 0 9 9]>>]') },
    [],
  ],
  [
    'nothing in a link without a frame',
    { 3: page('/Annots [<</Subtype /Link /Rect [0 0 9 9] /Border [0 0 0]>>]') },
    [],
  ],
  [
    'a value without a look',
    { 3: page('/Annots [<</Subtype /Widget /FT /Tx /V (1) /Rect [0 0 9 9]>>]') },
    ['field-values'],
  ],
  ['nothing in an empty field', { 3: page('/Annots [<</Subtype /Widget /FT /Tx /Rect [0 0 9 9]>>]') }, []],
  [
    'a value whose look is to be made again',
    {
      1: catalog('/AcroForm <</Fields [6 0 R] /NeedAppearances true>>'),
      3: page('/Annots [6 0 R]'),
      6: '<</Subtype /Widget /FT /Tx /V (1) /Rect [0 0 9 9] /AP <</N 7 0 R>>>>',
      7: { dictionary: '/Subtype /Form /BBox [0 0 9 9]', data: '' },
    },
    ['field-values'],
  ],
  [
    'inks in overprint',
    {
      3: page('/X <</ExtGState <</G <</op true>>>>>>'),
      4: { dictionary: '', data: '/G gs 0 0 0 0 k 0 0 9 9 re f' },
    },
    ['overprint'],
  ],
  [
    'nothing in overprint without inks',
    { 3: page('/X <</ExtGState <</G <</op true>>>>>>'), 4: { dictionary: '', data: '/G gs 1 0 0 rg 0 0 9 9 re f' } },
    [],
  ],
  [
    'nothing in overprint that is not set',
    { 3: page('/X <</ExtGState <</G <</op true>>>>>>'), 4: { dictionary: '', data: '0 0 0 0 k 0 0 9 9 re f' } },
    [],
  ],
  [
    'a picture in inks of its own',
    { 3: page('/X 6 0 R'), 6: picture('[/DeviceN [/Black /Gold] /DeviceCMYK 7 0 R]') },
    ['overprint'],
  ],
  [
    'nothing in a picture in the inks of every printer',
    { 3: page('/X 6 0 R'), 6: picture('[/DeviceN [/Cyan /Black /None] /DeviceCMYK 7 0 R]') },
    [],
  ],
  ['a mask made of the brightness of inks', { 3: page('/X 6 0 R'), ...mask('/DeviceCMYK') }, ['overprint']],
  [
    'a mask made of the brightness of inks with a profile',
    { 3: page('/X 6 0 R'), ...mask('[/ICCBased 8 0 R]'), 8: { dictionary: '/N 4', data: '' } },
    ['overprint'],
  ],
  ['nothing in a mask made of brightness', { 3: page('/X 6 0 R'), ...mask('/DeviceGray') }, []],
  ['a font with two widths of one character', { 3: page('/X 6 0 R'), 6: widths('32 [700] 0 100 500') }, ['ambiguous']],
  ['two widths behind a list of widths', { 3: page('/X 6 0 R'), 6: widths('1 [500 500 500] 3 3 600') }, ['ambiguous']],
  ['a pattern with one tile only', { 3: page('/X 6 0 R'), 6: pattern(101) }, ['ambiguous']],
  ['nothing in a pattern with tiles apart', { 3: page('/X 6 0 R'), 6: pattern(99) }, []],
  ['nothing in a font with one width of each', { 3: page('/X 6 0 R'), 6: widths('4 9 600 1 [500 500 500]') }, []],
  ['symbols that are not in the file', { 3: pageWithFont('/BaseFont /ZapfDingbats') }, ['foreign-fonts']],
  ['letters that are not in the file', { 3: pageWithFont('/BaseFont /Impact') }, ['foreign-fonts']],
  ['nothing in letters that every program has', { 3: pageWithFont('/BaseFont /TimesNewRomanPS-BoldMT') }, []],
  [
    'nothing in letters whose descendant is in the file',
    {
      3: pageWithFont('/Subtype /Type0 /BaseFont /Impact /DescendantFonts [7 0 R]'),
      6: '<</Type /FontDescriptor /FontFile2 8 0 R>>',
      7: '<</Type /Font /Subtype /CIDFontType2 /FontDescriptor 6 0 R>>',
      8: { dictionary: '', data: '' },
    },
    [],
  ],
  [
    'nothing in symbols of a form',
    {
      3: page('/X 6 0 R'),
      6: {
        dictionary: '/Subtype /Form /BBox [0 0 9 9] /Resources <</Font <</Z <</BaseFont /ZapfDingbats>>>>>>',
        data: '',
      },
    },
    [],
  ],
  [
    'nothing in symbols that are in the file',
    {
      3: pageWithFont('/BaseFont /Symbol /FontDescriptor 6 0 R'),
      6: '<</Type /FontDescriptor /FontFile3 7 0 R>>',
      7: { dictionary: '', data: '' },
    },
    [],
  ],
  ['a collection of files', { 1: catalog('/Collection <</View /D>>') }, ['portfolio']],
  ['a site that opens at once', { 1: catalog('/OpenAction <</S /URI /URI (https://example.com)>>') }, ['opens-other']],
  [
    'a link into another document',
    { 3: page('/Annots [<</Subtype /Link /Border [0 0 0] /A <</S /GoToR /F (b.pdf)>>>>]') },
    ['opens-other'],
  ],
  [
    'a picture whose coding few programs know',
    {
      3: page('/X 6 0 R'),
      // A segment with a refinement.
      6: {
        dictionary: '/Subtype /Image /Filter /JBIG2Decode',
        data: Buffer.from('000000002a0001' + '00000000', 'hex'),
      },
    },
    ['rare-picture'],
  ],
  ['a halftone that skips a part of its grid', { 3: page('/X 6 0 R'), 6: halftone('00', '08') }, ['rare-picture']],
  ['a halftone that turns the page below it', { 3: page('/X 6 0 R'), 6: halftone('02', '00') }, ['rare-picture']],
  ['nothing in a plain halftone', { 3: page('/X 6 0 R'), 6: halftone('00', '00') }, []],
  [
    'a picture with more parts than the short form of a header names',
    {
      3: page('/X 6 0 R'),
      6: {
        dictionary: '/Subtype /Image /Filter /JBIG2Decode',
        data: Buffer.from('0000000606e0000005000102030405' + '01' + '00000000', 'hex'),
      },
    },
    ['rare-picture'],
  ],
  [
    'nothing in a picture as scanners write it',
    {
      3: page('/X 6 0 R'),
      6: {
        dictionary: '/Subtype /Image /Filter /JBIG2Decode',
        data: Buffer.from('00000000260001' + '00000000', 'hex'),
      },
    },
    [],
  ],
  ['nothing in an object that nothing refers to', { 6: '<</S /JavaScript /JS (x)>>' }, []],
];

describe('examinePdf', () => {
  it.each(rows)('finds %s', async (_title, changes, found) => {
    expect(await examine(onePage(changes))).toEqual({
      pageCount: 1,
      activeContent: found,
      signedFields: [],
      standards: [],
      complete: true,
    });
  });

  it('finds everything in object streams too', async () => {
    const { activeContent } = await examine(activeObjects, { kind: 'stream', compressed: [1, 3, 6, 7, 8, 11, 12] });
    expect(activeContent).toEqual(['attachment', 'hidden-layer', 'javascript', 'launch', 'media', 'xfa']);
  });

  it('tells of an unreadable part, and goes on', async () => {
    const examined = await examine(onePage({ 1: catalog('/X 6 0 R /OpenAction <</S /JavaScript>>'), 6: '<</Y ' }));
    expect(examined).toMatchObject({ complete: false, activeContent: ['javascript'] });
  });

  it('finds a trailer with two catalogs', async () => {
    const examined = await examine(onePage({ 6: catalog('') }), { trailer: '/Root 6 0 R' });
    expect(examined.activeContent).toEqual(['ambiguous']);
  });

  it('ends with references in circles', async () => {
    const examined = await examine(onePage({ 1: catalog('/X 6 0 R'), 6: '[7 0 R]', 7: '<</Y 6 0 R /S /Launch>>' }));
    expect(examined).toMatchObject({ complete: true, activeContent: ['launch'] });
  });

  it('names the fields with a signature', async () => {
    const [inputPath, outputPath] = [join(folder, 'plain.pdf'), join(folder, 'signed.pdf')];
    writeFileSync(
      inputPath,
      buildPdf(withFields({ 6: emptySignatureField('first'), 7: emptySignatureField('second') })),
    );
    const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date(), fieldName: 'first' } as const;
    await signPdf({ inputPath, outputPath, signer: makePdfSigners().pades, options });
    expect(await examinePdf(outputPath)).toEqual({
      pageCount: 1,
      activeContent: [],
      signedFields: ['first'],
      standards: [],
      complete: true,
    });
  });

  it('refuses a file that is no PDF', async () => {
    const path = join(folder, 'no.pdf');
    writeFileSync(path, 'no PDF');
    await expect(examinePdf(path)).rejects.toMatchObject({ code: 'PDF_MALFORMED' });
  });
});
