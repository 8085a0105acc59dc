import { beforeAll, describe, expect, it } from 'vitest';
import type { CmsLevel } from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { SIGNED_AT, ValidationWorld, codesOf, date, onlySignature, verdict } from './validation-world.ts';

const CONTENT = Buffer.from('what was signed');

describe('validating a signature made at a level', () => {
  let world: ValidationWorld;
  let person: TestIdentity;
  const sign = (level?: CmsLevel): Promise<Buffer> => {
    world.now = SIGNED_AT;
    return world.cms(person, level).signContent(CONTENT, SIGNED_AT);
  };

  beforeAll(async () => {
    world = await ValidationWorld.open();
    person = await world.person();
  });

  it.each([
    ['B-B', undefined, 'B-T'],
    ['B-T', 'B-T', 'B-LT'],
    ['B-LT', 'B-LT', 'B-LTA'],
    ['B-LTA', 'B-LTA', undefined],
  ] as const)('passes at %s a day later, and names the gap to the next level', async (name, level, next) => {
    const signature = await sign(level);
    world.now = date('2026-03-02');
    const report = await world.validate(signature);
    expect(verdict(report)).toBe('TOTAL-PASSED');
    const only = onlySignature(report);
    expect(only).toMatchObject({ level: name, format: 'CAdES', signerName: 'MARIA DE TESTE:52998224725' });
    expect(only.extendable).toBe(next);
    expect(only.provenTime).toEqual(level === undefined ? undefined : SIGNED_AT);
    expect(only.chain?.entries.map(({ isAnchor }) => isAnchor)).toEqual([false, false, true]);
    expect(only.chain).toMatchObject({ outcome: 'valid', hierarchy: 'test' });
  });

  it.each(['AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'] as const)('passes a signature like %s', async (level) => {
    const report = await world.validate(await sign(level));
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(onlySignature(report).timestamps.map(({ indication }) => indication)).not.toContain('INDETERMINATE');
  });

  it.each([
    ['B-B', undefined, 'INDETERMINATE OUT_OF_BOUNDS_NO_POE'],
    ['B-T', 'B-T', 'INDETERMINATE OUT_OF_BOUNDS_NO_POE'],
    ['B-LT', 'B-LT', 'TOTAL-PASSED'],
    ['B-LTA', 'B-LTA', 'TOTAL-PASSED'],
  ] as const)("answers for %s after the signer's certificate expired", async (_, level, expected) => {
    const signature = await sign(level);
    world.now = date('2027-06-01');
    const report = await world.validate(signature);
    expect(verdict(report)).toBe(expected);
    const codes = codesOf(onlySignature(report));
    expect(codes).toContain(expected === 'TOTAL-PASSED' ? 'CERTIFICATE_WAS_VALID' : 'CERTIFICATE_EXPIRED');
  });
});
