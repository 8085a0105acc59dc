/** The parts of a CRL before and after its entries (RFC 5280 §5.1.2, §5.2). */
import { Oid } from '../../der/oids.ts';
import {
  Tag,
  contextTag,
  primitiveContextTag,
  readBoolean,
  readDer,
  readDerHeader,
  readOid,
  readSmallInteger,
  readTime,
  type DerElement,
} from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import { readStructureAlgorithm, type StructureAlgorithm } from '../../certificates/path/signed-structure.ts';
import { readGeneralName, type GeneralName } from '../../certificates/path/distinguished-name.ts';
import { ALL_REASONS, reasonMask, relativeTo } from '../reasons.ts';
import { RevocationOid } from '../revocation-sources.ts';

/** Bytes at the beginning of a CRL; everything before the entries has to be inside. */
export const CRL_HEAD_BYTES = 64 * 1024;

/** The part before the entries; positions count from the beginning of the CRL. */
export interface CrlHead {
  /** Start and end of the signed part. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly end: number;
  /** DER of the AlgorithmIdentifier in the signed part. */
  readonly algorithmBytes: Buffer;
  readonly algorithm: StructureAlgorithm;
  /** DER of the issuer's Name. */
  readonly issuer: Buffer;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** Start and end of the entries' content; equal for an empty list. */
  readonly entriesStart: number;
  readonly entriesEnd: number;
}

/** The certificates covered by a CRL (RFC 5280 §5.2.5). */
export interface CrlScope {
  readonly only: 'users' | 'authorities' | undefined;
  /** The names of the CRL's distribution point; undefined without a distribution point. */
  readonly names: readonly GeneralName[] | undefined;
  /** True when entries may be about certificates of other issuers. */
  readonly isIndirect: boolean;
  /** Mask of the covered reasons. */
  readonly reasons: number;
}

/** The supported extensions of a CRL. */
export interface CrlExtensions {
  /** Lower-case hex of CRLNumber's content. */
  readonly number: string | undefined;
  /** For a delta CRL: lower-case hex of its BaseCRLNumber (RFC 5280 §5.2.4). */
  readonly deltaBase: string | undefined;
  readonly authorityKeyIdentifier: Buffer | undefined;
  readonly scope: CrlScope;
  /**
   * Certificates expired since this time stay on the list (ISO/IEC 9594-8); undefined: expired certificates may be
   * missing.
   */
  readonly expiredSince: Date | undefined;
}

function unsupported(detail: string): never {
  throw new SigningError('CRL_UNSUPPORTED', `The revocation list ${detail}.`);
}

/** An element of the head, read from the first bytes of the CRL. */
function elementAt(bytes: Buffer, offset: number): { readonly element: DerElement; readonly end: number } {
  const { contentStart, length } = readDerHeader(bytes, offset);
  const end = contentStart + length;
  return { element: readDer(bytes.subarray(offset, end)), end };
}

const isTime = (bytes: Buffer, offset: number, end: number): boolean =>
  offset < end && (bytes[offset] === Tag.utcTime || bytes[offset] === Tag.generalizedTime);

/**
 * Reads the part before the entries. `bytes` are the first 64 KiB of the CRL, `length` is its whole length. Throws
 * `DER_MALFORMED`, `ALGORITHM_UNSUPPORTED`, `CRL_UNSUPPORTED`.
 */
