import { Oid } from '../der/oids.ts';
import { derBoolean, derInteger, derNull, derOctetString, derOid, derSequence } from '../der/writer.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';

/** What is asked of a time stamp authority. */
export interface TimestampRequest {
  readonly digest: DigestAlgorithm;
  readonly imprint: Uint8Array;
  /** Dotted OID. */
  readonly policy: string | undefined;
  /** Unsigned octets. */
  readonly nonce: Uint8Array;
}

/** DER of TimeStampReq (RFC 3161 §2.4.1) that asks for the authority's certificate, octet for octet as OpenSSL writes it. */
export function writeTimestampRequest({ digest, imprint, policy, nonce }: TimestampRequest): Buffer {
  return derSequence(
    derInteger(1),
    derSequence(derSequence(derOid(Oid[digest]), derNull()), derOctetString(imprint)),
    ...(policy === undefined ? [] : [derOid(policy)]),
    derInteger(nonce),
    derBoolean(true),
  );
}
