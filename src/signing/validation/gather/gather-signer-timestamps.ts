/** The time stamps in the attributes of one signer. */
import { type ReadableDigestAlgorithm, digestBytes } from '../../algorithms/algorithms.ts';
import { CadesOid } from '../../cms/cades-oids.ts';
import type { Envelope } from '../../cms/levels/envelope.ts';
import type { Attribute, SignerInfo } from '../../signed-data/signed-data.ts';
import { isNamedBy } from '../../signed-data/verify-signer.ts';
import { readDer, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import { readTimestampToken } from '../../timestamps/timestamp-token.ts';
import { type ObjectKey, type TimestampFacts, certificateKey, objectKey, signatureKey } from '../facts.ts';
import type { OpenContent, RawParts } from '../input/open-signature.ts';
import type { TimestampRole } from '../validation-report.ts';
import { readArchiveV2, readArchiveV3, type ArchiveFacts, type ArchivePlace } from './archive-imprint.ts';
import type { GatherContext } from './evidence-pool.ts';
import { digestsOfMessage } from '../../evidence-records/index.ts';
import { coveredByRecord, gatherRecords, type RecordSubject } from './gather-evidence-record.ts';
import { referencedObjects } from './gather-references.ts';
import { gatherTimestamp, type Stamped } from './gather-timestamp.ts';

/** The place of the attributes. */
export interface SignerPlace {
  readonly id: string;
  readonly info: SignerInfo;
  readonly content: OpenContent | undefined;
  /** Absent for a counter-signature: its archive time stamps are not read. */
  readonly envelope?: () => Envelope;
  /** True when the content is enclosed. */
  readonly isAttached?: boolean;
  /** Index of the signer in the envelope. */
  readonly index?: number;
  /** DER of the whole message, without its content where the content stays in a file. */
  readonly message?: Buffer;
  readonly encapsulated?: Buffer;
  /** The unchanged parts of a message in BER. */
  readonly raw?: () => RawParts;
}

/** Maximum number of time stamps of one signer that are read. */
const MAX_TIMESTAMPS = 64;

type Role = Exclude<TimestampRole, 'document' | 'evidence-record'>;

const ROLES: ReadonlyMap<string, Role> = new Map([
  [CadesOid.contentTimeStamp, 'content'],
  [CadesOid.signatureTimeStamp, 'signature'],
  [CadesOid.referencesTimeStamp, 'references'],
  [CadesOid.archiveTimeStampV2, 'archive'],
  [CadesOid.archiveTimeStampV3, 'archive'],
]);

interface Found {
  readonly oid: string;
  readonly role: Role;
  readonly value: DerElement;
}

function find({ signedAttributes, unsignedAttributes }: SignerInfo): readonly Found[] {
  const inPlace = (attributes: readonly Attribute[], isSigned: boolean): readonly Found[] =>
    attributes.flatMap(({ oid, values }) => {
      const role = ROLES.get(oid);
      if (role === undefined || (role === 'content') !== isSigned) return [];
      return values.map((value) => ({ oid, role, value }));
    });
  return [...inPlace(signedAttributes, true), ...inPlace(unsignedAttributes, false)].slice(0, MAX_TIMESTAMPS);
}

function timeOf(token: DerElement): Date | undefined {
  try {
    return readTimestampToken(token.bytes).time;
  } catch (error) {
    if (error instanceof SigningError) return undefined;
    throw error;
  }
}

const attributesOf = ({ unsignedAttributes }: SignerInfo, ...oids: readonly string[]): readonly Attribute[] =>
  oids.flatMap((oid) => unsignedAttributes.filter((attribute) => attribute.oid === oid));

/** CAdES-C-time-stamp: the signature, its time stamps and the references (RFC 5126 §6.3.5). */
function referencesInput({ info }: SignerPlace): Buffer {
  const attributes = attributesOf(
    info,
    CadesOid.signatureTimeStamp,
    CadesOid.certificateReferences,
    CadesOid.revocationReferences,
  );
  return Buffer.concat([info.signature, ...attributes.map(({ der }) => readDer(der).content)]);
}

async function stampedArchive(
  { oid, value }: Found,
  place: SignerPlace,
  algorithm: ReadableDigestAlgorithm,
  context: GatherContext,
): Promise<ArchiveFacts> {
  const { index, encapsulated, content } = place;
  const envelope = place.envelope?.();
  const signer = index === undefined ? undefined : envelope?.signers[index];
  if (envelope === undefined || signer === undefined || encapsulated === undefined) return { imprints: [], covers: [] };
  const archive: ArchivePlace = {
    envelope,
    signer,
    encapsulated,
    content,
    pool: context.pool,
    raw: place.raw === undefined ? undefined : place.raw(),
    isAttached: place.isAttached === true,
  };
  return oid === CadesOid.archiveTimeStampV3
    ? readArchiveV3(archive, value, algorithm)
    : readArchiveV2(archive, value, algorithm, timeOf);
}

/** The counter-signatures among the covered objects, by the numbers of their signatures. */
function counterSignaturesIn({ id, info }: SignerPlace, covers: readonly ObjectKey[]): readonly ObjectKey[] {
  const values = attributesOf(info, CadesOid.counterSignature).flatMap((attribute) => attribute.values);
  return values.flatMap(({ bytes }, index) =>
    covers.includes(objectKey(bytes)) ? [signatureKey(`${id}.${index + 1}`)] : [],
  );
}

async function stamped(
  found: Found,
  place: SignerPlace,
  algorithm: ReadableDigestAlgorithm,
  context: GatherContext,
): Promise<Stamped> {
  const { info, content, id } = place;
  const own = [signatureKey(id), ...context.pool.certificates.filter(isNamedBy(info.identifier)).map(certificateKey)];
  switch (found.role) {
    case 'content':
      return { imprints: content === undefined ? [] : [await content.signed.digestOf(algorithm)], covers: [] };
    case 'signature':
      return { imprints: [digestBytes(algorithm, info.signature)], covers: own };
    case 'references': {
      const tokens = attributesOf(info, CadesOid.signatureTimeStamp).flatMap(({ values }) => values);
      return {
        imprints: [digestBytes(algorithm, referencesInput(place))],
        covers: [...own, ...tokens.map(({ bytes }) => objectKey(bytes)), ...referencedObjects(info, context.pool)],
      };
    }
    case 'archive': {
      const { imprints, covers, indexProblem } = await stampedArchive(found, place, algorithm, context);
      return {
        imprints,
        covers: [...own, ...covers, ...counterSignaturesIn(place, covers)],
        indexProblem,
      };
    }
  }
}

/** The evidence records of a signer; each record covers the whole message. */
function recordsOf(place: SignerPlace, context: GatherContext): readonly RecordSubject[] {
  const { info, content, message, encapsulated } = place;
  const covered = (value: DerElement): readonly ObjectKey[] =>
    place.envelope === undefined ? [] : coveredByRecord(place.envelope, value, context.pool);
  const recorded =
    message === undefined || encapsulated === undefined
      ? undefined
      : { message, encapsulated, content, isAttached: place.isAttached === true };
  return attributesOf(info, CadesOid.evidenceRecordInternal, CadesOid.evidenceRecordExternal).flatMap(
    ({ oid, values }) =>
      values.map((value) => ({
        der: value.bytes,
        attribute: oid,
        digestsOf: digestsOfMessage(recorded, value, oid === CadesOid.evidenceRecordExternal),
        covers: covered(value),
      })),
  );
}

/** False for a signer without any attribute that holds time stamps or evidence records. */
export const mayHoldTimestamps = ({ signedAttributes, unsignedAttributes }: SignerInfo): boolean =>
  unsignedAttributes.length > 0 || signedAttributes.some(({ oid }) => oid === CadesOid.contentTimeStamp);

/**
 * Facts about all time stamps of a signer, content time stamps included, in the order of the attributes; then those of
 * its evidence records.
 */
export async function gatherSignerTimestamps(
  place: SignerPlace,
  context: GatherContext,
): Promise<readonly TimestampFacts[]> {
  const facts: TimestampFacts[] = [];
  for (const found of find(place.info)) {
    const { oid, role, value } = found;
    const token = {
      role,
      attribute: oid,
      der: value.bytes,
      stamped: (algorithm: ReadableDigestAlgorithm) => stamped(found, place, algorithm, context),
    };
    facts.push(await gatherTimestamp(token, context));
  }
  return [...facts, ...(await gatherRecords(recordsOf(place, context), context))];
}
