/** The table of ICP-Brasil's signature policies. */
import { ICP_BRASIL_CADES } from './icp-brasil-cades.ts';
import { ICP_BRASIL_PADES } from './icp-brasil-pades.ts';
import type { AllowedAlgorithm, IcpBrasilProfile, PolicyRow } from './policy-files.ts';
import type { DigestAlgorithm, SignatureScheme } from '../keys/signer.ts';

/** The two formats with signature policies of ICP-Brasil (DOC-ICP-15.03). */
export type IcpBrasilFormat = 'CAdES' | 'PAdES';

/** Signed attributes, named as in DOC-ICP-15.03. */
export type IcpBrasilSignedAttribute = 'contentType' | 'messageDigest' | 'signingCertificateV2' | 'sigPolicyId';

/**
 * Unsigned attributes, named as in DOC-ICP-15.03, and the parts of a PDF in their place: validation data in the document
 * security store, and the document time stamp.
 */
export type IcpBrasilMaterial =
  | 'signatureTimeStampToken'
  | 'certificateRefs'
  | 'revocationRefs'
  | 'escTimeStamp'
  | 'certValues'
  | 'revocationValues'
  | 'archiveTimeStampV2'
  | 'documentSecurityStore'
  | 'documentTimeStamp';

/** A signature policy, as far as needed for signing. */
export interface IcpBrasilPolicy extends PolicyRow {
  readonly format: IcpBrasilFormat;
  /** The official address of the policy's file. */
  readonly uri: string;
  /** Mandatory signed attributes. */
  readonly signedAttributes: readonly IcpBrasilSignedAttribute[];
  /** Mandatory unsigned attributes, and parts of a PDF. */
  readonly unsignedAttributes: readonly IcpBrasilMaterial[];
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
} as const satisfies Record<IcpBrasilProfile, readonly IcpBrasilMaterial[]>;

/** PAdES keeps the material of AD-RC and AD-RA in the PDF, not in the CMS (DOC-ICP-15.03, tables A.14 to A.22). */
const PADES_UNSIGNED = {
  'AD-RB': [],
  'AD-RT': ['signatureTimeStampToken'],
  'AD-RV': [],
  'AD-RC': ['signatureTimeStampToken', 'documentSecurityStore', 'documentTimeStamp'],
  'AD-RA': ['signatureTimeStampToken', 'documentSecurityStore', 'documentTimeStamp'],
} as const satisfies Record<IcpBrasilProfile, readonly IcpBrasilMaterial[]>;

/** ITI names the files by format, profile and version. */
function uriOf(format: IcpBrasilFormat, { profile, version }: PolicyRow): string {
  const prefix = format === 'PAdES' ? 'PA_PAdES' : 'PA';
  const name = `${prefix}_${profile.replace('-', '_')}_v${version.replace('.', '_')}.der`;
  return `http://politicas.icpbrasil.gov.br/${name}`;
}

const withFormat =
  (format: IcpBrasilFormat) =>
  (row: PolicyRow): IcpBrasilPolicy => ({
    ...row,
    format,
    uri: uriOf(format, row),
    signedAttributes: SIGNED,
    unsignedAttributes: (format === 'CAdES' ? CADES_UNSIGNED : PADES_UNSIGNED)[row.profile],
  });

/**
 * All policies whose signing period has not ended, including withdrawn policies; the oldest version of each profile
 * first.
 */
export const ICP_BRASIL_POLICIES: readonly IcpBrasilPolicy[] = [
  ...ICP_BRASIL_CADES.map(withFormat('CAdES')),
  ...ICP_BRASIL_PADES.map(withFormat('PAdES')),
];

const BY_OID: ReadonlyMap<string, IcpBrasilPolicy> = new Map(ICP_BRASIL_POLICIES.map((policy) => [policy.oid, policy]));

/** The policy with this dotted OID, or undefined for an OID outside of the table. */
export const policyOfOid = (oid: string): IcpBrasilPolicy | undefined => BY_OID.get(oid);

/** Format, key and requested policy of a signature. */
export interface PolicyRequest {
  readonly format: IcpBrasilFormat;
  /** A profile, for the newest matching version, or a single policy. */
  readonly wanted: { readonly profile: IcpBrasilProfile } | { readonly oid: string };
  /**
   * Lower-case hex SHA-256 of the root of the signer's path. Names are not enough: some CAs below the root v12 have no
   * version in their names. `any`: a test root, accepted in place of every root.
   */
  readonly rootFingerprint: string;
  /** When the signature is made. */
  readonly at: Date;
  readonly algorithm: {
    readonly scheme: SignatureScheme;
    readonly digest: DigestAlgorithm;
    /** The modulus of RSA; the order of the curve. */
    readonly keyBits: number;
  };
}

/**
 * Why there is no policy: `UNKNOWN`, no such policy; `FORMAT`, not for this format; `WITHDRAWN`, must not be used any
 * more; `PERIOD`, not at this time; `ROOT`, not for this root; `ALGORITHM`, not with this algorithm or key.
 */
