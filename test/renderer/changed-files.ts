import { appendRevision } from '../signing/pdf/build-pdf.ts';

/** The signed file with another letter on its page. */
export function tampered(signed: Buffer): Buffer {
  const changed = Buffer.from(signed);
  changed[changed.indexOf('A document')] = 0x42;
  return changed;
}

/** The flags of an annotation that is printed and shown, and of one that is only printed (ISO 32000-2 §12.5.3). */
export const SHOWN = 4;
export const ONLY_PRINTED = 36;

/** The signed file with a later revision: a white box over the text of its page. */
export function annotated(signed: Buffer, flags = SHOWN): Buffer {
  const pages = [...signed.toString('latin1').matchAll(/\n3 0 obj\s+<<([^]*?)>>\s*endobj/g)];
  const page = pages.at(-1)?.[1] ?? '';
  return appendRevision(signed, {
    3: `<<${page.replace('/Annots [', '/Annots [90 0 R ')}>>`,
    90: `<</Type /Annot /Subtype /Stamp /F ${flags} /Rect [60 700 400 760] /AP <</N 91 0 R>>>>`,
    91: { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 340 60]', data: '1 1 1 rg 0 0 340 60 re f' },
  });
}

/** The signed file with a later revision that replaces the text of its page. */
export const pageReplaced = (signed: Buffer): Buffer =>
  appendRevision(signed, {
    4: { dictionary: '', data: 'BT /F1 24 Tf 72 500 Td (Pay 900,000 to another person) Tj ET' },
  });
