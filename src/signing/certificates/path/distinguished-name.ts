/** Compares distinguished names (RFC 5280 §7.1): as text where their types allow, else byte by byte. */
import { isUtf8 } from 'node:buffer';
import { Oid } from '../../der/oids.ts';
import { Tag, readDer, readOid, type DerElement } from '../../der/reader.ts';

/** Spaces of every kind, and controls mapped to spaces by RFC 4518 §2.2. */
const SPACES = /[\p{Z}\t-\r\u0085]+/gu;
/**
 * Characters mapped to nothing by RFC 4518 §2.2: other controls, soft hyphens, variation selectors, zero-width
 * characters.
 */
const NOTHING =
  /[\p{Cc}\u00ad\u034f\u1806\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2063\ufe00-\ufe0f\ufeff\ufffc]/gu;

/** The string preparation of RFC 4518 §2, as far as needed for equality. */
function prepareText(text: string): string {
  return text.replace(SPACES, ' ').replace(NOTHING, '').normalize('NFKC').toLowerCase().replace(SPACES, ' ').trim();
}

const isText = (type: string, value: DerElement): boolean => {
  if (value.tag === Tag.printableString) return true;
  if (value.tag === Tag.utf8String) return isUtf8(value.content);
  // Host names ignore case in any context (RFC 5280 §7.3).
  return value.tag === Tag.ia5String && type === Oid.domainComponent;
};

/**
 * A string that is equal for equal attributes. Texts hold no control characters, so different attributes cannot
 * collide.
 */
function attributeKey(attribute: DerElement): string {
  const type = readOid(attribute.child(0, 'a name attribute type'), 'a name attribute type');
  const value = attribute.child(1, 'a name attribute value');
  return isText(type, value)
    ? `${type}\u0001${prepareText(value.content.toString('utf8'))}`
    : `${type}\u0002${value.bytes.toString('hex')}`;
}

const relativeNames = new WeakMap<Buffer, readonly string[]>();

/**
 * The relative names of a Name's DER, as strings, equal for names that are equal by RFC 5280 §7.1. Cached for the
 * lifetime of the buffer. Throws `DER_MALFORMED`.
 */
export function readRelativeNames(name: Buffer): readonly string[] {
  const known = relativeNames.get(name);
  if (known !== undefined) return known;
  const keys = readDer(name)
    .expect(Tag.sequence, 'a name')
    .children.map((relativeName) =>
      relativeName.expect(Tag.set, 'a relative name').children.map(attributeKey).sort().join('\u0003'),
    );
  relativeNames.set(name, keys);
  return keys;
}

const nameKeys = new WeakMap<Buffer, string>();

/**
 * A map key for a name: equal names give equal strings. Cached for the lifetime of the buffer. Throws `DER_MALFORMED`.
 */
export function nameKey(name: Buffer): string {
  const known = nameKeys.get(name);
  if (known !== undefined) return known;
  const key = readRelativeNames(name).join('\u0004');
  nameKeys.set(name, key);
  return key;
}

/** True when both are the same name (RFC 5280 §7.1). Throws `DER_MALFORMED`. */
export const isSameName = (left: Buffer, right: Buffer): boolean =>
  left.equals(right) || nameKey(left) === nameKey(right);

/** True when `name` begins with all relative names of `base` (RFC 5280 §4.2.1.10). Throws `DER_MALFORMED`. */
export function isWithinSubtree(name: Buffer, base: Buffer): boolean {
  const names = readRelativeNames(name);
  return readRelativeNames(base).every((relativeName, index) => names[index] === relativeName);
}

/** Tag numbers of GeneralName (RFC 5280 §4.2.1.6). */
export const GeneralNameKind = {
  otherName: 0,
  email: 1,
  dns: 2,
  directory: 4,
  uri: 6,
  ipAddress: 7,
} as const;

/** A GeneralName: its tag number and its content; for a directory name, the DER of the Name. */
export interface GeneralName {
  readonly kind: number;
  readonly value: Buffer;
}

/** Reads a GeneralName, or the base of a GeneralSubtree. Throws `DER_MALFORMED`. */
export function readGeneralName(element: DerElement): GeneralName {
  const kind = element.tag & 0x1f;
  const value = kind === GeneralNameKind.directory ? element.child(0, 'a directory name').bytes : element.content;
  return { kind, value };
}

/** The text of an e-mail address, a host name or a URI; IA5String has one byte per character. */
export const generalNameText = ({ value }: GeneralName): string => value.toString('latin1');