export type PolicyProblemCode = 'UNKNOWN' | 'FORMAT' | 'WITHDRAWN' | 'PERIOD' | 'ROOT' | 'ALGORITHM';

/** The reason why a policy cannot be used, with its code. */
export interface PolicyProblem {
  readonly code: PolicyProblemCode;
  /** A sentence for the user, with a remedy. */
  readonly message: string;
}

/** The policy that fits a request, or the reason why none does. */
export type PolicyChoice =
  | { readonly policy: IcpBrasilPolicy; readonly problem?: undefined }
  | { readonly policy?: undefined; readonly problem: PolicyProblem };

/** Order of the checks. The policy that passes the most checks gives the most useful objection. */
const RANK = { UNKNOWN: 0, FORMAT: 1, WITHDRAWN: 2, PERIOD: 3, ROOT: 4, ALGORITHM: 5 } as const satisfies Record<
  PolicyProblemCode,
  number
>;

function allows({ terms }: IcpBrasilPolicy, { scheme, digest, keyBits }: PolicyRequest['algorithm']): boolean {
  return terms.algorithms.some(
    (allowed) =>
      allowed.scheme === scheme &&
      (allowed.digest === undefined || allowed.digest === digest) &&
      keyBits >= allowed.minimumKeyBits,
  );
}

function nameAlgorithm({ scheme, digest, minimumKeyBits }: AllowedAlgorithm): string {
  return `${scheme}${digest === undefined ? '' : ` with ${digest}`} from ${minimumKeyBits} bits`;
}

function describe(policy: IcpBrasilPolicy): string {
  return `The policy ${policy.profile} ${policy.version} for ${policy.format}`;
}

/** Suggests another version that accepts this root now, or else the option for roots outside ICP-Brasil. */
function rootRemedy({ format, profile }: IcpBrasilPolicy, at: Date, rootFingerprint: string): string {
  const other = ICP_BRASIL_POLICIES.findLast(
    (one) =>
      one.format === format &&
      one.profile === profile &&
      one.withdrawn === undefined &&
      at >= new Date(one.signingPeriod.from) &&
      at < new Date(one.signingPeriod.to) &&
      one.terms.trustAnchors.includes(rootFingerprint),
  );
  return other === undefined
    ? 'No version of it does. To try it with a root of your own, import the root with --test.'
    : `Choose ${other.profile} ${other.version} (${other.oid}).`;
}

/** The first objection to signing under this policy; undefined: none. */
function objection(policy: IcpBrasilPolicy, request: PolicyRequest): PolicyProblem | undefined {
  const { format, at, rootFingerprint, algorithm } = request;
  const { from, to } = policy.signingPeriod;
  if (policy.format !== format) {
    return { code: 'FORMAT', message: `${describe(policy)} cannot be used for ${format}.` };
  }
  if (policy.withdrawn !== undefined) {
    return { code: 'WITHDRAWN', message: `${describe(policy)} must not be used. ${policy.withdrawn}` };
  }
  if (at < new Date(from) || at >= new Date(to)) {
    return { code: 'PERIOD', message: `${describe(policy)} is for signing from ${from} until ${to} only.` };
  }
  if (rootFingerprint !== 'any' && !policy.terms.trustAnchors.includes(rootFingerprint)) {
    const remedy = rootRemedy(policy, at, rootFingerprint);
    return { code: 'ROOT', message: `${describe(policy)} does not accept the root of this certificate. ${remedy}` };
  }
  if (!allows(policy, algorithm)) {
    const used = `${algorithm.scheme} with ${algorithm.digest} and ${algorithm.keyBits} bits`;
    const allowed = policy.terms.algorithms.map(nameAlgorithm).join('; ');
    const message = `${describe(policy)} does not allow ${used}. It allows: ${allowed}.`;
    return { code: 'ALGORITHM', message };
  }
  return undefined;
}

function candidates({ format, wanted }: PolicyRequest): readonly IcpBrasilPolicy[] {
  if ('oid' in wanted) {
    const policy = policyOfOid(wanted.oid);
    return policy === undefined ? [] : [policy];
  }
  return ICP_BRASIL_POLICIES.filter((policy) => policy.format === format && policy.profile === wanted.profile);
}

function noneKnown({ format, wanted }: PolicyRequest): PolicyProblem {
  return 'oid' in wanted
    ? { code: 'UNKNOWN', message: `The signature policy ${wanted.oid} is unknown, or closed for new signatures.` }
    : { code: 'FORMAT', message: `There is no policy ${wanted.profile} for ${format}.` };
}

/** The newest policy for the format, the time, the root and the algorithm; else the objection to the best policy. */
export function chooseIcpBrasilPolicy(request: PolicyRequest): PolicyChoice {
  let problem: PolicyProblem | undefined;
  for (const policy of candidates(request).toReversed()) {
    const against = objection(policy, request);
    if (against === undefined) return { policy };
    if (problem === undefined || RANK[against.code] > RANK[problem.code]) problem = against;
  }
  return { problem: problem ?? noneKnown(request) };
}
