import { createHash } from 'node:crypto';
import type { Certificate } from '../../certificates/certificate.ts';
import { isSameName, nameKey } from '../../certificates/path/distinguished-name.ts';
import { KeyUsage, allowsKeyUsage } from '../../certificates/path/purposes.ts';
import { createBodyVerifier } from '../../certificates/path/signed-structure.ts';
import { contextTag, readBitStringBytes, readDerHeader, readDerPrefix } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import {
  readCertificateIssuer,
  readCrlEntry,
  type CrlEntry,
  EntryWalk,
  hashSerialNumber,
  trimSerialNumber,
} from './crl-scanner.ts';
import { CRL_HEAD_BYTES, readCrlExtensions, readCrlHead, type CrlExtensions, type CrlHead } from './crl-head.ts';
import { openCrlSource, type CrlSource } from './crl-source.ts';

/** Limit on extensions and signature after the entries. */
const MAX_TAIL = 2 ** 20;
/** Positions are 32-bit numbers. */
const MAX_LENGTH = 2 ** 32 - 1;
/** Bytes read for an entry; a longer entry is read again. */
const ENTRY_READ = 256;
/** Format version of a serialised index. The number is raised when the meaning of an index changes. */
const MAGIC = Buffer.from('SINCRL02', 'latin1');

/** Bytes of the entries of an indirect list, which are read at once. */
const MAX_INDIRECT = 16 * 2 ** 20;

const numberKey = (serialNumber: Buffer): string => trimSerialNumber(serialNumber).toString('hex');

/** How strictly a list's signature is judged. */
export interface CrlOptions {
  /** Accepts SHA-1, for old lists. */
  readonly allowLegacyAlgorithms?: boolean;
}

/** Runs `action`, and converts errors about damage to `CRL_MALFORMED`. */
async function asCrlError<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof SigningError && cause.code === 'DER_MALFORMED') {
      throw new SigningError('CRL_MALFORMED', 'This is not a revocation list, or it is damaged.', { cause });
    }
    throw cause;
  }
}

interface CrlTail {
  readonly extensions: CrlExtensions;
  readonly signature: Buffer;
}

function readTail(source: CrlSource, head: CrlHead): CrlTail {
  if (head.end - head.entriesEnd > MAX_TAIL)
    throw new SigningError('CRL_MALFORMED', 'The revocation list is damaged: too much follows its entries.');
  const extensions = source.read(head.entriesEnd, head.bodyEnd - head.entriesEnd);
  if (extensions.length > 0 && extensions[0] !== contextTag(0)) {
    throw new SigningError('CRL_MALFORMED', 'The revocation list is damaged: something unknown follows its entries.');
  }
  const rest = source.read(head.bodyEnd, head.end - head.bodyEnd);
  const algorithm = readDerPrefix(rest).bytes;
  // RFC 5280 §5.1.1.2
  if (!algorithm.equals(head.algorithmBytes)) {
    throw new SigningError('CRL_MALFORMED', 'The revocation list names two different signature algorithms.');
  }
  const signature = readDerPrefix(rest.subarray(algorithm.length));
  if (algorithm.length + signature.bytes.length !== rest.length) {
    throw new SigningError('CRL_MALFORMED', 'The revocation list is damaged: something follows its signature.');
  }
  return {
    extensions: readCrlExtensions(extensions, head.issuer),
    signature: readBitStringBytes(signature, 'the signature'),
  };
}

function checkSigner(head: CrlHead, signer: Certificate, options: CrlOptions): void {
  if (!isSameName(head.issuer, signer.subject)) {
    throw new SigningError('SIGNATURE_INVALID', `The revocation list is not one of ${signer.commonName}.`);
  }
  if (!allowsKeyUsage(signer, [KeyUsage.crlSign])) {
    throw new SigningError('SIGNATURE_INVALID', `The key of ${signer.commonName} is not for signing revocation lists.`);
  }
  if (head.algorithm.digest === 'sha1' && options.allowLegacyAlgorithms !== true) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', 'The revocation list is signed with SHA-1.');
  }
}

