/**
 * Verifies CMS signatures: integrity and identity of the signer (RFC 5652 §5.4, §5.6). Trust in the signers is a
 * separate step. Problems of a signature are outcomes; errors are for unreadable input and input other than a
 * signature.
 */
import { SigningError } from '../errors.ts';
import {
  contentOfDigests,
  contentOfBytes,
  contentOfSlice,
  type DigestOf,
  type SignedContent,
  wholeFile,
  withInput,
} from './content.ts';
import { measureMessage, readBytes, readSignature, refuseBytesBehind, splitSignature } from './signature-input.ts';
import type { SignedData } from './signed-data.ts';
import { type CmsVerification, type SignerVerification, verifySigner } from './verify-signer.ts';

/** Detached content: in memory, in a streamed file, or known by its digests only. */
export type DetachedContent = Uint8Array | { readonly path: string } | { readonly digestOf: DigestOf };

/** Files up to this size are read whole. */
const SMALL_FILE = 16 * 2 ** 20;
/** Signatures in BER or PEM, which cannot be parsed on the disk, are read whole up to this size. */
const LARGEST_WHOLE_FILE = 128 * 2 ** 20;

async function verifySigners(
  signedData: SignedData,
  content: SignedContent | undefined,
): Promise<readonly SignerVerification[]> {
  const signers: SignerVerification[] = [];
  for (const signer of signedData.signers) signers.push(await verifySigner(signer, signedData, content));
  return signers;
}

/** When content is enclosed and content is given as well, both must be the same: compared by SHA-256. */
async function isSameContent(enclosed: SignedContent, given: SignedContent): Promise<boolean> {
  return (await enclosed.digestOf('sha256')).equals(await given.digestOf('sha256'));
}

function asOtherContent(signer: SignerVerification): SignerVerification {
  const reason = 'The document given is not the one that the signature encloses.';
  return signer.outcome === 'intact' ? { ...signer, outcome: 'broken', problem: 'content-differs', reason } : signer;
}

async function conclude(
  signedData: SignedData,
  enclosed: SignedContent | undefined,
  given: SignedContent | undefined,
): Promise<CmsVerification> {
  const verified = await verifySigners(signedData, enclosed ?? given);
  const isOther = enclosed !== undefined && given !== undefined && !(await isSameContent(enclosed, given));
  const signers = isOther ? verified.map(asOtherContent) : verified;
  return {
    intact: signers.length > 0 && signers.every(({ outcome }) => outcome === 'intact'),
    attached: enclosed !== undefined,
    signers,
    certificates: signedData.certificates,
  };
}

/** Opens detached content for the duration of `action`. */
function withContent<Result>(
  content: DetachedContent | undefined,
  action: (content: SignedContent | undefined) => Promise<Result>,
): Promise<Result> {
  if (content === undefined) return action(undefined);
  if (content instanceof Uint8Array) return action(contentOfBytes(content));
  if ('digestOf' in content) return action(contentOfDigests(content.digestOf));
  return withInput(content.path, async (file) => action(contentOfSlice(await wholeFile(file))));
}

/**
 * Verifies a signature in memory: DER, BER or PEM. A detached signature needs `content`; beside an attached signature
 * `content` must equal the enclosed content. Rejects with `CMS_MALFORMED`, `CMS_UNSUPPORTED`, and with errors of
 * reading `content`.
 */
export async function verifyCms(input: Uint8Array, content?: DetachedContent): Promise<CmsVerification> {
  const signedData = readSignature(input);
  const enclosed = signedData.content && contentOfBytes(signedData.content);
  return withContent(content, (given) => conclude(signedData, enclosed, given));
}

/**
 * Verifies a signature over content known by its digests only: a PDF's byte range. Zero bytes may follow the signature,
 * as in `Contents`. `digestOf` is called at most once per hash function. Rejects like `verifyCms`.
 */
export async function verifyCmsWithDigest(cms: Uint8Array, digestOf: DigestOf): Promise<CmsVerification> {
  const signedData = readSignature(cms, true);
  const enclosed = signedData.content && contentOfBytes(signedData.content);
  return conclude(signedData, enclosed, contentOfDigests(digestOf));
}

/**
 * Verifies a signature in a file, with detached content in another file. DER of any size is read in constant memory;
 * BER and PEM up to 128 MiB, else `CMS_UNSUPPORTED`. Zeros and white space may follow DER. Rejects like `verifyCms`, and with the system's errors.
 */
export function verifyCmsFile(path: string, contentPath?: string): Promise<CmsVerification> {
  const content = contentPath === undefined ? undefined : { path: contentPath };
  return withInput(path, async (file) => {
    const { length } = await wholeFile(file);
    const split = length > SMALL_FILE ? await splitSignature(file, length) : undefined;
    if (split !== undefined) {
      refuseBytesBehind(split.behind);
      return withContent(content, (given) => conclude(split.signedData, contentOfSlice(split.content), given));
    }
    const message = length > LARGEST_WHOLE_FILE ? await measureMessage(file, length) : undefined;
    if ((message?.length ?? length) > LARGEST_WHOLE_FILE) {
      const sentence = 'A signature of this size is read only in DER with definite lengths, not as BER or PEM.';
      throw new SigningError('CMS_UNSUPPORTED', sentence);
    }
    if (message !== undefined) refuseBytesBehind(message.behind);
    return verifyCms(await readBytes(file, 0, message?.length ?? length), content);
  });
}
