import { describe, expect, it } from 'vitest';
import { findStaleTrust, staleTrustSentence } from '../../../src/service/certificates/index.ts';

const date = (day: string): Date => new Date(`${day}T12:00:00Z`);
const authority = (commonName: string, notAfter: string) => ({ commonName, notAfter: date(notAfter) });
const now = date('2026-11-22');

describe('findStaleTrust', () => {
  it.each([
    ['a root that ended', '2026-11-01', '2040-01-01', undefined, ['Root ended on 2026-11-01.']],
    ['a root that ends in less than three years', '2029-03-02', '2040-01-01', undefined, ['Root ends on 2029-03-02.']],
    ['a root that ends later', '2030-01-01', '2040-01-01', undefined, []],
    ['an authority that ends in less than a year', '2040-01-01', '2027-07-28', undefined, ['CA ends on 2027-07-28.']],
    ['an authority that ends later', '2040-01-01', '2028-01-01', undefined, []],
    ['a list of policies that is in force', '2040-01-01', '2040-01-01', '2026-11-23', []],
  ])('tells of %s', (_, rootEnds, authorityEnds, listEnds, expected) => {
    const trust = {
      roots: [authority('Root', rootEnds)],
      authorities: [authority('CA', authorityEnds)],
      listEnds: listEnds === undefined ? undefined : date(listEnds),
    };
    expect(findStaleTrust(trust, now).map((one) => staleTrustSentence(one, 'en'))).toEqual(expected);
  });

  it('tells of a list of policies past its end, and the remedy, in both languages', () => {
    const [list] = findStaleTrust({ roots: [], authorities: [], listEnds: date('2025-09-10') }, now);
    expect(list).toMatchObject({ kind: 'policy-list', hasEnded: true });
    expect(list && staleTrustSentence(list, 'en')).toMatch(/ended on 2025-09-10.*sinete trust update/);
    expect(list && staleTrustSentence(list, 'pt-BR')).toMatch(/terminou em 2025-09-10.*sinete trust update/);
  });
});
