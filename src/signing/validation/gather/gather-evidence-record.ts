/** Facts about evidence records: the data under them, and their time stamps as archive time stamps (RFC 4998). */
import { CadesOid } from '../../cms/cades-oids.ts';
import type { Envelope } from '../../cms/levels/envelope.ts';
import { createDigest, type ReadableDigestAlgorithm } from '../../algorithms/algorithms.ts';
import { Tag, contextTag, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { derElementOf, derHeader } from '../../der/writer.ts';
import { SigningError } from '../../errors.ts';
import {
  contentOfBytes,
  contentOfSlice,
  wholeFile,
  withInput,
  type DigestOf,
  type SignedContent,
} from '../../signed-data/content.ts';
import { readBytes, unwrapPem } from '../../signed-data/signature-input.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';
import {
  findRecordProblem,
  readEvidenceRecord,
  stampsOf,
  type DataDigests,
  type EvidenceRecord,
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
  isEvidenceRecordType,
} from './gather-material.ts';
import { damagedTimestamp, gatherTimestamp } from './gather-timestamp.ts';

/** Most evidence records of one place that are read; honest signatures have one. */
const MAX_RECORDS = 8;

/** A record at its place. */
export interface RecordSubject {
  /** DER as it stands. */
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

function tryRead(der: Uint8Array): EvidenceRecord | string {
  try {
    return readEvidenceRecord(der);
  } catch (error) {
    if (error instanceof SigningError) return error.message;
    throw error;
  }
}

/**
 * Facts about each time stamp of a record, in their order. Each one proves the data, and the time stamps before it with
 * the certificates and revocation data inside of them. A broken rule anywhere takes the worth of the whole record
 * (RFC 4998 §5.3).
 */
async function gatherRecord(subject: RecordSubject, context: GatherContext): Promise<readonly TimestampFacts[]> {
  const record = tryRead(subject.der);
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

/** Facts about the time stamps of several records; records beyond the limit are told as such. */
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

/** Most bytes of an evidence record in a file of its own. */
const MAX_RECORD = 16 * 2 ** 20;

async function readRecord(record: NonNullable<WithRecords['records']>[number]): Promise<Buffer> {
  if (record instanceof Uint8Array) return unwrapPem(Buffer.from(record.buffer, record.byteOffset, record.byteLength));
  return withInput(record.path, async (file) => {
    const { length } = await wholeFile(file);
    if (length > MAX_RECORD) throw new SigningError('CMS_UNSUPPORTED', 'The evidence record is too long to be read.');
    return unwrapPem(await readBytes(file, 0, length));
  });
}

/** Evidence records beside a signed file. */
export interface RecordsBeside {
  /** DER. */
  readonly records: readonly Buffer[];
  /** Of the file as it stands. */
  readonly digestOf: DigestOf;
}

/**
 * Opens the records beside a file for the duration of `action`; undefined without any. Rejects with `CMS_UNSUPPORTED` for a huge record, the
 * system's errors and the errors of `action`.
 */
export async function withRecordsBeside<Result>(
  given: WithRecords['records'],
  file: Uint8Array | { readonly path: string },
  action: (beside: RecordsBeside | undefined) => Promise<Result>,
): Promise<Result> {
  if (given === undefined || given.length === 0) return action(undefined);
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
 * Facts about the time stamps of records beside a file with the objects `covers`. A record is over the file alone, or
 * over the file and its detached content in one list (RFC 4998 §4.2).
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

// A record in an unsigned attribute is over the message without this record and later records (RFC 4998 appendix A).

/** A message with enclosed or detached content. */
export interface RecordedMessage {
  /** DER, without its content where the content stays in a file. */
  readonly message: Buffer;
  /** encapContentInfo, up to enclosed content. */
  readonly encapsulated: Buffer;
  readonly content: OpenContent | undefined;
  readonly isAttached: boolean;
}

/** True for a value of an unsigned attribute that is to be left out. */
type IsLeftOut = (value: DerElement) => boolean;

/** The Attribute without these values; empty when none is left. */
function keptAttribute(attribute: DerElement, isLeftOut: IsLeftOut): readonly Buffer[] {
  const type = attribute.child(0, 'an attribute type');
  const values = attribute.child(1, 'the values of an attribute');
  if (!isEvidenceRecordType(readOid(type))) return [attribute.bytes];
  const kept = values.children.filter((value) => !isLeftOut(value)).map(({ bytes }) => bytes);
  if (kept.length === values.children.length) return [attribute.bytes];
  return kept.length === 0 ? [] : [derElementOf(Tag.sequence, [type.bytes, derElementOf(values.tag, kept)])];
}

/** The SignerInfo without these values; unsignedAttrs goes with its last attribute (RFC 5652 §5.3). */
function keptSigner(signer: DerElement, isLeftOut: IsLeftOut): Buffer {
  const fields = signer.children.map((field, index) => {
    if (index < 4 || field.tag !== contextTag(1)) return field.bytes;
    const kept = field.children.flatMap((attribute) => keptAttribute(attribute, isLeftOut));
    return kept.length === 0 ? Buffer.alloc(0) : derElementOf(field.tag, kept);
  });
  return derElementOf(signer.tag, fields);
}

/** The bytes before and behind the content, with lengths that fit; everything else stays as it stands. */
function writeAround(
  { message, encapsulated, content, isAttached }: RecordedMessage,
  isLeftOut: IsLeftOut,
): { readonly head: Buffer; readonly tail: Buffer } {
  const outer = readDer(message);
  const type = outer.child(0, 'the message type').bytes;
  const wrapper = outer.child(1, 'the signature');
  const body = wrapper.child(0, 'SignedData');
  const [version, digests, , ...rest] = body.children;
  const before = [...[version, digests].flatMap((field) => (field === undefined ? [] : [field.bytes])), encapsulated];
  const tail = Buffer.concat(
    rest.map((field) =>
      field.tag === Tag.set
        ? derElementOf(
            Tag.set,
            field.children.map((signer) => keptSigner(signer, isLeftOut)),
          )
        : field.bytes,
    ),
  );
  const enclosed = isAttached ? (content?.length ?? 0) : 0;
  const length = before.reduce((sum, part) => sum + part.length, 0) + enclosed + tail.length;
  const bodyHeader = derHeader(body.tag, length);
  const wrapperHeader = derHeader(wrapper.tag, bodyHeader.length + length);
  const outerHeader = derHeader(outer.tag, type.length + wrapperHeader.length + bodyHeader.length + length);
  return { head: Buffer.concat([outerHeader, type, wrapperHeader, bodyHeader, ...before]), tail };
}

async function digestWithout(
  recorded: RecordedMessage,
  isLeftOut: IsLeftOut,
  algorithm: ReadableDigestAlgorithm,
): Promise<Buffer> {
  const { head, tail } = writeAround(recorded, isLeftOut);
  const digest = createDigest(algorithm);
  if (recorded.isAttached && recorded.content !== undefined) {
    await recorded.content.forArchive(head).forEachPiece((piece) => void digest.update(piece));
  } else {
    digest.update(head);
  }
  return digest.update(tail).digest();
}

/** The time of a record's first time stamp; undefined for a damaged record. */
export function recordTime(value: DerElement): Date | undefined {
  const record = tryRead(value.bytes);
  return typeof record === 'string' ? undefined : record.chains[0].stamps[0].token.time;
}

/**
 * What was left out when a record was made: itself, and every record that is not older. With equal times nothing tells
 * which one was first, so there may be two answers.
 */
function leftOutBy(own: DerElement): readonly IsLeftOut[] {
  const time = recordTime(own)?.getTime() ?? 0;
  const isYounger =
    (isOlder: (other: number) => boolean): IsLeftOut =>
    (value) => {
      if (value.bytes.equals(own.bytes)) return true;
      const other = recordTime(value)?.getTime();
      return other === undefined || !isOlder(other);
    };
  return [isYounger((other) => other < time), isYounger((other) => other <= time)];
}

/**
 * Digests of the data under a record in an attribute: the message, and for `external` the content beside it, both in
 * one list (RFC 4998 appendix A).
 */
export const digestsOfMessage =
  (recorded: RecordedMessage | undefined, value: DerElement, isExternal: boolean): DataDigests =>
  async (algorithm) => {
    const { content } = recorded ?? {};
    if (recorded === undefined || (isExternal && content === undefined)) return undefined;
    const forms = await Promise.all(leftOutBy(value).map((isLeftOut) => digestWithout(recorded, isLeftOut, algorithm)));
    const beside = isExternal && content !== undefined ? [await content.signed.digestOf(algorithm)] : [];
    return forms.map((form) => [form, ...beside]);
  };

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

/** Keys of everything in a message: signatures, material, other attributes. None of a message that cannot be taken apart. */
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

/** The same, as far as a record in an attribute covers it. */
export function coveredByRecord(open: () => Envelope, value: DerElement, pool: EvidencePool): readonly ObjectKey[] {
  const [isLeftOut = () => true] = leftOutBy(value);
  return keysOfMessage(open, pool, isLeftOut);
}
