/** X.509 certificate validation (EN 319 102-1 §5.2.6), now and, where it fails now, in the past (§5.5.4, §5.6.2). */
import { isValidAt } from '../../certificates/certificate.ts';
import type { PathProblem } from '../../certificates/path/path-result.ts';
import {
  CLOCK_SKEW,
  freshUntil,
  isIssuedAfter,
  type RevocationProblemCode,
} from '../../revocation/revocation-result.ts';
import type { ValidationCheckCode } from '../check-codes.ts';
import type { ChainFacts, LinkFacts, RevocationFact } from '../facts.ts';
import type { SubIndication, ValidationCheck } from '../validation-report.ts';
import type { AlgorithmPolicy } from './algorithm-policy.ts';
import { findWeakness } from './judge-algorithms.ts';
import { type JudgeContext, slideTime } from './slide-time.ts';
import { failed, failure, finding, passed, type Failure, type Judgement } from './verdict.ts';

/** The object made with the key of the path's first certificate, and its time. */
export interface MadeWith {
  readonly kind: 'signature' | 'time stamp';
  /** The proven time of existence; undefined without a proof. */
  readonly proven: Date | undefined;
  /**
   * The time of the requested revocation status (EN 319 102-1 §5.5.4: the best signature time). A signature: its proven
   * time. A time stamp: its own time, so that the evidence of an archive counts as of when it was made. Undefined: the
   * time of validation.
   */
  readonly reference: Date | undefined;
  /** The object did not exist before this proven time (content time stamps). */
  readonly after: Date | undefined;
}

const day = (date: Date): string => date.toISOString().slice(0, 10);

function ruleFailure({ code, index, sentence }: PathProblem): Failure {
  switch (code) {
    case 'ISSUER_NOT_FOUND':
      return failure('NO_CERTIFICATE_CHAIN_FOUND', 'CHAIN_INCOMPLETE', sentence);
    case 'ROOT_NOT_TRUSTED':
      return failure('NO_CERTIFICATE_CHAIN_FOUND', 'ROOT_NOT_TRUSTED', sentence);
    case 'AUTHORITY_REFUSED':
      return failure('NO_CERTIFICATE_CHAIN_FOUND', 'AUTHORITY_REFUSED', sentence);
    case 'LIMIT_EXCEEDED':
      return failure('CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_TOO_COMPLEX', sentence);
    case 'KEY_UNREADABLE':
      return failure('CERTIFICATE_CHAIN_GENERAL_FAILURE', 'KEY_UNREADABLE', sentence);
    case 'ALGORITHM_UNSUPPORTED':
      return failure('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNKNOWN', sentence);
    case 'KEY_USAGE_NOT_ALLOWED':
    case 'PURPOSE_NOT_ALLOWED':
      return index === 0
        ? failure('CHAIN_CONSTRAINTS_FAILURE', 'CERTIFICATE_PURPOSE_WRONG', sentence)
        : failure('CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_RULE_BROKEN', sentence);
    case 'POLICY_NOT_ACCEPTABLE':
    case 'PATH_TOO_LONG':
    case 'NAME_NOT_PERMITTED':
      return failure('CHAIN_CONSTRAINTS_FAILURE', 'CHAIN_RULE_BROKEN', sentence);
    case 'SIGNATURE_INVALID':
    case 'CERTIFICATE_MALFORMED':
    case 'NOT_AN_AUTHORITY':
    case 'NAME_CONSTRAINT_UNSUPPORTED':
    case 'CRITICAL_EXTENSION_UNKNOWN':
    case 'CERTIFICATE_EXPIRED':
    case 'CERTIFICATE_NOT_YET_VALID':
    case 'ALGORITHM_WEAK':
      return failure('CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_RULE_BROKEN', sentence);
  }
}

