/** The rules of ICP-Brasil's policies in the judgement (DOC-ICP-15.03), each by itself. */
import { describe, expect, it } from 'vitest';
import { CadesOid } from '../../../src/signing/cms/cades-oids.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import { policyOfOid, type IcpBrasilMaterial } from '../../../src/signing/policies/choose-icp-brasil-policy.ts';
import {
  certificateKey,
  type ChainFacts,
  type LinkFacts,
  type MaterialFacts,
  type SignatureFacts,
  type TimestampFacts,
} from '../../../src/signing/validation/facts.ts';
import { hasMaterialOf, standingOfMaterial } from '../../../src/signing/validation/judge/judge-policy-material.ts';
import { judgePolicy, policyName } from '../../../src/signing/validation/judge/judge-policy.ts';
import type { JudgedTimestamp } from '../../../src/signing/validation/judge/judge-timestamp.ts';
import { failed, failure, passed, type Judgement } from '../../../src/signing/validation/judge/verdict.ts';
import {
  anchorLink,
  authority,
  chainOf,
  codesOf,
  dated,
  day,
  fact,
  later,
  link,
  pdf,
  person,
  root,
  signatureFacts,
  stampFacts,
} from './judge-facts.ts';

const POLICIES = {
  'AD-RB 2.3': '2.16.76.1.7.1.1.2.3',
  'AD-RB 2.4': '2.16.76.1.7.1.1.2.4',
  'AD-RT 2.4': '2.16.76.1.7.1.2.2.4',
  'AD-RV 2.4': '2.16.76.1.7.1.3.2.4',
  'PAdES AD-RB 1.2': '2.16.76.1.7.1.11.1.2',
  'PAdES AD-RB 1.3': '2.16.76.1.7.1.11.1.3',
} as const;
type PolicyLabel = keyof typeof POLICIES;

function known(label: PolicyLabel) {
  const policy = policyOfOid(POLICIES[label]);
  if (policy === undefined) throw new Error(`There is no policy ${label}.`);
  return policy;
}

const SIGNED = [
  Oid.contentType,
  Oid.messageDigest,
  Oid.signingCertificateV2,
  CadesOid.signaturePolicyIdentifier,
] as const;
const PBAD = pdf({ filter: 'PBAD_PAdES', subFilter: 'PBAD.PAdES' });

/** All demands of the policy on the signature itself. */
function under(label: PolicyLabel, fields: Partial<SignatureFacts> = {}): SignatureFacts {
  const { oid, hash, format } = known(label);
  return signatureFacts({
    policy: { kind: 'explicit', oid, hash, hashAlgorithm: Oid.sha256 },
    signedAttributes: new Set<string>(SIGNED),
    signatureAlgorithm: 'rsassa-pkcs1-v1_5',
    digestAlgorithm: 'sha256',
    ...(format === 'PAdES' ? PBAD : {}),
    ...fields,
  });
}

const SIGNED_AT = day('2026-01-01');
const judge = (facts: SignatureFacts, stamps: readonly JudgedTimestamp[] = [], at = SIGNED_AT): Judgement =>
  judgePolicy({ facts, stamps }, at, 'indeterminate');
const KEPT = ['POLICY_RECOGNISED', 'POLICY_RULES_KEPT'];

describe('policyName', () => {
  it.each([
    ['2.16.76.1.7.1.1.2.4', 'AD-RB 2.4'],
    ['2.16.76.1.7.1.11.1', 'AD-RB 1.0'],
    ['2.16.76.1.7.1.1.1', 'AD-RB 1'],
    ['2.16.76.1.7.1.5.1.2', 'AD-RA 1.2'],
    ['2.16.76.1.7.1.6.2.1', 'AD-RB 2.1'],
    ['2.16.76.1.7.1.13.12.34', 'AD-RV 12.34'],
    ['2.16.76.1.7.1.0.1', undefined],
    ['2.16.76.1.7.1.1', undefined],
    ['2.16.76.1.7.1.1.2.x', undefined],
    ['1.2.16.76.1.7.1.1.1', undefined],
    ['1.2.3', undefined],
  ])('of %s is %s', (oid, name) => {
    expect(policyName(oid)).toBe(name);
  });
});

