/** Judges signature policies: whether the named policy is known, and whether its rules are kept (DOC-ICP-15.03). */
import { CadesOid } from '../../cms/cades-oids.ts';
import { Oid } from '../../der/oids.ts';
import { FORBIDDEN_IN_PDF } from '../../pdf/signature/sign-pdf.ts';
import {
  policyOfOid,
  type IcpBrasilPolicy,
  type IcpBrasilSignedAttribute,
} from '../../policies/choose-icp-brasil-policy.ts';
import { ICP_BRASIL_PROFILES } from '../../policies/policy-files.ts';
import type { PolicyFacts, SignatureFacts } from '../facts.ts';
import { standingOfMaterial, type StampedSignature } from './judge-policy-material.ts';
import { combine, failed, failure, finding, passed, type Failure, type Judgement } from './verdict.ts';

const SIGNED_OIDS: Readonly<Record<IcpBrasilSignedAttribute, string>> = {
  contentType: Oid.contentType,
  messageDigest: Oid.messageDigest,
  signingCertificateV2: Oid.signingCertificateV2,
  sigPolicyId: CadesOid.signaturePolicyIdentifier,
};

/** The arc of ICP-Brasil's policies (DOC-ICP-15.03): kinds 1 to 5 are CAdES, 6 to 10 XAdES, 11 to 15 PAdES. */
const ICP_BRASIL_POLICY = /^2\.16\.76\.1\.7\.1\.(\d+)\.(\d+(?:\.\d+)*)$/;

/** `AD-RB 2.3`, also for expired policies. Undefined for policies outside of ICP-Brasil. */
export function policyName(oid: string): string | undefined {
  const known = policyOfOid(oid);
  if (known !== undefined) return `${known.profile} ${known.version}`;
  const match = ICP_BRASIL_POLICY.exec(oid);
  const profile = match && ICP_BRASIL_PROFILES[(Number(match[1]) - 1) % ICP_BRASIL_PROFILES.length];
  return match === null || profile === undefined ? undefined : `${profile} ${match[2] ?? ''}`;
}

type Explicit = Extract<PolicyFacts, { readonly kind: 'explicit' }>;

function judgeIdentity(policy: IcpBrasilPolicy, { hash, hashAlgorithm }: Explicit, facts: SignatureFacts): Judgement {
  const name = `${policy.profile} ${policy.version}`;
  const format = facts.pdf === undefined ? 'CAdES' : 'PAdES';
  if (policy.format !== format) {
    const sentence = `The policy ${name} is for ${policy.format}, and this is ${format}.`;
    return failed(failure('SIG_CONSTRAINTS_FAILURE', 'POLICY_FORMAT_WRONG', sentence));
  }
  if (hashAlgorithm === Oid.sha256 && hash !== policy.hash) {
    const sentence = `The hash in the signature is not that of the policy ${name}.`;
    return failed(failure('POLICY_PROCESSING_ERROR', 'POLICY_HASH_WRONG', sentence));
  }
  return passed(finding('POLICY_RECOGNISED', `The signature was made under the policy ${name} of ICP-Brasil.`));
}

function judgePeriod({ signingPeriod, withdrawn }: IcpBrasilPolicy, at: Date): Judgement {
  const { from, to } = signingPeriod;
  if (at < new Date(from) || at >= new Date(to)) {
    const sentence = `Under this policy one may sign from ${from} until ${to} only.`;
    return failed(failure('SIG_CONSTRAINTS_FAILURE', 'POLICY_PERIOD_WRONG', sentence));
  }
  return withdrawn === undefined ? passed() : passed(finding('POLICY_WITHDRAWN', withdrawn));
}

const absent = (names: readonly string[]): readonly Failure[] => {
  const sentence = `The policy demands what the signature does not have: ${names.join(', ')}.`;
  return names.length === 0 ? [] : [failure('SIG_CONSTRAINTS_FAILURE', 'POLICY_ATTRIBUTE_MISSING', sentence)];
};

/** Unsigned attributes have to belong to this signature and be valid; presence alone is not enough. */
function findMaterialFailures(policy: IcpBrasilPolicy, subject: StampedSignature): readonly Failure[] {
  const standings = policy.unsignedAttributes.map((name) => [name, standingOfMaterial(name, subject)] as const);
  return [
    ...absent(standings.flatMap(([name, { state }]) => (state === 'absent' ? [name] : []))),
    ...standings.flatMap(([name, standing]): readonly Failure[] => {
      if (standing.state === 'foreign') {
        const sentence = `The attribute ${name} belongs to another signature, or is broken.`;
        return [failure('SIG_CONSTRAINTS_FAILURE', 'POLICY_ATTRIBUTE_FOREIGN', sentence)];
      }
      if (standing.state !== 'open') return [];
      const sentence = `The policy demands ${name}, which is there and cannot be proven now.`;
      return [failure(standing.subIndication, 'POLICY_ATTRIBUTE_UNPROVEN', sentence)];
    }),
  ];
}

