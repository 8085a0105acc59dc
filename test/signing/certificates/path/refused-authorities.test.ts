/** Authorities refused by the owner are in no path, and the failure names each. */
import { describe, expect, it } from 'vitest';
import { buildPath, type Certificate, type PathResult } from '../../../../src/signing/index.ts';
import { otherPaths } from '../../../../src/signing/revocation/other-paths.ts';
import { makeKey, makeParty, type Party } from './path-pki.ts';

const at = new Date('2026-06-01');
const root = makeParty({ name: 'Root' });
const another = makeParty({ name: 'Another Root' });
const key = makeKey();
const authority = makeParty({ name: 'CA', key, issuer: root, authority: true });
const renewed = makeParty({ name: 'CA', key, issuer: another, authority: true });
const rekeyed = makeParty({ name: 'CA', issuer: root, authority: true });
const holder = makeParty({ name: 'Holder', issuer: authority });

interface Given {
  readonly of?: Party;
  readonly refused: readonly Party[];
  readonly known?: readonly Party[];
  readonly anchors?: readonly Party[];
}

const certificates = (parties: readonly Party[]): readonly Certificate[] => parties.map((one) => one.certificate);
const request = ({ of = holder, refused, known = [authority], anchors = [root] }: Given) => ({
  certificate: of.certificate,
  at,
  intermediates: certificates(known),
  anchors: certificates(anchors),
  refused: certificates(refused),
});
const search = (given: Given): PathResult => buildPath(request(given));
const told = ({ outcome, path, problems }: PathResult) => [
  outcome,
  path.map(({ commonName }) => commonName),
  problems.map(({ code, index, sentence }) => `${code} ${index} ${sentence}`),
];
const refusal = (name: string, index: number): string =>
  `AUTHORITY_REFUSED ${index} The authority ${name} is refused here.`;

describe('a refused authority', () => {
  it('is in no path, and stands in the failure', () => {
    expect(search({ refused: [] }).outcome).toBe('valid');
    expect(told(search({ refused: [authority] }))).toEqual(['incomplete', ['Holder'], [refusal('CA', 0)]]);
  });

  it('stands in the failure although its certificate is not at hand', () => {
    expect(told(search({ refused: [authority], known: [] }))).toEqual(['incomplete', ['Holder'], [refusal('CA', 0)]]);
  });

  it('is refused in each certificate for its name and its key', () => {
    const known = [authority, renewed];
    const anchors = [root, another];
    expect(search({ refused: [], known, anchors }).outcome).toBe('valid');
    expect(told(search({ refused: [renewed], known, anchors }))).toEqual([
      'incomplete',
      ['Holder'],
      [refusal('CA', 0)],
    ]);
  });

  it('does not stand in the way of an authority with the same name and another key', () => {
    const below = makeParty({ name: 'Holder', issuer: rekeyed });
    const result = search({ of: below, refused: [authority], known: [authority, rekeyed] });
    expect([result.outcome, result.path[1]]).toEqual(['valid', rekeyed.certificate]);
  });

  it('does not stand in the way of an authority with the same key and another name', () => {
    const namesake = makeParty({ name: 'Other CA', key, issuer: root, authority: true });
    const below = makeParty({ name: 'Holder', issuer: namesake });
    expect(search({ of: below, refused: [authority], known: [namesake] }).outcome).toBe('valid');
  });

  it('ends a path higher up, at its place', () => {
    const upper = makeParty({ name: 'Upper CA', issuer: root, authority: true });
    const lower = makeParty({ name: 'Lower CA', issuer: upper, authority: true });
    const below = makeParty({ name: 'Holder', issuer: lower });
    const result = search({ of: below, refused: [upper], known: [upper, lower] });
    expect(told(result)).toEqual(['incomplete', ['Holder', 'Lower CA'], [refusal('Upper CA', 1)]]);
  });

  it('is not trusted for its own signatures', () => {
    expect(told(search({ of: authority, refused: [authority] }))).toEqual(['incomplete', ['CA'], [refusal('CA', 0)]]);
  });

  it('is trusted all the same as an anchor', () => {
    expect(search({ refused: [authority], anchors: [authority] }).outcome).toBe('valid');
    expect(search({ of: authority, refused: [authority], anchors: [authority] }).outcome).toBe('valid');
  });

  it('is no further path of a certificate', () => {
    const known = [authority, renewed];
    const anchors = [root, another];
    const first = search({ refused: [], known, anchors }).path;
    expect(otherPaths(request({ refused: [], known, anchors }), first)).toHaveLength(1);
    expect(otherPaths(request({ refused: [authority], known, anchors }), first)).toEqual([]);
  });

  it('is not the reason where its signature on the certificate is wrong', () => {
    const below = makeParty({ name: 'Holder', issuer: rekeyed, identifiers: false });
    const [first] = search({ of: below, refused: [authority] }).problems;
    expect(first?.code).toBe('SIGNATURE_INVALID');
  });
});
