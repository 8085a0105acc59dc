/** The text of a page: a title and paragraphs, in Portuguese or any language of Western Europe. */
export interface TextPage {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** A line at the foot of the page. */
  readonly footer: string;
}

/** A4 in points, with its margin. */
const page = { width: 595, height: 842, margin: 72 } as const;
const sizes = { title: 20, text: 11.5, footer: 9 } as const;

/** Characters in a line: Helvetica's letters are about half as wide as high, with some reserve. */
const lineLength = 78;

/** Bytes of WinAnsiEncoding outside of Latin-1 (ISO 32000-2 Annex D.2). */
const winAnsi: Readonly<Record<string, number>> = {
  '€': 0x80,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
};

/**
 * Writes a PDF 1.7 with a single page, the standard fonts and no compression, so that it can be read in an editor (ISO
 * 32000-2 §7.5: header, body, cross-reference table, trailer).
 */
export function writeTextPdf(text: TextPage, created: Date): Buffer {
  const content = pageContent(text);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (pt-BR) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents 6 0 R` +
      ' /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Title (${escaped(text.title)}) /Producer (Sinete) /CreationDate (${pdfDate(created)}) >>`,
  ];
  return assemble(objects);
}

function assemble(objects: readonly string[]): Buffer {
  let file = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  file += `xref\n0 ${count}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

function pageContent({ title, paragraphs, footer }: TextPage): string {
  const top = page.height - page.margin - sizes.title;
  const lines = paragraphs.flatMap((paragraph) => [...wrapped(paragraph), '']);
  const leading = sizes.text * 1.45;
  return [
    `BT /F2 ${sizes.title} Tf ${page.margin} ${top} Td (${escaped(title)}) Tj ET`,
    `BT /F1 ${sizes.text} Tf ${leading} TL ${page.margin} ${top - 2 * sizes.title} Td`,
    ...lines.map((line) => `(${escaped(line)}) Tj T*`),
    'ET',
    `0.6 G ${page.margin} ${page.margin} m ${page.width - page.margin} ${page.margin} l S`,
    `BT /F1 ${sizes.footer} Tf ${page.margin} ${page.margin - 14} Td (${escaped(footer)}) Tj ET`,
  ].join('\n');
}

function wrapped(paragraph: string): readonly string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < lineLength) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A literal string's content (ISO 32000-2 §7.3.4.2), a character for each byte; unknown characters become "?". */
function escaped(text: string): string {
  const bytes = Array.from(text, (character) => {
    const code = winAnsi[character] ?? character.codePointAt(0) ?? 0x3f;
    return String.fromCharCode(code <= 0xff ? code : 0x3f);
  });
  return bytes.join('').replaceAll(/[\\()]/g, '\\$&');
}

/** `D:20260102030405Z` (ISO 32000-2 §7.9.4). */
function pdfDate(date: Date): string {
  return `D:${date.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`;
}
