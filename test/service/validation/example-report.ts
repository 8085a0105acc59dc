/** Reports made by hand: the possible words of a validation, without a validation. */
import {
  VALIDATION_CHECKS,
  type ChainReport,
  type SignatureReport,
  type TimestampReport,
  type ValidationCheck,
  type ValidationCheckCode,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import { parseCertificate } from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';

export const validatedAt = new Date('2026-05-06T07:08:09Z');

/** A check by its code, with the area and outcome of the table. */
export function check(code: ValidationCheckCode, sentence = `About ${code}.`): ValidationCheck {
  const [area, outcome] = VALIDATION_CHECKS[code];
  return { area, outcome, code, sentence };
}

export function chainOf(identity: TestIdentity): ChainReport {
  const ders = [identity.certificate, ...identity.chain];
  return {
    outcome: 'valid',
    hierarchy: 'test',
    entries: ders.map((der, index) => {
      const { commonName, notBefore, notAfter } = parseCertificate(der);
      const isAnchor = index === ders.length - 1;
      const good = { status: 'good', kind: 'crl', origin: 'network', thisUpdate: validatedAt } as const;
      const revocation = isAnchor ? {} : { revocation: good };
      return { certificate: der, commonName, notBefore, notAfter, isAnchor, ...revocation };
    }),
  };
}

const goodChecks = [
  check('STRUCTURE_SOUND'),
  check('SIGNER_CERTIFICATE_FOUND'),
  check('INTEGRITY_INTACT'),
  check('CHAIN_TRUSTED'),
  check('HIERARCHY_TEST'),
  check('CERTIFICATE_IN_VALIDITY'),
  check('NOT_REVOKED'),
  check('SIGNING_TIME_CLAIMED'),
];

/** A valid signature of this identity, but for the changes. */
export function signatureReport(identity: TestIdentity, more: Partial<SignatureReport> = {}): SignatureReport {
  return {
    id: '1',
    format: 'CAdES',
    indication: 'TOTAL-PASSED',
    checks: goodChecks,
    signerCertificate: identity.certificate,
    signerName: parseCertificate(identity.certificate).commonName,
    chain: chainOf(identity),
    claimedSigningTime: new Date('2026-05-06T07:00:00Z'),
    validationTime: validatedAt,
    digestAlgorithm: 'SHA-256',
    signatureAlgorithm: 'ECDSA',
    level: 'B-B',
    timestamps: [],
    counterSignatures: [],
    levelProven: 'B-B',
    extendable: 'B-T',
    ...more,
  };
}

export function timestampReport(identity: TestIdentity, more: Partial<TimestampReport> = {}): TimestampReport {
  return {
    role: 'signature',
    time: new Date('2026-05-06T07:01:00Z'),
    indication: 'TOTAL-PASSED',
    authority: 'ACT de Teste',
    chain: chainOf(identity),
    checks: [check('TIMESTAMP_VALID')],
    ...more,
  };
}

/** A report of these signatures. */
export function reportOf(
  signatures: readonly SignatureReport[],
  more: Partial<ValidationReport> = {},
): ValidationReport {
  const worst = signatures.find(({ indication }) => indication !== 'TOTAL-PASSED') ?? signatures[0];
  return {
    kind: 'cms-attached',
    indication: worst?.indication ?? 'INDETERMINATE',
    subIndication: worst?.subIndication,
    signatures,
    documentTimestamps: [],
    validatedAt,
    checks: [],
    contentDigest: 'ab'.repeat(32),
    ...more,
  };
}
