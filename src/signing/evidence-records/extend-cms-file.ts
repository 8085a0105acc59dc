/** Extends a CMS file: the signatures of a message, or the newest evidence record. */
import { expectIntact, raiseReadCms, readWhole } from '../cms/raise-cms.ts';
import type { RaiseCmsFileRequest, RaiseCmsFileResult } from '../cms/raise-cms.ts';
import { isRecorded } from '../cms/levels/envelope.ts';
import { NO_CONTENT, levelContentOfBytes, openMessage } from '../cms/levels/level-content.ts';
import { normalizeBer } from '../der/normalize-ber.ts';
import { SigningError } from '../errors.ts';
import type { TimestampDigest } from '../keys/signer.ts';
import {
  contentOfSlice,
  throwIfCancelled,
  wholeFile,
  withInput,
  withNewFile,
  writeAt,
  type DigestOf,
} from '../signed-data/content.ts';
import { unwrapText } from '../der/unwrap-text.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';
import { isEvidenceRecord } from './read-evidence-record.ts';
import { digestsOfMessage, innerRecords, replaceRecord, type RecordedMessage } from './recorded-message.ts';
import { renewRecord, type RecordRenewal } from './renew-evidence-record.ts';
import type { DataDigests } from './verify-evidence-record.ts';

/** A request to extend the signatures or the evidence record in a file. */
export interface ExtendCmsFileRequest extends RaiseCmsFileRequest {
  /** The hash function for renewing an evidence record; see `RecordRenewal`. */
  readonly digest?: TimestampDigest;
}

type RenewRequest = Omit<ExtendCmsFileRequest, 'inputPath'>;

/**
 * Checks the request for a renewal. An evidence record, or a message under an evidence record, can only be renewed:
 * other levels are for signatures.
 */
function renewalOf({ level, timestamper, collector, digest, now, signal }: RenewRequest): RecordRenewal {
  if (level !== 'B-LTA') {
    const message = `An evidence record is renewed, and has no level ${level}. Extend it to B-LTA, which renews it.`;
    throw new SigningError('CMS_UNSUPPORTED', message);
  }
  if (timestamper === undefined) {
    throw new SigningError('TIMESTAMP_REFUSED', 'A renewal needs a time stamp authority. Configure one.');
  }
  return { timestamper, ...dropUndefined({ collector, digest, now, signal }) };
}

/** Runs `action` with the digests of a document, which is read in constant memory. */
async function withDocument<Result>(
  path: string | undefined,
  action: (digestOf: DigestOf | undefined) => Promise<Result>,
): Promise<Result> {
  if (path === undefined) return action(undefined);
  return withInput(path, async (file) => action(contentOfSlice(await wholeFile(file)).digestOf));
}

/** A record in a file of its own, over its document. */
async function renewOwnRecord(record: Buffer, request: RenewRequest): Promise<Buffer> {
  const renewal = renewalOf(request);
  return withDocument(request.contentPath, (digestOf) => {
    const digests: DataDigests = async (algorithm) =>
      digestOf === undefined ? undefined : [[await digestOf(algorithm)]];
    return renewRecord(record, digests, renewal);
  });
}

/**
 * Renews the newest record of a message. The newest record covers the others, so a change of an older record would
 * invalidate the newest.
 */
async function renewInnerRecord(message: Buffer, request: RenewRequest): Promise<Buffer> {
  const renewal = renewalOf(request);
  const { contentPath } = request;
  await expectIntact(message, contentPath === undefined ? undefined : { path: contentPath });
  const youngest = innerRecords(message).at(-1);
  if (youngest === undefined) throw new SigningError('CMS_UNSUPPORTED', 'The signature has no evidence record.');
  const { encapsulated, content } = openMessage(message);
  const { value, isExternal } = youngest;
  return withDocument(contentPath, async (digestOf) => {
    const recorded: RecordedMessage = {
      message,
      encapsulated: encapsulated.subarray(0, encapsulated.length - (content?.length ?? 0)),
      isAttached: content !== undefined,
      content: contentOf(content, digestOf),
    };
    const renewed = await renewRecord(value.bytes, digestsOfMessage(recorded, value, isExternal), renewal);
    return replaceRecord(recorded, value, renewed);
  });
}

function contentOf(enclosed: Buffer | undefined, digestOf: DigestOf | undefined): RecordedMessage['content'] {
  if (enclosed !== undefined) {
    const { digestOf: ofEnclosed } = levelContentOfBytes(Buffer.alloc(0), enclosed);
    return {
      signed: { digestOf: ofEnclosed },
      forArchive: (before) => levelContentOfBytes(before, enclosed),
      length: enclosed.length,
    };
  }
  return digestOf && { signed: { digestOf }, forArchive: () => NO_CONTENT, length: undefined };
}

/**
 * Like `raiseCmsFile`, and for evidence records (RFC 4998): a record in a file of its own over `contentPath`, or the
 * youngest record of a message, is renewed, with the level `B-LTA`. Rejects also like `renewRecord`.
 */
export async function extendCmsFile(request: ExtendCmsFileRequest): Promise<RaiseCmsFileResult> {
  const { inputPath, digest, ...raising } = request;
  const read = await readWhole(inputPath);
  const bytes = unwrapText(read);
  const renewal = { ...raising, ...dropUndefined({ digest }) };
  const renewed = isEvidenceRecord(bytes) ? await renewOwnRecord(bytes, renewal) : await tryInner(bytes, renewal);
  if (renewed === undefined) return raiseReadCms(read, raising);
  throwIfCancelled(request.signal);
  await withNewFile(request.outputPath, (output) => writeAt(output, renewed, 0));
  return { size: renewed.length };
}

/** Undefined for a message without a record, and for other input. */
async function tryInner(bytes: Buffer, request: RenewRequest): Promise<Buffer | undefined> {
  const { envelope } = openMessage(bytes);
  return isRecorded(envelope) ? renewInnerRecord(normalizeBer(bytes), request) : undefined;
}
