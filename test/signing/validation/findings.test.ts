import { describe, expect, it } from 'vitest';
import { VALIDATION_CHECK_CODES, type ValidationCheckCode, type ValidationReport } from '../../../src/signing/index.ts';
import { FINDING_ROWS } from './finding-rows.ts';
import { ValidationWorld } from './validation-world.ts';
import { VERDICT_ROWS } from './verdict-rows.ts';

/** Findings without a row, and why there is none. */
const WITHOUT_ROW: Partial<Record<ValidationCheckCode, string>> = {
  CONTENT_SIGNED: 'validate-content.test.ts',
  CONTENT_NOT_EXAMINED: 'validate-content.test.ts',
  LIMIT_REACHED: 'Needs a worker: budget.test.ts',
  REVOCATION_NOT_CHECKED_SINCE: 'Needs another clock: lasting.test.ts',
  REVOCATION_OLDER_THAN_SIGNATURE: 'Needs another clock: lasting.test.ts',
  AUTHORITY_REFUSED: 'refused-authorities.test.ts',
  PROTECTION_ENDED: 'Needs another clock: lasting.test.ts',
  POLICY_ATTRIBUTE_FOREIGN: 'policy-material.test.ts has a row for each attribute',
  POLICY_ATTRIBUTE_UNPROVEN: 'policy-material.test.ts',
  DIGEST_INFO_WITHOUT_NULL: 'tolerance.test.ts',
  COUNTER_SIGNATURE_CONTENT_TYPE: 'tolerance.test.ts',
  POLICY_DICTIONARY: 'tolerance.test.ts',
  PADDING_BEHIND_SIGNATURE: 'tolerance.test.ts',
  BYTES_BEHIND_SIGNATURE: 'tolerance.test.ts',
  SIGNING_CERTIFICATE_ISSUER_DIFFERS: 'tolerance.test.ts',
  EVIDENCE_RECORD_DAMAGED: 'evidence-record.test.ts',
  EVIDENCE_RECORD_DATA_WRONG: 'evidence-record.test.ts',
  EVIDENCE_RECORD_CHAIN_BROKEN: 'evidence-record.test.ts',
  EVIDENCE_RECORD_DATA_UNKNOWN: 'evidence-record.test.ts',
  EVIDENCE_RECORD_NOT_USED: 'evidence-record.test.ts',
};

function allCodes({ checks, signatures, documentTimestamps }: ValidationReport): ReadonlySet<string> {
  const timestamps = [...documentTimestamps, ...signatures.flatMap((signature) => signature.timestamps)];
  const all = [checks, ...signatures.map((one) => one.checks), ...timestamps.map((one) => one.checks)];
  return new Set(all.flat().map(({ code }) => code));
}

describe('a report', () => {
  it.each(FINDING_ROWS)('finds $codes when $state', async ({ codes, make }) => {
    const world = await ValidationWorld.open();
    const report = await make({ world, person: await world.person() });
    const found = allCodes(report);
    expect(codes.filter((code) => !found.has(code))).toEqual([]);
  });

  it('has a row for each finding, or a reason for having none', () => {
    const inRows = new Set([...VERDICT_ROWS.map(({ code }) => code), ...FINDING_ROWS.flatMap(({ codes }) => codes)]);
    expect(VALIDATION_CHECK_CODES.filter((code) => !inRows.has(code) && WITHOUT_ROW[code] === undefined)).toEqual([]);
    expect(Object.keys(WITHOUT_ROW).filter((code) => inRows.has(code as ValidationCheckCode))).toEqual([]);
  });
});
