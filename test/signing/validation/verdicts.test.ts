import { beforeAll, describe, expect, it } from 'vitest';
import { summarizeReport } from '../../../src/service/validation/index.ts';
import { SUB_INDICATIONS } from '../../../src/signing/index.ts';
import { CLOCK_SKEW } from '../../../src/signing/revocation/revocation-result.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { craftCms } from './craft-cms.ts';
import { OCSP_URL, SIGNED_AT, ValidationWorld, codesOf, date, onlySignature, verdict } from './validation-world.ts';
import { AD_RB, CONTENT, VERDICT_ROWS, belowSha1, signatureStamp, validateAfterList } from './verdict-rows.ts';

describe('the verdict over a CMS signature', () => {
  it.each(VERDICT_ROWS)('is $sub when $state', async ({ sub, code, make }) => {
    const world = await ValidationWorld.open();
    const report = await make({ world, person: await world.person() });
    const signature = onlySignature(report);
    const decided = ['FORMAT_FAILURE', 'HASH_FAILURE', 'SIG_CRYPTO_FAILURE', 'REVOKED', 'EXPIRED', 'NOT_YET_VALID'];
    expect(verdict(signature)).toBe(`${decided.includes(sub) ? 'TOTAL-FAILED' : 'INDETERMINATE'} ${sub}`);
    expect(codesOf(signature)).toContain(code);
    expect(verdict(report)).toBe(verdict(signature));
  });

  it('has a row for each of the 25 sub-indications', () => {
    expect(new Set(VERDICT_ROWS.map(({ sub }) => sub))).toEqual(new Set(SUB_INDICATIONS));
  });
});

describe('the parts of an answer', () => {
  const codesFor = async (world: ValidationWorld, signature: Buffer, offline: boolean): Promise<readonly number[]> => {
    const { detail } = summarizeReport(await world.validate(signature, { offline }));
    return [detail.signature.code, detail.date.code, detail.crl.code, detail.trust.code];
  };

  it.each([
    ['in validity and of an unknown issuer', SIGNED_AT, 'unknown', true, [1185, 1187, 1193, 1190]],
    ['expired and of an unknown issuer', date('2028-01-01'), 'unknown', true, [1185, 1188, 1193, 1190]],
    ['not valid yet and of an unknown issuer', date('2026-01-01'), 'unknown', true, [1185, 1188, 1193, 1190]],
    ['trusted, and nobody may be asked', SIGNED_AT, 'known', true, [1185, 1187, 1193, 1189]],
    ['trusted and expired, and nobody may be asked', date('2028-01-01'), 'known', true, [1185, 1188, 1193, 1189]],
    ['trusted and asked about', SIGNED_AT, 'known', false, [1185, 1187, 1191, 1189]],
  ] as const)('say of a certificate %s only the checked facts', async (_, at, issuer, offline, codes) => {
    const world = await ValidationWorld.open();
    const person = await (issuer === 'known' ? world : await ValidationWorld.open()).person();
    world.now = at;
    const certificates = issuer === 'known' ? [person.certificate, ...person.chain] : [person.certificate];
    expect(await codesFor(world, craftCms(person, { certificates }), offline)).toEqual(codes);
  });
});

describe('warnings and passes', () => {
  let world: ValidationWorld;
  let person: TestIdentity;

  beforeAll(async () => {
    world = await ValidationWorld.open({ ocsp: true });
    person = await world.person();
  });

  it('passes attributes stored unsorted, and says so', async () => {
    const report = await world.validate(craftCms(person, { reversed: true }));
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(codesOf(onlySignature(report))).toContain('SIGNED_ATTRIBUTES_UNSORTED');
  });

  it('passes a plain CMS not naming its certificate, without a level', async () => {
    const signature = onlySignature(await world.validate(craftCms(person, { withoutName: true })));
    expect(signature).toMatchObject({ indication: 'TOTAL-PASSED', format: 'CMS', level: 'none' });
    expect(codesOf(signature)).toContain('SIGNING_CERTIFICATE_ATTRIBUTE_MISSING');
  });

  it('asks a responder first, if any', async () => {
    world.http.asked.length = 0;
    const { chain } = onlySignature(await world.validate(craftCms(person)));
    expect(chain?.entries[0]?.revocation).toMatchObject({ status: 'good', kind: 'ocsp', origin: 'network' });
    expect(world.http.asked[0]).toBe(OCSP_URL);
  });

  it('passes a policy not known on request of the caller, and says so', async () => {
    const policy = { oid: '1.2.3.4', hash: '00'.repeat(32) };
    const signature = await world.cms(person, undefined, { policy }).signContent(CONTENT, SIGNED_AT);
    const report = await world.validate(signature, { unknownPolicy: 'accept' });
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(codesOf(onlySignature(report))).toContain('POLICY_NOT_CHECKED');
  });

  it("knows ICP-Brasil's policies and checks their rules", async () => {
    const signer = await world.person({ keyKind: 'rsa-2048' });
    const signature = await world.cms(signer, undefined, { policy: AD_RB }).signContent(CONTENT, SIGNED_AT);
    const only = onlySignature(await world.validate(signature));
    expect(only).toMatchObject({
      indication: 'TOTAL-PASSED',
      policy: { oid: AD_RB.oid, name: 'AD-RB 2.3', recognised: true, complete: true },
    });
    expect(codesOf(only)).toContain('POLICY_RULES_KEPT');
  });

  it('passes a certificate revoked after the time stamp', async () => {
    const other = await ValidationWorld.open();
    const signer = await other.person();
    const signature = await other.cms(signer, 'B-T').signContent(CONTENT, SIGNED_AT);
    other.now = date('2026-04-01');
    other.revoke(signer, date('2026-03-15'));
    const only = onlySignature(await other.validate(signature));
    expect(verdict(only)).toBe('TOTAL-PASSED');
    expect(codesOf(only)).toContain('REVOKED_AFTER_SIGNING');
  });

  it('passes with an embedded list past its end by less than clocks may differ', async () => {
    const other = await ValidationWorld.open();
    const report = await validateAfterList({ world: other, person: await other.person() }, CLOCK_SKEW - 1);
    expect(verdict(report)).toBe('TOTAL-PASSED');
  });

  it('names the authority with a certificate signed with SHA-1, and asks for no fresh signature', async () => {
    const only = onlySignature(await world.validate(craftCms(await belowSha1(world))));
    const found = only.checks.filter(({ area, outcome }) => area === 'algorithm' && outcome === 'unknown');
    expect(found.map(({ code }) => code)).toEqual(['CERTIFICATE_HASH_WEAK']);
    expect(found[0]?.sentence).toMatch(/^The certificate of AC Emissora de Teste .* is signed with SHA1\.$/);
  });

  it('judges a signature without a worthless time stamp', async () => {
    const other = await ValidationWorld.open();
    const signer = await other.person();
    const stamp = await signatureStamp(other, SIGNED_AT, Buffer.from('something else'));
    const only = onlySignature(await other.validate(craftCms(signer, { unsigned: () => [stamp] })));
    expect(verdict(only)).toBe('TOTAL-PASSED');
    expect(only.timestamps[0]).toMatchObject({ indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE' });
    expect(codesOf(only)).toEqual(expect.arrayContaining(['TIMESTAMP_NOT_USED', 'SIGNING_TIME_CLAIMED']));
    expect(only.level).toBe('B-B');
  });
});
