/** Documents keeping PDF/A or PDF/UA, one for each flavour, and further documents for forms written by programs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embedGlyphs, type EmbeddedGlyphs } from '../../src/signing/pdf/appearance/embed-font.ts';
import { latinFace } from '../../src/signing/pdf/appearance/stamp-fonts.ts';
import { serialize } from '../../src/signing/pdf/syntax/serialize.ts';
import { PdfReference, type PdfDictionary, type PdfValue } from '../../src/signing/pdf/syntax/values.ts';
import type { ObjectSink } from '../../src/signing/pdf/writing/incremental-update.ts';
import { buildPdf, type Objects, type PdfShape } from '../signing/pdf/build-pdf.ts';
import { colourProfile } from '../signing/pdf/colour-profile.ts';

/** A document keeping a standard. */
export interface ArchiveBase {
  readonly name: string;
  readonly path: string;
}

type Encoding = 'utf8' | 'utf16' | 'utf32';

/** The claims of a document, and its differences from the plain document. */
interface Flavour {
  readonly name: string;
  readonly archive?: { readonly part: 1 | 2 | 3 | 4; readonly conformance?: 'A' | 'B' | 'U' | 'E' | 'F' };
  /** The part of ISO 14289. */
  readonly accessibility?: 1 | 2;
  readonly encoding?: Encoding;
  /** The corner of the page at (-100, -100), and no tab order. */
  readonly isShifted?: true;
  /** A form with an empty text field; `rebuilt`: viewers are to make its looks anew (`NeedAppearances`). */
  readonly form?: 'usual' | 'rebuilt';
  /** The root and the parts of the structure in an object stream. */
  readonly isCompressed?: true;
}

const archive = (
  part: 1 | 2 | 3 | 4,
  conformance?: 'A' | 'B' | 'U' | 'E' | 'F',
  more: Partial<Flavour> = {},
): Flavour => ({
  name: `PDF/A-${part}${conformance?.toLowerCase() ?? ''}`,
  archive: { part, ...(conformance === undefined ? {} : { conformance }) },
  ...more,
});

const FLAVOURS: readonly Flavour[] = [
  archive(1, 'A'),
  archive(1, 'B'),
  archive(1, 'B', { name: 'PDF/A-1b, XMP in UTF-16', encoding: 'utf16' }),
  archive(1, 'B', { name: 'PDF/A-1b, XMP in UTF-32', encoding: 'utf32' }),
  archive(2, 'A'),
  archive(2, 'B'),
  archive(2, 'B', { name: 'PDF/A-2b, object streams', isCompressed: true }),
  archive(2, 'U'),
  archive(3, 'A'),
  archive(3, 'B'),
  archive(3, 'U'),
  archive(4),
  archive(4, 'E'),
  archive(4, 'F'),
  { name: 'PDF/UA-1', accessibility: 1 },
  { name: 'PDF/UA-1, shifted page', accessibility: 1, isShifted: true },
  { name: 'PDF/UA-1, form', accessibility: 1, form: 'usual' },
  { name: 'PDF/UA-1, form without looks', accessibility: 1, form: 'rebuilt' },
  { name: 'PDF/UA-2', accessibility: 2 },
  { name: 'PDF/UA-2, shifted page', accessibility: 2, isShifted: true },
  { name: 'PDF/UA-2, form', accessibility: 2, form: 'usual' },
  { ...archive(2, 'A'), name: 'PDF/A-2a and PDF/UA-1', accessibility: 1, isCompressed: true },
];

/** Fixed numbers; the numbers of the font follow. */
const NUMBERS = {
  catalog: 1,
  pages: 2,
  page: 3,
  content: 4,
  metadata: 5,
  profile: 6,
  structure: 7,
  document: 8,
  paragraph: 9,
  parents: 10,
  namespace: 11,
  attachment: 12,
  file: 13,
  field: 14,
  fieldElement: 15,
  looks: 16,
} as const;
const FIRST_FREE = 17;
const TEXT = 'Signed and still what it was';
const NAMESPACE = 'http://iso.org/pdf2/ssn';

/** Collects the objects of a font. */
class ObjectList implements ObjectSink {
  readonly objects: Record<number, Objects[number]> = {};
  #next = FIRST_FREE;

