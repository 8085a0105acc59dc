import type { SignaturePolicy, SignatureType, BaselineLevel } from '../transaction.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  type Hierarchy,
  type IcpBrasilPolicy,
  type MaterialCollector,
  type PolicyArtifacts,
  type TimestampDigest,
  type Timestamper,
  chooseIcpBrasilPolicy,
  ICP_BRASIL_PROFILES,
  type IcpBrasilProfile,
  parseCertificate,
  policyOfOid,
  type PolicyProblem,
  type PolicyRequest,
  type SignatureScheme,
} from '../../../signing/index.ts';
import { type icpBrasilArc, policiesWithoutStamp, signaturePolicies } from '../../../request/signature-policies.ts';
import { findName } from '../../../text/closed-set.ts';
import type { KnownRevocation } from '../../certificates/index.ts';
import { ServiceError } from '../../errors/index.ts';
import { signatureForm } from '../../signature-types/index.ts';

const isOfArc = (text: string): text is `${typeof icpBrasilArc}.${string}` => /^2\.16\.76\.1\.7\.1(\.\d+)+$/.test(text);

/** The policy with this name in any letter case, or with this OID; undefined for anything else. */
export function parseSignaturePolicy(text: string): SignaturePolicy | undefined {
  const oid = text.trim();
  return isOfArc(oid) ? oid : findName(signaturePolicies, text);
}

/** The choice of a time stamp server, with the hash function. */
export interface TimestampChoice {
  /** Id of the only server to ask; absent: all configured servers, in order, until the first answer. */
  readonly server?: string;
  /** Hash function of the imprints; absent: the server's default. */
  readonly digest?: TimestampDigest;
}

/** Where the chain of a certificate ends. */
export interface ChainEnd {
  /** Lower-case hex SHA-256 of the anchor. */
  readonly fingerprint: string;
  readonly hierarchy: Hierarchy;
}

/** The source of evidence for levels above B-B: time stamps, trust, revocation data. */
export interface SignatureEvidence {
  /** Ids of the available servers, in the order of requests. */
  timestampServers(): Promise<readonly string[]>;
  /** Rejects with `TSA_NOT_CONFIGURED`. */
  timestamper(choice: TimestampChoice): Promise<Timestamper>;
  readonly collector: MaterialCollector;
  /** The anchor of the certificate's valid path as of `at`; undefined when there is no such path. */
  findChainEnd(certificate: Certificate, chain: readonly Certificate[], at: Date): Promise<ChainEnd | undefined>;
  /**
   * The revocation or suspension that is known here without the network, of the certificate or of an authority above
   * it; undefined where none is known.
   */
  findRevocation(
    certificate: Certificate,
    chain: readonly Certificate[],
    at: Date,
  ): Promise<KnownRevocation | undefined>;
  /**
   * The policy files of AD-RA in a PDF: the policy, the list of approved policies with this policy, and the list's
   * signature. The signature's chain ends in a root of ICP-Brasil, or of the hierarchy `test` for a test signer.
   * Rejects with `POLICY_NOT_SUPPORTED` and a sentence with the way to get missing files.
   */
  policyArtifacts(policy: IcpBrasilPolicy, signer: Hierarchy): Promise<PolicyArtifacts>;
}

/** The evidence of an instance without servers and trust. */
export const noEvidence: SignatureEvidence = {
  timestampServers: () => Promise.resolve([]),
  timestamper: () => Promise.reject(new Error('Without evidence no policy that needs a time stamp is accepted.')),
  collector: { collect: () => Promise.reject(new Error('Without evidence no policy that needs it is accepted.')) },
  findChainEnd: () => Promise.resolve(undefined),
  findRevocation: () => Promise.resolve(undefined),
  policyArtifacts: () => Promise.reject(new Error('Without evidence no policy that needs files is accepted.')),
};

/** The resolved policy of a request. */
export type ChosenPolicy =
  | { readonly kind: 'none' }
  | { readonly kind: 'baseline'; readonly level: Exclude<BaselineLevel, 'B-B'> }
  | {
      readonly kind: 'icp-brasil';
      readonly policy: IcpBrasilPolicy;
      /** AD-RA keeps policy, list of policies and its signature in the PDF (DOC-ICP-15.03 tables A.19, A.20). */
      readonly artifacts?: PolicyArtifacts;
    };

/** The input of the choice, apart from the policy itself. */
export interface PolicyQuestion {
  readonly policy: SignaturePolicy;
  readonly type: SignatureType;
  readonly digest: DigestAlgorithm;
  /** DER. */
  readonly certificate: Buffer;
  readonly chain: readonly Buffer[];
  readonly at: Date;
}

/** True if signatures under this policy carry a time stamp. */
export const needsTimestamp = (policy: SignaturePolicy): boolean =>
  !policiesWithoutStamp.includes(policy) && !policiesWithoutStamp.includes(profileOf(policy) ?? policy);

