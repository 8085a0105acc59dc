/**
 * Checks a path by RFC 5280 §6.1, except for the signatures, which are verified before. Problems are collected rather
 * than thrown, because the user wants to know all of them.
 */
import type { Certificate } from '../certificate.ts';
import { ProblemList, checkCertificate } from './check-certificate.ts';
import { isSameName } from './distinguished-name.ts';
import { findNameViolation } from './name-constraints.ts';
import { readPathExtensions, type NameConstraints } from './path-extensions.ts';
import type { PathProblem, PathRules } from './path-result.ts';
import { PolicyGraph } from './policy-graph.ts';
import { KeyUsage, allowsKeyUsage, findUseProblem, passesPurpose } from './purposes.ts';

/** The result of a path check. */
export interface PathCheck {
  readonly problems: readonly PathProblem[];
  readonly policies: readonly string[];
}

const isSelfIssued = ({ issuer, subject }: Certificate): boolean => isSameName(issuer, subject);

/** RFC 5280 §6.1.4 (k), (n). An anchor of version 1 has no extensions and counts as an authority. */
function checkAuthority(certificate: Certificate, index: number, isAnchor: boolean, list: ProblemList): void {
  const { commonName } = certificate;
  if (!certificate.isCertificateAuthority && !(isAnchor && certificate.extensions.size === 0)) {
    list.add('NOT_AN_AUTHORITY', index, `${commonName} is not a certification authority, but issued a certificate.`);
  } else if (!allowsKeyUsage(certificate, [KeyUsage.certificateSign])) {
    list.add('KEY_USAGE_NOT_ALLOWED', index, `The key of ${commonName} is not for signing certificates.`);
  }
}

function checkUse(certificate: Certificate, rules: PathRules, list: ProblemList): void {
  const problem = findUseProblem(certificate, rules.purpose ?? 'any');
  if (problem === undefined) return;
  const code = problem === 'extended' ? 'PURPOSE_NOT_ALLOWED' : 'KEY_USAGE_NOT_ALLOWED';
  list.add(code, 0, `The certificate of ${certificate.commonName} is not for this use.`);
}

/**
 * RFC 5280 §6.1.4 (l), (m): limits on the number of authorities below each authority, without self-issued certificates.
 */
function checkPathLengths(path: readonly Certificate[], list: ProblemList): void {
  let allowed = Infinity;
  for (let index = path.length - 1; index > 0; index--) {
    const certificate = path[index];
    if (certificate === undefined) return;
    if (index < path.length - 1 && !isSelfIssued(certificate)) {
      if (allowed <= 0) {
        const sentence = `An authority above ${certificate.commonName} does not allow another authority at this place.`;
        list.add('PATH_TOO_LONG', index, sentence);
        return;
      }
      allowed--;
    }
    allowed = Math.min(allowed, readPathExtensions(certificate).pathLength ?? Infinity);
  }
}

/** RFC 5280 §6.1.3 (b), (c): self-issued certificates are exempt, except at the start of the path. */
function checkNames(path: readonly Certificate[], list: ProblemList): void {
  const constraints: NameConstraints[] = [];
  for (let index = path.length - 1; index >= 0; index--) {
    const certificate = path[index];
    if (certificate === undefined) return;
    if (index === 0 || !isSelfIssued(certificate)) {
      for (const constraint of constraints) {
        const violation = findNameViolation(certificate, constraint);
        if (violation !== undefined) list.add(violation.code, index, violation.sentence);
      }
    }
    const own = readPathExtensions(certificate).nameConstraints;
    if (own !== undefined) constraints.push(own);
  }
}

/** Policies of RFC 5280 §6.1, without the anchor, which is not part of the path in this algorithm. */
function checkPolicies(path: readonly Certificate[], rules: PathRules, list: ProblemList): readonly string[] {
  const certificates = path.slice(0, -1);
  if (certificates.length === 0) return [];
  const graph = new PolicyGraph(certificates.length, rules.policies ?? {});
  for (const [index, certificate] of [...certificates.entries()].toReversed()) {
    const selfIssued = isSelfIssued(certificate);
    const step = { extensions: readPathExtensions(certificate), selfIssued, isLast: index === 0 };
    if (graph.add(step)) continue;
    const sentence = `A certificate policy is required, and none is left at ${certificate.commonName}.`;
    list.add('POLICY_NOT_ACCEPTABLE', index, sentence);
    return [];
  }
  const policies = graph.finish();
  if (policies === undefined) {
    list.add('POLICY_NOT_ACCEPTABLE', 0, 'The path holds under none of the certificate policies that are acceptable.');
  }
  return policies ?? [];
}

/**
 * Judges a path from the certificate itself to its last element, an anchor when `reachesAnchor`. Problems are in the
 * order of detection.
 */
export function checkPath(path: readonly Certificate[], reachesAnchor: boolean, rules: PathRules): PathCheck {
  const list = new ProblemList();
  for (const [index, certificate] of path.entries()) {
    const isAnchor = reachesAnchor && index === path.length - 1;
    checkCertificate(certificate, index, isAnchor, rules, list);
    if (index === 0) {
      checkUse(certificate, rules, list);
      continue;
    }
    checkAuthority(certificate, index, isAnchor, list);
    if (!passesPurpose(certificate, rules.purpose ?? 'any')) {
      list.add('PURPOSE_NOT_ALLOWED', index, `${certificate.commonName} may not issue certificates for this use.`);
    }
  }
  const name = path[0]?.commonName ?? '';
  list.guard(0, name, () => checkPathLengths(path, list));
  list.guard(0, name, () => checkNames(path, list));
  let policies: readonly string[] = [];
  if (reachesAnchor) list.guard(0, name, () => (policies = checkPolicies(path, rules, list)));
  return { problems: list.problems, policies };
}
