/**
 * A message with evidence records in its unsigned attributes (RFC 4998 appendix A). Each record covers the message
 * without this record and later records, with adjusted length fields and otherwise unchanged.
 */
import { createDigest, type ReadableDigestAlgorithm } from '../algorithms/algorithms.ts';
import { CadesOid, isEvidenceRecordType } from '../cms/cades-oids.ts';
import type { LevelContent } from '../cms/levels/level-content.ts';
import { Tag, contextTag, readDer, readOid, type DerElement } from '../der/reader.ts';
import { derElementOf, derHeader } from '../der/writer.ts';
import { SigningError } from '../errors.ts';
import type { SignedContent } from '../signed-data/content.ts';
import { readEvidenceRecord, type EvidenceRecord } from './read-evidence-record.ts';
import type { DataDigests } from './verify-evidence-record.ts';

/** The content under a record, enclosed or detached. */
export interface RecordedContent {
  readonly signed: Pick<SignedContent, 'digestOf'>;
  /** The content after the given first bytes. */
  readonly forArchive: (before: Buffer) => LevelContent;
  readonly length: number | undefined;
}

/** A message with enclosed or detached content. */
export interface RecordedMessage {
  /** DER, without its content where the content stays in a file. */
  readonly message: Buffer;
  /** encapContentInfo, up to enclosed content. */
  readonly encapsulated: Buffer;
  readonly content: RecordedContent | undefined;
  readonly isAttached: boolean;
}

/** True for a record to leave out. */
export type IsLeftOut = (value: DerElement) => boolean;

/** The replacement of a record: the same bytes, other bytes, or undefined to remove the record. */
type Rewrite = (value: DerElement) => Buffer | undefined;

const leavingOut =
  (isLeftOut: IsLeftOut): Rewrite =>
  (value) =>
    isLeftOut(value) ? undefined : value.bytes;

/** The Attribute with rewritten records; empty when none is left. */
function rewriteAttribute(attribute: DerElement, rewrite: Rewrite): readonly Buffer[] {
  const type = attribute.child(0, 'an attribute type');
  const values = attribute.child(1, 'the values of an attribute');
  if (!isEvidenceRecordType(readOid(type))) return [attribute.bytes];
  const kept = values.children.flatMap((value) => rewrite(value) ?? []);
  const isSame = kept.length === values.children.length && kept.every((one, at) => one === values.children[at]?.bytes);
  if (isSame) return [attribute.bytes];
  return kept.length === 0 ? [] : [derElementOf(Tag.sequence, [type.bytes, derElementOf(values.tag, kept)])];
}

/** The SignerInfo with rewritten records; unsignedAttrs is removed together with its last attribute (RFC 5652 §5.3). */
function rewriteSigner(signer: DerElement, rewrite: Rewrite): Buffer {
  const fields = signer.children.map((field, index) => {
    if (index < 4 || field.tag !== contextTag(1)) return field.bytes;
    const kept = field.children.flatMap((attribute) => rewriteAttribute(attribute, rewrite));
    return kept.length === 0 ? Buffer.alloc(0) : derElementOf(field.tag, kept);
  });
  return derElementOf(signer.tag, fields);
}

/** The bytes before and after the content, with adjusted length fields and otherwise unchanged. */
function writeAround(
  { message, encapsulated, content, isAttached }: RecordedMessage,
  rewrite: Rewrite,
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
            field.children.map((signer) => rewriteSigner(signer, rewrite)),
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
  const { head, tail } = writeAround(recorded, leavingOut(isLeftOut));
  const digest = createDigest(algorithm);
  if (recorded.isAttached && recorded.content !== undefined) {
    await recorded.content.forArchive(head).forEachPiece((piece) => void digest.update(piece));
  } else {
    digest.update(head);
  }
  return digest.update(tail).digest();
}

/** The record, or a sentence about its damage. */
export function tryReadRecord(der: Uint8Array): EvidenceRecord | string {
  try {
    return readEvidenceRecord(der);
  } catch (error) {
    if (error instanceof SigningError) return error.message;
    throw error;
  }
}

/** The time of a record's first time stamp; undefined for a damaged record. */
export function recordTime(value: DerElement): Date | undefined {
  const record = tryReadRecord(value.bytes);
  return typeof record === 'string' ? undefined : record.chains[0].stamps[0].token.time;
}

/**
 * The attributes that were absent when a record was made: the record itself, and every record of the same time or
 * later. Records with equal times may have been made in either order, so there may be two answers.
 */
export function leftOutBy(own: DerElement): readonly IsLeftOut[] {
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

/** A record in an unsigned attribute. */
export interface InnerRecord {
  readonly value: DerElement;
  /** True when the record covers the message and the detached content. */
  readonly isExternal: boolean;
}

/** The records of a message in DER, in the order of their first time stamps; damaged records come first. */
export function innerRecords(message: Buffer): readonly InnerRecord[] {
  const body = readDer(message).child(1, 'the signature').child(0, 'SignedData');
  const signers = body.children.slice(3).find(({ tag }) => tag === Tag.set)?.children ?? [];
  const attributes = signers.flatMap(
    ({ children }) => children.slice(4).find(({ tag }) => tag === contextTag(1))?.children ?? [],
  );
  const found = attributes.flatMap((attribute): readonly InnerRecord[] => {
    const oid = readOid(attribute.child(0, 'an attribute type'));
    if (!isEvidenceRecordType(oid)) return [];
    const isExternal = oid === CadesOid.evidenceRecordExternal;
    return attribute.child(1, 'the values of an attribute').children.map((value) => ({ value, isExternal }));
  });
  const timeOf = ({ value }: InnerRecord): number => recordTime(value)?.getTime() ?? 0;
  return found.toSorted((left, right) => timeOf(left) - timeOf(right));
}

/**
 * Replaces a record of the message. Nothing else moves, because the records cover the order of signers and attributes.
 */
export async function replaceRecord(recorded: RecordedMessage, old: DerElement, renewed: Buffer): Promise<Buffer> {
  const { head, tail } = writeAround(recorded, (value) => (value.bytes.equals(old.bytes) ? renewed : value.bytes));
  const pieces: Buffer[] = [];
  if (recorded.isAttached && recorded.content !== undefined) {
    await recorded.content.forArchive(head).forEachPiece((piece) => void pieces.push(Buffer.from(piece)));
  } else {
    pieces.push(head);
  }
  return Buffer.concat([...pieces, tail]);
}