/** Binds a stored index to its CRL by the CRL's signature, which covers all other bytes. */
const identityOf = (head: CrlHead, { signature }: CrlTail): Buffer =>
  createHash('sha256').update(`${head.end} ${head.bodyEnd} `).update(signature).digest();

async function walkAndVerify(source: CrlSource, head: CrlHead, signer: Certificate): Promise<BigUint64Array> {
  const verifier = createBodyVerifier(signer.publicKey(), head.algorithm);
  const walk = new EntryWalk(head);
  let offset = 0;
  for await (const piece of source.pieces()) {
    const from = Math.max(0, head.bodyStart - offset);
    const to = Math.min(piece.length, head.bodyEnd - offset);
    if (from < to) verifier.update(piece.subarray(from, to));
    walk.add(piece, offset);
    offset += piece.length;
  }
  const { signature, extensions } = readTail(source, head);
  if (offset !== head.end || !verifier.isSignature(signature)) {
    throw new SigningError(
      'SIGNATURE_INVALID',
      `The revocation list is not signed with the key of ${signer.commonName}.`,
    );
  }
  if (walk.namesIssuers && !extensions.scope.isIndirect) {
    throw new SigningError('CRL_UNSUPPORTED', 'The revocation list covers other issuers without declaring so.');
  }
  return walk.finish();
}

/**
 * A verified CRL with an index of 8 bytes per entry. The CRL itself stays in its buffer or its file, and entries are
 * read at look-up.
 */
export class CrlIndex {
  readonly issuer: Buffer;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  readonly extensions: CrlExtensions;
  readonly #head: CrlHead;
  readonly #identity: Buffer;
  readonly #source: CrlSource;
  readonly #entries: BigUint64Array;
  /** The same entries as words: position, hash. */
  readonly #words: Uint32Array;
  #indirect: ReadonlyMap<string, Buffer> | undefined;

  private constructor(source: CrlSource, head: CrlHead, tail: CrlTail, entries: BigUint64Array) {
    this.issuer = head.issuer;
    this.thisUpdate = head.thisUpdate;
    this.nextUpdate = head.nextUpdate;
    this.extensions = tail.extensions;
    this.#head = head;
    this.#identity = identityOf(head, tail);
    this.#source = source;
    this.#entries = entries;
    this.#words = new Uint32Array(entries.buffer, entries.byteOffset, entries.length * 2);
  }

  /**
   * Reads, verifies and indexes a CRL, given in memory or as the path of a file, in a single pass. `signer` holds the
   * expected signing key. Rejects with `CRL_MALFORMED`; `CRL_UNSUPPORTED` (indirect, delta, for some reasons only, an
   * unknown critical extension); `SIGNATURE_INVALID` (also for the wrong issuer, or a key without cRLSign);
   * `ALGORITHM_UNSUPPORTED`; `CERTIFICATE_MALFORMED` when the signer's key cannot be read here.
   */
  static async build(crl: Buffer | string, signer: Certificate, options: CrlOptions = {}): Promise<CrlIndex> {
    const source = openCrlSource(crl);
    try {
      return await asCrlError(async () => {
        const head = CrlIndex.#readHead(source);
        checkSigner(head, signer, options);
        const entries = await walkAndVerify(source, head, signer);
        return new CrlIndex(source, head, readTail(source, head), entries);
      });
    } catch (error) {
      source.close();
      throw error;
    }
  }

  /** True for an index of this version. */
  static isReadable(serialized: Buffer): boolean {
    return serialized.subarray(0, MAGIC.length).equals(MAGIC);
  }

  /**
   * Joins a serialised index with its CRL, without a second verification of the signature: both come from a store
   * written by this application only. Rejects with `CRL_MALFORMED` when index and CRL do not match.
   */
  static async restore(serialized: Buffer, crl: Buffer | string): Promise<CrlIndex> {
    const source = openCrlSource(crl);
    try {
      return await asCrlError(() => {
        const head = CrlIndex.#readHead(source);
        const tail = readTail(source, head);
        const prefix = Buffer.concat([MAGIC, identityOf(head, tail)]);
        const words = serialized.subarray(prefix.length);
        if (!serialized.subarray(0, prefix.length).equals(prefix) || words.length % 8 !== 0) {
          throw new SigningError('CRL_MALFORMED', 'The index does not belong to this revocation list.');
        }
        // Copied, because a view of 64-bit numbers has to be aligned.
        const entries = new BigUint64Array(new Uint8Array(words).buffer);
        return new CrlIndex(source, head, tail, entries);
      });
    } catch (error) {
      source.close();
      throw error;
    }
  }

