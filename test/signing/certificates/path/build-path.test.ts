import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildPath, hierarchyOf, type Certificate, type PathPurpose } from '../../../../src/signing/index.ts';
import { createTestAuthority, issueTestTimestampAuthority } from '../../../../src/test-authority/index.ts';
import { parseCertificate } from '../../../../src/signing/index.ts';
import { openssl, pem } from '../../../pki/openssl.ts';
import { personWith } from '../../../pki/identities.ts';
import { makeScratchFolder } from '../../cms/scratch-folder.ts';
import { SIGNATURE_KINDS, keyPurposes, makeKey, makeParty, type KeyPair, type SignatureKind } from './path-pki.ts';
import { PATH_ROWS, type PathCase, type PathRow } from './path-rows.ts';

const scratch = makeScratchFolder();
const at = new Date('2026-06-01');

const pems = (certificates: readonly Certificate[]): string =>
  certificates.map(({ der }) => pem('CERTIFICATE', der)).join('');

/** The names of our options in OpenSSL. */
function policyOptions({ rules }: PathCase): readonly string[] {
  // OpenSSL's own default is no policy at all.
  const { acceptable = ['2.5.29.32.0'], requireExplicit, inhibitAny, inhibitMapping } = rules?.policies ?? {};
  return [
    '-policy_check',
    ...acceptable.flatMap((oid) => ['-policy', oid]),
    ...(requireExplicit === true ? ['-explicit_policy'] : []),
    ...(inhibitAny === true ? ['-inhibit_any'] : []),
    ...(inhibitMapping === true ? ['-inhibit_map'] : []),
  ];
}

async function opensslAccepts(one: PathCase): Promise<boolean> {
  scratch.write('anchors.pem', pems(one.anchors));
  scratch.write('intermediates.pem', pems(one.intermediates));
  scratch.write('leaf.pem', pems([one.leaf]));
  const time = String((one.rules?.at ?? at).getTime() / 1000);
  const untrusted = one.intermediates.length === 0 ? [] : ['-untrusted', 'intermediates.pem'];
  const options = ['-attime', time, '-no-CApath', '-no-CAstore', '-CAfile', 'anchors.pem', ...untrusted];
  const parameters = ['verify', ...options, ...policyOptions(one), 'leaf.pem'];
  return openssl(parameters, { folder: scratch.path('') }).then(
    () => true,
    () => false,
  );
}

const build = (one: PathCase) =>
  buildPath({ certificate: one.leaf, intermediates: one.intermediates, anchors: one.anchors, at, ...one.rules });

describe('buildPath', () => {
  it.each(PATH_ROWS)('judges $name as RFC 5280 does, and as OpenSSL does', async (row: PathRow) => {
    const one = row.make();
    const result = build(one);
    expect(result.problems[0]?.code).toBe(row.problem);
    expect(result.outcome).toBe(row.problem === undefined ? 'valid' : (row.outcome ?? 'invalid'));
    if (result.outcome === 'valid') expect(one.anchors).toContain(result.path.at(-1));
    if (row.openssl !== false) expect(await opensslAccepts(one)).toBe(row.problem === undefined);
  });

  it('names the policies under which a path holds, in the terms of its anchor', () => {
    const row = PATH_ROWS.find(({ name }) => name === 'a mapped policy');
    expect(row && build(row.make()).policies).toEqual(['1.2.3.1']);
  });
});

const rsa = (): KeyPair => generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = (namedCurve: string): KeyPair => generateKeyPairSync('ec', { namedCurve });
const kinds = SIGNATURE_KINDS;

const algorithmRows: readonly (readonly [string, KeyPair, SignatureKind])[] = [
  ['RSA with SHA-256', rsa(), kinds['RSA, SHA-256']],
  ['RSA with SHA-512', rsa(), kinds['RSA, SHA-512']],
  ['RSA-PSS', rsa(), kinds['RSA-PSS']],
  ['RSA-PSS with a key for nothing else', generateKeyPairSync('rsa-pss', { modulusLength: 2048 }), kinds['RSA-PSS']],
  ['ECDSA on P-256', curve('P-256'), kinds['ECDSA, SHA-256']],
  ['ECDSA on P-384', curve('P-384'), kinds['ECDSA, SHA-384']],
  ['ECDSA on P-521', curve('P-521'), kinds['ECDSA, SHA-512']],
  ['ECDSA on brainpoolP512r1', curve('brainpoolP512r1'), kinds['ECDSA, SHA-512']],
  [
    'ECDSA on a curve given by its parameters',
    generateKeyPairSync('ec', { namedCurve: 'brainpoolP512r1', paramEncoding: 'explicit' }),
    kinds['ECDSA, SHA-512'],
  ],
  ['Ed25519', generateKeyPairSync('ed25519'), kinds.Ed25519],
  ['Ed448', generateKeyPairSync('ed448'), kinds.Ed448],
];