  allocate(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  create(value: PdfValue): PdfReference {
    const number = this.allocate();
    this.objects[number] = serialize(value).toString('latin1');
    return new PdfReference(number, 0);
  }

  addStream(number: number, entries: PdfDictionary, data: Buffer): void {
    const dictionary = serialize(entries).toString('latin1').slice(2, -2);
    this.objects[number] = { dictionary, data };
  }
}

/** XMP (ISO 16684-1) with a title and the claims. */
function metadataOf({ archive: claim, accessibility, encoding = 'utf8' }: Flavour): Buffer {
  const claims = [
    ...(claim === undefined ? [] : [`<pdfaid:part>${claim.part}</pdfaid:part>`]),
    ...(claim?.part === 4 ? ['<pdfaid:rev>2020</pdfaid:rev>'] : []),
    ...(claim?.conformance === undefined ? [] : [`<pdfaid:conformance>${claim.conformance}</pdfaid:conformance>`]),
    ...(accessibility === undefined ? [] : [`<pdfuaid:part>${accessibility}</pdfuaid:part>`]),
    ...(accessibility === 2 ? ['<pdfuaid:rev>2024</pdfuaid:rev>'] : []),
  ];
  const spaces = [
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
    'xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"',
  ].join(' ');
  const title = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Base</rdf:li></rdf:Alt></dc:title>';
  const both = claim !== undefined && accessibility !== undefined;
  const text = [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    `<rdf:Description rdf:about="" ${spaces}>${title}${claims.join('')}</rdf:Description>`,
    both ? EXTENSION_SCHEMA : '',
    '</rdf:RDF></x:xmpmeta>',
    '<?xpacket end="w"?>',
  ].join('\n');
  if (encoding === 'utf8') return Buffer.from(text);
  if (encoding === 'utf16') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return Buffer.concat(
    Array.from(`\ufeff${text}`, (character) => {
      const code = Buffer.alloc(4);
      code.writeUInt32BE(character.codePointAt(0) ?? 0);
      return code;
    }),
  );
}

/**
 * PDF/A wants a description of properties outside of its own schemas (ISO 19005-2 §6.6.2.3): the properties of PDF/UA.
 */
const EXTENSION_SCHEMA = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;

const isTagged = ({ archive: claim, accessibility }: Flavour): boolean =>
  accessibility !== undefined || claim?.conformance === 'A';

const ref = (number: number): string => `${number} 0 R`;

function catalogOf(flavour: Flavour): string {
  const intent = `/OutputIntents [<</Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (Display) /Info (Display) /DestOutputProfile ${ref(NUMBERS.profile)}>>]`;
  const isAttached = flavour.archive?.conformance === 'F';
  return [
    `<</Type /Catalog /Pages ${ref(NUMBERS.pages)} /Metadata ${ref(NUMBERS.metadata)} /Lang (en)`,
    flavour.archive === undefined ? '' : intent,
    isTagged(flavour) ? `/MarkInfo <</Marked true>> /StructTreeRoot ${ref(NUMBERS.structure)}` : '',
    flavour.accessibility === undefined ? '' : '/ViewerPreferences <</DisplayDocTitle true>>',
    isAttached ? `/Names <</EmbeddedFiles <</Names [(a.txt) ${ref(NUMBERS.attachment)}]>>>>` : '',
    isAttached ? `/AF [${ref(NUMBERS.attachment)}]` : '',
    flavour.form === undefined
      ? ''
      : `/AcroForm <</Fields [${ref(NUMBERS.field)}] /NeedAppearances ${String(flavour.form === 'rebuilt')}>>`,
    '>>',
  ].join(' ');
}

function pageOf(flavour: Flavour, font: EmbeddedGlyphs): string {
  const box = flavour.isShifted === true ? '[-100 -100 495 742]' : '[0 0 595 842]';
  return [
    `<</Type /Page /Parent ${ref(NUMBERS.pages)} /MediaBox ${box} /Contents ${ref(NUMBERS.content)}`,
    `/Resources <</Font <</F1 ${ref(font.reference.number)}>>>>`,
    isTagged(flavour) ? '/StructParents 0' : '',
    flavour.form !== undefined ? `/Annots [${ref(NUMBERS.field)}] /Tabs /S` : '',
    '>>',
  ].join(' ');
}

/** No objects, with the type of objects. */
const NOTHING: Objects = {};

/** The structure: a document with a paragraph, and the field of the form. */
function structureOf({ accessibility, form }: Flavour): Objects {
  const { structure, document, paragraph, parents, namespace, field, fieldElement, page } = NUMBERS;
  const space = accessibility === 2 ? `/NS ${ref(namespace)}` : '';
  const spaces = accessibility === 2 ? `/Namespaces [${ref(namespace)}]` : '';
  const element = form !== undefined ? ref(fieldElement) : '';
  return {
    [structure]: `<</Type /StructTreeRoot /K ${ref(document)} /ParentTree ${ref(parents)} /ParentTreeNextKey 2 ${spaces}>>`,
    [document]: `<</Type /StructElem /S /Document /P ${ref(structure)} /K [${ref(paragraph)} ${element}] ${space}>>`,
    [paragraph]: `<</Type /StructElem /S /P /P ${ref(document)} /Pg ${ref(page)} /K [0] ${space}>>`,
    [parents]: `<</Nums [0 [${ref(paragraph)}] ${form !== undefined ? `1 ${element}` : ''}]>>`,
    ...(accessibility === 2 ? { [namespace]: `<</Type /Namespace /NS (${NAMESPACE})>>` } : NOTHING),
    ...(form !== undefined
      ? {
          [field]: `<</Type /Annot /Subtype /Widget /FT /Tx /T (name) /TU (Name) /Contents (Name) /F 4 /Rect [72 600 300 620] /P ${ref(page)} /StructParent 1 /AP <</N ${ref(NUMBERS.looks)}>>>>`,
          [fieldElement]: `<</Type /StructElem /S /Form /P ${ref(document)} /Pg ${ref(page)} /K <</Type /OBJR /Obj ${ref(field)} /Pg ${ref(page)}>> ${space}>>`,
          [NUMBERS.looks]: { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 228 20] /Resources <<>>', data: '' },
        }
      : NOTHING),
  };
}

function objectsOf(flavour: Flavour): Objects {
  const list = new ObjectList();
  const { font: face } = latinFace();
  const glyphOf = (character: string): number => face.glyphOf(character.codePointAt(0) ?? 0) ?? 0;
  const texts = new Map(Array.from(TEXT, (character) => [glyphOf(character), character] as const));
  const font = embedGlyphs(list, face, texts, flavour.archive?.part === 1);
  const text = `BT /F1 24 Tf 72 700 Td ${font.encode(Array.from(TEXT, glyphOf))} Tj ET`;
  const attachment: Objects = {
    [NUMBERS.attachment]: `<</Type /Filespec /F (a.txt) /UF (a.txt) /Desc (A text) /AFRelationship /Data /EF <</F ${ref(NUMBERS.file)} /UF ${ref(NUMBERS.file)}>>>>`,
    [NUMBERS.file]: {
      dictionary: '/Type /EmbeddedFile /Subtype /text#2Fplain /Params <</ModDate (D:20260101000000Z)>>',
      data: 'attached',
    },
  };
  return {
    [NUMBERS.catalog]: catalogOf(flavour),
    [NUMBERS.pages]: `<</Type /Pages /Kids [${ref(NUMBERS.page)}] /Count 1>>`,
    [NUMBERS.page]: pageOf(flavour, font),
    [NUMBERS.content]: { dictionary: '', data: isTagged(flavour) ? `/P <</MCID 0>> BDC ${text} EMC` : text },
    [NUMBERS.metadata]: { dictionary: '/Type /Metadata /Subtype /XML', data: metadataOf(flavour) },
    ...(flavour.archive === undefined ? NOTHING : { [NUMBERS.profile]: { dictionary: '/N 3', data: colourProfile() } }),
    ...(isTagged(flavour) ? structureOf(flavour) : {}),
    ...(flavour.archive?.conformance === 'F' ? attachment : {}),
    ...list.objects,
  };
}

function shapeOf(flavour: Flavour): PdfShape {
  const { archive: claim, accessibility, isCompressed } = flavour;
  const version = claim?.part === 4 || accessibility === 2 ? '2.0' : claim?.part === 1 ? '1.4' : '1.7';
  if (isCompressed !== true) return { version };
  const { pages, structure, document, paragraph, parents } = NUMBERS;
  const compressed = isTagged(flavour) ? [pages, structure, document, paragraph, parents] : [pages];
  return { version, kind: 'stream', compressed };
}

/** Writes a document of each flavour into a folder. */
export async function writeArchiveBases(folder: string): Promise<readonly ArchiveBase[]> {
  const bases = FLAVOURS.map((flavour, index) => ({ flavour, path: join(folder, `archive-${index}.pdf`) }));
  for (const { flavour, path } of bases) await writeFile(path, buildPdf(objectsOf(flavour), shapeOf(flavour)));
  return bases.map(({ flavour, path }) => ({ name: flavour.name, path }));
}
