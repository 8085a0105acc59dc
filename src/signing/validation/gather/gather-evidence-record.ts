/** Facts about evidence records: the data under them, and their time stamps as archive time stamps (RFC 4998). */
import { CadesOid, isEvidenceRecordType } from '../../cms/cades-oids.ts';
import type { Envelope } from '../../cms/levels/envelope.ts';
import { readDer, readOid, type DerElement } from '../../der/reader.ts';
import { unwrapText } from '../../der/unwrap-text.ts';
import { SigningError } from '../../errors.ts';
import {
  contentOfBytes,
  contentOfSlice,
  wholeFile,
  withInput,
  type DigestOf,
  type SignedContent,
} from '../../signed-data/content.ts';
import { readBytes } from '../../signed-data/signature-input.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';
import {
  findRecordProblem,
  leftOutBy,
  stampsOf,
  tryReadRecord,
  type DataDigests,
  type IsLeftOut,
  type RecordProblem,
} from '../../evidence-records/index.ts';
import { type ObjectKey, type TimestampFacts, objectKey, signatureKey } from '../facts.ts';
import type { OpenContent } from '../input/open-signature.ts';
import type { WithRecords } from '../validation-request.ts';
import type { EvidencePool, GatherContext } from './evidence-pool.ts';
import {
  addAttributeValue,
  addEvidenceRecord,
  addRevocationChoice,
  addToken,
  ignoringDamage,
} from './gather-material.ts';
import { damagedTimestamp, gatherTimestamp } from './gather-timestamp.ts';

/** Maximum number of evidence records of one place that are read; honest signatures have one. */
const MAX_RECORDS = 8;

/** A record at its place. */
export interface RecordSubject {
  /** DER, unchanged. */
  readonly der: Buffer;
  /** OID of the attribute with the record. */
  readonly attribute?: string;
  readonly digestsOf: DataDigests;
  /** Objects inside the data. */
  readonly covers: readonly ObjectKey[];
}

const place = ({ der, attribute }: RecordSubject) =>
  ({ role: 'evidence-record', der, ...dropUndefined({ attribute }) }) as const;

function damagedRecord(subject: RecordSubject, sentence: string): readonly TimestampFacts[] {
  const { covers } = subject;
  return [{ ...damagedTimestamp(place(subject), sentence), covers, recordProblem: { kind: 'damaged', sentence } }];
}

/**
 * Facts about each time stamp of a record, in their order. Each one proves the data, and the time stamps before it with
 * the certificates and revocation data inside of them. A broken rule anywhere invalidates the whole record (RFC 4998
 * §5.3).
 */
async function gatherRecord(subject: RecordSubject, context: GatherContext): Promise<readonly TimestampFacts[]> {
  const record = tryReadRecord(subject.der);
  if (typeof record === 'string') return damagedRecord(subject, record);
  const problem: RecordProblem | undefined = await findRecordProblem(record, subject.digestsOf);
  const facts: TimestampFacts[] = [];
  let covered: readonly ObjectKey[] = subject.covers;
  for (const { token, tokenBytes } of stampsOf(record)) {
    const stamped = { imprints: problem === undefined ? [token.imprint.value] : [], covers: covered };
    const found = await gatherTimestamp({ ...place(subject), der: tokenBytes, stamped: () => stamped }, context);
    facts.push(problem === undefined ? found : { ...found, recordProblem: problem });
    covered = [...covered, found.key, ...addToken(context.pool, tokenBytes)];
  }
  return facts;
}

/** Facts about the time stamps of several records; records beyond the limit are reported as damaged. */
export async function gatherRecords(
  subjects: readonly RecordSubject[],
  context: GatherContext,
): Promise<readonly TimestampFacts[]> {
  const facts: TimestampFacts[] = [];
  for (const [index, subject] of subjects.entries()) {
    const sentence = `Only ${MAX_RECORDS} evidence records are read at one place.`;
    facts.push(...(index < MAX_RECORDS ? await gatherRecord(subject, context) : damagedRecord(subject, sentence)));
  }
  return facts;
}

/** Digests of the content alone: a record in a file of its own, given with its data. */
export const digestsOfContent =
  (content: OpenContent | undefined): DataDigests =>
  async (algorithm) =>
    content === undefined ? undefined : [[await content.signed.digestOf(algorithm)]];

// Records in files beside a signed file.

/** Maximum number of bytes of an evidence record in a file of its own. */
const MAX_RECORD = 16 * 2 ** 20;

