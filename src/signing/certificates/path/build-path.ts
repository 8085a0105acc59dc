/**
 * Finds a path from a certificate to a trust anchor and validates the path (RFC 5280 §6, RFC 4158). The search is depth
 * first with the likeliest issuer first, and goes back where a path breaks a rule. A budget bounds the search, because
 * a hostile set of certificates has exponentially many paths.
 */
import { isDataError, SigningError } from '../../errors.ts';
import type { Certificate } from '../certificate.ts';
import { describeKey } from '../certificate-details.ts';
import { checkPath, type PathCheck } from './check-path.ts';
import { isSameName, nameKey } from './distinguished-name.ts';
import {
  PATH_PROBLEM_CODES,
  rankProblems,
  type PathProblem,
  type PathProblemCode,
  type PathResult,
  type PathRules,
} from './path-result.ts';
import { isIssuedBy } from './signed-structure.ts';

/** The input of building and validating a path. */
export interface PathRequest extends PathRules {
  readonly certificate: Certificate;
  /**
   * Possible certificates between the first certificate and an anchor, in any order; unneeded certificates do no harm.
   */
  readonly intermediates: readonly Certificate[];
  readonly anchors: readonly Certificate[];
  /** Fingerprints of certificates that may not be in the path. Default: none. */
  readonly without?: ReadonlySet<string>;
  /**
   * Authorities refused by the owner. No path contains these certificates, or others with the same name and key, except
   * as anchors. Default: none.
   */
  readonly refused?: readonly Certificate[];
  /** Limit on signature checks during the search; by default 100. */
  readonly maxSignatureChecks?: number;
}

const DEFAULT_SIGNATURE_CHECKS = 100;
/** Certificates of one path, the anchor included. */
const MAX_PATH_LENGTH = 16;
/** Search steps allowed per signature check: each signature is checked once, but may occur in many paths. */
const STEPS_PER_CHECK = 10;
/** Maximum number of tried certificates with the same name. */
const MAX_NAMESAKES = 50;

/** Problems at the end of a path that another certificate, another anchor or the owner's acceptance could solve. */
const OPEN_ENDS: ReadonlySet<PathProblemCode> = new Set(['ISSUER_NOT_FOUND', 'ROOT_NOT_TRUSTED', 'AUTHORITY_REFUSED']);

type SignatureVerdict = 'good' | 'bad' | 'unreadable-key' | 'unsupported' | 'malformed';

interface Attempt {
  readonly path: readonly Certificate[];
  readonly reachesAnchor: boolean;
  readonly check: PathCheck;
}

const isSameKey = (left: Certificate, right: Certificate): boolean =>
  left.publicKeyInfo.equals(right.publicKeyInfo) && isSameName(left.subject, right.subject);

/** True for one of these authorities, in whichever of its certificates: the name and the key decide. */
export const isAmong = (authorities: readonly Certificate[], certificate: Certificate): boolean =>
  authorities.some((one) => isSameKey(one, certificate));

/** Compares the key identifiers: 2 equal, 1 missing on either side, 0 different. */
function identifierFit(certificate: Certificate, issuer: Certificate): 0 | 1 | 2 {
  const { authorityKeyIdentifier: wanted } = certificate;
  const { subjectKeyIdentifier: given } = issuer;
  if (wanted === undefined || given === undefined) return 1;
  return wanted.equals(given) ? 2 : 0;
}

/** Signatures already checked: certificate and issuer, for the lifetime of both objects. */
const verdicts = new WeakMap<Certificate, WeakMap<Certificate, SignatureVerdict>>();

function checkSignature(certificate: Certificate, issuer: Certificate): SignatureVerdict {
  try {
    return isIssuedBy(certificate, issuer) ? 'good' : 'bad';
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (error.code === 'ALGORITHM_UNSUPPORTED') return 'unsupported';
    return error.code === 'CERTIFICATE_MALFORMED' ? 'unreadable-key' : 'malformed';
  }
}

function signatureVerdict(certificate: Certificate, issuer: Certificate): SignatureVerdict {
  const known = verdicts.get(certificate) ?? new WeakMap<Certificate, SignatureVerdict>();
  const verdict = known.get(issuer) ?? checkSignature(certificate, issuer);
  verdicts.set(certificate, known.set(issuer, verdict));
  return verdict;
}

const isSelfSigned = (certificate: Certificate): boolean =>
  isSameName(certificate.issuer, certificate.subject) && signatureVerdict(certificate, certificate) === 'good';

const VERDICT_PROBLEMS: Readonly<Record<Exclude<SignatureVerdict, 'good'>, readonly [PathProblemCode, string]>> = {
  bad: ['SIGNATURE_INVALID', 'was not signed with the key of'],
  'unreadable-key': ['KEY_UNREADABLE', 'cannot be checked: this run time cannot read the key of'],
  unsupported: ['ALGORITHM_UNSUPPORTED', 'is signed with an algorithm that is not known here, by'],
  malformed: ['CERTIFICATE_MALFORMED', 'is damaged, and cannot be checked with the key of'],
};

