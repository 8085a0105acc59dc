/** Signatures of today, judged later: what they prove without any server, and what ended when. */
import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { counterSign, prepareCmsSigner, raiseCms, type CmsLevel } from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { craftCms } from './craft-cms.ts';
import { CRL_URL, SIGNED_AT, ValidationWorld, codesOf, date, onlySignature, verdict } from './validation-world.ts';
import { CONTENT } from './verdict-rows.ts';

const MINUTE = 60_000;
const after = (minutes: number): Date => new Date(SIGNED_AT.getTime() + minutes * MINUTE);

describe.each([{ ocsp: true }, { ocsp: false }])('a signature with evidence inside (OCSP: $ocsp)', ({ ocsp }) => {
  let world: ValidationWorld;
  let person: TestIdentity;
  const sign = (level: CmsLevel): Promise<Buffer> => world.cms(person, level).signContent(CONTENT, SIGNED_AT);

  beforeEach(async () => {
    world = await ValidationWorld.open({ ocsp, years: 16 });
    person = await world.person();
  });

  it.each([
    ['B-LT', '100 minutes', after(100)],
    ['B-LT', 'two months', date('2026-05-01')],
    ['B-LTA', '100 minutes', after(100)],
    ['B-LTA', 'two months', date('2026-05-01')],
  ] as const)('passes at %s after %s with nobody to be asked', async (level, _, at) => {
    const signature = await sign(level);
    world.now = at;
    const only = onlySignature(await world.validate(signature, { offline: true }));
    expect(only).toMatchObject({ indication: 'TOTAL-PASSED', level, levelProven: level, provenTime: SIGNED_AT });
  });

  it('tells of the unchecked authority of the last time stamp', async () => {
    const signature = await sign('B-LTA');
    world.now = date('2026-05-01');
    const only = onlySignature(await world.validate(signature, { offline: true }));
    expect(only.checks.find(({ code }) => code === 'REVOCATION_NOT_CHECKED_SINCE')?.sentence).toContain('2026-03-01');
    world.now = after(30);
    expect(codesOf(onlySignature(await world.validate(signature)))).not.toContain('REVOCATION_NOT_CHECKED_SINCE');
  });

  it('passes no B-T without data from anywhere, and keeps its form', async () => {
    const signature = await sign('B-T');
    world.now = date('2026-05-01');
    const only = onlySignature(await world.validate(signature, { offline: true }));
    expect(only).toMatchObject({ subIndication: 'TRY_LATER', level: 'B-T', levelProven: 'none' });
  });

  it('passes ten years later when it was renewed once, and only then', async () => {
    const signature = await sign('B-LTA');
    world.now = date('2027-12-01');
    world.tsa = await world.anotherTsa('2027-06-01', '2040-01-01');
    const { timestamper, collector } = world;
    const now = (): Date => world.now;
    const renewed = await raiseCms(signature, { level: 'B-LTA', timestamper, collector, now });
    world.now = date('2036-03-01');
    const only = onlySignature(await world.validate(renewed, { offline: true }));
    expect(verdict(only)).toBe('TOTAL-PASSED');
    expect(only).toMatchObject({ level: 'B-LTA', levelProven: 'B-LTA', provenTime: SIGNED_AT });
    expect(only.protection?.until).toEqual(date('2040-01-01'));

    const ended = onlySignature(await world.validate(signature, { offline: true }));
    expect(ended).toMatchObject({ indication: 'INDETERMINATE', level: 'B-LTA', levelProven: 'none' });
    expect(ended.protectionEnded).toMatchObject({ until: date('2028-01-01'), cause: 'certificate' });
    const sentence = ended.checks.find(({ code }) => code === 'PROTECTION_ENDED')?.sentence;
    expect(sentence).toMatch(
      /of 2026-03-01, protected the signature until 2028-01-01, when the certificate of Carimbo/,
    );
  });

  it('is worse by a revocation of its time-stamp authority published today, and by nothing else', async () => {
    const signature = await sign('B-LTA');
    world.now = date('2026-05-01');
    expect(onlySignature(await world.validate(signature)).levelProven).toBe('B-LTA');
    world.revoke(world.tsa, date('2026-04-01'));
    expect(onlySignature(await world.validate(signature, { offline: true })).levelProven).toBe('B-LTA');
    const asked = onlySignature(await world.validate(signature));
    expect(new Set(asked.timestamps.map(verdict))).toEqual(new Set(['INDETERMINATE REVOKED_NO_POE']));
    expect(asked.levelProven).toBe('B-B');
  });

  it('is no better by an answer of today about a certificate revoked before the proven time', async () => {
    const signature = await sign('B-LTA');
    world.now = date('2026-05-01');
    world.revoke(person, date('2026-02-20'));
    expect(verdict(onlySignature(await world.validate(signature)))).toBe('INDETERMINATE REVOKED_NO_POE');
    world.revoked.length = 0;
    world.revoke(person, date('2026-04-20'));
    const later = onlySignature(await world.validate(signature));
    expect(verdict(later)).toBe('TOTAL-PASSED');
    expect(codesOf(later)).toContain('REVOKED_AFTER_SIGNING');
  });

  it('tells form from trust where the root is not trusted', async () => {
    const signature = await sign('B-LTA');
    const stranger = await ValidationWorld.open({ label: 'other' });
    const only = onlySignature(await stranger.validate(signature, { offline: true }));
    expect(only).toMatchObject({ subIndication: 'NO_CERTIFICATE_CHAIN_FOUND', level: 'B-LTA', levelProven: 'none' });
    expect(only.chain?.entries.some(({ revocation }) => revocation !== undefined)).toBe(false);
  });

  it('warns of data from before the signature', async () => {
    const early = [world.crl('issuing'), world.crl('root')];
    world.now = after(60);
    const { timestamper } = world;
    const signature = craftCms(person, { revocations: early });
    const stamped = await raiseCms(signature, { level: 'B-T', timestamper });
    const only = onlySignature(await world.validate(stamped, { offline: true }));
    expect(codesOf(only)).toContain('REVOCATION_OLDER_THAN_SIGNATURE');
  });
});

