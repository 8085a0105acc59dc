/**
 * Writes evidence records from the bytes of an older record (RFC 4998 §3.1, §5.2); unchanged parts are never
 * re-encoded.
 */
import { digestIdentifier } from '../algorithms/algorithms.ts';
import { readDer, readOid } from '../der/reader.ts';
import { derContext, derOctetString, derSequence } from '../der/writer.ts';
import type { TimestampDigest } from '../keys/signer.ts';

/** DER of the chains of a record, and a function that writes the record with other chains. */
function openChains(record: Buffer): {
  readonly chains: readonly Buffer[];
  readonly withChains: (chains: readonly Buffer[], digest?: TimestampDigest) => Buffer;
} {
  const [version, digests, ...rest] = readDer(record).children;
  const optional = rest.slice(0, -1).map(({ bytes }) => bytes);
  const present = digests?.children ?? [];
  const algorithmsWith = (digest: TimestampDigest): Buffer => {
    const added = digestIdentifier(digest);
    const oidOf = (identifier: Buffer): string => readOid(readDer(identifier).child(0, 'a hash algorithm'));
    const all = present.map(({ bytes }) => bytes);
    return derSequence(...all, ...(all.some((one) => oidOf(one) === oidOf(added)) ? [] : [added]));
  };
  return {
    chains: rest.at(-1)?.children.map(({ bytes }) => bytes) ?? [],
    withChains: (chains, digest) => {
      const algorithms = digest === undefined ? (digests?.bytes ?? Buffer.alloc(0)) : algorithmsWith(digest);
      return derSequence(version?.bytes ?? Buffer.alloc(0), algorithms, ...optional, derSequence(...chains));
    },
  };
}

/** The record with another token in its last time stamp, such as the same token with more material. */
export function withLastToken(record: Buffer, token: Buffer): Buffer {
  const { chains, withChains } = openChains(record);
  const stamps = readDer(chains.at(-1) ?? Buffer.alloc(0)).children;
  const fields = stamps.at(-1)?.children.map(({ bytes }) => bytes) ?? [];
  const stamp = derSequence(...fields.slice(0, -1), token);
  const chain = derSequence(...stamps.slice(0, -1).map(({ bytes }) => bytes), stamp);
  return withChains([...chains.slice(0, -1), chain]);
}

/** The record with a new time stamp at the end of its last chain; the token covers the hash of the previous token. */
export function withStamp(record: Buffer, token: Buffer): Buffer {
  const { chains, withChains } = openChains(record);
  const stamps = readDer(chains.at(-1) ?? Buffer.alloc(0)).children.map(({ bytes }) => bytes);
  return withChains([...chains.slice(0, -1), derSequence(...stamps, derSequence(token))]);
}

/** A new chain of one time stamp. */
export interface NewChain {
  readonly digest: TimestampDigest;
  /** The hashes under the time stamp, in the order of the list; a single hash needs no list. */
  readonly hashes: readonly Buffer[];
  readonly token: Buffer;
}

/** The record with a new chain after the others, and the chain's hash function among the functions of the record. */
export function withChain(record: Buffer, { digest, hashes, token }: NewChain): Buffer {
  const { chains, withChains } = openChains(record);
  const tree = hashes.length === 1 ? [] : [derContext(2, derSequence(...hashes.map(derOctetString)))];
  return withChains([...chains, derSequence(derSequence(...tree, token))], digest);
}
