/** Rules of DOC-ICP-15.03 for the attributes of a signature in a PDF under an ICP-Brasil policy. */
import { CadesOid } from '../../cms/cades-oids.ts';
import { readSignature } from '../../signed-data/signature-input.ts';
import { Oid } from '../../der/oids.ts';
import { SigningError } from '../../errors.ts';

/** Table A.14: mandatory signed attributes of every profile. */
const OBLIGATORY: ReadonlyMap<string, string> = new Map([
  [Oid.contentType, 'the type of the content'],
  [Oid.messageDigest, 'the digest of the content'],
  [Oid.signingCertificateV2, "the signer's certificate"],
  [CadesOid.signaturePolicyIdentifier, 'the signature policy'],
]);

/** Table A.14: forbidden signed attributes of every profile. The time is in the signature dictionary. */
export const FORBIDDEN_IN_PDF: ReadonlyMap<string, string> = new Map([
  [Oid.signingTime, 'the time of the signature'],
  [Oid.signingCertificate, "the signer's certificate by SHA-1"],
  [CadesOid.signerLocation, "the signer's location"],
  [CadesOid.adobeRevocationInfoArchival, 'revocation data'],
]);

function wrong(what: string): never {
  const rule = 'ICP-Brasil (DOC-ICP-15.03, tables A.14 and A.15)';
  throw new SigningError('SIGNATURE_INVALID', `${rule} does not accept this signature in a PDF: ${what}.`);
}

/**
 * Throws `SIGNATURE_INVALID` for a signature that validators would refuse because of its attributes: tables A.14 and
 * A.15. A wrongly prepared signer is found before a file exists.
 */
export function checkIcpBrasilAttributes(cms: Uint8Array): void {
  for (const { signedAttributes, unsignedAttributes } of readSignature(cms).signers) {
    const present = new Set(signedAttributes.map(({ oid }) => oid));
    for (const [oid, name] of OBLIGATORY) if (!present.has(oid)) wrong(`it does not sign ${name}`);
    for (const [oid, name] of FORBIDDEN_IN_PDF) if (present.has(oid)) wrong(`it signs ${name}`);
    const other = unsignedAttributes.find(({ oid }) => oid !== CadesOid.signatureTimeStamp);
    if (other !== undefined) wrong('besides a time stamp it carries an unsigned attribute');
  }
}
