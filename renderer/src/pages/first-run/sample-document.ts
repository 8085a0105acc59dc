/** The text of the page. */
export interface SampleText {
  readonly fileName: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * A PDF with a single page for a test signature (ISO 32000-1 §7.5), created here so that nothing needs to be fetched.
 */
export function sampleDocument({ fileName, title, lines }: SampleText): File {
  const written = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n');
  const content = `BT /F1 22 Tf 72 740 Td (${escaped(title)}) Tj /F1 12 Tf 18 TL 0 -40 Td\n${written}\nET`;
  const text = withCrossReferences([
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources <</Font <</F1 4 0 R>>>> /Contents 5 0 R>>',
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ]);
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new File([bytes], fileName, { type: 'application/pdf' });
}

/** A literal string: special characters escaped, and characters outside of Latin-1 left out. */
function escaped(text: string): string {
  return text.replaceAll(/[^\u0020-\u00ff]/g, '?').replaceAll(/[\\()]/g, '\\$&');
}

/** Adds header and cross-reference table to the objects, numbered from 1; each character is a byte. */
function withCrossReferences(objects: readonly string[]): string {
  let file = '%PDF-1.7\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = file.length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size} /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
}