export function readCrlHead(bytes: Buffer, length: number): CrlHead {
  const outer = readDerHeader(bytes, 0);
  const bodyStart = outer.contentStart;
  const body = readDerHeader(bytes, bodyStart);
  const bodyEnd = body.contentStart + body.length;
  const end = outer.contentStart + outer.length;
  if (outer.tag !== Tag.sequence || body.tag !== Tag.sequence || end !== length || bodyEnd > end) {
    throw new SigningError('CRL_MALFORMED', 'This is not a revocation list, or it is damaged.');
  }
  let offset = body.contentStart;
  const next = (): DerElement => {
    const { element, end: elementEnd } = elementAt(bytes, offset);
    offset = elementEnd;
    return element;
  };
  if (bytes[offset] === Tag.integer && readSmallInteger(next(), 'the version') !== 1)
    unsupported('has an unknown version');
  const algorithm = next();
  const issuer = next().expect(Tag.sequence, 'the issuer').bytes;
  const thisUpdate = readTime(next(), 'the time of this update');
  const nextUpdate = isTime(bytes, offset, bodyEnd) ? readTime(next(), 'the time of the next update') : undefined;
  const list = offset < bodyEnd && bytes[offset] === Tag.sequence ? readDerHeader(bytes, offset) : undefined;
  return {
    bodyStart,
    bodyEnd,
    end,
    algorithmBytes: algorithm.bytes,
    algorithm: readStructureAlgorithm(algorithm),
    issuer,
    thisUpdate,
    nextUpdate,
    entriesStart: list?.contentStart ?? offset,
    entriesEnd: list === undefined ? offset : list.contentStart + list.length,
  };
}

/** IssuingDistributionPoint (RFC 5280 §5.2.5); a name may be relative to the list's issuer. */
function readScope(value: Buffer, issuer: Buffer): CrlScope {
  const point = readDer(value).expect(Tag.sequence, 'the issuing distribution point');
  const isSet = (number: number): boolean => {
    const flag = point.find(primitiveContextTag(number));
    return flag !== undefined && flag.content.some((byte) => byte !== 0);
  };
  if (isSet(5)) unsupported('is about attribute certificates');
  const reasons = point.find(primitiveContextTag(3));
  const name = point.find(contextTag(0));
  const relative = name?.find(contextTag(1));
  const fullName = name?.find(contextTag(0))?.children.map(readGeneralName);
  if (name !== undefined && fullName === undefined && relative === undefined) {
    unsupported('names its distribution point in an unknown way');
  }
  return {
    only: isSet(1) ? 'users' : isSet(2) ? 'authorities' : undefined,
    names: fullName ?? (relative && [relativeTo(issuer, relative)]),
    isIndirect: isSet(4),
    reasons: reasons === undefined ? ALL_REASONS : reasonMask(reasons.content),
  };
}

const WHOLE: CrlScope = { only: undefined, names: undefined, isIndirect: false, reasons: ALL_REASONS };

/** Reads the extensions of a list of this issuer from the DER of `[0]`, or takes none. Throws `CRL_UNSUPPORTED`, `DER_MALFORMED`. */
export function readCrlExtensions(wrapper: Buffer, issuer: Buffer): CrlExtensions {
  let deltaBase: string | undefined;
  let number: string | undefined;
  let authorityKeyIdentifier: Buffer | undefined;
  let scope = WHOLE;
  let expiredSince: Date | undefined;
  const elements =
    wrapper.length === 0
      ? []
      : readDer(wrapper).expect(contextTag(0), 'the extensions').child(0, 'the extensions').children;
  for (const element of elements) {
    const oid = readOid(element.child(0, 'an extension type'), 'an extension type');
    const mark = element.find(Tag.boolean);
    const critical = mark !== undefined && readBoolean(mark, 'the critical mark');
    const value = element
      .child(mark === undefined ? 1 : 2, 'an extension value')
      .expect(Tag.octetString, 'an extension value').content;
    if (oid === RevocationOid.deltaCrlIndicator)
      deltaBase = readDer(value).expect(Tag.integer, 'the number of the base').content.toString('hex');
    else if (oid === RevocationOid.issuingDistributionPoint) scope = readScope(value, issuer);
    else if (oid === RevocationOid.crlNumber)
      number = readDer(value).expect(Tag.integer, 'the CRL number').content.toString('hex');
    else if (oid === Oid.authorityKeyIdentifier)
      authorityKeyIdentifier = readDer(value).find(primitiveContextTag(0))?.content;
    else if (oid === RevocationOid.expiredCertificatesOnCrl)
      expiredSince = readTime(readDer(value), 'the date of expired certificates');
    else if (critical) unsupported(`has the critical extension ${oid}, which is not known here`);
  }
  return { number, deltaBase, authorityKeyIdentifier, scope, expiredSince };
}