describe('buildPath, by signature algorithm', () => {
  it.each(algorithmRows)('accepts %s, and refuses the same with a changed byte', (_, key, signature) => {
    const root = makeParty({ name: 'Root', key, signature });
    const { certificate } = makeParty({ name: 'Holder', issuer: root, signature });
    const anchors = [root.certificate];
    expect(buildPath({ certificate, intermediates: [], anchors, at }).outcome).toBe('valid');
    const der = Buffer.from(certificate.der);
    const middle = der.indexOf(Buffer.from('Holder'));
    der.write('holder', middle);
    const changed = buildPath({ certificate: parseCertificate(der), intermediates: [], anchors, at });
    expect(changed.problems[0]?.code).toBe('SIGNATURE_INVALID');
  });

  it.each([
    ['SHA-1 with RSA', rsa(), kinds['RSA, SHA-1']],
    ['SHA-1 with ECDSA', curve('P-256'), kinds['ECDSA, SHA-1']],
    ['an RSA key of 1024 bits', generateKeyPairSync('rsa', { modulusLength: 1024 }), kinds['RSA, SHA-256']],
    ['a key on P-192', curve('prime192v1'), kinds['ECDSA, SHA-256']],
    ['a key on secp160r1', curve('secp160r1'), kinds['ECDSA, SHA-256']],
  ] as const)('refuses %s, unless old chains are allowed', (_, key, signature) => {
    const root = makeParty({ name: 'Root', key, signature });
    const { certificate } = makeParty({ name: 'Holder', issuer: root, signature });
    const request = { certificate, intermediates: [], anchors: [root.certificate], at };
    expect(buildPath(request).problems[0]?.code).toBe('ALGORITHM_WEAK');
    expect(buildPath({ ...request, allowLegacyAlgorithms: true }).outcome).toBe('valid');
  });

  it.each([
    ['1', 'AQ'],
    ['2', 'Ag'],
    ['65,538', 'AQAC'],
  ])('refuses an RSA key with the exponent %s, also where old chains are allowed', (_, e) => {
    const { publicKey, privateKey } = rsa();
    const weak = createPublicKey({ key: { ...publicKey.export({ format: 'jwk' }), e }, format: 'jwk' });
    const root = makeParty({ name: 'Root' });
    const { certificate } = makeParty({ name: 'Holder', issuer: root, key: { publicKey: weak, privateKey } });
    const request = { certificate, intermediates: [], anchors: [root.certificate], at };
    expect(buildPath(request).problems[0]?.code).toBe('ALGORITHM_WEAK');
    expect(buildPath({ ...request, allowLegacyAlgorithms: true }).outcome).not.toBe('valid');
  });
});

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const SERVER = '1.3.6.1.5.5.7.3.1';
const EMAIL = '1.3.6.1.5.5.7.3.4';
const ANY = '2.5.29.37.0';

const purposeRows: readonly {
  readonly name: string;
  readonly purpose: PathPurpose;
  readonly usage?: readonly string[];
  readonly critical?: boolean;
  readonly above?: readonly string[];
  readonly bits?: readonly number[];
  readonly problem?: string;
}[] = [
  { name: 'documents, without extended key usage', purpose: 'document-signing' },
  { name: 'documents, with e-mail protection', purpose: 'document-signing', usage: [EMAIL] },
  {
    name: 'documents, with a server only',
    purpose: 'document-signing',
    usage: [SERVER],
    problem: 'PURPOSE_NOT_ALLOWED',
  },
  {
    name: 'documents, with key encipherment only',
    purpose: 'document-signing',
    bits: [2],
    problem: 'KEY_USAGE_NOT_ALLOWED',
  },
  {
    name: 'documents, below an authority for servers',
    purpose: 'document-signing',
    usage: [EMAIL],
    above: [SERVER],
    problem: 'PURPOSE_NOT_ALLOWED',
  },
  { name: 'documents, below an authority for anything', purpose: 'document-signing', usage: [EMAIL], above: [ANY] },
  { name: 'time stamps', purpose: 'time-stamping', usage: [TIME_STAMPING], critical: true },
  {
    name: 'time stamps, not critical',
    purpose: 'time-stamping',
    usage: [TIME_STAMPING],
    problem: 'PURPOSE_NOT_ALLOWED',
  },
  {
    name: 'time stamps and something else',
    purpose: 'time-stamping',
    usage: [TIME_STAMPING, EMAIL],
    critical: true,
    problem: 'PURPOSE_NOT_ALLOWED',
  },
  { name: 'time stamps, without extended key usage', purpose: 'time-stamping', problem: 'PURPOSE_NOT_ALLOWED' },
  { name: 'OCSP', purpose: 'ocsp-signing', usage: [OCSP_SIGNING] },
  { name: 'OCSP, with any use instead', purpose: 'ocsp-signing', usage: [ANY], problem: 'PURPOSE_NOT_ALLOWED' },
  { name: 'CRLs', purpose: 'crl-signing', bits: [6] },
  { name: 'CRLs, without the bit', purpose: 'crl-signing', problem: 'KEY_USAGE_NOT_ALLOWED' },
  { name: 'servers', purpose: 'server-authentication', usage: [SERVER] },
  {
    name: 'servers, with e-mail only',
    purpose: 'server-authentication',
    usage: [EMAIL],
    problem: 'PURPOSE_NOT_ALLOWED',
  },
  { name: 'servers, with CRLs only', purpose: 'server-authentication', bits: [6], problem: 'KEY_USAGE_NOT_ALLOWED' },
  { name: 'documents, with any use', purpose: 'document-signing', usage: [ANY] },
  { name: 'documents, with a server as well', purpose: 'document-signing', usage: [SERVER, EMAIL] },
  { name: 'anything', purpose: 'any', usage: ['1.2.3'], bits: [4] },
];