function judgeAttributes(policy: IcpBrasilPolicy, subject: StampedSignature): Judgement {
  const { signedAttributes, isCounterSignature, pdf } = subject.facts;
  const missing = policy.signedAttributes
    .filter((name) => !(isCounterSignature && name === 'contentType'))
    .filter((name) => !signedAttributes.has(SIGNED_OIDS[name]));
  const judgements: Judgement[] = [...absent(missing), ...findMaterialFailures(policy, subject)].map((found) =>
    failed(found),
  );
  const forbidden = pdf === undefined ? [] : [...FORBIDDEN_IN_PDF].filter(([oid]) => signedAttributes.has(oid));
  if (forbidden.length > 0) {
    const names = forbidden.map(([, name]) => name).join(', ');
    const sentence = `The signature signs what the policy does not accept in a PDF: ${names}.`;
    judgements.push(failed(failure('SIG_CONSTRAINTS_FAILURE', 'POLICY_ATTRIBUTE_FORBIDDEN', sentence)));
  }
  return combine(...judgements);
}

function judgeAlgorithm({ terms }: IcpBrasilPolicy, facts: SignatureFacts): Judgement {
  const key = facts.algorithms.find((use) => use.kind === 'key');
  const bits = key === undefined || key.bits === 0 ? Infinity : key.bits;
  const isAllowed = terms.algorithms.some(
    ({ scheme, digest, minimumKeyBits }) =>
      scheme === facts.signatureAlgorithm &&
      (digest === undefined || digest === facts.digestAlgorithm) &&
      bits >= minimumKeyBits,
  );
  if (isAllowed) return passed();
  const sentence = `The policy does not allow ${facts.signatureAlgorithm} with ${facts.digestAlgorithm} and this key.`;
  return failed(failure('SIG_CONSTRAINTS_FAILURE', 'POLICY_ALGORITHM_NOT_ALLOWED', sentence));
}

/** DOC-ICP-15.03, tables A.14 to A.22. Many programs write other names, so another name is only a warning. */
function judgeDictionary({ format }: IcpBrasilPolicy, { pdf }: SignatureFacts): Judgement {
  // Versions 1.2 of two policies have a space after the names.
  const isRight = pdf?.filter.trim() === 'PBAD_PAdES' && pdf.subFilter.trim() === 'PBAD.PAdES';
  if (format !== 'PAdES' || pdf === undefined || isRight) return passed();
  const sentence = `The policy demands Filter PBAD_PAdES and SubFilter PBAD.PAdES; the PDF has ${pdf.filter} and ${pdf.subFilter}.`;
  return passed(finding('POLICY_DICTIONARY', sentence));
}

/** Test roots are accepted in place of the policy's roots. */
function judgeRoot({ terms }: IcpBrasilPolicy, { chain }: SignatureFacts): Judgement {
  const root = chain?.links.at(-1)?.certificate;
  if (chain === undefined || root === undefined || !chain.reachesAnchor || chain.hierarchy === 'test') return passed();
  if (terms.trustAnchors.includes(root.fingerprint)) return passed();
  const sentence = `The policy does not accept the root ${root.commonName}.`;
  return failed(failure('CHAIN_CONSTRAINTS_FAILURE', 'POLICY_ROOT_NOT_ALLOWED', sentence));
}

/** Judges the policy of a signature. `signedAt` is the best known time of signing: proven, claimed, or now. */
export function judgePolicy(
  subject: StampedSignature,
  signedAt: Date,
  unknownPolicy: 'indeterminate' | 'accept',
): Judgement {
  const { facts } = subject;
  const named = facts.policy;
  if (named === undefined || named.kind === 'implied') return passed();
  if (named.kind === 'damaged') return failed(failure('POLICY_PROCESSING_ERROR', 'POLICY_DAMAGED', named.reason));
  const policy = policyOfOid(named.oid);
  if (policy === undefined) {
    const sentence = `The rules of the signature policy ${policyName(named.oid) ?? named.oid} are not known here.`;
    return unknownPolicy === 'accept'
      ? passed(finding('POLICY_NOT_CHECKED', sentence))
      : failed(failure('SIGNATURE_POLICY_NOT_AVAILABLE', 'POLICY_NOT_AVAILABLE', sentence));
  }
  const judged = combine(
    judgeIdentity(policy, named, facts),
    judgePeriod(policy, signedAt),
    judgeAttributes(policy, subject),
    judgeAlgorithm(policy, facts),
    judgeDictionary(policy, facts),
    judgeRoot(policy, facts),
  );
  if (judged.failure !== undefined) return judged;
  const kept = finding('POLICY_RULES_KEPT', 'The rules of the policy are kept.');
  return { checks: [...judged.checks, kept], failure: undefined };
}
