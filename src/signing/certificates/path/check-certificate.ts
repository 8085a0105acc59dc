/** Rules for each certificate of a path by itself, independent of its place in the path. */
import { Oid } from '../../der/oids.ts';
import { readDer } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import type { Certificate } from '../certificate.ts';
import { describeKey } from '../certificate-details.ts';
import { PathOid } from './path-extensions.ts';
import type { PathProblem, PathProblemCode, PathRules } from './path-result.ts';
import { readSignedStructure, readStructureAlgorithm } from './signed-structure.ts';

/** Extensions that path validation supports or may ignore (RFC 5280 §4.2, RFC 3739 §3.2.6). */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  Oid.subjectKeyIdentifier,
  Oid.keyUsage,
  Oid.subjectAlternativeName,
  Oid.basicConstraints,
  Oid.certificatePolicies,
  Oid.authorityKeyIdentifier,
  Oid.extendedKeyUsage,
  PathOid.issuerAlternativeName,
  PathOid.nameConstraints,
  PathOid.crlDistributionPoints,
  PathOid.policyMappings,
  PathOid.policyConstraints,
  PathOid.inhibitAnyPolicy,
  PathOid.authorityInformationAccess,
  PathOid.qualifiedStatements,
]);

const MINIMUM_RSA_BITS = 2048;
const MINIMUM_LEGACY_RSA_BITS = 1024;
const MINIMUM_CURVE_BITS = 224;
const MINIMUM_LEGACY_CURVE_BITS = 160;

/** Bits of the order of the curves known to Node (SEC 2, RFC 5639); 0 for an unknown curve. */
export function curveBits(name: string | undefined): number {
  if (name === 'prime256v1') return 256;
  const bits = /(\d{3})/.exec(name ?? '')?.[1];
  return bits === undefined ? 0 : Number(bits);
}

/** Collects the problems of one certificate of a path. */
export class ProblemList {
  readonly problems: PathProblem[] = [];

  add(code: PathProblemCode, index: number, sentence: string): void {
    this.problems.push({ code, index, sentence });
  }

  /** Runs `check`; an unreadable structure becomes a problem. */
  guard(index: number, name: string, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      const isUnsupported = error.code === 'ALGORITHM_UNSUPPORTED';
      this.add(
        isUnsupported ? 'ALGORITHM_UNSUPPORTED' : 'CERTIFICATE_MALFORMED',
        index,
        `The certificate of ${name} cannot be judged: ${error.message}`,
      );
    }
  }
}

const day = (date: Date): string => date.toISOString().slice(0, 10);

function checkValidity(certificate: Certificate, index: number, { at }: PathRules, list: ProblemList): void {
  const { commonName, notBefore, notAfter } = certificate;
  if (at < notBefore) {
    list.add(
      'CERTIFICATE_NOT_YET_VALID',
      index,
      `The certificate of ${commonName} is valid from ${day(notBefore)} on.`,
    );
  }
  if (at > notAfter) {
    list.add('CERTIFICATE_EXPIRED', index, `The certificate of ${commonName} was valid until ${day(notAfter)}.`);
  }
}

/** OIDs of critical extensions that are not known here (RFC 5280 §4.2). */
export const unknownCriticalExtensions = ({ extensions }: Certificate): readonly string[] =>
  [...extensions].flatMap(([oid, { critical }]) => (critical && !UNDERSTOOD.has(oid) ? [oid] : []));

function checkCriticalExtensions(certificate: Certificate, index: number, list: ProblemList): void {
  for (const oid of unknownCriticalExtensions(certificate)) {
    const sentence = `The certificate of ${certificate.commonName} has the critical extension ${oid}, which is not known here.`;
    list.add('CRITICAL_EXTENSION_UNKNOWN', index, sentence);
  }
}

/** With an exponent of 1 anybody can sign, and even exponents have no private key (FIPS 186-5 §5.1, RFC 8017 §3.1). */
const hasWeakExponent = (exponent: bigint | undefined): boolean =>
  exponent !== undefined && (exponent < 3n || exponent % 2n === 0n);

function checkKey(
  certificate: Certificate,
  index: number,
  { allowLegacyAlgorithms }: PathRules,
  list: ProblemList,
): void {
  const { commonName } = certificate;
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey();
    const isLegacy = allowLegacyAlgorithms === true;
    const minimum = isLegacy ? MINIMUM_LEGACY_RSA_BITS : MINIMUM_RSA_BITS;
    const curve = isLegacy ? MINIMUM_LEGACY_CURVE_BITS : MINIMUM_CURVE_BITS;
    // A curve in explicit parameters has no name. The validator checks such a curve.
    const isWeakCurve = type === 'ec' && details?.namedCurve !== undefined && curveBits(details.namedCurve) < curve;
    if ((details?.modulusLength ?? minimum) < minimum || isWeakCurve) {
      list.add('ALGORITHM_WEAK', index, `The key of ${commonName} is too short: ${describeKey(certificate)}.`);
    }
    if (hasWeakExponent(details?.publicExponent)) {
      const exponent = String(details?.publicExponent);
      list.add(
        'ALGORITHM_WEAK',
        index,
        `The RSA key of ${commonName} has the exponent ${exponent}, which protects nothing.`,
      );
    }
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    const sentence = `The key of ${commonName} is of a kind that cannot be read here: ${describeKey(certificate)}.`;
    list.add('KEY_UNREADABLE', index, sentence);
  }
}

/**
 * RFC 5280 §4.1.1.2: `signature` and `signatureAlgorithm` name the same algorithm. Trust in an anchor does not rely on
 * its signature.
 */
function checkAlgorithm(certificate: Certificate, index: number, rules: PathRules, list: ProblemList): void {
  const { body, algorithm } = readSignedStructure(readDer(certificate.der));
  if (
    !readDer(body)
      .children.slice(1, 3)
      .some(({ bytes }) => bytes.equals(algorithm.bytes))
  ) {
    const sentence = `The certificate of ${certificate.commonName} names two different signature algorithms.`;
    list.add('CERTIFICATE_MALFORMED', index, sentence);
  }
  if (readStructureAlgorithm(algorithm).digest === 'sha1' && rules.allowLegacyAlgorithms !== true) {
    list.add('ALGORITHM_WEAK', index, `The certificate of ${certificate.commonName} is signed with SHA-1.`);
  }
}

/**
 * Adds the problems of this certificate by itself. `isAnchor`: the certificate is trusted directly, regardless of its
 * issuer.
 */
export function checkCertificate(
  certificate: Certificate,
  index: number,
  isAnchor: boolean,
  rules: PathRules,
  list: ProblemList,
): void {
  checkValidity(certificate, index, rules, list);
  checkCriticalExtensions(certificate, index, list);
  checkKey(certificate, index, rules, list);
  if (!isAnchor) {
    list.guard(index, certificate.commonName, () => checkAlgorithm(certificate, index, rules, list));
  }
}
