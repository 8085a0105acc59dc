import { parseCertificate, revocationInfoArchival, type Signer } from '../../../signing/index.ts';
import type { ChosenPolicy } from '../choices/choose-policy.ts';
import type { SignatureEvidence } from '../choices/signature-evidence.ts';
import type { SignatureType } from '../transaction.ts';

/** Additional parts of a signature of the kind adbe.pkcs7.detached. */
export interface RevocationAttribute {
  /** The key, with the certificates of its whole path for the CMS. */
  readonly signer: Signer;
  /** DER of RevocationInfoArchival (ISO 32000-2 §12.8.3.3.2). */
  readonly adobeRevocationInfo: Buffer;
}

/** True for a level with revocation data inside the signature: the data is signed, so it is gathered first. */
export function carriesRevocationData(type: SignatureType, chosen: ChosenPolicy): boolean {
  return type === 'PDFSignature' && chosen.kind === 'baseline' && chosen.level !== 'B-T';
}

/**
 * Gathers proofs of the present state of the signer's path; once for all documents of a transaction. The path of a
 * time-stamp authority is not known yet. Rejects like `MaterialCollector.collect`.
 */
export async function gatherRevocationAttribute(
  { collector }: Pick<SignatureEvidence, 'collector'>,
  signer: Signer,
  at: Date,
): Promise<RevocationAttribute> {
  const { certificate, chain, schemes } = signer;
  const material = await collector.collect(parseCertificate(certificate), chain.map(parseCertificate), at);
  const path = material.certificates.map(({ der }) => der).filter((der) => !der.equals(certificate));
  return {
    signer: {
      certificate,
      chain: path,
      schemes,
      sign: (message, parameters) => signer.sign(message, parameters),
    },
    adobeRevocationInfo: revocationInfoArchival(material),
  };
}
