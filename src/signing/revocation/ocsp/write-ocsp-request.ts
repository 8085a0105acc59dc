import type { Certificate } from '../../certificates/certificate.ts';
import { derContext, derOctetString, derOid, derSequence } from '../../der/writer.ts';
import { RevocationOid } from '../extension-oids.ts';
import { writeCertificateId } from './certificate-id.ts';

/** A question to a responder. */
export interface OcspQuestion {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** Random octets, 32 by RFC 9654 §2.1; left out where responders answer from a store. */
  readonly nonce?: Buffer;
}

/** DER of an unsigned OCSPRequest (RFC 6960 §4.1.1) for a single certificate. */
export function writeOcspRequest({ certificate, issuer, nonce }: OcspQuestion): Buffer {
  const requests = derSequence(derSequence(writeCertificateId(certificate, issuer)));
  if (nonce === undefined) return derSequence(derSequence(requests));
  const extension = derSequence(derOid(RevocationOid.ocspNonce), derOctetString(derOctetString(nonce)));
  return derSequence(derSequence(requests, derContext(2, derSequence(extension))));
}
