import { Oid } from '../der/oids.ts';
import { derBoolean, derInteger, derNull, derOctetString, derOid, derSequence } from '../der/writer.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';

/** A request to a time stamp authority. */
export interface TimestampRequest {
  readonly digest: DigestAlgorithm;
  readonly imprint: Uint8Array;
  /** Dotted OID. */
  readonly policy: string | undefined;
  /** Unsigned octets. */
  readonly nonce: Uint8Array;
}

/** DER of TimeStampReq (RFC 3161 §2.4.1) with certReq, byte for byte the same as OpenSSL's. */
export function writeTimestampRequest({ digest, imprint, policy, nonce }: TimestampRequest): Buffer {
  return derSequence(
    derInteger(1),
    derSequence(derSequence(derOid(Oid[digest]), derNull()), derOctetString(imprint)),
    ...(policy === undefined ? [] : [derOid(policy)]),
    derInteger(nonce),
    derBoolean(true),
  );
}
