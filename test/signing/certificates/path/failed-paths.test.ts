/** The choice of the failed path to be told, the order of its problems, and the limits of the search. */
import { describe, expect, it } from 'vitest';
import { derInteger, derOid, derSequence } from '../../../../src/signing/der/writer.ts';
import { Oid } from '../../../../src/signing/der/oids.ts';
import { rankProblems, type PathProblem } from '../../../../src/signing/certificates/path/path-result.ts';
import { buildPath, type Certificate, type PathResult } from '../../../../src/signing/index.ts';
import {
  SIGNATURE_KINDS,
  general,
  makeExtension,
  makeKey,
  makeName,
  makeParty,
  nameConstraints,
  type Party,
  type PartyFields,
} from './path-pki.ts';

const at = new Date('2026-06-01');
const early = new Date('2026-01-01');

const certificates = (parties: readonly Party[]): readonly Certificate[] =>
  parties.map(({ certificate }) => certificate);
const names = ({ path }: PathResult): readonly string[] => path.map(({ commonName }) => commonName);
const codes = ({ problems }: PathResult): readonly string[] => problems.map(({ code }) => code);

function search(leaf: Party, intermediates: readonly Party[], anchors: readonly Party[], checks = 100): PathResult {
  return buildPath({
    certificate: leaf.certificate,
    at,
    intermediates: certificates(intermediates),
    anchors: certificates(anchors),
    maxSignatureChecks: checks,
  });
}

describe('rankProblems', () => {
  const problem = (code: PathProblem['code'], index: number): PathProblem => ({ code, index, sentence: '' });

  it('puts permanent defects first, and of equal defects the certificate nearer to the holder', () => {
    const invalid = problem('SIGNATURE_INVALID', 2);
    const expired = [0, 1, 3].map((index) => problem('CERTIFICATE_EXPIRED', index));
    const limit = problem('LIMIT_EXCEEDED', 0);
    const ordered = [invalid, ...expired, limit];
    expect(rankProblems(ordered)).toEqual(ordered);
    expect(rankProblems(ordered.toReversed())).toEqual(ordered);
    expect(rankProblems([...expired.slice(1), limit, invalid, ...expired.slice(0, 1)])).toEqual(ordered);
  });
});

describe('the limits of the search for a path', () => {
  /** Authorities certifying each other in each direction, with a single certificate for each pair. */
  function meshOf(count: number): readonly Party[] {
    const all = Array.from({ length: count }, (_, number) => makeParty({ name: `CA ${number}`, key: makeKey() }));
    return all.flatMap((issuer) =>
      all
        .filter((one) => one !== issuer)
        .map(({ certificate, key }) => makeParty({ name: certificate.subject, key, issuer, authority: true })),
    );
  }

  it('count its steps where each signature is known, and say so at the end of the path', () => {
    const intermediates = meshOf(7);
    const issuer = intermediates[0];
    if (issuer === undefined) throw new Error('A mesh has certificates.');
    const result = search(makeParty({ name: 'Holder', issuer }), intermediates, [makeParty({ name: 'Root' })], 300);
    expect(result.outcome).toBe('incomplete');
    const limit = result.problems.find(({ code }) => code === 'LIMIT_EXCEEDED');
    expect(limit?.index).toBe(result.path.length - 1);
    expect(codes(result).filter((code) => code === 'LIMIT_EXCEEDED')).toHaveLength(1);
  });

  it('count each signature once, in however many paths', () => {
    const top = makeParty({ name: 'Top', issuer: makeParty({ name: 'Nowhere' }), authority: true });
    const middle = makeParty({ name: 'Middle', issuer: top, authority: true });
    const key = makeKey();
    const [one, other] = [1, 2].map(() => makeParty({ name: 'CA', key, issuer: middle, authority: true })) as [
      Party,
      Party,
    ];
    const leaf = makeParty({ name: 'Holder', issuer: one });
    const root = makeParty({ name: 'Root' });
    // Five pairs of a certificate and an issuer, and the last pair in two paths.
    expect(codes(search(leaf, [one, other, middle, top], [root], 5))).toEqual(['ISSUER_NOT_FOUND']);
    expect(codes(search(leaf, [one, other, middle, top], [root], 4))).toContain('LIMIT_EXCEEDED');
  });
});