describe('judgePolicy', () => {
  it('has nothing to say without a policy, and of an implied policy', () => {
    expect(judge(signatureFacts())).toEqual(passed());
    expect(judge(signatureFacts({ policy: { kind: 'implied' } }))).toEqual(passed());
  });

  it('tells a damaged policy with its reason', () => {
    const { failure: found } = judge(signatureFacts({ policy: { kind: 'damaged', reason: 'Cut off.' } }));
    expect(found).toMatchObject({
      subIndication: 'POLICY_PROCESSING_ERROR',
      check: { code: 'POLICY_DAMAGED', sentence: 'Cut off.' },
    });
  });

  it.each([
    ['1.2.3', '1.2.3'],
    ['2.16.76.1.7.1.1.1', 'AD-RB 1'],
  ])('tells the rules of %s are not known, or accepts the gap', (oid, name) => {
    const facts = under('AD-RB 2.4', { policy: { kind: 'explicit', oid, hash: '', hashAlgorithm: Oid.sha256 } });
    const sentence = `The rules of the signature policy ${name} are not known here.`;
    expect(judge(facts).failure).toMatchObject({
      subIndication: 'SIGNATURE_POLICY_NOT_AVAILABLE',
      check: { code: 'POLICY_NOT_AVAILABLE', sentence },
    });
    const accepted = judgePolicy({ facts, stamps: [] }, SIGNED_AT, 'accept');
    expect(accepted).toMatchObject({ failure: undefined, checks: [{ code: 'POLICY_NOT_CHECKED', sentence }] });
  });

  it.each<PolicyLabel>(['AD-RB 2.3', 'AD-RB 2.4', 'PAdES AD-RB 1.3'])(
    'names %s, and calls the policy kept',
    (label) => {
      const judgement = judge(under(label));
      expect(judgement.failure).toBeUndefined();
      expect(codesOf(judgement)).toEqual(KEPT);
      expect(judgement.checks[0]?.sentence).toContain(`policy ${label.replace('PAdES ', '')} of ICP-Brasil`);
    },
  );

  it.each<[string, SignatureFacts, string]>([
    [
      'a policy for CMS in a PDF',
      under('AD-RB 2.4', pdf({ filter: 'A', subFilter: 'B' })),
      'is for CAdES, and this is PAdES',
    ],
    [
      'a policy for PDFs in a CMS',
      signatureFacts({ ...under('AD-RB 2.4'), policy: under('PAdES AD-RB 1.3').policy ?? { kind: 'implied' } }),
      'is for PAdES, and this is CAdES',
    ],
  ])('refuses %s', (_, facts, part) => {
    const { failure: found, checks } = judge(facts);
    expect(found).toMatchObject({ subIndication: 'SIG_CONSTRAINTS_FAILURE', check: { code: 'POLICY_FORMAT_WRONG' } });
    expect(checks).toHaveLength(1);
    expect(found?.check.sentence).toContain(part);
  });

  it('refuses another hash, as far as the hash function is in the table', () => {
    const { oid } = known('AD-RB 2.4');
    const named = (hashAlgorithm: string) =>
      judge(under('AD-RB 2.4', { policy: { kind: 'explicit', oid, hash: 'ab', hashAlgorithm } }));
    expect(named(Oid.sha256).failure).toMatchObject({
      subIndication: 'POLICY_PROCESSING_ERROR',
      check: { code: 'POLICY_HASH_WRONG' },
    });
    expect(codesOf(named(Oid.sha1))).toEqual(KEPT);
  });

  const { from, to } = known('AD-RB 2.4').signingPeriod;
  it.each([
    ['with the first moment of its period', day(from), undefined],
    ['before its period', later(day(from), -1), 'POLICY_PERIOD_WRONG'],
    ['with the last moment of its period', later(day(to), -1), undefined],
    ['behind its period', day(to), 'POLICY_PERIOD_WRONG'],
  ])('judges a signature %s', (_, at, code) => {
    expect(judge(under('AD-RB 2.4'), [], at).failure?.check.code).toBe(code);
  });

  it('warns of a withdrawn policy', () => {
    const judgement = judge(under('PAdES AD-RB 1.2'));
    expect(judgement.failure).toBeUndefined();
    expect(codesOf(judgement)).toEqual(['POLICY_RECOGNISED', 'POLICY_WITHDRAWN', 'POLICY_RULES_KEPT']);
  });

  const lacking = (...oids: readonly string[]): Partial<SignatureFacts> => ({
    signedAttributes: new Set<string>(SIGNED.filter((oid) => !oids.includes(oid))),
  });
  it.each([
    [[Oid.contentType], 'contentType'],
    [[Oid.messageDigest], 'messageDigest'],
    [[Oid.signingCertificateV2], 'signingCertificateV2'],
    [[CadesOid.signaturePolicyIdentifier], 'sigPolicyId'],
    [[Oid.contentType, Oid.messageDigest], 'contentType, messageDigest'],
  ])('demands the signed attributes %j', (oids, names) => {
    const { failure: found } = judge(under('AD-RB 2.4', lacking(...oids)));
    expect(found).toMatchObject({
      subIndication: 'SIG_CONSTRAINTS_FAILURE',
      check: {
        code: 'POLICY_ATTRIBUTE_MISSING',
        sentence: `The policy demands what the signature does not have: ${names}.`,
      },
    });
  });

  it('demands no content type of a counter-signature, but the other rules too (RFC 5652 §11.4)', () => {
    const counter = (oid: string) => judge(under('AD-RB 2.4', { ...lacking(oid), isCounterSignature: true }));
    expect(counter(Oid.contentType).failure).toBeUndefined();
    expect(counter(Oid.messageDigest).failure?.check.code).toBe('POLICY_ATTRIBUTE_MISSING');
  });

  const adding = (...oids: readonly string[]): Partial<SignatureFacts> => ({
    signedAttributes: new Set<string>([...SIGNED, ...oids]),
  });
  it.each([
    [[Oid.signingTime], 'the time of the signature'],
    [[Oid.signingCertificate], "the signer's certificate by SHA-1"],
    [[CadesOid.signerLocation], "the signer's location"],
    [[CadesOid.adobeRevocationInfoArchival], 'revocation data'],
    [[Oid.signingTime, CadesOid.signerLocation], "the time of the signature, the signer's location"],
  ])('refuses the signed attributes %j in a PDF, and in a PDF only', (oids, names) => {
    const { failure: found } = judge(under('PAdES AD-RB 1.3', adding(...oids)));
    expect(found).toMatchObject({
      subIndication: 'SIG_CONSTRAINTS_FAILURE',
      check: { code: 'POLICY_ATTRIBUTE_FORBIDDEN' },
    });
    expect(found?.check.sentence).toContain(`in a PDF: ${names}.`);
    expect(judge(under('AD-RB 2.4', adding(...oids))).failure).toBeUndefined();
  });

  const hash = { kind: 'hash', name: 'sha256' } as const;
  const key = (type: 'rsa' | 'ec' | 'other', bits: number): Pick<SignatureFacts, 'algorithms'> => ({
    algorithms: [hash, { kind: 'key', type, bits }],
  });
  it.each<[PolicyLabel, string, string, Partial<SignatureFacts>, boolean]>([
    ['AD-RB 2.3', 'rsassa-pkcs1-v1_5', 'sha256', key('rsa', 2048), true],
    ['AD-RB 2.3', 'rsassa-pkcs1-v1_5', 'sha512', key('rsa', 4096), true],
    ['AD-RB 2.3', 'rsassa-pkcs1-v1_5', 'sha256', key('rsa', 2047), false],
    ['AD-RB 2.3', 'rsassa-pkcs1-v1_5', 'sha384', key('rsa', 2048), false],
    ['AD-RB 2.3', 'rsassa-pkcs1-v1_5', 'sha256', key('rsa', 0), true],
    ['AD-RB 2.3', 'rsassa-pkcs1-v1_5', 'sha256', { algorithms: [hash] }, true],
    ['AD-RB 2.3', 'ecdsa', 'sha256', key('ec', 256), false],
    ['AD-RB 2.4', 'ecdsa', 'sha256', key('ec', 256), true],
    ['AD-RB 2.4', 'ecdsa', 'sha256', key('ec', 255), false],
    ['AD-RB 2.4', 'ed25519', 'sha512', key('other', 256), true],
    ['AD-RB 2.4', 'ed448', 'shake256', key('other', 256), false],
    ['AD-RB 2.4', 'rsassa-pss', 'sha256', key('rsa', 4096), false],
  ])('under %s judges %s with %s %j', (label, signatureAlgorithm, digestAlgorithm, fields, isAllowed) => {
    const { failure: found } = judge(under(label, { signatureAlgorithm, digestAlgorithm, ...fields }));
    expect(found?.check.code).toBe(isAllowed ? undefined : 'POLICY_ALGORITHM_NOT_ALLOWED');
    if (!isAllowed) expect(found?.check.sentence).toContain(`${signatureAlgorithm} with ${digestAlgorithm}`);
  });

  it.each([
    ['PBAD_PAdES', 'PBAD.PAdES', false],
    ['PBAD_PAdES ', 'PBAD.PAdES ', false],
    ['Adobe.PPKLite', 'PBAD.PAdES', true],
    ['PBAD_PAdES', 'ETSI.CAdES.detached', true],
  ])('with the names %s and %s in the PDF warns: %j', (filter, subFilter, isWarned) => {
    const judgement = judge(under('PAdES AD-RB 1.3', pdf({ filter, subFilter })));
    expect(judgement.failure).toBeUndefined();
    expect(codesOf(judgement).includes('POLICY_DICTIONARY')).toBe(isWarned);
    if (isWarned) expect(judgement.checks[1]?.sentence).toContain(`${filter} and ${subFilter}`);
  });

  const rooted = (fields: Partial<ChainFacts>): Partial<SignatureFacts> => ({
    chain: { ...chainOf(link(), authorityLink), ...fields },
  });
  const [permitted = ''] = known('AD-RB 2.4').terms.trustAnchors;
  const authorityLink = link({ certificate: authority, key: 'ca' });
  const rootLink = { ...anchorLink, certificate: { ...root, fingerprint: permitted } };
  it.each<[string, boolean, Partial<SignatureFacts>]>([
    ['a root of another hierarchy', false, rooted({})],
    ['a root of the policy', true, rooted({ links: [link(), authorityLink, rootLink] })],
    ['a root for tests', true, rooted({ hierarchy: 'test' })],
    ['a path without a root', true, rooted({ reachesAnchor: false })],
    ['an empty path', true, rooted({ links: [] })],
    ['no path', true, {}],
  ])('below %s accepts the signature: %j', (_, isAccepted, fields) => {
    const { failure: found } = judge(under('AD-RB 2.4', fields));
    if (isAccepted) expect(found).toBeUndefined();
    else {
      expect(found).toMatchObject({
        subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
        check: { code: 'POLICY_ROOT_NOT_ALLOWED', sentence: 'The policy does not accept the root Root.' },
      });
    }
  });
});

