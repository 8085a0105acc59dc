/**
 * PDFs showing an amount in one program and another amount, or nothing, in the next. Each is a known way to make
 * programs disagree. The approval must name a concern for each, with any drawing of its own.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildPdf, onePage, type Objects } from '../signing/pdf/build-pdf.ts';

/** A PDF, and its way to hide or change an amount. */
export interface HiddenAmount {
  readonly name: string;
  readonly content: Buffer;
}

const PAY = 'BT /F1 20 Tf 20 150 Td (Pay 100 EUR) Tj ET';
const MORE = 'BT /F1 20 Tf 20 100 Td (and 999 EUR more) Tj ET';
const BOX = '/MediaBox [0 0 300 200]';
const FONTS = '/Font <</F1 5 0 R>>';

const catalog = (more: string): string => `<</Type /Catalog /Pages 2 0 R ${more}>>`;
const page = (resources = '', more = ''): string =>
  `<</Type /Page /Parent 2 0 R ${BOX} /Contents 4 0 R /Resources <<${FONTS} ${resources}>> ${more}>>`;
const drawing = (data: string): Objects[number] => ({ dictionary: '', data });
const form = (data: string, more = ''): Objects[number] => ({
  dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources <<${FONTS}>> ${more}`,
  data,
});

/** A font file in the tests' own libraries: any TrueType font does. */
const fontFile = readFileSync(
  fileURLToPath(import.meta.resolve('pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf')),
);
const embeddedFont: Objects = {
  20: '<</Type /FontDescriptor /FontName /Liberation /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 21 0 R>>',
  21: { dictionary: `/Length1 ${fontFile.length}`, data: fontFile },
};

/** A page with changes. */
const made = (name: string, changes: Objects): HiddenAmount => ({
  name,
  content: buildPdf(onePage({ 3: page(), 4: drawing(`${PAY}\n${MORE}`), ...changes })),
});

/** A layer switched on, and off again by its usage. */
function layer(name: string, usage: string, configuration = '/ON [6 0 R]'): HiddenAmount {
  return made(name, {
    1: catalog(`/OCProperties <</OCGs [6 0 R] /D <<${configuration} /Order [6 0 R]>>>>`),
    3: page('/Properties <</L 6 0 R>>'),
    4: drawing(`${PAY}\n/OC /L BDC\n${MORE}\nEMC`),
    6: `<</Type /OCG /Name (L) /Usage <<${usage}>>>>`,
  });
}

/** Text in a font embedded for the CIDs of Japanese, and encoded by a predefined CMap. */
function predefinedEncoding(): HiddenAmount {
  const glyphs = Buffer.alloc(2 * 256);
  // CID 1 is the space in Adobe-Japan1, and glyph 3 in this font.
  for (let cid = 1; cid < 230; cid += 1) glyphs.writeUInt16BE(cid + 2, 2 * cid);
  const words = Buffer.from('and 999 EUR more', 'utf16le').swap16().toString('hex');
  return made('a font encoded by a predefined CMap', {
    ...embeddedFont,
    3: page('', '').replace(FONTS, '/Font <</F1 5 0 R /F2 7 0 R>>'),
    4: drawing(`${PAY}\nBT /F2 20 Tf 20 100 Td <${words}> Tj ET`),
    7: '<</Type /Font /Subtype /Type0 /BaseFont /Liberation /Encoding /UniJIS-UTF16-H /DescendantFonts [8 0 R]>>',
    8: '<</Type /Font /Subtype /CIDFontType2 /BaseFont /Liberation /CIDSystemInfo <</Registry (Adobe) /Ordering (Japan1) /Supplement 6>> /FontDescriptor 20 0 R /DW 600 /CIDToGIDMap 9 0 R>>',
    9: { dictionary: '', data: glyphs },
  });
}

/** The text as numbers of glyphs, which this font has in the order of ASCII. */
const glyphsOf = (text: string): string =>
  [...Buffer.from(text)].map((code) => (code - 29).toString(16).padStart(4, '0')).join('');

/** A stamp, and how its appearance is given. */
function stamp(name: string, appearance: string): HiddenAmount {
  return made(name, {
    3: page('', `/Annots [6 0 R]`),
    4: drawing(PAY),
    6: `<</Type /Annot /Subtype /Stamp /Name /Approved /Rect [20 20 220 80] /F 4 ${appearance}>>`,
    7: form('BT /F1 20 Tf 20 100 Td (DRAFT) Tj ET'),
  });
}

const WRITTEN_FIELD =
  '/Type /Annot /Subtype /Widget /FT /Tx /T (amount) /F 4 /Rect [20 90 200 120] /DA (/F1 20 Tf 0 g) /P 3 0 R';

function field(name: string, more: string, ofForm: string): HiddenAmount {
  return made(name, {
    1: catalog(`/AcroForm <</Fields [6 0 R] /DR <<${FONTS}>> /DA (/F1 20 Tf 0 g) ${ofForm}>>`),
    3: page('', '/Annots [6 0 R]'),
    4: drawing('BT /F1 20 Tf 20 150 Td (Pay EUR) Tj ET'),
    6: `<<${WRITTEN_FIELD} ${more}>>`,
    7: { dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 180 30] /Resources <<${FONTS}>>`, data: '/Tx BMC BT /F1 20 Tf 2 8 Td (999) Tj ET EMC' }, // prettier-ignore
  });
}

