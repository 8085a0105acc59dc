/** The table of ICP-Brasil's signature policies. */
import { ICP_BRASIL_CADES } from './icp-brasil-cades.ts';
import { ICP_BRASIL_PADES } from './icp-brasil-pades.ts';
import type { IcpBrasilProfile, PolicyRow } from './policy-terms.ts';

export type IcpBrasilFormat = 'CAdES' | 'PAdES';

/** Attributes, named as in DOC-ICP-15.03. */
export type IcpBrasilAttribute =
  | 'contentType'
  | 'messageDigest'
  | 'signingCertificateV2'
  | 'sigPolicyId'
  | 'signatureTimeStampToken'
  | 'certificateRefs'
  | 'revocationRefs'
  | 'escTimeStamp'
  | 'certValues'
  | 'revocationValues'
  | 'archiveTimeStampV2';

/** A signature policy, as far as needed for signing. */
export interface IcpBrasilPolicy extends PolicyRow {
  readonly format: IcpBrasilFormat;
  /** Mandatory signed attributes. */
  readonly signedAttributes: readonly IcpBrasilAttribute[];
  /** Mandatory unsigned attributes. */
  readonly unsignedAttributes: readonly IcpBrasilAttribute[];
}

const SIGNED = ['contentType', 'messageDigest', 'signingCertificateV2', 'sigPolicyId'] as const;
const REFERENCES = ['certificateRefs', 'revocationRefs'] as const;
const VALUES = ['certValues', 'revocationValues'] as const;

const CADES_UNSIGNED = {
  'AD-RB': [],
  'AD-RT': ['signatureTimeStampToken'],
  'AD-RV': ['signatureTimeStampToken', ...REFERENCES, 'escTimeStamp'],
  'AD-RC': ['signatureTimeStampToken', ...REFERENCES, 'escTimeStamp', ...VALUES],
  'AD-RA': [...REFERENCES, ...VALUES, 'archiveTimeStampV2'],
} as const satisfies Record<IcpBrasilProfile, readonly IcpBrasilAttribute[]>;

/** PAdES keeps the material of AD-RC and AD-RA in the PDF, not in the CMS (DOC-ICP-15.03, tables A.14 to A.22). */
const padesUnsigned = (profile: IcpBrasilProfile): readonly IcpBrasilAttribute[] =>
  profile === 'AD-RB' ? [] : ['signatureTimeStampToken'];

const withFormat =
  (format: IcpBrasilFormat) =>
  (row: PolicyRow): IcpBrasilPolicy => ({
    ...row,
    format,
    signedAttributes: SIGNED,
    unsignedAttributes: format === 'CAdES' ? CADES_UNSIGNED[row.profile] : padesUnsigned(row.profile),
  });

/** All policies with a lasting signing period, including withdrawn policies; of a profile the oldest first. */
export const ICP_BRASIL_POLICIES: readonly IcpBrasilPolicy[] = [
  ...ICP_BRASIL_CADES.map(withFormat('CAdES')),
  ...ICP_BRASIL_PADES.map(withFormat('PAdES')),
];

const BY_OID: ReadonlyMap<string, IcpBrasilPolicy> = new Map(ICP_BRASIL_POLICIES.map((policy) => [policy.oid, policy]));

/** The policy with this dotted OID, or undefined for an OID outside of the table. */
export const policyOfOid = (oid: string): IcpBrasilPolicy | undefined => BY_OID.get(oid);