/** Finds a failure that no proof of time can repair. */
function findRuleFailure({ problems, reachesAnchor, links }: ChainFacts): Failure | undefined {
  const [first] = problems;
  if (first !== undefined) return ruleFailure(first);
  if (reachesAnchor) return undefined;
  const name = links.at(-1)?.certificate.commonName ?? '';
  const sentence = `The certificate of the authority that issued ${name} is not known.`;
  return failure('NO_CERTIFICATE_CHAIN_FOUND', 'CHAIN_INCOMPLETE', sentence);
}

/** Reasons for missing data. Reasons that the user can best act on come first. */
const MISSING: readonly (readonly [RevocationProblemCode, ValidationCheckCode, SubIndication])[] = [
  ['NO_DATA', 'REVOCATION_ANSWER_WITHOUT_DATA', 'TRY_LATER'],
  ['NOT_ASKED', 'REVOCATION_NOT_ASKED', 'TRY_LATER'],
  ['UNREACHABLE', 'REVOCATION_UNREACHABLE', 'TRY_LATER'],
  ['STALE', 'REVOCATION_STALE', 'TRY_LATER'],
  ['ANSWERED_UNKNOWN', 'REVOCATION_DATA_UNUSABLE', 'TRY_LATER'],
  ['SIGNATURE_INVALID', 'REVOCATION_DATA_UNUSABLE', 'TRY_LATER'],
  ['MALFORMED', 'REVOCATION_DATA_UNUSABLE', 'TRY_LATER'],
  ['UNSUPPORTED', 'REVOCATION_DATA_UNUSABLE', 'TRY_LATER'],
  ['NOT_COVERED', 'REVOCATION_DATA_UNUSABLE', 'TRY_LATER'],
  ['LDAP_ONLY', 'REVOCATION_SOURCE_NOT_ASKED', 'CERTIFICATE_CHAIN_GENERAL_FAILURE'],
  ['NO_SOURCE', 'REVOCATION_SOURCE_MISSING', 'CERTIFICATE_CHAIN_GENERAL_FAILURE'],
];

function missingEvidence({ certificate, problems }: LinkFacts): Failure {
  for (const [code, check, subIndication] of MISSING) {
    const problem = problems.find((one) => one.code === code);
    if (problem !== undefined) return failure(subIndication, check, problem.sentence);
  }
  const sentence = `Whether the certificate of ${certificate.commonName} was revoked could not be determined.`;
  return failure('TRY_LATER', 'REVOCATION_UNREACHABLE', sentence);
}

/** Finds a revocation as of now, by the latest data. */
function findRevocation({ certificate, evidence }: LinkFacts, index: number, at: Date): Failure | undefined {
  const [latest] = evidence;
  const revocation = latest?.revocation;
  if (revocation === undefined || revocation.time > at) return undefined;
  const sentence = `The certificate of ${certificate.commonName} was revoked on ${revocation.time.toISOString()} (${revocation.reason}).`;
  if (revocation.reason === 'certificateHold') return failure('TRY_LATER', 'CERTIFICATE_ON_HOLD', sentence);
  return index === 0
    ? failure('REVOKED_NO_POE', 'CERTIFICATE_REVOKED', sentence)
    : failure('REVOKED_CA_NO_POE', 'AUTHORITY_REVOKED', sentence);
}

const isFreshAt = (fact: RevocationFact, at: Date): boolean => freshUntil(fact).getTime() + CLOCK_SKEW >= at.getTime();

/** The signer of the data had a valid certificate when the data is known to have existed. */
const hasValidSigner = ({ key, signer }: RevocationFact, { at, proofs }: JudgeContext): boolean =>
  (proofs.existedAt(key) ?? at) <= signer.notAfter;

/**
 * True when revocation data of the past is enough: the data reaches the reference time, so no newer data is needed
 * (§5.5.4). Data about a time stamp counts as of the stamp's own time while the certificates of its path are valid, if
 * the data's signer had a valid certificate when the data was made.
 */