/**
 * The problem of a certificate whose signature did not verify with the issuer's key; names an unsupported algorithm or
 * key.
 */
function problemOf(
  verdict: Exclude<SignatureVerdict, 'good'>,
  certificate: Certificate,
  issuer: Certificate,
  index: number,
): PathProblem {
  const [code, words] = VERDICT_PROBLEMS[verdict];
  const names = { unsupported: certificate.signatureAlgorithm, 'unreadable-key': describeKey(issuer) } as const;
  const which = verdict === 'bad' || verdict === 'malformed' ? '' : ` (${names[verdict]})`;
  return {
    code,
    index,
    sentence: `The certificate of ${certificate.commonName} ${words} ${issuer.commonName}${which}.`,
  };
}

const refusal = ({ commonName }: Certificate, index: number): PathProblem => ({
  code: 'AUTHORITY_REFUSED',
  index,
  sentence: `The authority ${commonName} is refused here.`,
});

/** The certificates of a subject with this `nameKey`, without duplicates; at most `MAX_NAMESAKES`, the first ones. */
function namesakesOf(subject: string, certificates: readonly Certificate[]): readonly Certificate[] {
  const found = new Map<string, Certificate>();
  for (const certificate of certificates) {
    if (nameKey(certificate.subject) !== subject || found.has(certificate.fingerprint)) continue;
    found.set(certificate.fingerprint, certificate);
    if (found.size === MAX_NAMESAKES) break;
  }
  return [...found.values()];
}

class PathSearch {
  readonly #request: PathRequest;
  readonly #anchors: ReadonlySet<string>;
  readonly #refused: readonly Certificate[];
  readonly #candidates: readonly Certificate[];
  readonly #namesakes = new Map<string, readonly Certificate[]>();
  readonly #verdicts = new Map<string, SignatureVerdict>();
  #checksLeft: number;
  #stepsLeft: number;
  #isExhausted = false;
  /** The best failed attempt so far. */
  #best: Attempt | undefined;

  constructor(request: PathRequest) {
    this.#request = request;
    this.#anchors = new Set(request.anchors.map(({ fingerprint }) => fingerprint));
    this.#refused = request.refused ?? [];
    // Anchors first, so that many namesakes among the intermediates cannot hide an anchor. A refused authority is a
    // candidate as well, so that the failure names the authority.
    this.#candidates = [...request.anchors, ...this.#refused, ...request.intermediates];
    this.#checksLeft = request.maxSignatureChecks ?? DEFAULT_SIGNATURE_CHECKS;
    this.#stepsLeft = this.#checksLeft * STEPS_PER_CHECK;
  }

