/**
 * Reads a CRL of any size in a single pass: the bytes go to the signature check and to the entry reader at the same
 * time. Only an entry cut by the end of a piece is kept for the next piece.
 */
import { Tag, readBoolean, readDer, readOid, readTime, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import { GeneralNameKind, readGeneralName } from '../../certificates/path/distinguished-name.ts';
import { RevocationOid } from '../revocation-sources.ts';
import { reasonOf, type RevocationReason } from '../revocation-result.ts';
import type { CrlHead } from './crl-head.ts';

/**
 * The offset of the number in its shortest form, because some authorities pad the same number in one place only. A zero
 * byte before a byte from 0x80 on is a sign: `00 ff` is 255, and `ff` is -1 (X.690 §8.3).
 */
function startOfNumber(bytes: Buffer, start: number, end: number): number {
  let offset = start;
  while (offset < end - 1 && bytes[offset] === 0 && (bytes[offset + 1] ?? 0) < 0x80) offset++;
  return offset;
}

/** A 32-bit hash (FNV-1a) of the content bytes of a serial number between two offsets. Padding does not count. */
export function hashSerialNumber(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let offset = startOfNumber(bytes, start, end); offset < end; offset++) {
    hash = Math.imul(hash ^ (bytes[offset] ?? 0), 0x01000193);
  }
  return hash >>> 0;
}

/** The serial number's bytes in their shortest form. */
export const trimSerialNumber = (serialNumber: Buffer): Buffer =>
  serialNumber.subarray(startOfNumber(serialNumber, 0, serialNumber.length));

// An entry of a CRL (RFC 5280 §5.1.2.6, §5.3).

/** The entry of a certificate on a list. */
export interface CrlEntry {
  readonly revokedAt: Date;
  readonly reason: RevocationReason;
  /** The time since when the key may be compromised (RFC 5280 §5.3.2). */
  readonly invalidSince?: Date;
}

interface EntryExtension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

function readExtension(extension: DerElement): EntryExtension {
  const critical = extension.find(Tag.boolean);
  return {
    oid: readOid(extension.child(0, 'an extension type'), 'an extension type'),
    critical: critical !== undefined && readBoolean(critical, 'the critical mark'),
    value: extension
      .child(critical === undefined ? 1 : 2, 'an extension value')
      .expect(Tag.octetString, 'an extension value').content,
  };
}

/**
 * Checks the extensions of an entry from their DER. An unknown critical extension makes the whole list unusable (RFC 5280
 * §5.3). Answers whether the entry names the issuer of its certificate. Throws `CRL_UNSUPPORTED`, `DER_MALFORMED`.
 */
export function checkEntryExtensions(extensions: Buffer): boolean {
  let namesIssuer = false;
  for (const element of readDer(extensions).expect(Tag.sequence, 'the entry extensions').children) {
    const { oid, critical } = readExtension(element);
    if (oid === RevocationOid.certificateIssuer) namesIssuer = true;
    else if (critical && oid !== RevocationOid.reasonCode && oid !== RevocationOid.invalidityDate) {
      throw new SigningError('CRL_UNSUPPORTED', `An entry of the revocation list has the critical extension ${oid}.`);
    }
  }
  return namesIssuer;
}

/**
 * DER of the Name in the certificate issuer extension of an entry (RFC 5280 §5.3.3); undefined without the extension.
 */
export function readCertificateIssuer(entry: DerElement): Buffer | undefined {
  for (const element of entry.children[2]?.children ?? []) {
    const { oid, value } = readExtension(element);
    if (oid !== RevocationOid.certificateIssuer) continue;
    const names = readDer(value).children.map(readGeneralName);
    return names.find(({ kind }) => kind === GeneralNameKind.directory)?.value;
  }
  return undefined;
}

/**
 * `30 0c 30 0a 06 03 55 1d 15 04 03 0a 01`, then the reason: a single reason code, not critical, as in nearly all
 * entries.
 */
const PLAIN_REASON = Buffer.from('300c300a0603551d1504030a01', 'hex');

/** True when the bytes from `start` to `end` are an entry's extensions with a reason and nothing else. */
export const isPlainReason = (bytes: Buffer, start: number, end: number): boolean =>
  end - start === PLAIN_REASON.length + 1 &&
  bytes.compare(PLAIN_REASON, 0, PLAIN_REASON.length, start, start + PLAIN_REASON.length) === 0;

/** Reads a whole entry. Throws `DER_MALFORMED`. */
export function readCrlEntry(entry: Buffer): CrlEntry {
  const element = readDer(entry);
  const revokedAt = readTime(element.child(1, 'the revocation date'), 'the revocation date');
  const extensions = element.children[2];
  if (extensions === undefined) return { revokedAt, reason: 'unspecified' };
  if (isPlainReason(extensions.bytes, 0, extensions.bytes.length)) {
    return { revokedAt, reason: reasonOf(extensions.bytes.at(-1)) };
  }
  let reason: RevocationReason = 'unspecified';
  let invalidSince: Date | undefined;
  for (const extension of extensions.children.map(readExtension)) {
    if (extension.oid === RevocationOid.reasonCode) {
      reason = reasonOf(readDer(extension.value).expect(Tag.enumerated, 'the reason').content[0]);
    } else if (extension.oid === RevocationOid.invalidityDate) {
      invalidSince = readTime(readDer(extension.value), 'the invalidity date');
    }
  }
  return { revokedAt, reason, invalidSince };
}

