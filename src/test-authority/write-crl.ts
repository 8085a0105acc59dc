/** Writes certificate revocation lists (RFC 5280 §5), including lists too large for the memory. */
import { createPublicKey, createSign, sign } from 'node:crypto';
import {
  Tag,
  derBitString,
  derContext,
  derElement,
  derHeader,
  derInteger,
  derPrimitiveContext,
  derSequence,
  derTime,
  parseCertificate,
} from '../signing/index.ts';
import { authorityKeyIdentifier, extension, keyIdentifier, uriName } from './extensions.ts';
import { exportPublicKey } from './key-pairs.ts';
import { AuthorityOid } from './oids.ts';
import { REVOCATION_REASONS, type TestRevocation } from './revocation.ts';
import { authorityKeyOf, privateKeyOf, type TestIdentity } from './test-authority.ts';
import { chooseSignature } from './write-certificate.ts';

/** An entry; in an indirect list the entry may be about another authority's certificate. */
export interface TestCrlEntry extends TestRevocation {
  /** DER of the other authority's Name, also valid for the following entries (RFC 5280 §5.3.3). */
  readonly certificateIssuer?: Uint8Array;
}

/** The IssuingDistributionPoint extension, critical (RFC 5280 §5.2.5). */
export interface TestDistributionPoint {
  readonly urls?: readonly string[];
  readonly onlyUserCertificates?: boolean;
  readonly onlyAuthorityCertificates?: boolean;
  /** The list is about certificates of other authorities too. */
  readonly indirect?: boolean;
}

/** The contents of a list besides its entries. */
export interface TestCrlFields {
  readonly issuer: TestIdentity;
  /** CRLNumber. */
  readonly number: number | bigint;
  readonly thisUpdate: Date;
  /** Null: the list has no next update, which RFC 5280 forbids. */
  readonly nextUpdate: Date | null;
  readonly distributionPoint?: TestDistributionPoint;
}

const BLOCK = 64 * 1024;
/** Maximum number of combinations of time and reason in the cache. */
const MAX_TAILS = 10_000;

const flag = (number: number, value: boolean | undefined): readonly Buffer[] =>
  value === true ? [derPrimitiveContext(number, Buffer.of(0xff))] : [];

function distributionPoint(point: TestDistributionPoint): Buffer {
  const urls = point.urls ?? [];
  const value = derSequence(
    ...(urls.length === 0 ? [] : [derContext(0, derContext(0, ...urls.map(uriName)))]),
    ...flag(1, point.onlyUserCertificates),
    ...flag(2, point.onlyAuthorityCertificates),
    ...flag(4, point.indirect),
  );
  return extension(AuthorityOid.issuingDistributionPoint, value, true);
}

function entryExtensions({ reason, certificateIssuer }: TestCrlEntry): readonly Buffer[] {
  const extensions = [
    ...(reason === undefined
      ? []
      : [extension(AuthorityOid.reasonCode, derElement(Tag.enumerated, Buffer.of(REVOCATION_REASONS[reason])))]),
    ...(certificateIssuer === undefined
      ? []
      : [extension(AuthorityOid.certificateIssuer, derSequence(derContext(4, certificateIssuer)), true)]),
  ];
  return extensions.length === 0 ? [] : [derSequence(...extensions)];
}

/**
 * SEQUENCE of the serial number and its tail. Usual serial numbers, positive and in their shortest form, are written in
 * a single step, because a list has half a million.
 */
function joinEntry(serialNumber: Uint8Array, tail: Buffer): Buffer {
  const length = 2 + serialNumber.length + tail.length;
  const first = serialNumber[0] ?? 0;
  if (first === 0 || first > 0x7f || length > 0x7f) return derSequence(derInteger(serialNumber), tail);
  const entry = Buffer.allocUnsafe(2 + length);
  entry[0] = Tag.sequence;
  entry[1] = length;
  entry[2] = Tag.integer;
  entry[3] = serialNumber.length;
  entry.set(serialNumber, 4);
  entry.set(tail, 4 + serialNumber.length);
  return entry;
}