const toldThen = ({ evidence }: LinkFacts, { kind, reference }: MadeWith, context: JudgeContext): boolean =>
  reference !== undefined &&
  evidence.some((fact) => isFreshAt(fact, reference) && (kind === 'time stamp' || hasValidSigner(fact, context)));

/** No data, old data, or data with an expired signer: the revocation freshness checker (§5.2.5). */
function findStaleness(link: LinkFacts, made: MadeWith, context: JudgeContext): Failure | undefined {
  const { at } = context;
  const [latest] = link.evidence;
  if (latest === undefined) return missingEvidence(link);
  if (toldThen(link, made, context)) return undefined;
  const name = link.certificate.commonName;
  if (!isFreshAt(latest, at)) {
    const sentence = `The revocation data about ${name} is good only until ${freshUntil(latest).toISOString()}.`;
    return failure('TRY_LATER', 'REVOCATION_STALE', sentence);
  }
  if (hasValidSigner(latest, context)) return undefined;
  const sentence = `The certificate of whoever signed the revocation data about ${name} has expired.`;
  return failure('REVOCATION_OUT_OF_BOUNDS_NO_POE', 'REVOCATION_SIGNER_EXPIRED', sentence);
}

function expiryFailure({ certificate, evidence }: LinkFacts, { kind }: MadeWith): Failure {
  const sentence = `The certificate of ${certificate.commonName} was valid until ${day(certificate.notAfter)}, and nothing proves that the ${kind} is older.`;
  const isKnownGood = evidence.length > 0;
  return failure(isKnownGood ? 'OUT_OF_BOUNDS_NOT_REVOKED' : 'OUT_OF_BOUNDS_NO_POE', 'CERTIFICATE_EXPIRED', sentence);
}

function findUpperDates(links: readonly LinkFacts[], { at }: JudgeContext): Failure | undefined {
  for (const { certificate, isAnchor } of links.slice(1)) {
    if (isValidAt(certificate, at)) continue;
    const sentence = `The certificate of ${certificate.commonName} is valid from ${day(certificate.notBefore)} to ${day(certificate.notAfter)}.`;
    return isAnchor
      ? failure('NO_CERTIFICATE_CHAIN_FOUND_NO_POE', 'ROOT_EXPIRED', sentence)
      : failure('CERTIFICATE_CHAIN_GENERAL_FAILURE', 'AUTHORITY_OUT_OF_VALIDITY', sentence);
  }
  return undefined;
}

/** Finds the first failure of the path at the time of validation; proofs may repair this failure. */
function findCurrentFailure(
  { links }: ChainFacts,
  made: MadeWith,
  policy: AlgorithmPolicy,
  context: JudgeContext,
): Failure | undefined {
  const { at } = context;
  const below = links.filter(({ isAnchor }) => !isAnchor);
  for (const [index, link] of below.entries()) {
    const revoked = findRevocation(link, index, at);
    if (revoked !== undefined) return revoked;
  }
  const [leaf] = links;
  if (leaf !== undefined && leaf.certificate.notAfter < at) return expiryFailure(leaf, made);
  const dates = findUpperDates(links, context);
  if (dates !== undefined) return dates;
  for (const link of below) {
    const stale = findStaleness(link, made, context);
    if (stale !== undefined) return stale;
  }
  for (const { algorithms, certificate, key } of links) {
    const { notBefore, commonName } = certificate;
    const weak = findWeakness(algorithms, policy, at, { notBefore, proven: context.proofs.existedAt(key) }, commonName);
    if (weak !== undefined) return weak;
  }
  return undefined;
}