describe('buildPath, by purpose', () => {
  it.each(purposeRows)('judges $name', ({ purpose, usage, critical, above, bits, problem }) => {
    const root = makeParty({ name: 'Root' });
    const limits = above === undefined ? [] : [keyPurposes(above)];
    const middle = makeParty({ name: 'Authority', issuer: root, authority: true, extensions: limits });
    const extensions = usage === undefined ? [] : [keyPurposes(usage, critical)];
    const leaf = makeParty({
      name: 'Holder',
      issuer: middle,
      extensions,
      keyUsage: bits,
    });
    const set = { intermediates: [middle.certificate], anchors: [root.certificate] };
    const result = buildPath({ certificate: leaf.certificate, ...set, at, purpose });
    expect(result.problems[0]?.code).toBe(problem);
  });

  it("accepts the test authority's people for documents and its time stamp authority for time stamps", async () => {
    const authority = await createTestAuthority({ keyKind: 'ec-p256' });
    const stamping = await issueTestTimestampAuthority(authority, { keyKind: 'ec-p256' });
    for (const [identity, purpose] of [
      [await personWith(), 'document-signing'],
      [stamping, 'time-stamping'],
    ] as const) {
      const [certificate, ...above] = [identity.certificate, ...identity.chain].map(parseCertificate);
      const root = above.at(-1);
      if (certificate === undefined || root === undefined) throw new Error('a chain has at least two certificates');
      const result = buildPath({ certificate, intermediates: above, anchors: [root], at: new Date(), purpose });
      expect(result.outcome).toBe('valid');
      expect(hierarchyOf(root)).toBe('test');
    }
  });
});

describe('buildPath, on hostile sets of certificates', () => {
  it('gives up within its budget when there are many authorities of the same name', () => {
    const root = makeParty({ name: 'Root' });
    const level = (name: string, above: string) =>
      Array.from({ length: 40 }, () => {
        const issuer = makeParty({ name: above, identifiers: false });
        return makeParty({ name, issuer, authority: true, identifiers: false }).certificate;
      });
    const intermediates = [...level('One', 'Two'), ...level('Two', 'Three'), ...level('Three', 'One')];
    const issuer = makeParty({ name: 'One', identifiers: false });
    const { certificate } = makeParty({ name: 'Holder', issuer, identifiers: false });
    const result = buildPath({ certificate, intermediates, anchors: [root.certificate], at, maxSignatureChecks: 30 });
    expect(result.outcome).toBe('incomplete');
    expect(result.problems.map(({ code }) => code)).toContain('LIMIT_EXCEEDED');
  });

  it('gives up at its limit of attempts when authorities certify each other in exponentially many ways', () => {
    const keys = Array.from({ length: 9 }, (_, number) => ({ name: `CA ${number}`, key: makeKey() }));
    const parties = keys.map(({ name, key }) => makeParty({ name, key }));
    const intermediates = parties.flatMap((issuer) =>
      keys.map(({ name, key }) => makeParty({ name, key, issuer, authority: true }).certificate),
    );
    const { certificate } = makeParty({ name: 'Holder', issuer: parties[0] });
    const anchors = [makeParty({ name: 'Root' }).certificate];
    const { outcome, problems } = buildPath({ certificate, intermediates, anchors, at });
    expect(outcome).toBe('incomplete');
    expect(problems.map(({ code }) => code)).toContain('LIMIT_EXCEEDED');
  });

  it('says all that is wrong with the best path, the most useful first', () => {
    const root = makeParty({ name: 'Root' });
    const notAfter = new Date('2024-01-01');
    const leaf = makeParty({ name: 'Holder', issuer: root, notAfter, extensions: [keyPurposes([SERVER])] });
    const result = buildPath({
      certificate: leaf.certificate,
      intermediates: [],
      anchors: [root.certificate],
      at,
      purpose: 'document-signing',
    });
    expect(result.problems.map(({ code, index }) => [code, index])).toEqual([
      ['CERTIFICATE_EXPIRED', 0],
      ['PURPOSE_NOT_ALLOWED', 0],
    ]);
    expect(result.problems[0]?.sentence).toBe('The certificate of Holder was valid until 2024-01-01.');
  });
});