const TOKEN = CadesOid.signatureTimeStamp;
const stamp = (fields: Partial<TimestampFacts> = {}, judgement: Judgement = passed()): JudgedTimestamp => ({
  facts: stampFacts({ attribute: TOKEN, ...fields }),
  judgement,
});
const UNTRUSTED = failed(failure('NO_CERTIFICATE_CHAIN_FOUND', 'CHAIN_INCOMPLETE', 'No path.'));
const EXPIRED = failed(failure('EXPIRED', 'SIGNED_AFTER_EXPIRY', 'Late.'));
const open = (subIndication = 'NO_POE') => ({ state: 'open', subIndication });
const [right, absent, foreign] = [{ state: 'right' }, { state: 'absent' }, { state: 'foreign' }];

describe('the material of a policy', () => {
  it('is told by each attribute: missing attributes at once, foreign and unproven attributes singly', () => {
    const told = (stamps: readonly JudgedTimestamp[], label: PolicyLabel = 'AD-RT 2.4') =>
      judge(under(label), stamps).checks.filter(({ code }) => code.startsWith('POLICY_ATTRIBUTE'));
    const names = 'signatureTimeStampToken, certificateRefs, revocationRefs, escTimeStamp';
    expect(told([], 'AD-RV 2.4')).toMatchObject([
      {
        code: 'POLICY_ATTRIBUTE_MISSING',
        sentence: `The policy demands what the signature does not have: ${names}.`,
      },
    ]);
    expect(told([stamp({ imprint: 'wrong' }, EXPIRED)])).toMatchObject([
      {
        code: 'POLICY_ATTRIBUTE_FOREIGN',
        sentence: 'The attribute signatureTimeStampToken belongs to another signature, or is broken.',
      },
    ]);
    expect(told([stamp({}, UNTRUSTED)])).toMatchObject([
      {
        code: 'POLICY_ATTRIBUTE_UNPROVEN',
        sentence: 'The policy demands signatureTimeStampToken, which is there and cannot be proven now.',
      },
    ]);
    expect(judge(under('AD-RT 2.4'), [stamp({}, UNTRUSTED)]).failure?.subIndication).toBe('NO_CERTIFICATE_CHAIN_FOUND');
    expect(told([stamp()])).toEqual([]);
  });

  it.each<[string, readonly JudgedTimestamp[], unknown]>([
    ['no stamp', [], absent],
    ['a valid stamp', [stamp()], right],
    ['a stamp at another place', [stamp({ attribute: CadesOid.archiveTimeStampV2 })], absent],
    ['a stamp by a stranger', [stamp({}, UNTRUSTED)], open('NO_CERTIFICATE_CHAIN_FOUND')],
    ['a stamp by a stranger over something else', [stamp({ imprint: 'wrong' }, UNTRUSTED)], foreign],
    ['a damaged stamp', [stamp({ damage: 'Cut off.' }, UNTRUSTED)], foreign],
    ['a stamp with a wrong index', [stamp({ indexProblem: 'Other.' }, UNTRUSTED)], foreign],
    ['a broken stamp', [stamp({ integrity: { outcome: 'broken' } }, UNTRUSTED)], foreign],
    ['a stamp of too late', [stamp({}, EXPIRED)], foreign],
    ['an unread stamp', [stamp({ imprint: 'unknown' }, UNTRUSTED)], open('NO_CERTIFICATE_CHAIN_FOUND')],
    ['one foreign and one valid', [stamp({ imprint: 'wrong' }, EXPIRED), stamp()], right],
    ['one foreign, one open', [stamp({}, EXPIRED), stamp({}, UNTRUSTED)], open('NO_CERTIFICATE_CHAIN_FOUND')],
  ])('with %s', (_, stamps, standing) => {
    expect(standingOfMaterial('signatureTimeStampToken', { facts: signatureFacts(), stamps })).toEqual(standing);
  });

  it('finds each kind of stamp at its own place', () => {
    const at: readonly (readonly [IcpBrasilMaterial, JudgedTimestamp])[] = [
      ['signatureTimeStampToken', stamp()],
      ['escTimeStamp', stamp({ attribute: CadesOid.referencesTimeStamp })],
      ['archiveTimeStampV2', stamp({ attribute: CadesOid.archiveTimeStampV2 })],
      ['documentTimeStamp', stamp({ attribute: '1.2.3', role: 'document' })],
    ];
    for (const [name] of at) {
      const states = at.map(([, one]) => standingOfMaterial(name, { facts: signatureFacts(), stamps: [one] }).state);
      expect([name, states]).toEqual([name, at.map(([other]) => (other === name ? 'right' : 'absent'))]);
    }
  });

  const upper = dated('Upper CA', '2016-01-01', '2035-01-01');
  const leaf = (fields: Partial<LinkFacts> = {}) => link({ evidence: [fact({ key: 'leaf list' })], ...fields });
  const between = (certificate = authority, fields: Partial<LinkFacts> = {}) =>
    link({ certificate, key: 'ca', evidence: [fact({ key: 'ca list' })], ...fields });
  const ALL = new Set<string>([
    CadesOid.certificateReferences,
    CadesOid.revocationReferences,
    CadesOid.certificateValues,
    CadesOid.revocationValues,
  ]);
  const material = (fields: Partial<MaterialFacts>): { readonly material: MaterialFacts } => ({
    material: {
      referenced: new Set(),
      listIssuers: [],
      certificateValues: new Set(),
      revocationValues: new Set(),
      ...fields,
    },
  });
  const standing = (
    name: IcpBrasilMaterial,
    fields: Partial<SignatureFacts>,
    stamps: readonly JudgedTimestamp[] = [],
  ): unknown => standingOfMaterial(name, { facts: signatureFacts({ unsignedAttributes: ALL, ...fields }), stamps });
  const path = chainOf(leaf(), between());
  const unanchored: ChainFacts = { ...path, reachesAnchor: false };
  const keys = (...certificates: readonly (typeof person)[]): ReadonlySet<string> =>
    new Set(certificates.map(certificateKey));

  it.each<IcpBrasilMaterial>(['certificateRefs', 'revocationRefs', 'certValues', 'revocationValues'])(
    'is absent where the attribute %s is',
    (name) => {
      const everything = material({
        referenced: new Set([...keys(authority), 'leaf list', 'ca list']),
        certificateValues: keys(authority),
        revocationValues: new Set(['leaf list', 'ca list']),
      });
      expect(standing(name, { chain: path, ...everything })).toEqual(right);
      expect(standing(name, { chain: path, ...everything, unsignedAttributes: new Set() })).toEqual(absent);
    },
  );

  it.each<[string, Partial<SignatureFacts>, unknown]>([
    ['nothing is referenced', { chain: path }, foreign],
    ['the signer alone is', { chain: path, ...material({ referenced: keys(person) }) }, foreign],
    ['the authority is', { chain: path, ...material({ referenced: keys(authority) }) }, right],
    [
      'the root of a path without authorities is',
      { chain: chainOf(leaf()), ...material({ referenced: keys(root) }) },
      right,
    ],
    ['the root of a path with authorities is', { chain: path, ...material({ referenced: keys(root) }) }, foreign],
    [
      'one of two authorities is',
      { chain: chainOf(leaf(), between(), between(upper)), ...material({ referenced: keys(upper) }) },
      open(),
    ],
    ['no path is known', material({ referenced: keys(authority) }), open()],
  ])('holds for references to certificates where %s', (_, fields, expected) => {
    expect(standing('certificateRefs', fields)).toEqual(expected);
  });

  it.each<[string, Partial<SignatureFacts>, unknown]>([
    ['one certificate of the path is there', { chain: path, ...material({ certificateValues: keys(root) }) }, right],
    ['none is there', { chain: path, ...material({ certificateValues: keys(upper) }) }, foreign],
    ['nobody knows who issued the signer', { chain: { ...unanchored, links: [leaf()] }, ...material({}) }, open()],
    ['two certificates are known', { chain: { ...path, links: [leaf(), between()] }, ...material({}) }, foreign],
    ['no path is known', material({ certificateValues: keys(authority) }), open()],
  ])('holds for the values of certificates where %s', (_, fields, expected) => {
    expect(standing('certValues', fields)).toEqual(expected);
  });

  const tie = stamp({ role: 'references' });
  const twice = chainOf(leaf({ evidence: [fact({ key: 'old' }), fact({ key: 'leaf list' })] }), between());
  const lists = (...names: readonly string[]) => material({ referenced: new Set(names) });
  it.each<[string, Partial<SignatureFacts>, readonly JudgedTimestamp[], unknown]>([
    ['all data is named', { chain: path, ...lists('leaf list', 'ca list') }, [], right],
    ['one of two data is', { chain: twice, ...lists('leaf list', 'ca list') }, [], right],
    ['that of the signer alone is', { chain: path, ...lists('leaf list') }, [], open()],
    ['none is', { chain: path, ...lists('other') }, [], foreign],
    ['none is known', { chain: path }, [], foreign],
    [
      'data about an authority alone is at hand',
      { chain: chainOf(leaf({ evidence: [] }), between()), ...lists('other') },
      [],
      open(),
    ],
    [
      'no data is at hand, offline for instance',
      { chain: chainOf(leaf({ evidence: [] }), between(authority, { evidence: [] })), ...lists('other') },
      [],
      open(),
    ],
    [
      'the issuers of lists are',
      { chain: path, ...material({ listIssuers: [upper.subject, person.issuer, authority.issuer] }) },
      [],
      right,
    ],
    ['other issuers are', { chain: path, ...material({ listIssuers: [upper.subject] }) }, [], foreign],
    ['the path is not trusted', { chain: unanchored, ...lists('leaf list', 'ca list') }, [], open()],
    ['no path is known', lists('leaf list'), [], open()],
    ['a stamp ties other data to it', { chain: path, ...lists('other') }, [stamp(), tie], right],
    ['a stamp ties other data, in part', { chain: path, ...lists('leaf list') }, [tie], right],
    ['a stamp ties other lists to it', { chain: path, ...material({ listIssuers: [upper.subject] }) }, [tie], foreign],
    [
      'the stamp proves nothing',
      { chain: path, ...lists('other') },
      [stamp({ role: 'references' }, UNTRUSTED)],
      foreign,
    ],
    ['the stamp is over the signature alone', { chain: path, ...lists('other') }, [stamp()], foreign],
  ])('holds for references to revocation data where %s', (_, fields, stamps, expected) => {
    expect(standing('revocationRefs', fields, stamps)).toEqual(expected);
  });

  const values = (...names: readonly string[]) => material({ revocationValues: new Set(names) });
  const fetched = fact({ key: 'ca list', origin: 'network' });
  it.each<[string, Partial<SignatureFacts>, unknown]>([
    ["the signer's data is there", { chain: path, ...values('leaf list') }, right],
    ['one of two data is', { chain: twice, ...values('leaf list') }, right],
    ['other data is', { chain: path, ...values('ca list') }, foreign],
    ['nothing is', { chain: path }, foreign],
    [
      "the authority's data came from elsewhere",
      { chain: chainOf(leaf(), between(authority, { evidence: [fetched] })), ...values('leaf list') },
      open(),
    ],
    [
      "the authority's data came from here too",
      { chain: chainOf(leaf(), between(authority, { evidence: [fetched, fact()] })), ...values('leaf list') },
      right,
    ],
    [
      'one authority of two has none',
      { chain: chainOf(leaf(), between(), between(upper, { evidence: [] })), ...values('leaf list') },
      open(),
    ],
    ['the path is not trusted', { chain: unanchored, ...values('leaf list') }, open()],
    ['no path is known', values('leaf list'), open()],
  ])('holds for the values of revocation data where %s', (_, fields, expected) => {
    expect(standing('revocationValues', fields)).toEqual(expected);
  });

  it.each<[string, Partial<SignatureFacts>, unknown]>([
    ['has everything', { chain: path }, right],
    ['has some', { chain: chainOf(leaf(), between(authority, { evidence: [fetched] })) }, open()],
    ['has some among others', { chain: chainOf(leaf({ evidence: [fetched, fact()] }), between()) }, right],
    ['has nothing', { chain: chainOf(leaf({ evidence: [fetched] })) }, absent],
    ['is of a path that is not trusted', { chain: unanchored }, open()],
    ['is of no path', {}, open()],
  ])('holds for a document security store that %s', (_, fields, expected) => {
    expect(standing('documentSecurityStore', fields)).toEqual(expected);
  });

  it.each<[string, boolean, readonly JudgedTimestamp[]]>([
    ['proven', true, [stamp()]],
    ['not provable now', true, [stamp({}, UNTRUSTED)]],
    ['of another signature', false, [stamp({ imprint: 'wrong' }, EXPIRED)]],
    ['absent', false, []],
  ])('counts for a level if %s: %j', (_, isThere, stamps) => {
    expect(hasMaterialOf(['signatureTimeStampToken'], { facts: signatureFacts(), stamps })).toBe(isThere);
    expect(hasMaterialOf([], { facts: signatureFacts(), stamps })).toBe(true);
    expect(hasMaterialOf(['signatureTimeStampToken', 'escTimeStamp'], { facts: signatureFacts(), stamps })).toBe(false);
  });
});