/** A signature field with an appearance of its own, or with a frame and none. */
function signatureField(name: string, more: string, ofForm = ''): HiddenAmount {
  return made(name, {
    1: catalog(`/AcroForm <</Fields [6 0 R] ${ofForm}>>`),
    3: page('', '/Annots [6 0 R]'),
    4: drawing(PAY),
    6: `<</Type /Annot /Subtype /Widget /T (seal) /F 4 /Rect [20 20 280 120] /P 3 0 R ${more}>>`,
    7: form(MORE),
    9: form('% nothing'),
    8: '<</Type /Sig /Filter /X /SubFilter /y /Contents <00> /ByteRange [0 1 2 3]>>',
  });
}

/** An annotation without an appearance. */
const annotation = (name: string, more: string): HiddenAmount =>
  made(name, { 3: page('', `/Annots [<</Type /Annot /F 4 /Rect [20 20 280 120] ${more}>>]`), 4: drawing(PAY) });

/** The disagreements of programs about a drawing. */
export const hiddenAmounts: readonly HiddenAmount[] = [
  layer('a layer that its usage hides on the screen', '/View <</ViewState /OFF>>'),
  layer('a layer that its usage hides on paper', '/Print <</PrintState /OFF>>'),
  layer('a layer that its usage hides in exports', '/Export <</ExportState /OFF>>'),
  made('stray delimiters at the beginning of a form', {
    3: page('/XObject <</X 6 0 R>>'),
    4: drawing(`${PAY}\n/X Do`),
    6: form(`] ) >>\n${MORE}`),
  }),
  made('stray delimiters in the middle of a page', { 4: drawing(`${PAY}\n] ) >>\n${MORE}`) }),
  made('a dictionary that does not end', { 4: drawing(`${PAY}\n<<\n${MORE}`) }),
  made('a string that does not end', { 4: drawing(`${PAY}\n(\n${MORE}`) }),
  made('an operator that does not exist', { 4: drawing(`${PAY}\n1 2 3 nosuch\n${MORE}`) }),
  made('an operator without its operands', { 4: drawing(`${PAY}\ncm\n${MORE}`) }),
  predefinedEncoding(),
  field('a field whose appearance is to be made again', '/V (100) /AP <</N 7 0 R>>', '/NeedAppearances true'),
  field('a field without an appearance', '/V (999)', ''),
  field(
    'an empty field with an unusual frame',
    '/V () /MK <</BC [1 0 0]>> /BS <</W 3 /S /B>>',
    '/NeedAppearances true',
  ),
  signatureField('a widget without a type of field', '/AP <</N 7 0 R>>'),
  signatureField('an appearance in an unsigned signature field', '/FT /Sig /AP <</N 7 0 R>>'),
  signatureField('a signature field whose appearance is to be made again', '/FT /Sig /V 8 0 R /AP <</N 7 0 R>>', '/NeedAppearances true'), // prettier-ignore
  signatureField('a framed signature field without an appearance', '/FT /Sig /MK <</BC [1 0 0]>> /BS <</W 3 /S /S>>'),
  annotation('a box without a width', '/Subtype /Square /C [1 0 0]'),
  annotation('a dashed ellipse', '/Subtype /Circle /C [0 0 1] /BS <</W 3 /S /D /D [9 6]>>'),
  annotation('an arrow without an appearance', '/Subtype /Line /L [40 40 260 100] /C [1 0 0] /LE [/None /ClosedArrow] /BS <</W 4>>'), // prettier-ignore
  annotation('a filled line without an appearance', '/Subtype /PolyLine /Vertices [40 40 260 40 150 100] /C [1 0 0] /IC [0 1 0] /BS <</W 4>>'), // prettier-ignore
  made('a sign without a number before the next line', { 4: drawing(`${PAY}\n1 0 0 rg 20 -\n40 50 50 re f`) }),
  stamp('a stamp without an appearance', ''),
  stamp('a stamp with appearances for states, and no state', '/AP <</N <</On 7 0 R>>>>'),
  made('a white box in overprint', {
    3: page('/ExtGState <</G 6 0 R>>'),
    4: drawing(`${PAY}\n${MORE}\n/G gs 0 0 0 0 k 10 90 250 40 re f`),
    6: '<</Type /ExtGState /OP true /op true /OPM 1>>',
  }),
  made('plain black in overprint', {
    3: page('/ExtGState <</G 6 0 R>>'),
    4: drawing(`/G gs 0 0 0 1 k ${PAY}\n${MORE}`),
    6: '<</Type /ExtGState /OP true /op true /OPM 1>>',
  }),
  made('a picture that cannot be decoded', {
    3: page('/XObject <</X 6 0 R>>'),
    4: drawing(`${PAY}\nq 200 0 0 50 20 80 cm /X Do Q`),
    6: { dictionary: '/Type /XObject /Subtype /Image /Width 20 /Height 5 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode', data: Buffer.from('0000000c6a5020200d0a870a00000014667479706a703220', 'hex') }, // prettier-ignore
  }),
  made('a picture in two inks with a rule of the file', {
    3: page('/XObject <</X 6 0 R>>'),
    4: drawing(`${PAY}\nq 200 0 0 50 20 80 cm /X Do Q`),
    6: { dictionary: '/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace [/DeviceN [/Gold /Silver] /DeviceRGB 7 0 R]', data: Buffer.from('40ff8000', 'hex') }, // prettier-ignore
    7: {
      dictionary: '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]',
      data: '{ sub abs dup dup }',
    },
  }),
  made('a mask made of the brightness of inks', {
    3: page('/ExtGState <</G 6 0 R>>'),
    4: drawing(`${PAY}\n/G gs 0 g 20 80 200 40 re f`),
    6: '<</Type /ExtGState /SMask <</Type /Mask /S /Luminosity /G 7 0 R>>>>',
    7: form('0.9 g 0 0 300 200 re f', '/Group <</S /Transparency /CS /DeviceCMYK>>'),
  }),
  made('a font that gives characters two widths', {
    ...embeddedFont,
    3: page('', '').replace(FONTS, '/Font <</F1 5 0 R /F2 7 0 R>>'),
    4: drawing(`${PAY}\nBT /F2 20 Tf 20 100 Td <${glyphsOf('and 999 EUR more')}> Tj ET`),
    7: '<</Type /Font /Subtype /Type0 /BaseFont /Liberation /Encoding /Identity-H /DescendantFonts [8 0 R]>>',
    8: '<</Type /Font /Subtype /CIDFontType2 /BaseFont /Liberation /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /FontDescriptor 20 0 R /W [32 [700] 0 100 500]>>',
  }),
  made('a page in the place of the list of pages', { 1: '<</Type /Catalog /Pages 3 0 R>>' }),
  made('large symbols of a font that is not in the file', {
    3: page('', '').replace(FONTS, '/Font <</F1 5 0 R /F2 7 0 R>>'),
    4: drawing(`${PAY}\nBT /F2 80 Tf 20 40 Td (lun) Tj ET`),
    7: '<</Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats>>',
  }),
  made('a portfolio', {
    1: catalog('/Collection <</View /D>> /Names <</EmbeddedFiles <</Names [(a) 6 0 R]>>>>'),
    6: '<</Type /Filespec /F (a.pdf) /EF <</F 7 0 R>>>>',
    7: { dictionary: '/Type /EmbeddedFile', data: 'x' },
  }),
  made('a site that opens with the document', { 1: catalog('/OpenAction <</S /URI /URI (https://evil.example)>>') }),
  made('a link into another document', {
    3: page('', '/Annots [<</Type /Annot /Subtype /Link /Border [0 0 0] /Rect [0 0 9 9] /A <</S /GoToR /F (b.pdf) /D [0 /Fit]>>>>]'), // prettier-ignore
  }),
];