/** A path from the holder through one of two authorities of the same name; `second` is tried second. */
function twoPaths(first: Partial<PartyFields>, second: Partial<PartyFields>) {
  const key = makeKey();
  const [one, two] = [makeParty({ name: 'First' }), makeParty({ name: 'Second' })];
  const longest = { notAfter: new Date('2039-06-01') };
  const shorter = { notAfter: new Date('2039-01-01') };
  const ofOne = makeParty({ name: 'CA', key, issuer: one, authority: true, ...longest, ...first });
  const ofTwo = makeParty({ name: 'CA', key, issuer: two, authority: true, ...shorter, ...second });
  const leaf = makeParty({ name: 'Holder', issuer: ofOne });
  return names(search(leaf, [ofOne, ofTwo], [one, two])).at(-1);
}

describe('of several failed paths', () => {
  const weak = { signature: SIGNATURE_KINDS['ECDSA, SHA-1'] };
  const unknown = { extensions: [makeExtension('1.2.3.4', derInteger(1), true)] };

  const elsewhere = nameConstraints([general.directory(makeName('Elsewhere'))]);

  it.each<[string, Partial<PartyFields>, Partial<PartyFields>]>([
    ['with the milder problem', weak, { keyUsage: [0] }],
    ['whose worst problem is milder', { ...weak, ...unknown }, { keyUsage: [0], extensions: [elsewhere] }],
    ['with fewer problems', { ...weak, ...unknown }, weak],
  ])('the path %s is told, although tried second', (_, first, second) => {
    expect(twoPaths(first, second)).toBe('Second');
  });

  it('with the same problems the first is told', () => {
    expect(twoPaths(weak, weak)).toBe('First');
  });

  it('the path to an anchor is told, however many its problems', () => {
    const root = makeParty({ name: 'Root' });
    const key = makeKey();
    const toRoot = makeParty({ name: 'CA', key, issuer: root, authority: true, notAfter: early, keyUsage: [0] });
    const toNowhere = makeParty({ name: 'CA', key, issuer: makeParty({ name: 'Nowhere' }), authority: true });
    const result = search(makeParty({ name: 'Holder', issuer: toRoot }), [toNowhere, toRoot], [root]);
    expect([result.outcome, names(result)]).toEqual(['invalid', ['Holder', 'CA', 'Root']]);
  });

  it('all ending nowhere, the longest is told', () => {
    const nowhere = makeParty({ name: 'Nowhere' });
    const far = makeParty({ name: 'Far', issuer: nowhere, authority: true });
    const key = makeKey();
    const notAfter = new Date('2039-06-01');
    const short = makeParty({ name: 'CA', key, issuer: nowhere, authority: true });
    const long = makeParty({ name: 'CA', key, issuer: far, authority: true, notAfter });
    const result = search(makeParty({ name: 'Holder', issuer: short }), [short, long, far], [makeParty({ name: 'R' })]);
    expect(names(result)).toEqual(['Holder', 'CA', 'Far']);
  });
});

describe('a found path', () => {
  it('has no problems', () => {
    const root = makeParty({ name: 'Root' });
    expect(search(makeParty({ name: 'Holder', issuer: root }), [], [root]).problems).toEqual([]);
  });
});

describe('a missing path', () => {
  it('is incomplete where the issuer is missing, also with other defects', () => {
    const leaf = makeParty({ name: 'Holder', issuer: makeParty({ name: 'Nowhere' }), notAfter: early });
    const result = search(leaf, [], [makeParty({ name: 'Root' })]);
    expect([result.outcome, codes(result)]).toEqual(['incomplete', ['ISSUER_NOT_FOUND', 'CERTIFICATE_EXPIRED']]);
  });

  it('names a certificate with a damaged signature algorithm', () => {
    const root = makeParty({ name: 'Root' });
    const algorithm = derSequence(derOid(Oid.rsassaPss), derInteger(1));
    const signature = { ...SIGNATURE_KINDS['ECDSA, SHA-256'], algorithm };
    const [problem] = search(makeParty({ name: 'Holder', issuer: root, signature }), [], [root]).problems;
    expect(problem).toEqual({
      code: 'CERTIFICATE_MALFORMED',
      index: 0,
      sentence: 'The certificate of Holder is damaged, and cannot be checked with the key of Root.',
    });
  });
});
