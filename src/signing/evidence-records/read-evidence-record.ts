/** Reads evidence records (RFC 4998 §3.1, §4.1, §5.1); nothing is verified. */
import { DIGEST_LENGTH, type ReadableDigestAlgorithm } from '../algorithms/algorithms.ts';
import { digestOfIdentifier, type AlgorithmIdentifier } from '../algorithms/signature-algorithm.ts';
import { Tag, contextTag, readDer, readOid, readSmallInteger, type DerElement } from '../der/reader.ts';
import { SigningError } from '../errors.ts';
import type { Attribute } from '../signed-data/signed-data.ts';
import { readTimestampToken, type TimestampToken } from '../timestamps/timestamp-token.ts';

/** An archive time stamp (RFC 4998 §4.1). */
export interface ArchiveTimestamp {
  /** The hash function of the hash tree, from `digestAlgorithm` or, without this field, from the time stamp. */
  readonly algorithm: ReadableDigestAlgorithm;
  readonly attributes: readonly Attribute[];
  /** The lists of `reducedHashtree`, unchanged; undefined when the time stamp covers the hash itself. */
  readonly tree: readonly (readonly Buffer[])[] | undefined;
  /** The time stamp token, and its unchanged bytes. */
  readonly token: TimestampToken;
  readonly tokenBytes: Buffer;
}

/** An archive time stamp chain (RFC 4998 §5.1): a first time stamp and its renewals, with one hash function. */
export interface ArchiveChain {
  /** DER, unchanged from the record. */
  readonly der: Buffer;
  /** At least one. */
  readonly stamps: readonly [ArchiveTimestamp, ...ArchiveTimestamp[]];
}

/** An evidence record. */
export interface EvidenceRecord {
  /** Certificates, revocation data and the like for the validation (`cryptoInfos`). */
  readonly infos: readonly Attribute[];
  /** The data was encrypted before its hash was taken (`encryptionInfo`, RFC 4998 §6.1). */
  readonly isOverEncrypted: boolean;
  /** Oldest first; at least one. */
  readonly chains: readonly [ArchiveChain, ...ArchiveChain[]];
}

/** Maximum number of time stamps in a record: one a year for more than a lifetime. */
const MAX_STAMPS = 64;

/** Maximum number of hash values in the lists of a record. */
const MAX_HASHES = 100_000;

/** Throws `DER_MALFORMED`; `detail` describes the damage. */
function malformed(detail: string): never {
  throw new SigningError('DER_MALFORMED', `The evidence record is damaged: ${detail}.`);
}

/** Takes the fields of a SEQUENCE in their order; extra fields are an error. */
class FieldReader {
  readonly #fields: readonly DerElement[];
  readonly #what: string;
  #next = 0;

  constructor(element: DerElement, what: string) {
    this.#fields = element.children;
    this.#what = what;
  }

  /** The next field, which is mandatory. */
  take(tag: number, what: string): DerElement {
    const field = this.#fields[this.#next] ?? malformed(`${what} is missing`);
    this.#next += 1;
    return field.expect(tag, what);
  }

  /** The next field, if its tag is `tag`. */
  takeOptional(tag: number): DerElement | undefined {
    const field = this.#fields[this.#next];
    if (field?.tag !== tag) return undefined;
    this.#next += 1;
    return field;
  }

  end(): void {
    if (this.#next < this.#fields.length) malformed(`${this.#what} has a field that does not belong there`);
  }
}

/** The elements of a SEQUENCE OF or SET OF that must have at least one. */
function membersOf(element: DerElement, what: string): readonly [DerElement, ...DerElement[]] {
  const [first, ...rest] = element.children;
  return first === undefined ? malformed(`${what} is empty`) : [first, ...rest];
}

/** AlgorithmIdentifier, also under an implicit tag. */
function readAlgorithm(element: DerElement): AlgorithmIdentifier {
  const fields = new FieldReader(element, 'a hash algorithm');
  const oid = readOid(fields.take(Tag.oid, 'a hash algorithm'), 'a hash algorithm');
  const [, parameters] = element.children;
  if (element.children.length > 2) malformed('a hash algorithm has more than two fields');
  return { oid, parameters };
}

function readAttribute(element: DerElement): Attribute {
  const fields = new FieldReader(element.expect(Tag.sequence, 'an attribute'), 'an attribute');
  const oid = readOid(fields.take(Tag.oid, 'the type of an attribute'), 'the type of an attribute');
  const values = fields.take(Tag.set, 'the values of an attribute').children;
  fields.end();
  return { der: element.bytes, oid, values };
}

const readAttributes = (element: DerElement | undefined, what: string): readonly Attribute[] =>
  element === undefined ? [] : membersOf(element, what).map(readAttribute);

/** `encryptionInfo`: a type and a value, of no use without the keys. */
function checkEncryptionInfo(element: DerElement): void {
  const fields = new FieldReader(element, 'the encryption information');
  fields.take(Tag.oid, 'the kind of encryption');
  if (element.children.length !== 2) malformed('the encryption information has no value, or several');
}

/** Limits the number of time stamps and hash values in a record, over all its chains. */
class Allowance {
  #stamps = 0;
  #hashes = 0;

