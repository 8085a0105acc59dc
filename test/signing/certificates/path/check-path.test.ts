/** The rules for single certificates, and for their places in a path (RFC 5280 §6.1). */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildPath, type Certificate, type PathProblemCode } from '../../../../src/signing/index.ts';
import { curveBits, ProblemList } from '../../../../src/signing/certificates/path/check-certificate.ts';
import { checkPath } from '../../../../src/signing/certificates/path/check-path.ts';
import { SigningError } from '../../../../src/signing/errors.ts';
import { derBitString, derOid, derSequence } from '../../../../src/signing/der/writer.ts';
import {
  SIGNATURE_KINDS,
  alternativeNames,
  general,
  keyPurposes,
  makeParty,
  nameConstraints,
  policies,
  type Party,
} from './path-pki.ts';

const at = new Date('2026-06-01T12:00:00Z');
const moment = (milliseconds: number): Date => new Date(at.getTime() + milliseconds);
const check = (parties: readonly Party[], reachesAnchor = true, rules = {}) =>
  checkPath(
    parties.map(({ certificate }) => certificate),
    reachesAnchor,
    { at, ...rules },
  );
const codes = (parties: readonly Party[], reachesAnchor = true, rules = {}): readonly PathProblemCode[] =>
  check(parties, reachesAnchor, rules).problems.map(({ code }) => code);

describe('a certificate by itself', () => {
  it.each([
    ['prime256v1', 256],
    ['secp224r1', 224],
    ['brainpoolP512r1', 512],
    ['wap-wsg-idm-ecid-wtls1', 0],
    ['K-283', 283],
    [undefined, 0],
  ])('on the curve %s has a key of %i bits', (name, bits) => {
    expect(curveBits(name)).toBe(bits);
  });

  it('is valid from its first second to its last', () => {
    const party = makeParty({ name: 'A', notBefore: at, notAfter: moment(60_000) });
    const on = (date: Date): readonly PathProblemCode[] => codes([party], true, { at: date });
    expect([on(moment(-1)), on(at), on(moment(60_000)), on(moment(60_001))]).toEqual([
      ['CERTIFICATE_NOT_YET_VALID'],
      [],
      [],
      ['CERTIFICATE_EXPIRED'],
    ]);
  });

  it.each([
    ['RSA of 2048 bits', generateKeyPairSync('rsa', { modulusLength: 2048 }), []],
    ['RSA of 2040 bits', generateKeyPairSync('rsa', { modulusLength: 2040 }), ['ALGORITHM_WEAK']],
    ['P-224', generateKeyPairSync('ec', { namedCurve: 'P-224' }), []],
    ['P-192', generateKeyPairSync('ec', { namedCurve: 'prime192v1' }), ['ALGORITHM_WEAK']],
    ['a curve without a name', generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }), []],
    ['Ed25519', generateKeyPairSync('ed25519'), []],
    ['X25519', generateKeyPairSync('x25519'), []],
  ] as const)('has a key that is long enough or not: %s', (_, { publicKey }, expected) => {
    const publicKeyInfo = publicKey.export({ format: 'der', type: 'spki' });
    expect(codes([makeParty({ name: 'A', publicKeyInfo, identifiers: false })])).toEqual(expected);
  });

  it('may have a key of a kind that cannot be read, and is told', () => {
    const publicKeyInfo = derSequence(derSequence(derOid('1.2.3.4')), derBitString(Buffer.alloc(32, 1)));
    expect(check([makeParty({ name: 'A', publicKeyInfo, identifiers: false })]).problems).toEqual([
      { code: 'KEY_UNREADABLE', index: 0, sentence: 'The key of A is of a kind that cannot be read here: 1.2.3.4.' },
    ]);
  });

  it('names one algorithm in both places, unless it is an anchor', () => {
    const innerAlgorithm = SIGNATURE_KINDS['ECDSA, SHA-384'].algorithm;
    const root = makeParty({ name: 'Root' });
    const holder = makeParty({ name: 'Holder', issuer: root, innerAlgorithm });
    expect(codes([holder, root])).toEqual(['CERTIFICATE_MALFORMED']);
    expect(codes([makeParty({ name: 'Root', innerAlgorithm })])).toEqual([]);
    expect(codes([makeParty({ name: 'Root', innerAlgorithm })], false)).toEqual(['CERTIFICATE_MALFORMED']);
  });

  it('is signed with SHA-1 without harm as an anchor only', () => {
    const root = makeParty({ name: 'Root', signature: SIGNATURE_KINDS['ECDSA, SHA-1'] });
    expect([codes([root]), codes([root], false)]).toEqual([[], ['ALGORITHM_WEAK']]);
  });

  it('is told as damaged, or as beyond what is known here; other errors go on', () => {
    const list = new ProblemList();
    list.guard(3, 'A', () => {
      throw new SigningError('DER_MALFORMED', 'Damage.');
    });
    list.guard(4, 'B', () => {
      throw new SigningError('ALGORITHM_UNSUPPORTED', 'Unknown.');
    });
    expect(list.problems).toEqual([
      { code: 'CERTIFICATE_MALFORMED', index: 3, sentence: 'The certificate of A cannot be judged: Damage.' },
      { code: 'ALGORITHM_UNSUPPORTED', index: 4, sentence: 'The certificate of B cannot be judged: Unknown.' },
    ]);
    expect(() =>
      list.guard(0, 'C', () => {
        throw new TypeError('a fault of the program');
      }),
    ).toThrow(TypeError);
  });
});

