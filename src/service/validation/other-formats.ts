/** Recognises signature formats that Sinete does not validate. */
import { ServiceError } from '../errors/index.ts';

/** A signature format that Sinete recognises but does not validate. */
export type OtherFormat = 'XAdES' | 'JAdES' | 'ASiC';

const otherSentences: Readonly<Record<OtherFormat, string>> = {
  XAdES: 'Sinete does not validate XAdES and other XML signatures.',
  JAdES: 'Sinete does not validate JAdES and other JSON signatures (JWS).',
  ASiC: 'Sinete does not validate ASiC containers.',
};

/** Creates the error `TYPE_NOT_SUPPORTED` for such a format. `field` is the request field that names the format. */
export function refuseFormat(format: OtherFormat, field?: string): ServiceError {
  const detail = `${otherSentences[format]} Use the official validator, or the program that made the file.`;
  const problems = field === undefined ? [] : [{ field, code: 'TYPE_NOT_SUPPORTED', detail }];
  return new ServiceError('TYPE_NOT_SUPPORTED', detail, { problems });
}

const ZIP = 'PK\x03\x04';

/** True for the first bytes of a ZIP archive. Its directory is at the end of the file (APPNOTE.TXT 4.3.1). */
export const isZipHead = (head: Buffer): boolean => head.toString('latin1', 0, ZIP.length) === ZIP;

/**
 * File names that reveal signatures in a ZIP archive, the most specific first. OpenDocument and Office Open XML have their own
 * places for XML signatures; ASiC containers store signatures and time stamps in META-INF (EN 319 162-1 §4.3.3, §4.4.3).
 */
const signedArchives: readonly (readonly [name: RegExp, format: OtherFormat])[] = [
  [/META-INF\/(?:document|macro)signatures\.xml|_xmlsignatures\/[^/]{1,80}\.xml/i, 'XAdES'],
  [/META-INF\/[\w. -]{0,80}(?:signatures?[\w. -]{0,80}\.(?:xml|p7[ms])|timestamp[\w. -]{0,80}\.tst)/i, 'ASiC'],
  [/META-INF\/[\w. -]{1,80}\.p7s/i, 'ASiC'],
];

/**
 * True for the beginning of a compact JWS (RFC 7515 §7.1): base64url of a JSON header with an algorithm. A header with
 * certificates (JAdES, ETSI TS 119 182-1) is longer than the bytes that are read, so the dot behind it may be missing.
 */
function isCompactJws(text: string): boolean {
  const header = /^\s*(eyJ[\w-]+)(?:\.|$)/.exec(text)?.[1];
  return (
    header !== undefined && /"(?:alg|x5c|x5t#S256|kid|crit|sigT)"\s*:/.test(Buffer.from(header, 'base64url').toString())
  );
}

/** Tests for the first characters of XML and JSON signatures. */
const otherTexts: readonly (readonly [isFormat: (text: string) => boolean, format: OtherFormat])[] = [
  [(text) => /^(?:\u{feff}|\xef\xbb\xbf)?\s*<(?!!doctype html|html)/iu.test(text) && !text.includes('%PDF-'), 'XAdES'],
  [isCompactJws, 'JAdES'],
  [(text) => /^\s*\{.*"(?:signatures|protected|payload)"\s*:/s.test(text), 'JAdES'],
];

/**
 * Finds the format of a file that Sinete does not validate. `tail` has the last bytes of a ZIP archive, with its directory.
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

/** First bytes of UTF-16 texts: a byte order mark, or the first character of XML (XML 1.0 Appendix F.1). */
const utf16Starts: readonly (readonly [start: string, encoding: 'utf-16le' | 'utf-16be'])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
  ['3c00', 'utf-16le'],
  ['003c', 'utf-16be'],
];

/** Decodes UTF-16; for any other file, each byte becomes a character. */
function textOf(head: Buffer): string {
  const start = head.toString('hex', 0, 2);
  const encoding = utf16Starts.find(([mark]) => mark === start)?.[1];
  return encoding === undefined ? head.toString('latin1') : new TextDecoder(encoding).decode(head);
}
