/** An entry of a CRL (RFC 5280 §5.1.2.6, §5.3). */
import { Tag, readBoolean, readDer, readOid, readTime, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import { RevocationOid } from '../extension-oids.ts';
import { reasonOf, type RevocationReason } from '../revocation-reason.ts';

/** The entry of a certificate on a list. */
export interface CrlEntry {
  readonly revokedAt: Date;
  readonly reason: RevocationReason;
  /** Since when the key may have been in wrong hands (RFC 5280 §5.3.2). */
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
 * Checks the extensions of an entry from their DER. An unknown critical extension makes the whole list unusable; a
 * certificate issuer makes it an indirect list (RFC 5280 §5.3). Throws `CRL_UNSUPPORTED`, `DER_MALFORMED`.
 */
export function checkEntryExtensions(extensions: Buffer): void {
  for (const element of readDer(extensions).expect(Tag.sequence, 'the entry extensions').children) {
    const { oid, critical } = readExtension(element);
    if (oid === RevocationOid.certificateIssuer) {
      throw new SigningError('CRL_UNSUPPORTED', 'The revocation list is indirect: it speaks for other issuers.');
    }
    if (critical && oid !== RevocationOid.reasonCode && oid !== RevocationOid.invalidityDate) {
      throw new SigningError('CRL_UNSUPPORTED', `An entry of the revocation list has the critical extension ${oid}.`);
    }
  }
}

/**
 * `30 0c 30 0a 06 03 55 1d 15 04 03 0a 01`, then the reason: a single reason code, not critical, as in nearly all
 * entries.
 */
const PLAIN_REASON = Buffer.from('300c300a0603551d1504030a01', 'hex');

/** True when the bytes from `start` to `end` are an entry's extensions with a reason and nothing else. */
export const isPlainReason = (octets: Buffer, start: number, end: number): boolean =>
  end - start === PLAIN_REASON.length + 1 &&
  octets.compare(PLAIN_REASON, 0, PLAIN_REASON.length, start, start + PLAIN_REASON.length) === 0;

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
  return { revokedAt, reason, ...(invalidSince === undefined ? {} : { invalidSince }) };
}