/** A certificate without extensions is a certificate of version 1. */
const bare = { basicConstraints: false, keyUsage: [], identifiers: false } as const;

describe('certificates at their places', () => {
  it('needs no basic constraints of an anchor without any extension', () => {
    const root = makeParty({ name: 'Root', ...bare });
    const authority = makeParty({ name: 'CA', issuer: root, authority: true });
    const plain = makeParty({ name: 'CA', issuer: root, ...bare });
    expect(codes([makeParty({ name: 'A', issuer: root }), root])).toEqual([]);
    expect(codes([makeParty({ name: 'A', issuer: authority }), authority, root])).toEqual([]);
    expect(codes([makeParty({ name: 'A', issuer: plain }), plain, root])).toEqual(['NOT_AN_AUTHORITY']);
    expect(codes([makeParty({ name: 'A', issuer: root }), root], false)).toEqual(['NOT_AN_AUTHORITY']);
    const other = makeParty({ name: 'Root', basicConstraints: false });
    expect(codes([makeParty({ name: 'A', issuer: other }), other])).toEqual(['NOT_AN_AUTHORITY']);
  });

  it('counts no anchor and no self-issued authority for path lengths', () => {
    const root = makeParty({ name: 'Root', pathLength: 1 });
    const renewed = makeParty({ name: 'Root', issuer: root, authority: true });
    const one = makeParty({ name: 'One', issuer: renewed, authority: true });
    const two = makeParty({ name: 'Two', issuer: one, authority: true });
    const leaf = (issuer: Party): Party => makeParty({ name: 'A', issuer });
    expect(codes([leaf(one), one, renewed, root])).toEqual([]);
    expect(check([leaf(two), two, one, renewed, root]).problems).toMatchObject([{ code: 'PATH_TOO_LONG', index: 1 }]);
  });

  it('holds self-issued certificates to name constraints at the end of the path only', () => {
    const limit = nameConstraints([general.dns('a.br')]);
    const names = [alternativeNames(general.dns('b.br'))];
    const root = makeParty({ name: 'Root' });
    const authority = makeParty({ name: 'CA', issuer: root, authority: true, extensions: [limit] });
    const renewed = makeParty({ name: 'CA', issuer: authority, authority: true, extensions: names });
    const good = makeParty({ name: 'A', issuer: renewed });
    const selfIssued = makeParty({ name: 'CA', issuer: renewed, extensions: names });
    expect(codes([good, renewed, authority, root])).toEqual([]);
    expect(check([selfIssued, renewed, authority, root]).problems).toMatchObject([
      { code: 'NAME_NOT_PERMITTED', index: 0 },
    ]);
    const below = makeParty({ name: 'Below', issuer: authority, authority: true, extensions: names });
    expect(check([makeParty({ name: 'A', issuer: below }), below, authority, root]).problems).toMatchObject([
      { code: 'NAME_NOT_PERMITTED', index: 1 },
    ]);
  });

  it('looks for policies on the way to an anchor only', () => {
    const root = makeParty({ name: 'Root' });
    const holder = makeParty({ name: 'A', issuer: root, extensions: [policies('1.2.3')] });
    const explicit = { policies: { requireExplicit: true, acceptable: ['1.2.4'] } };
    expect(check([holder, root])).toEqual({ problems: [], policies: ['1.2.3'] });
    expect(check([holder, root], true, explicit)).toMatchObject({
      problems: [{ code: 'POLICY_NOT_ACCEPTABLE', index: 0 }],
      policies: [],
    });
    expect(check([holder, root], false, explicit)).toEqual({ problems: [], policies: [] });
    expect(check([root], true, explicit)).toEqual({ problems: [], policies: [] });
    const none = makeParty({ name: 'CA', issuer: root, authority: true });
    const below = makeParty({ name: 'B', issuer: none });
    expect(check([below, none, root], true, explicit)).toMatchObject({
      problems: [{ code: 'POLICY_NOT_ACCEPTABLE', index: 1 }],
      policies: [],
    });
  });

  it('names the holder in what cannot be judged', () => {
    const root = makeParty({ name: 'Root' });
    const holder = makeParty({ name: 'A', issuer: root, extensions: [policies('1.2.3', '1.2.3')] });
    const certificates: readonly Certificate[] = [holder.certificate, root.certificate];
    const [problem] = checkPath(certificates, true, { at }).problems;
    expect(problem).toMatchObject({ code: 'CERTIFICATE_MALFORMED', index: 0 });
    expect(problem?.sentence).toMatch(/^The certificate of A cannot be judged: /);
  });

  it.each([
    ['an issuer for nothing of the kind', [keyPurposes(['1.3.6.1.5.5.7.3.1'])], ['PURPOSE_NOT_ALLOWED']],
    ['an issuer for the purpose', [keyPurposes(['1.3.6.1.5.5.7.3.4', '1.2.3'])], []],
    ['an issuer for anything', [keyPurposes(['2.5.29.37.0'])], []],
    ['an issuer without a limit', [], []],
  ])('below %s', (_, extensions, expected) => {
    const root = makeParty({ name: 'Root' });
    const authority = makeParty({ name: 'CA', issuer: root, authority: true, extensions });
    const holder = makeParty({ name: 'A', issuer: authority });
    expect(codes([holder, authority, root], true, { purpose: 'document-signing' })).toEqual(expected);
    const request = { certificate: holder.certificate, intermediates: [authority.certificate], at };
    expect(buildPath({ ...request, anchors: [root.certificate] }).outcome).toBe('valid');
  });
});
