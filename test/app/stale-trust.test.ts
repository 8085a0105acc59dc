import { describe, expect, it } from 'vitest';
import { findStaleTrust } from '../../src/app/evidence/stale-trust.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';

const root = (name: string, notAfter: string) => makeParty({ name, notAfter: new Date(notAfter) }).certificate;
const now = new Date('2026-11-22T12:00:00Z');

describe('findStaleTrust', () => {
  it.each([
    ['a root that ended', '2026-11-01', '2040-01-01', undefined, ['Root ended on 2026-11-01.']],
    ['a root that ends in less than three years', '2029-03-02', '2040-01-01', undefined, ['Root ends on 2029-03-02.']],
    ['a root that ends later', '2030-01-01', '2040-01-01', undefined, []],
    ['an authority that ends in less than a year', '2040-01-01', '2027-07-28', undefined, ['CA ends on 2027-07-28.']],
    ['an authority that ends later', '2040-01-01', '2028-01-01', undefined, []],
    ['a list of policies that is in force', '2040-01-01', '2040-01-01', '2027-01-01', []],
  ])('tells of %s', (_, rootEnds, authorityEnds, listEnds, expected) => {
    const trust = { anchors: [root('Root', rootEnds)], intermediates: [root('CA', authorityEnds)] };
    expect(findStaleTrust(trust, listEnds === undefined ? undefined : new Date(listEnds), now)).toEqual(expected);
  });

  it('tells of a list of policies past its end, and what to do', () => {
    const [sentence = ''] = findStaleTrust({ anchors: [], intermediates: [] }, new Date('2025-09-10'), now);
    expect(sentence).toMatch(/ended on 2025-09-10.*sinete trust update/);
  });
});
