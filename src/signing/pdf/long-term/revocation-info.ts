import { Tag } from '../../der/reader.ts';
import { derContext, derElement, derOctetString, derOid, derSequence } from '../../der/writer.ts';
import { RevocationOid } from '../../revocation/extension-oids.ts';
import type { ValidationMaterial } from '../../revocation/validation-material.ts';

const SUCCESSFUL = derElement(Tag.enumerated, Buffer.of(0));

/** DER of the OCSPResponse around a BasicOCSPResponse (RFC 6960 §4.2.1), the form in PDFs. */
export function wrapOcspResponse(basicResponse: Uint8Array): Buffer {
  const responseBytes = derSequence(derOid(RevocationOid.basicOcspResponse), derOctetString(basicResponse));
  return derSequence(SUCCESSFUL, derContext(0, responseBytes));
}

/**
 * DER of RevocationInfoArchival (ISO 32000-2 §12.8.3.3.2): lists and responses inside a signature of the kind
 * adbe.pkcs7.detached, the value of the signed attribute `adobeRevocationInfo`. Certificates are in the CMS.
 */
export function revocationInfoArchival({
  crls,
  ocspResponses,
}: Pick<ValidationMaterial, 'crls' | 'ocspResponses'>): Buffer {
  return derSequence(
    ...(crls.length === 0 ? [] : [derContext(0, derSequence(...crls))]),
    ...(ocspResponses.length === 0 ? [] : [derContext(1, derSequence(...ocspResponses.map(wrapOcspResponse)))]),
  );
}