describe('what an archive time stamp covers', () => {
  it('proves counter-signatures, whose evidence is inside, long after nobody answers', async () => {
    const world = await ValidationWorld.open({ ocsp: true });
    const [person, other] = [await world.person(), await world.person()];
    const signature = await world.cms(person, 'B-T').signContent(CONTENT, SIGNED_AT);
    const counter = { signer: world.signerOf(other), signerIndex: 0, signingTime: SIGNED_AT } as const;
    const countered = await counterSign(signature, { ...counter, digest: 'sha256', profile: 'cades' });
    const { timestamper, collector } = world;
    const now = (): Date => world.now;
    const archived = await raiseCms(countered, { level: 'B-LTA', timestamper, collector, now });
    world.now = date('2027-06-01');
    const only = onlySignature(await world.validate(archived, { offline: true }));
    expect(only.counterSignatures.map(verdict)).toEqual(['TOTAL-PASSED']);
    expect(only.counterSignatures[0]?.provenTime).toEqual(SIGNED_AT);
    const bare = onlySignature(await world.validate(countered, { offline: true }));
    expect(bare.counterSignatures.map(verdict)).toEqual(['INDETERMINATE OUT_OF_BOUNDS_NO_POE']);
  });
});

describe('a certificate revoked between two signatures', () => {
  it.each([
    { ocsp: true, level: undefined },
    { ocsp: true, level: 'B-T' },
    { ocsp: true, level: 'B-LT' },
    { ocsp: false, level: 'B-T' },
    { ocsp: false, level: 'B-LTA' },
  ] as const)('makes no valid $level with a warm cache (OCSP: $ocsp)', async ({ ocsp, level }) => {
    const world = await ValidationWorld.open({ ocsp });
    const person = await world.person();
    const { cache, timestamper } = world;
    const collector = world.collectorWith(cache);
    const signer = prepareCmsSigner(world.signerOf(person), {
      digest: 'sha256',
      profile: 'cades',
      timestamper,
      collector,
      now: () => world.now,
      level,
    });
    const sign = (): Promise<Buffer> => signer.signContent(CONTENT, world.now);
    expect(verdict(await world.validate(await sign(), { cache }))).toBe('TOTAL-PASSED');

    world.revoke(person, after(1));
    world.now = after(2);
    if (level === 'B-LT' || level === 'B-LTA') {
      await expect(sign()).rejects.toMatchObject({ code: 'CERTIFICATE_REVOKED' });
    } else {
      const signature = await sign();
      world.now = after(3);
      expect(verdict(await world.validate(signature, { cache }))).toMatch(/^INDETERMINATE REVOKED_NO_POE$/);
    }
  });

  it('asks anew for data of before the signature, and takes none where it has to be newer', async () => {
    const world = await ValidationWorld.open();
    const person = await world.person();
    const { timestamper } = world;
    const collector = world.collectorWith(world.cache);
    const early = world.crl('issuing');
    world.http.answers = { ...world.http.answers, [CRL_URL]: early };
    world.now = after(10);
    const services = { timestamper, collector, now: () => world.now };
    await expect(world.cms(person, 'B-LT', services).signContent(CONTENT, world.now)).rejects.toMatchObject({
      code: 'REVOCATION_TOO_OLD',
      message: expect.stringContaining('2026-03-08T12:00:00.000Z') as string,
    });
    const older = await world
      .cms(person, 'B-LT', { ...services, olderEvidence: 'accept' })
      .signContent(CONTENT, world.now);
    const only = onlySignature(await world.validate(older, { offline: true }));
    expect(only).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-LT' });
    expect(codesOf(only)).toContain('REVOCATION_OLDER_THAN_SIGNATURE');
  });

  it.each(['B-LT', 'B-LTA', 'AD-RV', 'AD-RC', 'AD-RA'] as const)(
    'keeps a %s at its time stamp until newer data comes',
    async (level) => {
      const world = await ValidationWorld.open();
      const person = await world.person();
      const early = world.crl('issuing');
      world.http.answers = { ...world.http.answers, [CRL_URL]: () => early };
      world.now = after(10);
      const { timestamper } = world;
      const services = { timestamper, collector: world.collectorWith(world.cache), now: () => world.now };
      const reasons: string[] = [];
      const signer = world.cms(person, level, { ...services, olderEvidence: 'postpone' });
      const digest = hash('sha256', CONTENT, 'buffer');
      const stamped = await signer.signDigest(digest, world.now, undefined, (reason) => void reasons.push(reason));
      expect(reasons).toEqual([expect.stringContaining('The next data is announced for 2026-03-08') as string]);

      const content = CONTENT;
      await expect(raiseCms(stamped, { level, content, ...services })).rejects.toMatchObject({
        code: 'REVOCATION_TOO_OLD',
      });
      world.http.answers = { ...world.http.answers, [CRL_URL]: () => world.crl('issuing') };
      world.now = after(30);
      const raised = await raiseCms(stamped, { level, content, ...services });
      expect(raised.length).toBeGreaterThan(stamped.length);
      expect(codesOf(onlySignature(await world.validate(raised, { offline: true, content })))).not.toContain(
        'REVOCATION_OLDER_THAN_SIGNATURE',
      );
    },
  );
});
