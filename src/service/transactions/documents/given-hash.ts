import { DIGEST_LENGTH, type DigestAlgorithm } from '../../../signing/index.ts';
import type { DocumentHash, NewDocument } from '../transaction.ts';
import type { BytesInText } from './data-url.ts';

/** Most bytes to sign: signed attributes have a few hundred, and longer contents are signed by their hash. */
const LONGEST_DATA_TO_SIGN = 64 * 1024;

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);

/**
 * Reads the text of a hash. Text of exactly as many hexadecimal digits as the hash has is hexadecimal; else base64, also
 * with the alphabet of URLs and without padding. Undefined for a hash of another length.
 */
export function readHash(text: string, digest: DigestAlgorithm): DocumentHash | undefined {
  const bytes = DIGEST_LENGTH[digest];
  const plain = text.trim();
  if (plain.length === 2 * bytes && /^[0-9a-f]+$/i.test(plain)) return { digest, value: plain.toLowerCase() };
  if (!isBase64(plain)) return undefined;
  const decoded = Buffer.from(plain, 'base64');
  return decoded.length === bytes ? { digest, value: decoded.toString('hex') } : undefined;
}

/** The hash or the bytes of an entry of `hashes`; `unreadable`: the field whose text is wrong, and the remedy. */
export type GivenHash =
  | { readonly kind: 'hash'; readonly hash: DocumentHash }
  | ({ readonly kind: 'bytes' } & BytesInText)
  | { readonly kind: 'unreadable'; readonly field: string; readonly detail: string };

const unreadable = (field: string, detail: string): GivenHash => ({ kind: 'unreadable', field, detail });

/** Reads an entry of `hashes`; `ofRequest` is the hash function of hashes that name none. */
export function readGivenHash(
  { hash, dataToSign }: Pick<NewDocument, 'hash' | 'dataToSign'>,
  ofRequest: DigestAlgorithm,
): GivenHash {
  if (hash !== undefined && dataToSign !== undefined) {
    return unreadable('data_to_sign', 'Send the hash or the bytes to sign, not both.');
  }
  if (hash !== undefined) {
    const digest = hash.digest ?? ofRequest;
    const read = readHash(hash.text, digest);
    if (read !== undefined) return { kind: 'hash', hash: read };
    const name = digest.toUpperCase();
    const detail = `Send a hash of ${DIGEST_LENGTH[digest]} bytes in base64 or hexadecimal, as ${name} makes, or name its hash_algorithm.`;
    return unreadable('hash', detail);
  }
  if (dataToSign === undefined) return unreadable('hash', 'Send the hash of the document.');
  const content = isBase64(dataToSign) ? Buffer.from(dataToSign, 'base64') : Buffer.alloc(0);
  if (content.length === 0) return unreadable('data_to_sign', 'Send the bytes to sign in base64.');
  if (content.length > LONGEST_DATA_TO_SIGN) {
    const detail = `At most ${LONGEST_DATA_TO_SIGN} bytes are signed this way: send the hash of longer contents.`;
    return unreadable('data_to_sign', detail);
  }
  return {
    kind: 'bytes',
    announced: content.length,
    decode: () => ({ mediaType: 'application/octet-stream', content }),
  };
}
