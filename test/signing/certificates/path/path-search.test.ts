/** How a path is searched: the issuer to be tried first, the end of the search, and the failed path to be told. */
import { describe, expect, it } from 'vitest';
import { buildPath, type Certificate, type PathResult } from '../../../../src/signing/index.ts';
import { derOid, derSequence } from '../../../../src/signing/der/writer.ts';
import { SIGNATURE_KINDS, keyPurposes, makeKey, makeParty, type Party, type PartyFields } from './path-pki.ts';

const at = new Date('2026-06-01');
const early = new Date('2026-01-01');
const late = { notBefore: new Date('2035-01-01'), notAfter: new Date('2060-01-01') };

const certificates = (parties: readonly Party[]): readonly Certificate[] =>
  parties.map(({ certificate }) => certificate);
const names = ({ path }: PathResult): readonly string[] => path.map(({ commonName }) => commonName);
const codes = ({ problems }: PathResult): readonly string[] => problems.map(({ code }) => code);

interface Given {
  readonly leaf: Party;
  readonly intermediates?: readonly Party[];
  readonly anchors: readonly Party[];
  readonly checks?: number;
}

const search = ({ leaf, intermediates = [], anchors, checks }: Given, purpose?: 'document-signing'): PathResult =>
  buildPath({
    certificate: leaf.certificate,
    at,
    intermediates: certificates(intermediates),
    anchors: certificates(anchors),
    maxSignatureChecks: checks,
    purpose,
  });

/** The results for the right issuer and for another authority of the same name; the other one is given first. */
const firstRows: readonly (readonly [string, Partial<PartyFields>, Partial<PartyFields>])[] = [
  ['with the key identifier that the certificate names', {}, late],
  ['that is valid now', { identifiers: false }, { identifiers: false, ...late }],
  ['that is valid from now on', { identifiers: false, notBefore: at }, { identifiers: false, ...late }],
  [
    'that is valid until now',
    { identifiers: false, notAfter: at },
    { identifiers: false, notBefore: new Date('2026-06-02'), notAfter: new Date('2060-01-01') },
  ],
  [
    'that is an authority',
    { identifiers: false },
    { identifiers: false, authority: false, notAfter: new Date('2060-01-01') },
  ],
  ['that lasts longer', { identifiers: false }, { identifiers: false, notAfter: new Date('2039-01-01') }],
];

