import { beforeAll, describe, expect, it } from 'vitest';
import { checkWords, summarizeReport } from '../../../src/service/validation/index.ts';
import {
  SUB_INDICATIONS,
  VALIDATION_CHECKS,
  type Indication,
  type SubIndication,
  type ValidationCheckCode,
} from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { MARIA_CPF, personWith } from '../../pki/identities.ts';
import { check, reportOf, signatureReport } from './example-report.ts';

let maria: TestIdentity;
beforeAll(async () => {
  maria = await personWith();
});

const GOOD_CERTIFICATE = ['CHAIN_TRUSTED', 'CERTIFICATE_IN_VALIDITY', 'NOT_REVOKED'] as const;
const GOOD_BUT_REVOCATION = ['INTEGRITY_INTACT', 'CHAIN_TRUSTED', 'CERTIFICATE_IN_VALIDITY'] as const;

type Codes = readonly [signature: number, date: number, crl: number, trust: number];

function codesFor(
  indication: Indication,
  subIndication: SubIndication | undefined,
  codes: readonly ValidationCheckCode[],
): Codes {
  const sub = { subIndication };
  const signature = signatureReport(maria, { indication, ...sub, checks: codes.map((code) => check(code)) });
  const { signature: integrity, date, crl, trust } = summarizeReport(reportOf([signature])).detail;
  return [integrity.code, date.code, crl.code, trust.code];
}