/** PDFs not drawn by any program in reasonable time. */
export const endlessDrawings: readonly HiddenAmount[] = [
  made('a shading with a long program for each point', {
    3: page('/Shading <</S 6 0 R>>'),
    4: drawing(`${PAY}\n/S sh`),
    6: '<</ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 300 0 200] /Function 7 0 R>>',
    7: {
      dictionary: '/FunctionType 4 /Domain [0 300 0 200] /Range [0 1 0 1 0 1]',
      data: `{ add ${'dup mul '.repeat(120_000)} dup dup }`,
    },
  }),
  made('thirty forms, each of which draws the next one ten times', {
    3: page('/XObject <</X0 30 0 R>>'),
    4: drawing(`${PAY}\n/X0 Do`),
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, index): readonly [number, Objects[number]] => [
        30 + index,
        {
          dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources <<${FONTS} /XObject <</X${index + 1} ${31 + index} 0 R>>>>`,
          data: `/X${index + 1} Do `.repeat(10),
        },
      ]),
    ),
    60: form(MORE),
  }),
];

/** Pages with all programs in agreement. */
export const plainDrawings: readonly HiddenAmount[] = [
  made('plain text', {}),
  made('an embedded font', {
    ...embeddedFont,
    5: '<</Type /Font /Subtype /TrueType /BaseFont /Liberation /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 34 /Widths [278 278 355] /FontDescriptor 20 0 R>>',
  }),
  made('a form', { 3: page('/XObject <</X 6 0 R>>'), 4: drawing(`${PAY}\n/X Do`), 6: form(MORE) }),
  made('coloured boxes', { 4: drawing(`${PAY}\n1 0 0 rg 20 20 50 50 re f 0 0.5 0 RG 4 w 100 20 50 50 re S`) }),
  made('a sign without a number before a space', { 4: drawing(`${PAY}\n1 0 0 rg 20 - 50 50 re f`) }),
  annotation('a line of a stated width', '/Subtype /Line /L [40 40 260 100] /C [1 0 0] /LE [/None /None] /CA 1 /Border [0 0 4]'), // prettier-ignore
  annotation('a half transparent box of a stated width', '/Subtype /Square /C [1 0 0] /CA 0.5 /BS <</W 4 /S /S>>'),
  annotation('an ellipse of a stated width', '/Subtype /Circle /C [0 0 1] /BS <</W 3>>'),
  annotation('a stroke of a pen', '/Subtype /Ink /InkList [[40 40 120 100 260 60]] /C [0.5] /BS <</W 5>>'),
  field('an empty field with a plain frame', '/V () /MK <</BC [1 0 0] /BG [1 1 0.8]>> /BS <</W 1 /S /S>>', '/NeedAppearances true'), // prettier-ignore
  signatureField('an unsigned signature field with an empty appearance', '/FT /Sig /AP <</N 9 0 R>>'),
  made('a layer that only a click hides', {
    1: catalog('/OCProperties <</OCGs [6 0 R] /D <</ON [6 0 R] /Order [6 0 R]>>>>'),
    3: page('/Properties <</L 6 0 R>>', '/Annots [<</Type /Annot /Subtype /Link /Border [0 0 0] /Rect [0 0 9 9] /A <</S /SetOCGState /State [/OFF 6 0 R]>>>>]'), // prettier-ignore
    4: drawing(`${PAY}\n/OC /L BDC\n${MORE}\nEMC`),
    6: '<</Type /OCG /Name (L)>>',
  }),
  made('a layer that is on', {
    1: catalog('/OCProperties <</OCGs [6 0 R] /D <</ON [6 0 R] /Order [6 0 R]>>>>'),
    3: page('/Properties <</L 6 0 R>>'),
    4: drawing(`${PAY}\n/OC /L BDC\n${MORE}\nEMC`),
    6: '<</Type /OCG /Name (L) /Usage <</View <</ViewState /ON>>>>>>',
  }),
];

/** Letters of one width, which is wide enough for each of them, so that no letter touches the next one. */
const WIDE_FONT = `<</Type /Font /Subtype /TrueType /BaseFont /Liberation /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [${'1000 '.repeat(95)}] /FontDescriptor 20 0 R /ToUnicode 22 0 R>>`;

/** A table that says of each character what it means (ISO 32000-2 §9.10.3), with a lie about one of them. */
function meanings(drawn: string, said: string): Objects[number] {
  const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const lines = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).map(
    (character) => `<${Buffer.from(character).toString('hex')}> <${hex(character === drawn ? said : character)}>`,
  );
  const table = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def 1 begincodespacerange <00> <ff> endcodespacerange ${lines.length} beginbfchar ${lines.join(' ')} endbfchar endcmap end end`;
  return { dictionary: '', data: table };
}

const spoken = (name: string, text: string, changes: Objects = {}): HiddenAmount =>
  made(name, { ...embeddedFont, 5: WIDE_FONT, 22: meanings('', ''), 4: drawing(text), ...changes });

/** The words of a page, at 8 points. */
const words = (text: string, more = ''): string => `BT /F1 8 Tf ${more} 20 150 Td (${text}) Tj ET`;

/** Pages that draw 999, while the words of the file say 111. */
export const spokenAmounts: readonly HiddenAmount[] = [
  spoken('a table that calls each nine a one', words('Pay 999 EUR'), { 22: meanings('9', '1') }),
  spoken('a table that calls each nine a word', words('Pay 9 EUR'), { 22: meanings('9', '111') }),
  spoken('a table that calls each nine a one in another script', words('Pay 999 EUR'), { 22: meanings('9', '１') }),
  spoken('other words for the spoken text', `/Span <</ActualText (Pay 111 EUR)>> BDC ${words('Pay 999 EUR')} EMC`),
  spoken('invisible text', `${words('Pay 999 EUR')} BT /F1 8 Tf 3 Tr 20 100 Td (or 111) Tj ET`),
  spoken('text in the colour of the paper', `${words('Pay 999 EUR')} 1 g BT /F1 8 Tf 20 100 Td (or 111) Tj ET`),
  spoken('text below a white box', `BT /F1 8 Tf 20 100 Td (or 111) Tj ET 1 g 0 90 300 30 re f 0 g ${words('Pay 999 EUR')}`), // prettier-ignore
  spoken('text below a white box below other text', `${words('Pay 111 EUR')} 1 g 0 140 300 30 re f 0 g ${words('Pay 999 EUR')}`), // prettier-ignore
  spoken('text outside of the page', `${words('Pay 999 EUR')} BT /F1 8 Tf 20 400 Td (or 111) Tj ET`),
  spoken(
    'text that a clip cuts off',
    `${words('Pay 999 EUR')} q 0 0 5 5 re W n BT /F1 8 Tf 20 100 Td (or 111) Tj ET Q`,
  ),
];

/** Pages whose words are drawn in another way than the usual one, and are read all the same. */
export const readAmounts: readonly HiddenAmount[] = [
  spoken('plain letters', words('Pay 100 EUR')),
  spoken('letters with an outline', `0.5 w ${words('Pay 100 EUR', '2 Tr')}`),
  spoken('white letters on a dark box', `0 0 0.4 rg 0 140 300 30 re f 1 g ${words('Pay 100 EUR')}`),
  spoken('letters on a turned page', words('Pay 100 EUR'), { 3: page('', '/Rotate 90') }),
  spoken('letters in a transparent group', '/G gs /X Do', {
    3: page('/XObject <</X 6 0 R>> /ExtGState <</G <</ca 0.7>>>>'),
    6: form(words('Pay 100 EUR'), '/Matrix [1 0 0 1 30 -20] /Group <</S /Transparency /I true>>'),
  }),
];