/** Writes entries; the common parts of many entries, time and reason, are encoded once. */
function entryWriter(): (entry: TestCrlEntry) => Buffer {
  const tails = new Map<string, Buffer>();
  return (entry) => {
    const { serialNumber, at, reason, certificateIssuer } = entry;
    const key = `${at.getTime()} ${reason ?? ''}`;
    let tail = certificateIssuer === undefined ? tails.get(key) : undefined;
    if (tail === undefined) {
      tail = Buffer.concat([derTime(at), ...entryExtensions(entry)]);
      if (certificateIssuer === undefined && tails.size < MAX_TAILS) tails.set(key, tail);
    }
    return joinEntry(serialNumber, tail);
  };
}

/** The entries in pieces of a good size for files and sockets. */
function* writeEntries(entries: Iterable<TestCrlEntry>): Generator<Buffer> {
  const write = entryWriter();
  let pieces: Buffer[] = [];
  let length = 0;
  for (const entry of entries) {
    const piece = write(entry);
    pieces.push(piece);
    length += piece.length;
    if (length < BLOCK) continue;
    yield Buffer.concat(pieces, length);
    pieces = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(pieces, length);
}

/** The parts before and after the entries. */
function writeFrame(fields: TestCrlFields, algorithm: Buffer): { readonly head: Buffer; readonly tail: Buffer } {
  const key = createPublicKey(privateKeyOf(fields.issuer));
  const extensions = [
    authorityKeyIdentifier(keyIdentifier(exportPublicKey(key))),
    extension(AuthorityOid.crlNumber, derInteger(fields.number)),
    ...(fields.distributionPoint === undefined ? [] : [distributionPoint(fields.distributionPoint)]),
  ];
  const head = Buffer.concat([
    derInteger(1),
    algorithm,
    parseCertificate(fields.issuer.certificate).subject,
    derTime(fields.thisUpdate),
    ...(fields.nextUpdate === null ? [] : [derTime(fields.nextUpdate)]),
  ]);
  return { head, tail: derContext(0, derSequence(...extensions)) };
}

/**
 * The list in pieces, so that half a million entries need little memory. `entries` is called three times, for the
 * length, the signature and the content, and must give the same entries each time. EdDSA signs only a whole message, so
 * the list is first collected in memory.
 */
export function* streamCrl(fields: TestCrlFields, entries: () => Iterable<TestCrlEntry>): Generator<Buffer> {
  const { key, algorithm, digest } = chooseSignature(authorityKeyOf(fields.issuer));
  const { head, tail } = writeFrame(fields, algorithm);
  let entriesLength = 0;
  for (const block of writeEntries(entries())) entriesLength += block.length;
  const listHeader = entriesLength === 0 ? Buffer.alloc(0) : derHeader(Tag.sequence, entriesLength);
  const bodyLength = head.length + listHeader.length + entriesLength + tail.length;
  const bodyHeader = derHeader(Tag.sequence, bodyLength);
  function* body(): Generator<Buffer> {
    yield Buffer.concat([bodyHeader, head, listHeader]);
    yield* writeEntries(entries());
    yield tail;
  }
  let signature: Buffer;
  if (digest === null) {
    signature = sign(null, Buffer.concat([...body()]), key);
  } else {
    const signing = createSign(digest);
    for (const piece of body()) signing.update(piece);
    signature = signing.sign(key);
  }
  const trailer = Buffer.concat([algorithm, derBitString(signature)]);
  yield derHeader(Tag.sequence, bodyHeader.length + bodyLength + trailer.length);
  yield* body();
  yield trailer;
}

/** DER of the CertificateList. */
export function writeCrl(fields: TestCrlFields, entries: readonly TestCrlEntry[] = []): Buffer {
  return Buffer.concat([...streamCrl(fields, () => entries)]);
}