describe('the search for a path', () => {
  it.each(firstRows)('tries first the issuer %s', (_, right, wrong) => {
    const root = makeParty({ name: 'Root' });
    const issuer = makeParty({ name: 'CA', issuer: root, authority: true, ...right });
    const namesake = makeParty({ name: 'CA', issuer: root, authority: true, ...wrong });
    const leaf = makeParty({
      name: 'Holder',
      issuer,
      ...(right.identifiers === undefined ? {} : { identifiers: false }),
    });
    const result = search({ leaf, intermediates: [namesake, issuer], anchors: [root], checks: 2 });
    expect([result.outcome, names(result)]).toEqual(['valid', ['Holder', 'CA', 'Root']]);
  });

  it('tries an anchor before another issuer of the same name, also one lasting longer', () => {
    const root = makeParty({ name: 'Root', identifiers: false });
    const namesake = makeParty({ name: 'Root', identifiers: false, notAfter: new Date('2060-01-01') });
    const leaf = makeParty({ name: 'Holder', issuer: root, identifiers: false });
    expect(search({ leaf, intermediates: [namesake], anchors: [root], checks: 1 }).outcome).toBe('valid');
    expect(search({ leaf, intermediates: [namesake], anchors: [root], checks: 0 }).outcome).toBe('incomplete');
  });

  it('prefers the key identifier to an anchor', () => {
    const root = makeParty({ name: 'Root' });
    const issuer = makeParty({ name: 'CA', issuer: root, authority: true });
    const namesake = makeParty({ name: 'CA' });
    const leaf = makeParty({ name: 'Holder', issuer });
    expect(search({ leaf, intermediates: [issuer], anchors: [namesake, root], checks: 2 }).outcome).toBe('valid');
  });

  it('tries fifty issuers of one name, each once, and no more', () => {
    const root = makeParty({ name: 'CA', identifiers: false });
    const leaf = makeParty({ name: 'Holder', issuer: root, identifiers: false });
    const key = makeKey();
    const namesakes = Array.from({ length: 50 }, () => makeParty({ name: 'CA', key, identifiers: false }));
    const copies = Array.from({ length: 60 }, () => namesakes[0] ?? root);
    const among = (anchors: readonly Party[]): string => search({ leaf, anchors, checks: 1000 }).outcome;
    expect(among([...namesakes.slice(1), root])).toBe('valid');
    expect(among([...copies, root])).toBe('valid');
    expect(among([...namesakes, root])).not.toBe('valid');
  });

  it.each([
    [14, 'valid'],
    [15, 'incomplete'],
  ] as const)('ends at sixteen certificates: %i authorities between person and root', (count, outcome) => {
    const root = makeParty({ name: 'CA 0' });
    const chain = [root];
    for (let number = 1; number <= count; number += 1) {
      chain.push(makeParty({ name: `CA ${number}`, key: root.key, authority: true, issuer: chain.at(-1) ?? root }));
    }
    const leaf = makeParty({ name: 'Holder', issuer: chain.at(-1) ?? root });
    expect(search({ leaf, intermediates: chain.slice(1), anchors: [root] }).outcome).toBe(outcome);
  });

  it('never walks through the same authority twice', () => {
    const one = makeParty({ name: 'One' });
    const two = makeParty({ name: 'Two', issuer: one, authority: true });
    const back = makeParty({ name: 'One', key: one.key, issuer: two, authority: true });
    const leaf = makeParty({ name: 'Holder', issuer: two });
    const result = search({ leaf, intermediates: [two, back], anchors: [makeParty({ name: 'Root' })] });
    expect([names(result), codes(result)]).toEqual([['Holder', 'Two', 'One'], ['ISSUER_NOT_FOUND']]);
  });

  it('goes through an authority of the same name with another key', () => {
    const old = makeParty({ name: 'CA' });
    const renewed = makeParty({ name: 'CA', issuer: old, authority: true });
    const leaf = makeParty({ name: 'Holder', issuer: renewed });
    const result = search({ leaf, intermediates: [renewed], anchors: [old] });
    expect([result.outcome, result.path.length]).toEqual(['valid', 3]);
  });
});

const UNKNOWN_KIND = { ...SIGNATURE_KINDS['ECDSA, SHA-256'], algorithm: derSequence(derOid('1.2.3.4.5')) };