  run(): PathResult {
    const { certificate } = this.#request;
    const valid = this.#isRefused(certificate)
      ? this.#judge([certificate], false, [refusal(certificate, 0)])
      : this.#extend([certificate]);
    if (valid !== undefined)
      return { outcome: 'valid', path: valid.path, problems: [], policies: valid.check.policies };
    return this.#failure(
      this.#best ?? { path: [certificate], reachesAnchor: false, check: { problems: [], policies: [] } },
    );
  }

  /** The first valid continuation of this path, or undefined. */
  #extend(path: readonly Certificate[]): Attempt | undefined {
    const last = path.at(-1);
    if (last === undefined) return undefined;
    if (this.#anchors.has(last.fingerprint)) return this.#judge(path, true, []);
    const problems: PathProblem[] = [];
    let isContinued = false;
    for (const issuer of path.length < MAX_PATH_LENGTH ? this.#issuersOf(last, path) : []) {
      if (this.#stepsLeft-- <= 0) this.#isExhausted = true;
      const verdict = this.#isExhausted ? undefined : this.#verdictOf(last, issuer);
      if (verdict === undefined) break;
      if (verdict === 'good' && this.#isRefused(issuer)) {
        problems.push(refusal(issuer, path.length - 1));
      } else if (verdict === 'good') {
        isContinued = true;
        const valid = this.#extend([...path, issuer]);
        if (valid !== undefined) return valid;
      } else if (identifierFit(last, issuer) > 0) {
        problems.push(problemOf(verdict, last, issuer, path.length - 1));
      }
    }
    // A self-signed certificate without another issuer ends the path: failed checks against certificates of the same
    // name say nothing.
    if (!isContinued && !this.#isExhausted && isSelfSigned(last)) problems.length = 0;
    // The end of a continued branch was judged already, and describes the failure better than this certificate.
    return isContinued
      ? undefined
      : this.#judge(path, false, [...problems.slice(0, 1), ...this.#endProblems(last, path, problems)]);
  }

  #endProblems(last: Certificate, path: readonly Certificate[], found: readonly PathProblem[]): readonly PathProblem[] {
    const index = path.length - 1;
    if (this.#isExhausted) {
      return [{ code: 'LIMIT_EXCEEDED', index, sentence: 'There are too many possible paths to try them all.' }];
    }
    if (found.length > 0) return [];
    if (isSameName(last.issuer, last.subject)) {
      return [{ code: 'ROOT_NOT_TRUSTED', index, sentence: `${last.commonName} is not among the trusted roots.` }];
    }
    const sentence = `The certificate of the authority that issued ${last.commonName} is not known.`;
    return [{ code: 'ISSUER_NOT_FOUND', index, sentence }];
  }

  #isRefused(certificate: Certificate): boolean {
    if (this.#anchors.has(certificate.fingerprint)) return false;
    return isAmong(this.#refused, certificate);
  }

  /** Issuers by name outside of the current path, the likeliest first (RFC 4158 §3.5). */
  #issuersOf(certificate: Certificate, path: readonly Certificate[]): readonly Certificate[] {
    const { at, without } = this.#request;
    const score = (issuer: Certificate): number =>
      identifierFit(certificate, issuer) * 8 +
      (this.#anchors.has(issuer.fingerprint) ? 4 : 0) +
      (issuer.notBefore <= at && at <= issuer.notAfter ? 2 : 0) +
      (issuer.isCertificateAuthority ? 1 : 0);
    return this.#named(nameKey(certificate.issuer))
      .filter((issuer) => without?.has(issuer.fingerprint) !== true)
      .filter((issuer) => !path.some((earlier) => isSameKey(earlier, issuer)))
      .toSorted((left, right) => score(right) - score(left) || right.notAfter.getTime() - left.notAfter.getTime());
  }

  #named(subject: string): readonly Certificate[] {
    const found = this.#namesakes.get(subject) ?? namesakesOf(subject, this.#candidates);
    this.#namesakes.set(subject, found);
    return found;
  }

  /** The verdict on the certificate's signature; undefined when the budget is used up. */
  #verdictOf(certificate: Certificate, issuer: Certificate): SignatureVerdict | undefined {
    const key = `${certificate.fingerprint} ${issuer.fingerprint}`;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    if (this.#checksLeft-- <= 0) {
      this.#isExhausted = true;
      return undefined;
    }
    const verdict = signatureVerdict(certificate, issuer);
    this.#verdicts.set(key, verdict);
    return verdict;
  }

  /** Returns the attempt if valid. An invalid attempt is kept if it is the best so far. */
  #judge(path: readonly Certificate[], reachesAnchor: boolean, problems: readonly PathProblem[]): Attempt | undefined {
    const check = checkPath(path, reachesAnchor, this.#request);
    const attempt = { path, reachesAnchor, check: { ...check, problems: [...problems, ...check.problems] } };
    if (reachesAnchor && attempt.check.problems.length === 0) return attempt;
    if (this.#best === undefined || isBetter(attempt, this.#best)) this.#best = attempt;
    return undefined;
  }

  #failure({ path, reachesAnchor, check }: Attempt): PathResult {
    const limit: readonly PathProblem[] =
      this.#isExhausted && !check.problems.some(({ code }) => code === 'LIMIT_EXCEEDED')
        ? [
            {
              code: 'LIMIT_EXCEEDED',
              index: path.length - 1,
              sentence: 'There are too many possible paths to try them all.',
            },
          ]
        : [];
    const problems = rankProblems([...check.problems, ...limit]);
    const isOpen = problems.some(({ code }) => OPEN_ENDS.has(code));
    const outcome = !reachesAnchor && (isOpen || this.#isExhausted) ? 'incomplete' : 'invalid';
    return { outcome, path, problems, policies: [] };
  }
}

/** Prefers a path to an anchor, then fewer problems, then milder problems, then the longer path. */
function isBetter(left: Attempt, right: Attempt): boolean {
  if (left.reachesAnchor !== right.reachesAnchor) return left.reachesAnchor;
  const severity = ({ check }: Attempt): number =>
    Math.min(...check.problems.map(({ code }) => PATH_PROBLEM_CODES.indexOf(code)));
  const difference =
    left.check.problems.length - right.check.problems.length ||
    severity(right) - severity(left) ||
    right.path.length - left.path.length;
  return difference < 0;
}

/**
 * Finds the first valid path from the certificate to an anchor. Without a valid path, the result describes the problems
 * of the best failed path. A certificate that is itself an anchor is a path of length one. Never throws for the
 * contents of certificates.
 */
export function buildPath(request: PathRequest): PathResult {
  try {
    return new PathSearch(request).run();
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    const problem: PathProblem = { code: 'CERTIFICATE_MALFORMED', index: 0, sentence: error.message };
    return { outcome: 'invalid', path: [request.certificate], problems: [problem], policies: [] };
  }
}