  addStamp(): void {
    this.#stamps += 1;
    if (this.#stamps > MAX_STAMPS) malformed(`it has more than ${MAX_STAMPS} time stamps`);
  }

  addHashes(count: number): void {
    this.#hashes += count;
    if (this.#hashes > MAX_HASHES) malformed(`it has more than ${MAX_HASHES} hash values`);
  }
}

function readTree(
  element: DerElement,
  algorithm: ReadableDigestAlgorithm,
  allowance: Allowance,
): readonly (readonly Buffer[])[] {
  return membersOf(element, 'the hash tree').map((list) => {
    const values = membersOf(list.expect(Tag.sequence, 'a list of hash values'), 'a list of hash values');
    allowance.addHashes(values.length);
    return values.map((value) => {
      const { content } = value.expect(Tag.octetString, 'a hash value');
      if (content.length !== DIGEST_LENGTH[algorithm]) malformed(`a hash value is not one of ${algorithm}`);
      return content;
    });
  });
}

/**
 * The algorithm of the hash tree. The field has to name the hash function of the time stamp (RFC 4998 §4.3, step 4):
 * with another function nothing would bind the tree to the time stamp.
 */
function algorithmOf(field: DerElement | undefined, token: TimestampToken): ReadableDigestAlgorithm {
  if (field === undefined) return token.imprint.algorithm;
  const identifier = readAlgorithm(field);
  const algorithm = digestOfIdentifier(identifier);
  if (algorithm === token.imprint.algorithm) return algorithm;
  const named = algorithm ?? identifier.oid;
  return malformed(`an archive time stamp names ${named}, and its time stamp uses ${token.imprint.algorithm}`);
}

function readStamp(element: DerElement, allowance: Allowance): ArchiveTimestamp {
  allowance.addStamp();
  const fields = new FieldReader(element.expect(Tag.sequence, 'an archive time stamp'), 'an archive time stamp');
  const digest = fields.takeOptional(contextTag(0));
  const attributes = fields.takeOptional(contextTag(1));
  const tree = fields.takeOptional(contextTag(2));
  const { bytes: tokenBytes } = fields.take(Tag.sequence, 'the time stamp');
  fields.end();
  const token = readTimestampToken(tokenBytes);
  const algorithm = algorithmOf(digest, token);
  return {
    algorithm,
    attributes: readAttributes(attributes, 'the list of attributes'),
    tree: tree === undefined ? undefined : readTree(tree, algorithm, allowance),
    token,
    tokenBytes,
  };
}

function readChain(element: DerElement, allowance: Allowance): ArchiveChain {
  const what = 'an archive time stamp chain';
  const [first, ...rest] = membersOf(element.expect(Tag.sequence, what), what);
  return {
    der: element.bytes,
    stamps: [readStamp(first, allowance), ...rest.map((stamp) => readStamp(stamp, allowance))],
  };
}

/**
 * Reads an EvidenceRecord. Throws `DER_MALFORMED` for anything else, `TIMESTAMP_INVALID` and `ALGORITHM_UNSUPPORTED` for
 * a time stamp that cannot be read.
 */
export function readEvidenceRecord(der: Uint8Array): EvidenceRecord {
  const record = readDer(der).expect(Tag.sequence, 'the evidence record');
  const fields = new FieldReader(record, 'the evidence record');
  const version = readSmallInteger(fields.take(Tag.integer, 'the version'), 'the version');
  if (version !== 1) malformed(`its version is ${version}, and only version 1 is defined`);
  membersOf(fields.take(Tag.sequence, 'the list of hash algorithms'), 'the list of hash algorithms').forEach((one) =>
    readAlgorithm(one.expect(Tag.sequence, 'a hash algorithm')),
  );
  const infos = readAttributes(fields.takeOptional(contextTag(0)), 'the list of validation data');
  const encryption = fields.takeOptional(contextTag(1));
  if (encryption !== undefined) checkEncryptionInfo(encryption);
  const what = 'the sequence of archive time stamp chains';
  const [first, ...rest] = membersOf(fields.take(Tag.sequence, what), what);
  fields.end();
  const allowance = new Allowance();
  return {
    infos,
    isOverEncrypted: encryption !== undefined,
    chains: [readChain(first, allowance), ...rest.map((chain) => readChain(chain, allowance))],
  };
}

/**
 * True when the bytes may be an evidence record: a SEQUENCE of version 1 and a SEQUENCE of algorithm identifiers. A CMS
 * message begins with an object identifier, a time-stamp response with a SEQUENCE, a private key has an OBJECT
 * IDENTIFIER in its second field, and a PKCS#12 file has version 3.
 */
export function isEvidenceRecord(bytes: Uint8Array): boolean {
  try {
    const [version, algorithms] = readDer(bytes).children;
    if (version?.tag !== Tag.integer || algorithms?.tag !== Tag.sequence) return false;
    return readSmallInteger(version, 'the version') === 1 && algorithms.children[0]?.tag === Tag.sequence;
  } catch (error) {
    if (error instanceof SigningError) return false;
    throw error;
  }
}
