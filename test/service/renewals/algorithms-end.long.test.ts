/** Archives with ending algorithms: renewed before the end, by real stamps with the clock set on, and judged later. */
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codesOf, date, SIGNED_AT } from '../../signing/validation/validation-world.ts';
import { END, FILES, rsaEnds, sha2Ends, TwoAges } from './two-ages.ts';

let ages: TwoAges;
afterEach(async () => rm(ages.folder, { recursive: true, force: true }));

describe.each([
  {
    what: 'SHA-2',
    policy: sha2Ends,
    open: () => TwoAges.open(sha2Ends, 'ec-p256', 'sha3'),
    // SHA-3 is asked for first; the authority of before signs with SHA-2 in any case.
    asked: ['before sha3-256', 'before sha256', 'after sha3-256'],
    sha3: true,
    ended: /SHA256 stopped being strong enough/,
  },
  {
    what: 'RSA',
    policy: rsaEnds,
    open: () => TwoAges.open(rsaEnds, 'rsa-2048'),
    asked: ['before sha256', 'after sha256'],
    sha3: false,
    ended: /RSA 2048 stopped being strong enough/,
  },
])('an archive when $what comes to its end', ({ open, asked, sha3, ended }) => {
  beforeEach(async () => {
    ages = await open();
    await ages.sign();
  });

  it('is not due before its time, and names the ended algorithm when not renewed', async () => {
    ages.setClock(date('2029-06-01'));
    expect(Object.values(await ages.renew()).map(({ state }) => state)).toEqual(['not-due', 'not-due']);
    expect(ages.asked).toEqual([]);
    ages.setClock(date('2036-03-01'));
    for (const name of FILES) {
      const { checks, indication } = await ages.judged(name);
      expect([name, indication]).toEqual([name, 'INDETERMINATE']);
      const sentence = checks.find(({ code }) => code === 'PROTECTION_ENDED')?.sentence;
      expect(sentence).toMatch(ended);
      expect(sentence).toContain(END);
    }
  });

  it('is renewed by the lasting authority, and proves itself years later with nobody to be asked', async () => {
    ages.setClock(date('2029-11-15'));
    const outcomes = await ages.renew();
    expect(Object.keys(outcomes).toSorted()).toEqual(FILES);
    for (const one of Object.values(outcomes)) {
      expect(one).toMatchObject({ state: 'renewed', protectedUntilBefore: new Date(END) });
      expect(one.protectedUntil?.getTime()).toBeGreaterThan(date('2040-01-01').getTime());
    }
    expect(ages.asked).toEqual([...asked, ...asked]);
    ages.setClock(date('2036-03-01'));
    for (const name of FILES) {
      const report = await ages.judged(name);
      expect([name, report]).toMatchObject([
        name,
        { indication: 'TOTAL-PASSED', level: 'B-LTA', levelProven: 'B-LTA' },
      ]);
      expect([name, report.provenTime]).toEqual([name, SIGNED_AT]);
      expect(codesOf(report)).not.toContain('PROTECTION_ENDED');
      expect([name, await ages.hasSha3(name)]).toEqual([name, sha3]);
    }
  });
});