async function readRecord(record: NonNullable<WithRecords['records']>[number]): Promise<Buffer> {
  if (record instanceof Uint8Array) return unwrapText(Buffer.from(record.buffer, record.byteOffset, record.byteLength));
  return withInput(record.path, async (file) => {
    const { length } = await wholeFile(file);
    if (length > MAX_RECORD) throw new SigningError('CMS_UNSUPPORTED', 'The evidence record is too long to be read.');
    return unwrapText(await readBytes(file, 0, length));
  });
}

/** Evidence records beside a signed file. */
export interface RecordsBeside {
  /** DER. */
  readonly records: readonly Buffer[];
  /** Digest of the unchanged file. */
  readonly digestOf: DigestOf;
}

/**
 * Opens the records beside a file for the duration of `action`; undefined without any. Rejects with `CMS_UNSUPPORTED` for a huge record, the
 * system's errors and the errors of `action`.
 */
export function withRecordsBeside<Result>(
  given: WithRecords['records'],
  file: Uint8Array | { readonly path: string },
  action: (beside: RecordsBeside | undefined) => Promise<Result>,
): Promise<Result> {
  return given === undefined || given.length === 0 ? action(undefined) : withRecords(given, file, action);
}

async function withRecords<Result>(
  given: NonNullable<WithRecords['records']>,
  file: Uint8Array | { readonly path: string },
  action: (beside: RecordsBeside) => Promise<Result>,
): Promise<Result> {
  const records = await Promise.all(given.map(readRecord));
  const run = ({ digestOf }: SignedContent): Promise<Result> => action({ records, digestOf });
  if (file instanceof Uint8Array) return run(contentOfBytes(file));
  return withInput(file.path, async (opened) => run(contentOfSlice(await wholeFile(opened))));
}

/** Adds the certificates and the revocation data of records, which signatures of the file may need. */
export function addRecordsBeside({ records }: RecordsBeside, pool: EvidencePool): void {
  for (const record of records) addEvidenceRecord(pool, record);
}

/**
 * Facts about the time stamps of records beside a file with the objects `covers`. A record covers the file alone, or
 * the file and its detached content in one list (RFC 4998 §4.2).
 */
export async function gatherRecordsBeside(
  { records, digestOf }: RecordsBeside,
  content: OpenContent | undefined,
  covers: readonly ObjectKey[],
  context: GatherContext,
): Promise<readonly TimestampFacts[]> {
  const digestsOf: DataDigests = async (algorithm) => {
    const file = await digestOf(algorithm);
    return content === undefined ? [[file]] : [[file], [file, await content.signed.digestOf(algorithm)]];
  };
  return gatherRecords(
    records.map((der) => ({ der, digestsOf, covers })),
    context,
  );
}

/** The keys of one signer's unsigned attributes, without the records that were left out. */
function keysOfUnsigned(unsigned: readonly Buffer[], id: string, isLeftOut: IsLeftOut, pool: EvidencePool) {
  let counters = 0;
  return unsigned.flatMap((der) => {
    const attribute = readDer(der);
    const oid = readOid(attribute.child(0, 'an attribute type'));
    const values = attribute.child(1, 'the values of an attribute').children;
    return values.flatMap((value): readonly ObjectKey[] => {
      if (isEvidenceRecordType(oid) && isLeftOut(value)) return [];
      if (oid !== CadesOid.counterSignature) return addAttributeValue(pool, oid, value);
      counters += 1;
      return [signatureKey(`${id}.${counters}`)];
    });
  });
}

/** Keys of everything in a message: signatures, material, other attributes. Empty for an unreadable message. */
export function keysOfMessage(
  open: () => Envelope,
  pool: EvidencePool,
  isLeftOut: IsLeftOut = () => false,
): readonly ObjectKey[] {
  return ignoringDamage(() => {
    const envelope = open();
    return [
      ...envelope.certificates.map(objectKey),
      ...envelope.revocations.flatMap((der) => addRevocationChoice(pool, der)),
      ...envelope.signers.flatMap(({ unsigned }, index) => [
        signatureKey(String(index + 1)),
        ...keysOfUnsigned(unsigned, String(index + 1), isLeftOut, pool),
      ]),
    ];
  });
}

/** Like `keysOfMessage`, limited to the parts covered by a record in an attribute. */
export function coveredByRecord(open: () => Envelope, value: DerElement, pool: EvidencePool): readonly ObjectKey[] {
  const [isLeftOut = () => true] = leftOutBy(value);
  return keysOfMessage(open, pool, isLeftOut);
}
