/** Permitted uses of the first certificate of a path, by its own extensions and the extensions above. */
import { Oid } from '../../der/oids.ts';
import type { Certificate } from '../certificate.ts';
import { PathOid } from './path-extensions.ts';
import type { PathPurpose } from './path-result.ts';

/** Key purposes (RFC 5280 §4.2.1.12, RFC 9336; Adobe's and Microsoft's purposes for documents). */
const KeyPurpose = {
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  documentSigning: '1.3.6.1.5.5.7.3.36',
  adobeDocuments: '1.2.840.113583.1.1.5',
  microsoftDocuments: '1.3.6.1.4.1.311.10.3.12',
} as const;

/** Bits of KeyUsage (RFC 5280 §4.2.1.3). */
export const KeyUsage = { digitalSignature: 0, nonRepudiation: 1, certificateSign: 5, crlSign: 6 } as const;

interface PurposeRule {
  /** Where the extension is present, at least one of these purposes is needed; undefined: none is needed. */
  readonly extended?: readonly string[];
  /** The extension must be present, and `anyExtendedKeyUsage` is not enough. */
  readonly extendedRequired?: boolean;
  /** The purpose has to be the only one, and the extension critical (RFC 3161 §2.3). */
  readonly alone?: boolean;
  /** When KeyUsage is present, at least one of these bits must be set. */
  readonly bits?: readonly number[];
}

/**
 * Certificates of people and companies in ICP-Brasil name client authentication and e-mail protection (DOC-ICP-04
 * §7.1.2.2).
 */
const DOCUMENT_PURPOSES = [
  KeyPurpose.documentSigning,
  KeyPurpose.emailProtection,
  KeyPurpose.clientAuthentication,
  KeyPurpose.adobeDocuments,
  KeyPurpose.microsoftDocuments,
];

const SIGNATURE_BITS = [KeyUsage.digitalSignature, KeyUsage.nonRepudiation];

const RULES: Readonly<Record<PathPurpose, PurposeRule>> = {
  any: {},
  'document-signing': { extended: DOCUMENT_PURPOSES, bits: SIGNATURE_BITS },
  'time-stamping': { extended: [KeyPurpose.timeStamping], extendedRequired: true, alone: true, bits: SIGNATURE_BITS },
  'ocsp-signing': { extended: [KeyPurpose.ocspSigning], extendedRequired: true, bits: SIGNATURE_BITS },
  'crl-signing': { bits: [KeyUsage.crlSign] },
  'server-authentication': { extended: [KeyPurpose.serverAuthentication], bits: [0, 2, 4] },
};

/** True when KeyUsage is absent or has one of the bits. */
export const allowsKeyUsage = ({ keyUsage }: Certificate, bits: readonly number[]): boolean =>
  keyUsage === undefined || bits.some((bit) => keyUsage.includes(bit));

/** Finds the extension that forbids this use of the first certificate: extended key usage or key usage. */
export function findUseProblem(certificate: Certificate, purpose: PathPurpose): 'extended' | 'key-usage' | undefined {
  const rule = RULES[purpose];
  if (rule.bits !== undefined && !allowsKeyUsage(certificate, rule.bits)) return 'key-usage';
  const { extendedKeyUsage: usage } = certificate;
  if (rule.extended === undefined) return undefined;
  if (usage === undefined) return rule.extendedRequired === true ? 'extended' : undefined;
  if (rule.alone === true) {
    const isCritical = certificate.extensions.get(Oid.extendedKeyUsage)?.critical === true;
    if (!isCritical || usage.length !== 1) return 'extended';
  }
  const accepted: readonly string[] =
    rule.extendedRequired === true ? rule.extended : [...rule.extended, PathOid.anyExtendedKeyUsage];
  return usage.some((oid) => accepted.includes(oid)) ? undefined : 'extended';
}

/** True when an authority's extended key usage, as a limit on its certificates, allows this purpose. */
export function passesPurpose({ extendedKeyUsage: usage }: Certificate, purpose: PathPurpose): boolean {
  const { extended } = RULES[purpose];
  if (usage === undefined || extended === undefined) return true;
  return usage.some((oid) => oid === PathOid.anyExtendedKeyUsage || extended.includes(oid));
}
