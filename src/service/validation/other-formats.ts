/** Formats of signatures that are recognised by their bytes and not judged. */
import { ServiceError } from '../errors/index.ts';

/** A format of signatures that is recognised and not judged. */
export type OtherFormat = 'XAdES' | 'JAdES' | 'ASiC';

const otherSentences: Readonly<Record<OtherFormat, string>> = {
  XAdES: 'XAdES signatures are not judged here, and neither are other signatures in XML.',
  JAdES: 'JAdES signatures are not judged here, and neither are other signatures in JSON (JWS).',
  ASiC: 'ASiC containers are not judged here.',
};

/** The refusal of a format that is not judged here: `TYPE_NOT_SUPPORTED`, with the field that names the format, if any. */
export function refuseFormat(format: OtherFormat, field?: string): ServiceError {
  const detail = `${otherSentences[format]} Use the official validator, or the program that made the file.`;
  const problems = field === undefined ? [] : [{ field, code: 'TYPE_NOT_SUPPORTED', detail }];
  return new ServiceError('TYPE_NOT_SUPPORTED', detail, { problems });
}

const ZIP = 'PK\x03\x04';

/** True for the beginning of a ZIP archive, whose directory stands at its end (APPNOTE.TXT 4.3.1). */
export const isZipHead = (head: Buffer): boolean => head.toString('latin1', 0, ZIP.length) === ZIP;

/**
 * Names in the directory of an archive with signatures, the most particular first. OpenDocument and Office Open XML keep
 * XML signatures of their own; signatures and time stamps of ASiC containers lie in META-INF (EN 319 162-1 §4.3.3,
 * §4.4.3).
 */
const signedArchives: readonly (readonly [name: RegExp, format: OtherFormat])[] = [
  [/META-INF\/(?:document|macro)signatures\.xml|_xmlsignatures\/[^/]{1,80}\.xml/i, 'XAdES'],
  [/META-INF\/[\w. -]{0,80}(?:signatures?[\w. -]{0,80}\.(?:xml|p7[ms])|timestamp[\w. -]{0,80}\.tst)/i, 'ASiC'],
  [/META-INF\/[\w. -]{1,80}\.p7s/i, 'ASiC'],
];

/** How a file of another format begins. */
const otherTexts: readonly (readonly [isFormat: (text: string) => boolean, format: OtherFormat])[] = [
  [(text) => /^(?:\u{feff}|\xef\xbb\xbf)?\s*<(?!!doctype html|html)/iu.test(text) && !text.includes('%PDF-'), 'XAdES'],
  [(text) => /^eyJ[\w-]+\.[\w-]*\.[\w-]+/.test(text), 'JAdES'],
  [(text) => /^\s*\{.*"(?:signatures|protected|payload)"\s*:/s.test(text), 'JAdES'],
];

/**
 * The other format of a file, or undefined. `tail`: for a ZIP archive, the bytes at its end that hold its directory.
 */
export function findOtherFormat(head: Buffer, tail: Buffer): OtherFormat | undefined {
  if (isZipHead(head)) {
    const names = Buffer.concat([head, tail]).toString('latin1');
    if (names.includes('application/vnd.etsi.asic-')) return 'ASiC';
    return signedArchives.find(([name]) => name.test(names))?.[1];
  }
  const text = textOf(head);
  return otherTexts.find(([isFormat]) => isFormat(text))?.[1];
}

/** How UTF-16 begins: with a byte order mark, or with the first character of XML (XML 1.0 Appendix F.1). */
const utf16Starts: readonly (readonly [start: string, encoding: 'utf-16le' | 'utf-16be'])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
  ['3c00', 'utf-16le'],
  ['003c', 'utf-16be'],
];

/** The text of a file in UTF-16; of any other file a character for each byte. */
function textOf(head: Buffer): string {
  const start = head.toString('hex', 0, 2);
  const encoding = utf16Starts.find(([mark]) => mark === start)?.[1];
  return encoding === undefined ? head.toString('latin1') : new TextDecoder(encoding).decode(head);
}
