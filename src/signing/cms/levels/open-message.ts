/** A whole CMS signature taken apart, and put together again. */
import { normalizeBer } from '../../der/normalize-ber.ts';
import { Oid } from '../../der/oids.ts';
import { Tag, contextTag, readDer, readOid } from '../../der/reader.ts';
import { derContext, derInteger, derOid, derSequence, derSetOf } from '../../der/writer.ts';
import { SigningError } from '../../errors.ts';
import { unwrapPem } from '../../signed-data/signature-input.ts';
import { asCmsError } from '../../signed-data/signed-data.ts';
import { isFrozen, openEnvelope, versionOf, writeTail, type Envelope } from './envelope.ts';
import { levelContentOfOctets, withDetachedContent, type LevelContent } from './level-content.ts';
import type { DetachedContent } from '../../signed-data/verify-cms.ts';

export interface OpenMessage {
  readonly envelope: Envelope;
  /** DER of encapContentInfo. */
  readonly encapsulated: Buffer;
  /** Octets of enclosed content, without tag and length. */
  readonly content: Buffer | undefined;
}

function open(input: Uint8Array): OpenMessage {
  const octets = unwrapPem(Buffer.from(input.buffer, input.byteOffset, input.byteLength));
  const der = normalizeBer(octets);
  const message = readDer(der).expect(Tag.sequence, 'the message');
  if (readOid(message.child(0, 'the message type'), 'the message type') !== Oid.signedData) {
    throw new SigningError('CMS_UNSUPPORTED', 'This is a CMS message, but not a signature.');
  }
  const body = message.child(1, 'the signature').expect(contextTag(0), 'the signature');
  const signedData = body.child(0, 'SignedData').expect(Tag.sequence, 'SignedData');
  const envelope = openEnvelope(signedData.children);
  const holder = signedData.child(2, 'the content information').expect(Tag.sequence, 'the content information');
  if (der !== octets && isFrozen(envelope) && !der.equals(octets)) {
    const message = 'An archive time stamp covers this signature in BER, which cannot be kept. Nothing was changed.';
    throw new SigningError('CMS_UNSUPPORTED', message);
  }
  const content = holder.children[1]?.expect(contextTag(0), 'the content').child(0, 'the content').content;
  return { envelope, encapsulated: holder.bytes, content };
}

/**
 * Reads a signature in DER, BER or PEM. BER becomes DER, without effect on any signature (RFC 5652 §5.4). Throws
 * `CMS_MALFORMED`; `CMS_UNSUPPORTED` for other messages, and for BER under an archive time stamp.
 */
export function openMessage(input: Uint8Array): OpenMessage {
  try {
    return open(input);
  } catch (error) {
    throw asCmsError(error);
  }
}

/** DER of ContentInfo with SignedData. */
export function writeMessage(envelope: Envelope, encapsulated: Buffer): Buffer {
  const body = derSequence(
    derInteger(versionOf(envelope)),
    derSetOf(...envelope.digestAlgorithms),
    encapsulated,
    writeTail(envelope),
  );
  return derSequence(derOid(Oid.signedData), derContext(0, body));
}

/** Opens the enclosed or the given content of the message for the duration of `action`. */
export function withMessageContent<Result>(
  { encapsulated, content }: OpenMessage,
  given: DetachedContent | undefined,
  action: (content: LevelContent) => Promise<Result>,
): Promise<Result> {
  if (content === undefined) return withDetachedContent(encapsulated, given, action);
  const before = encapsulated.subarray(0, encapsulated.length - content.length);
  return action(levelContentOfOctets(before, content));
}
