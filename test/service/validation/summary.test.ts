import { beforeAll, describe, expect, it } from 'vitest';
import { summarizeReport } from '../../../src/service/validation/index.ts';
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

type Codes = readonly [signature: number, date: number, crl: number, trust: number];

function codesFor(
  indication: Indication,
  subIndication: SubIndication | undefined,
  codes: readonly ValidationCheckCode[],
): Codes {
  const sub = subIndication === undefined ? {} : { subIndication };
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
    ['TOTAL-FAILED', 'HASH_FAILURE', ['CONTENT_CHANGED'], [1186, 1187, 1191, 1189]],
    ['TOTAL-FAILED', 'SIG_CRYPTO_FAILURE', ['SIGNATURE_VALUE_WRONG'], [1186, 1187, 1191, 1189]],
    ['TOTAL-FAILED', 'FORMAT_FAILURE', ['STRUCTURE_DAMAGED'], [1186, 1187, 1191, 1189]],
    ['TOTAL-FAILED', 'FORMAT_FAILURE', ['PDF_CHANGES_NOT_ALLOWED'], [1186, 1187, 1191, 1189]],
    ['INDETERMINATE', 'SIGNED_DATA_NOT_FOUND', ['CONTENT_NOT_GIVEN'], [1194, 1187, 1191, 1189]],
    ['INDETERMINATE', 'OUT_OF_BOUNDS_NO_POE', ['CERTIFICATE_EXPIRED', 'NOT_REVOKED'], [1185, 1188, 1191, 1189]],
    ['TOTAL-FAILED', 'NOT_YET_VALID', ['CERTIFICATE_NOT_YET_VALID'], [1185, 1188, 1191, 1189]],
    ['INDETERMINATE', 'TRY_LATER', ['REVOCATION_UNREACHABLE'], [1185, 1187, 1193, 1189]],
    ['INDETERMINATE', 'REVOKED_NO_POE', ['CERTIFICATE_REVOKED'], [1185, 1187, 1192, 1189]],
    ['INDETERMINATE', 'REVOKED_CA_NO_POE', ['REVOCATION_STALE', 'AUTHORITY_REVOKED'], [1185, 1187, 1192, 1189]],
    ['TOTAL-FAILED', 'REVOKED', ['SIGNED_AFTER_REVOCATION'], [1185, 1187, 1192, 1189]],
    ['INDETERMINATE', 'NO_CERTIFICATE_CHAIN_FOUND', ['ROOT_NOT_TRUSTED'], [1185, 1187, 1191, 1190]],
    ['INDETERMINATE', 'NO_SIGNING_CERTIFICATE_FOUND', ['SIGNER_CERTIFICATE_MISSING'], [1185, 1187, 1191, 1190]],
    [
      'INDETERMINATE',
      'OUT_OF_BOUNDS_NO_POE',
      ['TIMESTAMP_IMPRINT_WRONG', 'CERTIFICATE_EXPIRED'],
      [1185, 1188, 1191, 1189],
    ],
    ['INDETERMINATE', 'TIMESTAMP_ORDER_FAILURE', ['TIMESTAMP_ORDER_WRONG'], [1186, 1187, 1191, 1189]],
    [
      'TOTAL-FAILED',
      'HASH_FAILURE',
      ['CONTENT_CHANGED', 'CERTIFICATE_EXPIRED', 'REVOCATION_UNREACHABLE', 'ROOT_NOT_TRUSTED'],
      [1186, 1188, 1193, 1190],
    ],
  ])('makes of %s %s with %j the codes %j', (indication, subIndication, checks, codes) => {
    expect(codesFor(indication, subIndication, checks)).toEqual(codes);
  });

  it.each(SUB_INDICATIONS)('says of %s in at least one part that something is wrong, also without a check', (sub) => {
    expect(codesFor('INDETERMINATE', sub, []).some((code) => code % 2 === 0 || code === 1193)).toBe(true);
  });

  it.each(Object.keys(VALIDATION_CHECKS) as ValidationCheckCode[])('finds a part for %s', (code) => {
    const [area, outcome] = VALIDATION_CHECKS[code];
    const codes = codesFor('INDETERMINATE', undefined, [code]);
    const isWrong = (outcome === 'failed' || outcome === 'unknown') && area !== 'timestamp';
    if (isWrong) expect(codes).not.toEqual([1185, 1187, 1191, 1189]);
    else expect(codes[0]).toBe(1186);
  });

  it('does not hold against a valid signature what it can do without', () => {
    const checks = [check('INTEGRITY_INTACT'), check('TIMESTAMP_IMPRINT_WRONG')];
    expect(summarizeReport(reportOf([signatureReport(maria, { checks })])).status).toBe(true);
  });

  it('is false when one of several signatures, or a counter-signature, is not valid', () => {
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