describe('summarizeReport', () => {
  it('answers the documented codes and messages for a valid signature, with the chain and no whole CPF', () => {
    const { status, detail } = summarizeReport(reportOf([signatureReport(maria)]));
    expect(status).toBe(true);
    expect(detail).toMatchObject({
      signature: { status: true, code: 1185, message: 'All digital signatures of the document are intact' },
      date: { status: true, code: 1187, message: 'Date of certificate is valid' },
      crl: { status: true, code: 1191, message: 'CRL is valid' },
      trust: { status: true, code: 1189, message: 'Chain of certificate is trusted' },
    });
    expect(detail.trust.chain).toMatch(
      /^MARIA DE TESTE:\*\*\*\.982\.247-\*\* > .+ > AC Raiz de Teste SEM VALOR LEGAL$/,
    );
    expect(JSON.stringify(detail)).not.toContain(MARIA_CPF);
  });

  it.each<[Indication, SubIndication, ValidationCheckCode[], Codes]>([
    ['TOTAL-FAILED', 'HASH_FAILURE', ['CONTENT_CHANGED', ...GOOD_CERTIFICATE], [1186, 1187, 1191, 1189]],
    ['TOTAL-FAILED', 'SIG_CRYPTO_FAILURE', ['SIGNATURE_VALUE_WRONG', ...GOOD_CERTIFICATE], [1186, 1187, 1191, 1189]],
    ['TOTAL-FAILED', 'FORMAT_FAILURE', ['STRUCTURE_DAMAGED'], [1186, 1193, 1193, 1193]],
    ['TOTAL-FAILED', 'FORMAT_FAILURE', ['INTEGRITY_INTACT', 'PDF_CHANGES_NOT_ALLOWED'], [1186, 1193, 1193, 1193]],
    ['INDETERMINATE', 'SIGNED_DATA_NOT_FOUND', ['CONTENT_NOT_GIVEN', ...GOOD_CERTIFICATE], [1194, 1187, 1191, 1189]],
    [
      'INDETERMINATE',
      'OUT_OF_BOUNDS_NO_POE',
      ['INTEGRITY_INTACT', 'CHAIN_TRUSTED', 'CERTIFICATE_EXPIRED', 'NOT_REVOKED'],
      [1185, 1188, 1191, 1189],
    ],
    [
      'TOTAL-FAILED',
      'NOT_YET_VALID',
      ['INTEGRITY_INTACT', 'CHAIN_TRUSTED', 'CERTIFICATE_NOT_YET_VALID'],
      [1185, 1188, 1193, 1189],
    ],
    ['INDETERMINATE', 'TRY_LATER', [...GOOD_BUT_REVOCATION, 'REVOCATION_UNREACHABLE'], [1185, 1187, 1193, 1189]],
    ['INDETERMINATE', 'REVOKED_NO_POE', [...GOOD_BUT_REVOCATION, 'CERTIFICATE_REVOKED'], [1185, 1187, 1192, 1189]],
    [
      'INDETERMINATE',
      'REVOKED_CA_NO_POE',
      [...GOOD_BUT_REVOCATION, 'REVOCATION_STALE', 'AUTHORITY_REVOKED'],
      [1185, 1187, 1192, 1189],
    ],
    ['TOTAL-FAILED', 'REVOKED', [...GOOD_BUT_REVOCATION, 'SIGNED_AFTER_REVOCATION'], [1185, 1187, 1192, 1189]],
    [
      'INDETERMINATE',
      'NO_CERTIFICATE_CHAIN_FOUND',
      ['INTEGRITY_INTACT', 'ROOT_NOT_TRUSTED', 'CERTIFICATE_IN_VALIDITY'],
      [1185, 1187, 1193, 1190],
    ],
    [
      'INDETERMINATE',
      'NO_CERTIFICATE_CHAIN_FOUND',
      ['INTEGRITY_INTACT', 'CHAIN_INCOMPLETE', 'CERTIFICATE_EXPIRED'],
      [1185, 1188, 1193, 1190],
    ],
    ['INDETERMINATE', 'NO_SIGNING_CERTIFICATE_FOUND', ['SIGNER_CERTIFICATE_MISSING'], [1193, 1193, 1193, 1193]],
    [
      'INDETERMINATE',
      'OUT_OF_BOUNDS_NO_POE',
      ['INTEGRITY_INTACT', 'CHAIN_TRUSTED', 'TIMESTAMP_IMPRINT_WRONG', 'CERTIFICATE_EXPIRED'],
      [1185, 1188, 1193, 1189],
    ],
    [
      'INDETERMINATE',
      'TIMESTAMP_ORDER_FAILURE',
      ['INTEGRITY_INTACT', 'TIMESTAMP_ORDER_WRONG', ...GOOD_CERTIFICATE],
      [1186, 1187, 1191, 1189],
    ],
    [
      'INDETERMINATE',
      'CRYPTO_CONSTRAINTS_FAILURE',
      ['INTEGRITY_INTACT', 'CERTIFICATE_HASH_WEAK', ...GOOD_CERTIFICATE],
      [1185, 1187, 1191, 1190],
    ],
    [
      'TOTAL-FAILED',
      'HASH_FAILURE',
      ['CONTENT_CHANGED', 'CERTIFICATE_EXPIRED', 'REVOCATION_UNREACHABLE', 'ROOT_NOT_TRUSTED'],
      [1186, 1188, 1193, 1190],
    ],
  ])('makes of %s %s with %j the codes %j', (indication, subIndication, checks, codes) => {
    expect(codesFor(indication, subIndication, checks)).toEqual(codes);
  });

  it('calls nothing good in a signature without checks', () => {
    expect(codesFor('TOTAL-PASSED', undefined, [])).toEqual([1193, 1193, 1193, 1193]);
  });

  it('calls nothing good in a file without signatures', () => {
    const { status, detail } = summarizeReport(reportOf([]));
    expect([status, detail.signature.code, detail.date.code, detail.crl.code, detail.trust.code]).toEqual([
      false,
      1193,
      1193,
      1193,
      1193,
    ]);
  });

  it.each<[Indication, ValidationCheckCode, number, boolean]>([
    ['TOTAL-PASSED', 'POLICY_RULES_KEPT', 1195, true],
    ['INDETERMINATE', 'POLICY_NOT_AVAILABLE', 1193, true],
    ['INDETERMINATE', 'POLICY_ATTRIBUTE_MISSING', 1196, false],
    ['INDETERMINATE', 'POLICY_ROOT_NOT_ALLOWED', 1196, false],
  ])('tells of the policy beside a good signature: %s with %s is %i', (indication, code, expected, isGood) => {
    const signature = signatureReport(maria, {
      indication,
      ...(indication === 'TOTAL-PASSED' ? {} : { subIndication: 'SIG_CONSTRAINTS_FAILURE' as const }),
      policy: { oid: '2.16.76.1.7.1.2.2.3', recognised: true, complete: true },
      checks: (['INTEGRITY_INTACT', ...GOOD_CERTIFICATE, code] as const).map((one) => check(one)),
    });
    const { status, detail } = summarizeReport(reportOf([signature]));
    const { policy, ...others } = detail;
    expect([policy?.code, policy?.status, status]).toEqual([expected, expected === 1195, isGood]);
    expect(Object.values(others).map((one) => one.code)).toEqual([1185, 1187, 1191, 1189]);
  });

  it.each(SUB_INDICATIONS)('calls something wrong in at least one part of %s, also without a check', (sub) => {
    expect(codesFor('INDETERMINATE', sub, []).some((code) => code % 2 === 0 || code === 1193)).toBe(true);
  });

  it.each(Object.keys(VALIDATION_CHECKS) as ValidationCheckCode[])('finds a part for %s', (code) => {
    const [area, outcome] = VALIDATION_CHECKS[code];
    const signature = signatureReport(maria, { indication: 'INDETERMINATE', checks: [check(code)] });
    const { detail } = summarizeReport(reportOf([signature]));
    const { finding } = checkWords(code, 'en');
    const parts = [detail.signature, detail.date, detail.crl, detail.trust];
    const told = parts.filter(({ message }) => message.includes(finding));
    const decides = ['TIMESTAMP_ORDER_WRONG', 'PROOF_OF_EXISTENCE_MISSING'].includes(code);
    const isOfPart = (area !== 'timestamp' && area !== 'policy') || decides;
    const isWrong = (outcome === 'failed' || outcome === 'unknown') && isOfPart;
    expect(told.length).toBe(isWrong ? 1 : 0);
    expect(told.every(({ status }) => !status)).toBe(true);
  });

  it('does not hold dispensable parts against a valid signature', () => {
    const checks = [check('INTEGRITY_INTACT'), check('TIMESTAMP_IMPRINT_WRONG')];
    expect(summarizeReport(reportOf([signatureReport(maria, { checks })])).status).toBe(true);
  });

  it('is false when any of several signatures, or a counter-signature, is not valid', () => {
    const bad = signatureReport(maria, {
      id: '2',
      indication: 'TOTAL-FAILED',
      subIndication: 'HASH_FAILURE',
      checks: [check('CONTENT_CHANGED')],
    });
    const second = summarizeReport(reportOf([signatureReport(maria), bad]));
    const counter = summarizeReport(reportOf([signatureReport(maria, { counterSignatures: [bad] })]));
    expect([second.status, second.detail.signature.code]).toEqual([false, 1186]);
    expect([counter.status, counter.detail.signature.code]).toEqual([false, 1186]);
  });
});