/**
 * Maximum bytes of an entry. An entry is a serial number, a time and a few extensions, so a longer entry is an attack.
 */
const MAX_ENTRY = 64 * 1024;
const SEQUENCE = 0x30;
const INTEGER = 0x02;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
/**
 * Bytes of a usual entry (a serial number of 16 bytes, a time, a reason), for a first estimate of the number of
 * entries.
 */
const USUAL_ENTRY = 35;

function malformed(detail: string): never {
  throw new SigningError('CRL_MALFORMED', `The revocation list is damaged: ${detail}.`);
}

/**
 * Walks over the entries as bytes arrive. Positions of entries are counted from the beginning of the CRL and kept beside
 * a hash of their serial number: 8 bytes per entry.
 */
export class EntryWalk {
  /** An entry names the issuer of its certificate, as in indirect lists. */
  namesIssuers = false;
  readonly #start: number;
  readonly #end: number;
  /** Low word: position; high word: hash. On a little-endian machine this is a 64-bit number sorted by hash. */
  #words: Uint32Array<ArrayBuffer>;
  #count = 0;
  /** The beginning of an entry cut off by the last piece, and its offset. */
  #carry: Buffer = Buffer.alloc(0);
  #position: number;

  constructor({ entriesStart, entriesEnd, bodyEnd }: CrlHead) {
    if (entriesEnd > bodyEnd) malformed('its entries are longer than it is');
    this.#start = entriesStart;
    this.#end = entriesEnd;
    this.#position = entriesStart;
    this.#words = new Uint32Array((Math.ceil((entriesEnd - entriesStart) / USUAL_ENTRY) + 1) * 2);
  }

  /** Adds the next piece, at `offset` of the CRL. Throws `CRL_MALFORMED`, `CRL_UNSUPPORTED`, `DER_MALFORMED`. */
  add(piece: Buffer, offset: number): void {
    const from = Math.max(this.#start, offset);
    const to = Math.min(this.#end, offset + piece.length);
    if (from >= to) return;
    let window = piece.subarray(from - offset, to - offset);
    let windowStart = from;
    if (this.#carry.length > 0) {
      window = Buffer.concat([this.#carry, window]);
      windowStart -= this.#carry.length;
    }
    const used = this.#walk(window, windowStart);
    if (window.length - used > MAX_ENTRY) malformed('an entry is too long');
    this.#carry = Buffer.from(window.subarray(used));
    this.#position = windowStart + used;
  }

  /** The sorted entries, after every byte of the list was read. Throws `CRL_MALFORMED`. */
  finish(): BigUint64Array {
    if (this.#position !== this.#end) malformed('its last entry is cut off');
    // Sorted in place, to avoid a copy of half a million entries.
    return new BigUint64Array(this.#words.buffer, 0, this.#count).sort();
  }

  /** Reads the whole entries in the window; answers their number of bytes. */
  #walk(window: Buffer, windowStart: number): number {
    let offset = 0;
    for (;;) {
      const first = window[offset + 1];
      if (first === undefined) return offset;
      if (window[offset] !== SEQUENCE) malformed('an entry is not a sequence');
      let start = offset + 2;
      let length = first;
      if (first >= 0x80) {
        const bytes = first & 0x7f;
        if (bytes === 0 || bytes > 3) malformed('an entry has a length that is not DER');
        if (start + bytes > window.length) return offset;
        length = window.readUIntBE(start, bytes);
        start += bytes;
        if (length > MAX_ENTRY) malformed('an entry is too long');
      }
      const end = start + length;
      if (end > window.length) return offset;
      this.#take(window, start, end, windowStart + offset);
      offset = end;
    }
  }

  /** Reads an entry with its content between `start` and `end` of the window. */
  #take(window: Buffer, start: number, end: number, position: number): void {
    const serialLength = window[start + 1] ?? 0;
    const serialStart = start + 2;
    const timeStart = serialStart + serialLength;
    const timeTag = window[timeStart];
    const isPlain = window[start] === INTEGER && serialLength > 0 && serialLength < 0x80 && timeStart + 2 <= end;
    if (!isPlain || (timeTag !== UTC_TIME && timeTag !== GENERALIZED_TIME))
      malformed('an entry is not as it should be');
    const extensionsStart = timeStart + 2 + (window[timeStart + 1] ?? 0);
    if (extensionsStart > end) malformed('the time of an entry is cut off');
    if (extensionsStart < end && !isPlainReason(window, extensionsStart, end)) {
      this.namesIssuers = checkEntryExtensions(window.subarray(extensionsStart, end)) || this.namesIssuers;
    }
    this.#push(hashSerialNumber(window, serialStart, timeStart), position);
  }

  #push(hash: number, position: number): void {
    if (this.#count * 2 === this.#words.length) {
      const larger = new Uint32Array(this.#words.length * 2);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.#count * 2] = position;
    this.#words[this.#count * 2 + 1] = hash;
    this.#count++;
  }
}