describe('a missing path', () => {
  it('tells of no try where the budget is empty', () => {
    const root = makeParty({ name: 'Root' });
    const leaf = makeParty({ name: 'Holder', issuer: root });
    const result = search({ leaf, anchors: [root], checks: 0 });
    expect([result.outcome, names(result), codes(result), result.policies]).toEqual([
      'incomplete',
      ['Holder'],
      ['LIMIT_EXCEEDED'],
      [],
    ]);
    expect(result.problems[0]).toMatchObject({
      index: 0,
      sentence: 'There are too many possible paths to try them all.',
    });
  });

  it('names the unknown algorithm', () => {
    const root = makeParty({ name: 'Root' });
    const issuer = makeParty({ name: 'CA', issuer: root, authority: true });
    const leaf = makeParty({ name: 'Holder', issuer, signature: UNKNOWN_KIND });
    const [problem, ...more] = search({ leaf, intermediates: [issuer], anchors: [root] }).problems;
    expect(problem).toMatchObject({
      code: 'ALGORITHM_UNSUPPORTED',
      index: 0,
      sentence: 'The certificate of Holder is signed with an algorithm that is not known here, by CA (1.2.3.4.5).',
    });
    expect(more.map(({ code }) => code)).not.toContain('ISSUER_NOT_FOUND');
  });

  it('names the authority with the wrong key, and one of several', () => {
    const root = makeParty({ name: 'Root' });
    const real = makeParty({ name: 'CA', identifiers: false });
    const namesakes = [1, 2].map(() => makeParty({ name: 'CA', issuer: root, authority: true, identifiers: false }));
    const leaf = makeParty({ name: 'Holder', issuer: real, identifiers: false });
    const result = search({ leaf, intermediates: namesakes, anchors: [root] });
    expect(result).toMatchObject({ outcome: 'invalid', problems: [{ code: 'SIGNATURE_INVALID', index: 0 }] });
    expect(result.problems[0]?.sentence).toBe('The certificate of Holder was not signed with the key of CA.');
    expect(codes(result)).toEqual(['SIGNATURE_INVALID']);
  });

  it('does not blame an authority with another key identifier', () => {
    const root = makeParty({ name: 'Root' });
    const real = makeParty({ name: 'CA' });
    const namesake = makeParty({ name: 'CA', issuer: root, authority: true });
    const leaf = makeParty({ name: 'Holder', issuer: real });
    const result = search({ leaf, intermediates: [namesake], anchors: [root] });
    expect([result.outcome, codes(result)]).toEqual(['incomplete', ['ISSUER_NOT_FOUND']]);
  });

  it('tells the path to an anchor before a longer one ending nowhere', () => {
    const root = makeParty({ name: 'Root' });
    const nowhere = makeParty({ name: 'Nowhere' });
    const far = makeParty({ name: 'Far', issuer: nowhere, authority: true });
    const key = makeKey();
    const toRoot = makeParty({ name: 'CA', key, issuer: root, authority: true, notAfter: early });
    const toNowhere = makeParty({ name: 'CA', key, issuer: far, authority: true });
    const leaf = makeParty({ name: 'Holder', issuer: toRoot });
    for (const intermediates of [
      [toRoot, toNowhere, far],
      [far, toNowhere, toRoot],
    ]) {
      const result = search({ leaf, intermediates, anchors: [root] });
      expect([result.outcome, names(result)]).toEqual(['invalid', ['Holder', 'CA', 'Root']]);
      expect(codes(result)).toEqual(['CERTIFICATE_EXPIRED']);
    }
  });

  it.each<[string, Partial<PartyFields>, Partial<PartyFields>]>([
    ['with fewer problems', { notAfter: early }, { notAfter: early, keyUsage: [6] }],
    ['with the milder problem', { keyUsage: [6] }, { notAfter: early }],
  ])('tells the path %s', (_, better, worse) => {
    const key = makeKey();
    const [one, two] = [makeParty({ name: 'Better' }), makeParty({ name: 'Worse' })];
    const good = makeParty({ name: 'CA', key, issuer: one, authority: true, ...better });
    const bad = makeParty({ name: 'CA', key, issuer: two, authority: true, ...worse });
    const leaf = makeParty({ name: 'Holder', issuer: good });
    for (const intermediates of [
      [good, bad],
      [bad, good],
    ]) {
      expect(names(search({ leaf, intermediates, anchors: [two, one] }))).toEqual(['Holder', 'CA', 'Better']);
    }
  });

  it('tells all problems of the best path, and no policies', () => {
    const root = makeParty({ name: 'Root' });
    const leaf = makeParty({
      name: 'Holder',
      issuer: root,
      notAfter: early,
      extensions: [keyPurposes(['1.3.6.1.5.5.7.3.1'])],
    });
    const result = search({ leaf, anchors: [root] }, 'document-signing');
    expect(result).toMatchObject({ outcome: 'invalid', policies: [] });
    expect(codes(result)).toEqual(['CERTIFICATE_EXPIRED', 'PURPOSE_NOT_ALLOWED']);
  });

  it('of an untrusted self-signed certificate blames nobody', () => {
    const leaf = makeParty({ name: 'Root', identifiers: false });
    const namesake = makeParty({ name: 'Root', identifiers: false });
    const result = search({ leaf, anchors: [namesake] });
    expect([result.outcome, codes(result)]).toEqual(['incomplete', ['ROOT_NOT_TRUSTED']]);
  });

  it('of a certificate merely naming itself as its issuer blames the signature', () => {
    const real = makeParty({ name: 'Root', identifiers: false });
    const leaf = makeParty({ name: 'Root', issuer: real, identifiers: false });
    const namesake = makeParty({ name: 'Root', identifiers: false });
    const result = search({ leaf, anchors: [namesake] });
    expect([result.outcome, codes(result)]).toEqual(['invalid', ['SIGNATURE_INVALID']]);
  });
});
