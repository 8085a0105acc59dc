import {
  certificateRevoked,
  icpBrasilPdfLevel,
  parseCertificate,
  revocationInfoArchival,
  type DigestAlgorithm,
  type Signer,
  SigningError,
  type StandardWarning,
  type CmsLevel,
  type CmsSigner,
  type PdfLevel,
  type PdfLevelOptions,
  type PdfSignatureOptions,
  prepareCmsSigner,
} from '../../../signing/index.ts';
import { revocationSentence } from '../../certificates/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { type ChosenPolicy, choosePolicy, type SignatureEvidence } from '../choices/choose-policy.ts';
import type { SignatureType } from '../transaction.ts';
import type { SignatureChoice } from '../signers.ts';

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

/** A key, ready for a transaction's type and policy. */
export interface PreparedSigner {
  readonly cms: CmsSigner;
  /** For PDFs: the signature dictionary's SubFilter. */
  readonly subFilter: PdfSignatureOptions['subFilter'];
  /** For PDFs above B-B: additions to the file. */
  readonly pdfLevel?: PdfLevelOptions;
  /** Facts about the certificate, for each of its signatures. */
  readonly warnings: readonly StandardWarning[];
}

/** Newer data is requested. If none is available yet, the signature gets its time stamp now and the rest later. */
const olderEvidence = 'postpone' as const;

/** The parts that prepare a signer. */
export interface SignerPreparation {
  readonly evidence: SignatureEvidence;
  /** True if a certificate that is known as revoked or suspended must not sign. Default: it signs with a warning. */
  readonly refuseRevoked?: boolean;
}

/**
 * The warning about a certificate that is known here as revoked or suspended. Rejects with `CERTIFICATE_REVOKED` where
 * such a certificate must not sign.
 */
export async function warnOfRevocation(
  { evidence, refuseRevoked = false }: SignerPreparation,
  { certificate, chain }: Signer,
  at: Date,
): Promise<readonly StandardWarning[]> {
  const known = await evidence.findRevocation(parseCertificate(certificate), chain.map(parseCertificate), at);
  if (known === undefined) return [];
  const fact = revocationSentence(known);
  if (!refuseRevoked) return [certificateRevoked(fact)];
  throw new SigningError('CERTIFICATE_REVOKED', `${fact} Such certificates do not sign here: choose another one.`);
}

/**
 * Rejects with `ServiceError` for an unavailable policy, `SigningError` for an unfit key, `CERTIFICATE_REVOKED` among
 * them.
 */
export async function prepareSigner(
  preparation: SignerPreparation,
  signer: Signer,
  choice: SignatureChoice,
): Promise<PreparedSigner> {
  const { evidence } = preparation;
  const { type, digest, claimedRole, now } = choice;
  const { container, profile } = signatureForm(type);
  const { certificate, chain } = signer;
  const warnings = await warnOfRevocation(preparation, signer, now());
  const chosen = await choosePolicy(evidence, { ...choice, certificate, chain, at: now() });
  const policy =
    chosen.kind === 'icp-brasil'
      ? { policy: { oid: chosen.policy.oid, hash: chosen.policy.hash, uri: chosen.policy.uri } }
      : {};
  // PAdES has the time in the signature dictionary (EN 319 142-1 §6.3).
  const signerAttributes = claimedRole === undefined ? undefined : { roles: [claimedRole] };
  const basic = {
    digest,
    profile,
    omitSigningTime: type === 'PAdES',
    ...policy,
    signerAttributes,
  };
  if (container === 'pdf') {
    const level = pdfLevelOf(chosen);
    const { signer: complete, ...attribute } = carriesRevocationData(type, chosen)
      ? await gatherRevocationAttribute(evidence, signer, now())
      : { signer };
    return {
      cms: prepareCmsSigner(complete, { ...basic, ...attribute }),
      warnings,
      subFilter: subFilterOf(chosen, profile),
      pdfLevel:
        level === undefined
          ? undefined
          : { level, ...(await services(evidence, choice)), ...artifactsOf(chosen), olderEvidence, now },
    };
  }
  const level = cmsLevelOf(chosen);
  const added = level === undefined ? {} : { level, ...(await services(evidence, choice)), olderEvidence, now };
  return { cms: prepareCmsSigner(signer, { ...basic, ...added }), subFilter: 'adbe.pkcs7.detached', warnings };
}

/**
 * The choice for a document that is known by its hash only: an archive time stamp then needs the hash function of this
 * hash, because nobody can compute another one.
 */
export function choiceByHash<Choice extends Pick<SignatureChoice, 'digest' | 'policy' | 'timestampDigest'>>(
  choice: Choice,
  digest: DigestAlgorithm,
): Choice {
  const isArchival = choice.policy === 'B-LTA';
  return { ...choice, digest, timestampDigest: choice.timestampDigest ?? (isArchival ? digest : undefined) };
}

async function services(
  evidence: SignatureEvidence,
  { timestampServer, timestampDigest }: SignatureChoice,
): Promise<Pick<PdfLevelOptions, 'timestamper' | 'collector'>> {
  const timestamper = await evidence.timestamper({ server: timestampServer, digest: timestampDigest });
  return { timestamper, collector: evidence.collector };
}

/**
 * AD-RT is like B-T; AD-RC and AD-RA are like B-LTA (DOC-ICP-15.03 tables A.14 to A.20). A PDFSignature carries
 * revocation data of before the signature itself; data about its time stamp is known only afterwards, in the store.
 */
export function pdfLevelOf(chosen: ChosenPolicy): PdfLevel | undefined {
  switch (chosen.kind) {
    case 'none':
      return undefined;
    case 'baseline':
      return chosen.level;
    case 'icp-brasil': {
      const { profile } = chosen.policy;
      // No PDF is signed under AD-RV.
      return profile === 'AD-RV' ? undefined : icpBrasilPdfLevel(profile);
    }
  }
}

const artifactsOf = (chosen: ChosenPolicy): Pick<PdfLevelOptions, 'policyArtifacts'> =>
  chosen.kind === 'icp-brasil' && chosen.artifacts !== undefined ? { policyArtifacts: chosen.artifacts } : {};

export function cmsLevelOf(chosen: ChosenPolicy): CmsLevel | undefined {
  switch (chosen.kind) {
    case 'none':
      return undefined;
    case 'baseline':
      return chosen.level;
    case 'icp-brasil':
      return chosen.policy.profile === 'AD-RB' ? undefined : chosen.policy.profile;
  }
}

function subFilterOf({ kind }: ChosenPolicy, profile: 'cms' | 'cades'): PdfSignatureOptions['subFilter'] {
  if (kind === 'icp-brasil') return 'PBAD.PAdES';
  return profile === 'cades' ? 'ETSI.CAdES.detached' : 'adbe.pkcs7.detached';
}