/** Finds a provable time of making outside of the certificate's validity (§5.3.4, content time stamps). */
function findProvenFailure({ links }: ChainFacts, { proven, after }: MadeWith, at: Date): Failure | undefined {
  const [leaf] = links;
  if (leaf === undefined) return undefined;
  const { certificate, evidence } = leaf;
  if ((proven ?? at) < certificate.notBefore) {
    const sentence = `The certificate of ${certificate.commonName} is valid from ${day(certificate.notBefore)} on.`;
    return failure('NOT_YET_VALID', 'CERTIFICATE_NOT_YET_VALID', sentence);
  }
  if (after === undefined) return undefined;
  const revocation = evidence[0]?.revocation;
  if (revocation !== undefined && after >= revocation.time && revocation.reason !== 'certificateHold') {
    const sentence = `The certificate of ${certificate.commonName} had been revoked when the signature was made.`;
    return failure('REVOKED', 'SIGNED_AFTER_REVOCATION', sentence);
  }
  if (after > certificate.notAfter) {
    const sentence = `The certificate of ${certificate.commonName} had expired when the signature was made.`;
    return failure('EXPIRED', 'SIGNED_AFTER_EXPIRY', sentence);
  }
  return undefined;
}

const HIERARCHY_CODES = {
  'ICP-Brasil': ['HIERARCHY_ICP_BRASIL', 'The certificate belongs to ICP-Brasil.'],
  'gov.br': ['HIERARCHY_GOV_BR', 'The certificate belongs to gov.br: the signature is advanced, not qualified.'],
  test: ['HIERARCHY_TEST', 'The certificate is one for tests, without legal value.'],
  other: ['HIERARCHY_OTHER', 'The certificate belongs to a hierarchy that was added here.'],
} as const;

function trustChecks({ hierarchy }: ChainFacts): readonly ValidationCheck[] {
  const checks = [
    finding('CHAIN_TRUSTED', 'There is a path to a trusted root.'),
    finding('CERTIFICATE_PURPOSE_RIGHT', 'The certificate is one for what was made with it.'),
  ];
  if (hierarchy === undefined) return checks;
  const [code, sentence] = HIERARCHY_CODES[hierarchy];
  return [...checks, finding(code, sentence)];
}

/** The finding about the first certificate's validity, regardless of its path. */
function dateCheck({ certificate }: LinkFacts, { kind, proven }: MadeWith, at: Date): ValidationCheck {
  const { commonName: name, notBefore, notAfter } = certificate;
  if (isValidAt(certificate, at)) {
    return finding('CERTIFICATE_IN_VALIDITY', `The certificate of ${name} is valid.`);
  }
  if (proven !== undefined && notBefore <= proven && proven <= notAfter) {
    const sentence = `The certificate of ${name} was valid when the ${kind} is proven to have existed.`;
    return finding('CERTIFICATE_WAS_VALID', sentence);
  }
  return at < notBefore
    ? finding('CERTIFICATE_NOT_YET_VALID', `The certificate of ${name} is valid from ${day(notBefore)} on.`)
    : finding('CERTIFICATE_EXPIRED', `The certificate of ${name} was valid until ${day(notAfter)}.`);
}

function revocationCheck({ certificate, evidence }: LinkFacts): ValidationCheck {
  const revocation = evidence[0]?.revocation;
  const name = certificate.commonName;
  return revocation === undefined
    ? finding('NOT_REVOKED', `The certificate of ${name} is not revoked.`)
    : finding('REVOKED_AFTER_SIGNING', `The certificate of ${name} was revoked later, on ${day(revocation.time)}.`);
}

/**
 * Warns when the status of the path's first certificate relies on old data: the last check of a time stamp's authority,
 * or data about a signer from before the signature, which cannot show a revocation in between.
 */
function pastChecks({ links }: ChainFacts, { kind, reference }: MadeWith, at: Date): readonly ValidationCheck[] {
  const [leaf] = links;
  const [latest] = leaf?.evidence ?? [];
  if (leaf === undefined || latest === undefined || reference === undefined) return [];
  const { commonName } = leaf.certificate;
  const issued = latest.issuedAt.toISOString();
  if (kind === 'time stamp') {
    if (isFreshAt(latest, at)) return [];
    const sentence = `Whether the certificate of ${commonName} was revoked has not been checked since ${issued}.`;
    return [finding('REVOCATION_NOT_CHECKED_SINCE', sentence)];
  }
  if (isIssuedAfter(latest.issuedAt, reference)) return [];
  const sentence = `The revocation data about ${commonName} is of ${issued}, older than the signature of ${reference.toISOString()}.`;
  return [finding('REVOCATION_OLDER_THAN_SIGNATURE', sentence)];
}

