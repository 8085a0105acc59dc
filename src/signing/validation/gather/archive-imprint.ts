/** The data under archive time stamps, read back from a signature (EN 319 122-1 §5.5; RFC 5126 §6.4.1). */
import type { Hash } from 'node:crypto';
import { copyDigest, type ReadableDigestAlgorithm, createDigest, digestBytes } from '../../algorithms/algorithms.ts';
import { CadesOid, isEvidenceRecordType } from '../../cms/cades-oids.ts';
import { writeMaterial, type Envelope, type SignerParts } from '../../cms/levels/envelope.ts';
import { digestOfIdentifier } from '../../algorithms/signature-algorithm.ts';
import { Oid } from '../../der/oids.ts';
import { Tag, contextTag, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { derElementOf, derOid } from '../../der/writer.ts';
import { SigningError } from '../../errors.ts';
import { type ObjectKey, objectKey } from '../facts.ts';
import { openDer, type OpenContent, type RawParts } from '../input/open-signature.ts';
import type { EvidencePool } from './evidence-pool.ts';
import { recordTime } from '../../evidence-records/index.ts';
import { addAttributeValue, addRevocationChoice } from './gather-material.ts';

/** The place of an archive time stamp. */
export interface ArchivePlace {
  readonly envelope: Envelope;
  readonly signer: SignerParts;
  /** encapContentInfo, up to enclosed content. */
  readonly encapsulated: Buffer;
  readonly content: OpenContent | undefined;
  readonly isAttached: boolean;
  /** The unchanged parts of a message in BER. */
  readonly raw?: RawParts;
  readonly pool: EvidencePool;
}

/** Facts about an archive time stamp besides its own signature. */
export interface ArchiveFacts {
  /** Possible digests of the imprint; empty without the content. */
  readonly imprints: readonly Buffer[];
  readonly indexProblem?: string;
  readonly covers: readonly ObjectKey[];
}

const unsignedOf = (token: DerElement, oid: string): DerElement | undefined =>
  openDer(token.bytes)
    .envelope()
    .signers[0]?.unsigned.map((attribute) => readDer(attribute))
    .find((attribute) => readOid(attribute.child(0, 'an attribute type')) === oid)
    ?.child(1, 'the values')
    .child(0, 'the value');

/** ATSHashIndex: hash function (SHA-256 by default), then three lists of digests. */
interface HashIndex {
  readonly element: DerElement;
  readonly algorithm: ReadableDigestAlgorithm | undefined;
  /** Dotted OID of the hash function. */
  readonly oid: string;
  readonly lists: readonly (readonly Buffer[])[];
  /** Version 3 hashes type and value; the first version whole attributes. */
  readonly perValue: boolean;
}

function readIndex(token: DerElement): HashIndex | undefined {
  const v3 = unsignedOf(token, CadesOid.archiveHashIndexV3);
  const element = v3 ?? unsignedOf(token, CadesOid.archiveHashIndex);
  if (element === undefined) return undefined;
  const fields = element.expect(Tag.sequence, 'the index').children;
  const [first] = fields;
  const namesHash = fields.length === 4 && first !== undefined;
  const identifier = namesHash
    ? { oid: readOid(first.child(0, 'the hash function')), parameters: first.children[1] }
    : undefined;
  return {
    element,
    oid: identifier?.oid ?? Oid.sha256,
    algorithm: identifier === undefined ? 'sha256' : digestOfIdentifier(identifier),
    lists: fields
      .slice(namesHash ? 1 : 0)
      .map((list) => list.children.map((digest) => digest.expect(Tag.octetString, 'a digest').content)),
    perValue: v3 !== undefined,
  };
}

/** An entry of an index, and the keys of the objects inside. */
interface Indexed {
  readonly digest: Buffer;
  readonly keys: () => readonly ObjectKey[];
}

function unsignedEntries({ signer, pool }: ArchivePlace, index: HashIndex, digest: ReadableDigestAlgorithm): Indexed[] {
  return signer.unsigned
    .map((der) => readDer(der))
    .flatMap((attribute): Indexed[] => {
      const type = attribute.child(0, 'an attribute type');
      const oid = readOid(type, 'an attribute type');
      const values = attribute.child(1, 'the values of an attribute').children;
      const keysOf = (value: DerElement) => () => addAttributeValue(pool, oid, value);
      if (!index.perValue) {
        return [
          { digest: digestBytes(digest, attribute.bytes), keys: () => values.flatMap((value) => keysOf(value)()) },
        ];
      }
      return values.map((value) => ({
        digest: digestBytes(digest, Buffer.concat([type.bytes, value.bytes])),
        keys: keysOf(value),
      }));
    });
}

/** Every digest of the index has to belong to a part of the signature (EN 319 122-1 §5.5.2). */
function matchIndex(place: ArchivePlace, index: HashIndex): { readonly problem?: string; readonly keys: ObjectKey[] } {
  const { algorithm } = index;
  if (algorithm === undefined) {
    return { problem: `Its index uses the hash function ${index.oid}, which is not known here.`, keys: [] };
  }
  const { certificates, revocations } = place.envelope;
  const candidates: readonly (readonly Indexed[])[] = [
    certificates.map((der) => ({ digest: digestBytes(algorithm, der), keys: () => [objectKey(der)] })),
    revocations.map((der) => ({
      digest: digestBytes(algorithm, der),
      keys: () => addRevocationChoice(place.pool, der),
    })),
    unsignedEntries(place, index, algorithm),
  ];
  const keys: ObjectKey[] = [];
  for (const [position, digests] of index.lists.entries()) {
    const table = new Map((candidates[position] ?? []).map((entry) => [entry.digest.toString('hex'), entry]));
    for (const digest of digests) {
      const found = table.get(digest.toString('hex'));
      if (found === undefined) {
        return { problem: 'It covers something that is no longer in the signature, or was changed.', keys: [] };
      }
      keys.push(...found.keys());
    }
  }
  return { keys };
}

/** Reads the coverage of an archive-time-stamp-v3 from its index and its imprint (EN 319 122-1 §5.5.3). */
export async function readArchiveV3(
  place: ArchivePlace,
  token: DerElement,
  algorithm: ReadableDigestAlgorithm,
): Promise<ArchiveFacts> {
  const index = readIndex(token);
  if (index === undefined) return { imprints: [], indexProblem: 'It has no index of what it covers.', covers: [] };
  const { problem, keys } = matchIndex(place, index);
  const imprint = async (content: OpenContent): Promise<Buffer> => {
    const digest = createDigest(algorithm)
      .update(derOid(place.envelope.contentType))
      .update(await content.signed.digestOf(algorithm));
    for (const field of place.signer.fields) digest.update(field);
    return digest.update(index.element.bytes).digest();
  };
  return {
    imprints: place.content === undefined ? [] : [await imprint(place.content)],
    indexProblem: problem,
    covers: keys,
  };
}

const ARCHIVES: ReadonlySet<string> = new Set([
  CadesOid.archiveTimeStamp,
  CadesOid.archiveTimeStampV2,
  CadesOid.archiveTimeStampV3,
]);

/** The time of an archive time stamp or evidence record; undefined for other or unreadable attributes. */
function madeAt(attribute: DerElement, oid: string, timeOf: (token: DerElement) => Date | undefined): Date | undefined {
  const [value] = attribute.child(1, 'the values of an attribute').children;
  return value && (isEvidenceRecordType(oid) ? recordTime(value) : timeOf(value));
}

/**
 * The unsigned attributes under an archive time stamp of version 2: all but itself, later archive time stamps of any
 * version, and later evidence records. The order of equal times is unknown, so there may be two answers.
 */
function attributesBefore(
  { unsigned }: SignerParts,
  token: DerElement,
  timeOf: (token: DerElement) => Date | undefined,
): readonly (readonly DerElement[])[] {
  const own = timeOf(token)?.getTime() ?? 0;
  const attributes = unsigned.map((der) => readDer(der));
  const earlier = (isEarlier: (time: number) => boolean): readonly DerElement[] =>
    attributes.filter((attribute) => {
      const oid = readOid(attribute.child(0, 'an attribute type'));
      if (!ARCHIVES.has(oid) && !isEvidenceRecordType(oid)) return true;
      if (attribute.child(1, 'the values').children.some(({ bytes }) => bytes.equals(token.bytes))) return false;
      const time = madeAt(attribute, oid, timeOf);
      return time !== undefined && isEarlier(time.getTime());
    });
  const strict = earlier((time) => time < own);
  const loose = earlier((time) => time <= own);
  return loose.length === strict.length ? [strict] : [strict, loose];
}

/** The digests of the bytes before the signer, in each form: the DER made from BER, and the original bytes. */
async function digestsOfHead(
  { envelope, content, encapsulated, isAttached, raw }: ArchivePlace,
  algorithm: ReadableDigestAlgorithm,
): Promise<readonly Hash[]> {
  if (content === undefined) return [];
  const inForm = async (head: Buffer): Promise<Hash> => {
    const digest = createDigest(algorithm);
    await content.forArchive(head).forEachPiece((piece) => void digest.update(piece));
    return digest;
  };
  const rawHead = async ({ encapsulated: head }: RawParts): Promise<Hash> =>
    isAttached ? createDigest(algorithm).update(head) : inForm(head);
  const heads = [await inForm(encapsulated), ...(raw === undefined ? [] : [await rawHead(raw)])];
  const material = Buffer.concat(writeMaterial(envelope));
  const materials = raw === undefined || raw.material.equals(material) ? [material] : [material, raw.material];
  return heads.flatMap((head) => materials.map((part) => copyDigest(head, algorithm).update(part)));
}

/**
 * Reads the coverage of an archive time stamp of version 2 (RFC 5126 §6.4.1): the original message, without itself and
 * later archive time stamps. Writers differ on the header of the unsigned attributes and, in BER, on what is written as
 * DER, so there are several possible imprints.
 */
export async function readArchiveV2(
  place: ArchivePlace,
  token: DerElement,
  algorithm: ReadableDigestAlgorithm,
  timeOf: (token: DerElement) => Date | undefined,
): Promise<ArchiveFacts> {
  const { envelope, signer, pool } = place;
  const candidates = attributesBefore(signer, token, timeOf);
  const covers = [
    ...envelope.certificates.map(objectKey),
    ...envelope.revocations.flatMap((der) => addRevocationChoice(pool, der)),
    ...(candidates[0] ?? []).flatMap((attribute) => {
      const oid = readOid(attribute.child(0, 'an attribute type'));
      return attribute.child(1, 'the values').children.flatMap((value) => addAttributeValue(pool, oid, value));
    }),
  ];
  const tails = candidates.flatMap((attributes) => {
    const stored = attributes.map(({ bytes }) => bytes);
    return stored.length === 0 ? [Buffer.alloc(0)] : [derElementOf(contextTag(1), stored), Buffer.concat(stored)];
  });
  try {
    const heads = await digestsOfHead(place, algorithm);
    const fields = Buffer.concat(signer.fields);
    const imprints = heads.flatMap((head) =>
      tails.map((tail) => copyDigest(head, algorithm).update(fields).update(tail).digest()),
    );
    return { imprints, covers };
  } catch (error) {
    if (error instanceof SigningError && error.code === 'CMS_UNSUPPORTED') return { imprints: [], covers };
    throw error;
  }
}