/** The ICP-Brasil profile of a policy; undefined for the other policies. */
export const profileOfPolicy = (policy: SignaturePolicy): IcpBrasilProfile | undefined =>
  isProfile(policy) ? policy : profileOf(policy);

/** The level under this policy of a signature that has only its time stamp. */
export const stampedLevel = (policy: SignaturePolicy): SignaturePolicy => (policy.startsWith('B-') ? 'B-T' : 'AD-RT');

/**
 * Chooses the policy to sign under. For an ICP-Brasil profile this is the newest version for the root of the
 * certificate's chain. Rejects with `POLICY_NOT_SUPPORTED`, or with `ALGORITHM_NOT_SUPPORTED` if another hash or key
 * would be accepted.
 */
export async function choosePolicy(evidence: SignatureEvidence, question: PolicyQuestion): Promise<ChosenPolicy> {
  const { policy } = question;
  switch (policy) {
    case 'none':
    case 'B-B':
      return { kind: 'none' };
    case 'B-T':
    case 'B-LT':
    case 'B-LTA':
      return { kind: 'baseline', level: policy };
    case 'AD-RB':
    case 'AD-RT':
    case 'AD-RV':
    case 'AD-RC':
    case 'AD-RA':
    default:
      return chooseIcpBrasil(evidence, question, policy);
  }
}

async function chooseIcpBrasil(
  evidence: SignatureEvidence,
  { type, digest, at, ...question }: PolicyQuestion,
  wanted: SignaturePolicy,
): Promise<ChosenPolicy> {
  const certificate = parseCertificate(question.certificate);
  const end = await evidence.findChainEnd(certificate, question.chain.map(parseCertificate), at);
  const choice = chooseIcpBrasilPolicy({
    format: signatureForm(type).container === 'pdf' ? 'PAdES' : 'CAdES',
    wanted: isProfile(wanted) ? { profile: wanted } : { oid: wanted },
    rootFingerprint: rootFor(end),
    at,
    algorithm: { ...keyOf(certificate), digest },
  });
  if (choice.policy === undefined) throw refusal(choice.problem, end);
  const { policy } = choice;
  if (policy.format !== 'PAdES' || policy.profile !== 'AD-RA') return { kind: 'icp-brasil', policy };
  return { kind: 'icp-brasil', policy, artifacts: await evidence.policyArtifacts(policy, end?.hierarchy ?? 'other') };
}

/** The compiler reports a profile of the signing core that no request can name. */
const isProfile = (policy: SignaturePolicy): policy is IcpBrasilProfile =>
  ICP_BRASIL_PROFILES.some((one) => one === policy);

/** The profile of a policy OID; undefined for an OID outside of the table. */
const profileOf = (policy: string): IcpBrasilProfile | undefined => policyOfOid(policy)?.profile;

/**
 * Test roots are accepted in place of every root, so that every policy can be tested; their signatures have no legal
 * value.
 */
const rootFor = (end: ChainEnd | undefined): string => (end?.hierarchy === 'test' ? 'any' : (end?.fingerprint ?? ''));

function keyOf(certificate: Certificate): Pick<PolicyRequest['algorithm'], 'scheme' | 'keyBits'> {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey();
  const scheme = schemes[type ?? ''];
  if (scheme === undefined) {
    throw problem('ALGORITHM_NOT_SUPPORTED', 'policy', 'The policy does not allow keys of this kind.');
  }
  if (scheme === 'ed448') return { scheme, keyBits: 456 };
  return { scheme, keyBits: details?.modulusLength ?? curveBits(details?.namedCurve) };
}

const schemes: Readonly<Record<string, SignatureScheme>> = {
  rsa: 'rsassa-pkcs1-v1_5',
  'rsa-pss': 'rsassa-pss',
  ec: 'ecdsa',
  ed25519: 'ed25519',
  ed448: 'ed448',
};

/** `prime256v1`, `secp384r1`, `brainpoolP512r1`; Ed25519 names no curve. */
const curveBits = (curve = '256'): number => Number(/\d{3}/.exec(curve)?.[0] ?? 0);

function refusal({ code, message }: PolicyProblem, end: ChainEnd | undefined): ServiceError {
  if (code === 'ALGORITHM') return problem('ALGORITHM_NOT_SUPPORTED', 'hash_algorithm', message);
  const missing =
    'The chain of this certificate does not end in a root that is trusted here: import the trust anchors.';
  return problem('POLICY_NOT_SUPPORTED', 'policy', code === 'ROOT' && end === undefined ? missing : message);
}

function problem(
  code: 'POLICY_NOT_SUPPORTED' | 'ALGORITHM_NOT_SUPPORTED',
  field: string,
  detail: string,
): ServiceError {
  return new ServiceError(code, detail, { problems: [{ field, code, detail }] });
}