/** The findings of a valid path. An anchor has no revocation status. */
function passedChecks(chain: ChainFacts, made: MadeWith, at: Date): readonly ValidationCheck[] {
  const [leaf] = chain.links;
  if (leaf === undefined) return [];
  return [dateCheck(leaf, made, at), ...(leaf.isAnchor ? [] : [revocationCheck(leaf), ...pastChecks(chain, made, at)])];
}

/** Findings about date and revocation beside a failure in another area. Only checks that were made are reported. */
function checksBeside(
  { check: { area } }: Failure,
  { links, reachesAnchor }: ChainFacts,
  made: MadeWith,
  context: JudgeContext,
): readonly ValidationCheck[] {
  const [leaf] = links;
  if (leaf === undefined) return [];
  const date = area === 'date' ? [] : [dateCheck(leaf, made, context.at)];
  const below = reachesAnchor ? links.filter(({ isAnchor }) => !isAnchor) : [];
  if (area === 'revocation' || below.length === 0) return date;
  const revoked = below
    .map((link, index) => findRevocation(link, index, context.at))
    .find((found) => found !== undefined);
  if (revoked !== undefined) return [...date, revoked.check];
  const isKnown = below.every((link) => findStaleness(link, made, context) === undefined);
  return isKnown ? [...date, revocationCheck(leaf)] : date;
}

/** True when the latest data shows a revocation of a path's certificate at that time; older data cannot change this. */
const isRevokedBy = ({ links }: ChainFacts, time: Date): boolean =>
  links.some(({ evidence: [latest] }) => latest?.revocation !== undefined && latest.revocation.time < time);

/** Past certificate validation: true when the path was good at the proven time of existence. */
function heldThen(
  chain: ChainFacts,
  proven: Date,
  reference: Date,
  policy: AlgorithmPolicy,
  context: JudgeContext,
): boolean {
  if (isRevokedBy(chain, proven)) return false;
  const control = slideTime(chain, reference, policy, context);
  return control !== undefined && proven <= control;
}

/** Judges a path for an object made with its first certificate. */
export function judgeChain(
  chain: ChainFacts,
  made: MadeWith,
  policy: AlgorithmPolicy,
  context: JudgeContext,
): Judgement {
  const rule = findRuleFailure(chain);
  const withFailure = (found: Failure, ...before: readonly ValidationCheck[]): Judgement => {
    const judgement = failed(found, ...before);
    return { ...judgement, checks: [...judgement.checks, ...checksBeside(found, chain, made, context)] };
  };
  if (rule !== undefined) return withFailure(rule);
  const trust = trustChecks(chain);
  const unrepairable = findProvenFailure(chain, made, context.at);
  if (unrepairable !== undefined) return withFailure(unrepairable, ...trust);
  const current = findCurrentFailure(chain, made, policy, context);
  const good = passed(...trust, ...passedChecks(chain, made, context.at));
  if (current === undefined) return good;
  const { proven, reference = proven } = made;
  if (proven === undefined || reference === undefined) return withFailure(current, ...trust);
  if (heldThen(chain, proven, reference, policy, context)) return good;
  if (current.check.code !== 'AUTHORITY_OUT_OF_VALIDITY') return withFailure(current, ...trust);
  const sentence =
    'No time stamp proves that certificates and revocation data existed while the path could be relied on.';
  const missing = failure('NO_POE', 'PROOF_OF_EXISTENCE_MISSING', sentence);
  return { checks: [...trust, current.check, missing.check], failure: missing };
}
