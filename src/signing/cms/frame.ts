/** The frame of SignedData (RFC 5652 §5.1) around content and signature, built from lengths so that content can stream. */
import type { Certificate } from '../certificates/certificate.ts';
import { Oid } from '../der/oids.ts';
import { Tag, contextTag } from '../der/reader.ts';
import {
  derContext,
  derElement,
  derHeader,
  derInteger,
  derOid,
  derSequence,
  derSetOf,
  sortSetOf,
} from '../der/writer.ts';

/** The constant parts of every SignedData of a signer. */
export interface FrameOptions {
  readonly certificate: Certificate;
  /** DER of further certificates to enclose. */
  readonly chain: readonly Uint8Array[];
  /** AlgorithmIdentifier DER of the hash function and of the signature. */
  readonly digestIdentifier: Buffer;
  readonly signatureIdentifier: Buffer;
}

/** Parts of SignedData with one signer. Detached: head and tail. Attached: head, the content's bytes, tail. */
export interface SignedDataFrame {
  /**
   * Everything before the content, for a tail of `tailLength` bytes; detached without `contentLength`. `version` is the
   * version of SignedData. Default: 1, which fits a tail made by `tail`; a tail with other structures may need another
   * version (RFC 5652 §5.1).
   */
  readonly head: (tailLength: number, contentLength?: number, version?: number) => Buffer;
  /** Everything after the content: certificates and the SignerInfo. `signedAttributes` is the signed SET OF. */
  readonly tail: (signedAttributes: Buffer, signature: Uint8Array) => Buffer;
  /** The SignerInfo alone. */
  readonly signerInfo: (signedAttributes: Buffer, signature: Uint8Array) => Buffer;
  /** DER of each enclosed certificate, sorted. */
  readonly certificates: readonly Buffer[];
}

const SIGNED_DATA = derOid(Oid.signedData);
const DATA = derOid(Oid.data);
/** SignedData and SignerInfo alike: content is id-data and the signer is named by issuer and serial (§5.1, §5.3). */
const VERSION_1 = derInteger(1);

/** Identical certificates are enclosed once. */
function distinct(certificates: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...new Map(certificates.map((der) => [Buffer.from(der).toString('latin1'), der])).values()];
}

/** Headers of nested elements, outermost first; `before` holds the bytes in front of the inner element. */
function nest(levels: readonly { readonly tag: number; readonly before: Buffer }[], innerLength: number): Buffer {
  const parts: Buffer[] = [];
  let length = innerLength;
  for (const { tag, before } of levels.toReversed()) {
    length += before.length;
    const header = derHeader(tag, length);
    length += header.length;
    parts.unshift(header, before);
  }
  return Buffer.concat(parts);
}

/** Stored attributes have the tag [0] in place of the signed SET OF (§5.4). */
const SIGNED_ATTRIBUTES_TAG = Buffer.of(contextTag(0));
const NOTHING = Buffer.alloc(0);

/**
 * EncapsulatedContentInfo up to the first byte of the content; all of EncapsulatedContentInfo for detached content
 * (§5.2).
 */
export function contentHead(contentLength: number | undefined): Buffer {
  if (contentLength === undefined) return derSequence(DATA);
  const levels = [
    { tag: Tag.sequence, before: DATA },
    { tag: contextTag(0), before: NOTHING },
    { tag: Tag.octetString, before: NOTHING },
  ];
  return nest(levels, contentLength);
}

/** Encodes the common parts of all signatures once. */
export function prepareFrame(options: FrameOptions): SignedDataFrame {
  const { certificate, chain, digestIdentifier, signatureIdentifier } = options;
  const digests = derSetOf(digestIdentifier);
  const enclosed = sortSetOf(distinct([certificate.der, ...chain])).map((der) => Buffer.from(der));
  const certificates = derContext(0, ...enclosed);
  const signerIdentifier = derSequence(certificate.issuer, derElement(Tag.integer, certificate.serialNumber));
  const signerStart = Buffer.concat([VERSION_1, signerIdentifier, digestIdentifier]);
  const fixedLength = signerStart.length + signatureIdentifier.length;

  /** SignerInfo (§5.3) in pieces, copied once into the tail. */
  function signerParts(signedAttributes: Buffer, signature: Uint8Array): readonly Uint8Array[] {
    const signatureHeader = derHeader(Tag.octetString, signature.length);
    const length = fixedLength + signedAttributes.length + signatureHeader.length + signature.length;
    const attributes = signedAttributes.subarray(1);
    const header = derHeader(Tag.sequence, length);
    return [header, signerStart, SIGNED_ATTRIBUTES_TAG, attributes, signatureIdentifier, signatureHeader, signature];
  }

  return {
    head(tailLength, contentLength, version) {
      const inner = contentHead(contentLength);
      const versionBytes = version === undefined ? VERSION_1 : derInteger(version);
      const levels = [
        { tag: Tag.sequence, before: SIGNED_DATA },
        { tag: contextTag(0), before: NOTHING },
        { tag: Tag.sequence, before: Buffer.concat([versionBytes, digests, inner]) },
      ];
      return nest(levels, (contentLength ?? 0) + tailLength);
    },
    tail(signedAttributes, signature) {
      const parts = signerParts(signedAttributes, signature);
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      return Buffer.concat([certificates, derHeader(Tag.set, length), ...parts]);
    },
    signerInfo: (signedAttributes, signature) => Buffer.concat(signerParts(signedAttributes, signature)),
    certificates: enclosed,
  };
}
