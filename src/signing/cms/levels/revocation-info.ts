/** Revocation data in the form of SignedData.crls (RFC 5652 §10.2.1, RFC 5940 §2.1). */
import { Tag } from '../../der/reader.ts';
import { derContext, derElement, derOctetString, derOid, derSequence } from '../../der/writer.ts';
import type { ValidationMaterial } from '../../revocation/validation-material.ts';
import { CadesOid } from '../cades-oids.ts';

const SUCCESSFUL = derElement(Tag.enumerated, Buffer.of(0));

/** OCSPResponse around a basic response (RFC 6960 §4.2.1), the form in `crls` by RFC 5940. */
function ocspResponse(basic: Buffer): Buffer {
  const bytes = derSequence(derOid(CadesOid.basicOcspResponse), derOctetString(basic));
  return derSequence(SUCCESSFUL, derContext(0, bytes));
}

/** RevocationInfoChoice for each list and each response. */
export function revocationChoices({ crls, ocspResponses }: ValidationMaterial): readonly Buffer[] {
  return [
    ...crls,
    ...ocspResponses.map((basic) => derContext(1, derOid(CadesOid.ocspRevocationInfo), ocspResponse(basic))),
  ];
}