  static #readHead(source: CrlSource): CrlHead {
    if (source.length > MAX_LENGTH)
      throw new SigningError('LIMIT_EXCEEDED', 'The revocation list is larger than 4 GiB.');
    return readCrlHead(source.read(0, CRL_HEAD_BYTES), source.length);
  }

  /** The number of entries on the list. */
  get entryCount(): number {
    return this.#entries.length;
  }

  /** Serialises the index for a store; `restore` is the inverse. Little-endian, like all supported platforms. */
  serialize(): Buffer {
    const { buffer, byteOffset, byteLength } = this.#entries;
    return Buffer.concat([MAGIC, this.#identity, Buffer.from(buffer, byteOffset, byteLength)]);
  }

  /**
   * The entry of this serial number (content bytes of the INTEGER) of this issuer, by default the list's own; undefined
   * for a certificate outside of the list. Throws `LIMIT_EXCEEDED` for an indirect list above 16 MiB.
   */
  find(serialNumber: Buffer, certificateIssuer: Buffer = this.issuer): CrlEntry | undefined {
    if (this.extensions.scope.isIndirect) {
      const entry = this.#readIndirect().get(`${nameKey(certificateIssuer)} ${numberKey(serialNumber)}`);
      return entry && readCrlEntry(entry);
    }
    const wanted = trimSerialNumber(serialNumber);
    const hash = hashSerialNumber(wanted, 0, wanted.length);
    for (let index = this.#firstOf(hash); index < this.#entries.length; index++) {
      if (this.#words[index * 2 + 1] !== hash) return undefined;
      const entry = this.#readEntry(this.#words[index * 2] ?? 0);
      const serialLength = entry.bytes[entry.contentStart + 1] ?? 0;
      const serialStart = entry.contentStart + 2;
      if (trimSerialNumber(entry.bytes.subarray(serialStart, serialStart + serialLength)).equals(wanted)) {
        return readCrlEntry(entry.bytes);
      }
    }
    return undefined;
  }

  /** Entries by issuer and serial number; an entry without an issuer has the issuer of the entry before (§5.3.3). */
  #readIndirect(): ReadonlyMap<string, Buffer> {
    if (this.#indirect !== undefined) return this.#indirect;
    const { entriesStart, entriesEnd } = this.#head;
    if (entriesEnd - entriesStart > MAX_INDIRECT) {
      throw new SigningError('LIMIT_EXCEEDED', 'The indirect revocation list is larger than 16 MiB.');
    }
    const table = new Map<string, Buffer>();
    const bytes = this.#source.read(entriesStart, entriesEnd - entriesStart);
    let issuer = this.issuer;
    for (let offset = 0; offset < bytes.length;) {
      const entry = readDerPrefix(bytes.subarray(offset));
      issuer = readCertificateIssuer(entry) ?? issuer;
      table.set(`${nameKey(issuer)} ${numberKey(entry.child(0, 'a serial number').content)}`, entry.bytes);
      offset += entry.bytes.length;
    }
    return (this.#indirect = table);
  }

  /** Closes the file of a CRL on the disk. */
  close(): void {
    this.#source.close();
  }

  /** The position of the first entry with this hash, or the position for inserting such an entry. */
  #firstOf(hash: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#words[middle * 2 + 1] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #readEntry(position: number): { readonly bytes: Buffer; readonly contentStart: number } {
    const limit = this.#head.entriesEnd - position;
    const start = this.#source.read(position, Math.min(ENTRY_READ, limit));
    const { contentStart, length } = readDerHeader(start, 0);
    const end = contentStart + length;
    const bytes = end <= start.length ? start.subarray(0, end) : this.#source.read(position, Math.min(end, limit));
    return { bytes, contentStart };
  }
}
