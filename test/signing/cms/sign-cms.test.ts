import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  prepareCmsSigner,
  softwareSigner,
  verifyCms,
  verifyCmsFile,
  type CmsSigner,
  type DigestAlgorithm,
  type SignatureScheme,
} from '../../../src/signing/index.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import { readDer, readOid, readTime } from '../../../src/signing/der/reader.ts';
import { derSetOf } from '../../../src/signing/der/writer.ts';
import { digestBytes } from '../../../src/signing/algorithms/algorithms.ts';
import { readSignedData } from '../../../src/signing/signed-data/signed-data.ts';
import { verifyAllWithBouncyCastle } from '../../oracles/bouncy-castle.ts';
import { verifyWithOpenssl, type Verdict } from '../../oracles/openssl.ts';
import { runProgram } from '../../oracles/run-program.ts';
import { makeScratchFolder } from './scratch-folder.ts';
import { KEY_KINDS, makeTestIdentity, toPem, type TestIdentity } from './test-identities.ts';

const scratch = makeScratchFolder();
const root = makeTestIdentity({ name: 'Root', key: KEY_KINDS['P-256']() });
const issuer = makeTestIdentity({ name: 'Issuer', key: KEY_KINDS['RSA-2048'](), issuer: root });
const trusted = scratch.write('root.pem', toPem(root.certificate));
const content = randomBytes(3000);
const contentPath = scratch.write('content', content);
const signingTime = new Date('2026-03-04T05:06:07.890Z');

type KeyKind = keyof typeof KEY_KINDS;

const identities = Object.fromEntries(
  Object.entries(KEY_KINDS).map(([kind, make]) => [kind, makeTestIdentity({ name: kind, key: make(), issuer })]),
) as Record<KeyKind, TestIdentity>;

interface SignerChoice {
  readonly kind: KeyKind;
  readonly digest?: DigestAlgorithm;
  readonly profile?: 'cms' | 'cades';
  readonly scheme?: SignatureScheme;
  readonly omitSigningTime?: boolean;
}

function prepare({ kind, digest = 'sha256', profile = 'cades', scheme, omitSigningTime }: SignerChoice): CmsSigner {
  const { key, certificate } = identities[kind];
  const signer = softwareSigner(key.privateKey, certificate, [issuer.certificate, root.certificate]);
  return prepareCmsSigner(signer, {
    digest,
    profile,
    scheme,
    omitSigningTime,
  });
}

const KEYS: readonly (readonly [KeyKind, SignatureScheme])[] = [
  ['RSA-2048', 'rsassa-pkcs1-v1_5'],
  ['RSA-2048', 'rsassa-pss'],
  ['RSA-PSS-2048', 'rsassa-pss'],
  ['P-256', 'ecdsa'],
  ['P-384', 'ecdsa'],
  ['P-521', 'ecdsa'],
  ['Ed25519', 'ed25519'],
  ['Ed448', 'ed448'],
];
const DIGESTS = ['sha256', 'sha384', 'sha512'] as const;
const PROFILES = ['cms', 'cades'] as const;

const matrix = KEYS.flatMap(([kind, scheme]) =>
  DIGESTS.flatMap((digest) =>
    PROFILES.flatMap((profile) =>
      [true, false].map((attached) => ({
        kind,
        scheme,
        digest,
        profile,
        attached,
        title: `${kind} ${scheme} ${digest} ${profile} ${attached ? 'attached' : 'detached'}`,
      })),
    ),
  ),
);

describe('prepareCmsSigner › every key, hash, profile and form', () => {
  let verifiedByBouncyCastle: ReadonlyMap<string, readonly boolean[]>;
  const pathOf = (title: string): string => scratch.path(title.replaceAll(' ', '-'));

  beforeAll(async () => {
    for (const { attached, title, ...choice } of matrix) {
      const signer = prepare(choice);
      if (attached) {
        scratch.write(title.replaceAll(' ', '-'), await signer.signContent(content, signingTime));
      } else {
        const digest = digestBytes(signer.digest, content);
        scratch.write(title.replaceAll(' ', '-'), await signer.signDigest(digest, signingTime));
      }
    }
    const verdicts = await verifyAllWithBouncyCastle(
      matrix.map(({ title, attached }) => ({
        signature: pathOf(title),
        ...(attached ? {} : { content: contentPath }),
      })),
    );
    verifiedByBouncyCastle = new Map(matrix.map(({ title }, index) => [title, verdicts[index] ?? []]));
  });

  it.each(matrix)('verifies with Bouncy Castle and here: $title', async ({ title, attached }) => {
    expect(verifiedByBouncyCastle.get(title)).toEqual([true]);
    const verification = await verifyCms(readFileSync(pathOf(title)), attached ? undefined : content);
    expect(verification.signers.map(({ outcome, reason }) => reason ?? outcome)).toEqual(['intact']);
    expect(verification.attached).toBe(attached);
  });

  // OpenSSL 3.0 knows no EdDSA in CMS.
  it.each(matrix.filter(({ kind }) => !kind.startsWith('Ed')))(
    'verifies with OpenSSL: $title',
    async ({ title, attached, profile }) => {
      const verdict = await verifyWithOpenssl({
        signature: pathOf(title),
        ...(attached ? {} : { content: contentPath }),
        trusted,
        cades: profile === 'cades',
      });
      expect(verdict).toMatchObject<Partial<Verdict>>({ valid: true });
    },
  );
});

describe('prepareCmsSigner › the written structure', () => {
  const attributesOf = (signature: Buffer): readonly Buffer[] =>
    readSignedData(signature).signers[0]!.signedAttributes.map(({ der }) => der);
  const typesOf = (signature: Buffer): readonly string[] =>
    readSignedData(signature).signers[0]!.signedAttributes.map(({ oid }) => oid);

  it.each(DIGESTS)('sorts the signed attributes by their encoding, as DER demands, with %s', async (digest) => {
    const attributes = attributesOf(await prepare({ kind: 'P-256', digest }).signContent(content, signingTime));
    expect(attributes).toHaveLength(4);
    expect(Buffer.concat([...attributes])).toEqual(readDer(derSetOf(...attributes)).content);
  });

  it.each(['2026-03-04T05:06:07Z', '1950-01-01T00:00:00Z', '2049-12-31T23:59:59Z', '2050-01-01T00:00:00Z'])(
    'writes the signing time %s, to the second, with the other times around',
    async (text) => {
      const signer = prepare({ kind: 'Ed25519' });
      await signer.signContent(content, signingTime);
      const signature = await signer.signContent(content, new Date(text));
      const values = readSignedData(signature).signers[0]!.signedAttributes.find(({ oid }) => oid === Oid.signingTime);
      expect(readTime(values!.values[0]!, 'the time')).toEqual(new Date(text));
      expect((await verifyCms(signature)).intact).toBe(true);
    },
  );

  it('signs content type and digest alone where the time is left out and the profile is plain CMS', async () => {
    const signer = prepare({ kind: 'P-256', profile: 'cms', omitSigningTime: true });
    expect(typesOf(await signer.signContent(content, signingTime))).toEqual([Oid.contentType, Oid.messageDigest]);
  });

  it('leaves out the hash function of the certificate identifier for SHA-256 only, its default', async () => {
    const lengths = await Promise.all(
      DIGESTS.map(async (digest) => {
        const signature = await prepare({ kind: 'P-256', digest }).signContent(content, signingTime);
        const attribute = readSignedData(signature).signers[0]!.signedAttributes.find(
          ({ oid }) => oid === Oid.signingCertificateV2,
        );
        return attribute!.values[0]!.child(0, '').child(0, '').children.length;
      }),
    );
    expect(lengths).toEqual([2, 3, 3]);
  });

  it('encloses each certificate once and in the order of a SET OF', async () => {
    const { key, certificate } = identities['P-256'];
    const chain = [issuer.certificate, root.certificate, issuer.certificate, certificate];
    const signer = prepareCmsSigner(softwareSigner(key.privateKey, certificate, chain), {
      digest: 'sha256',
      profile: 'cms',
    });
    const enclosed = readSignedData(await signer.signContent(content, signingTime)).certificates.map(({ der }) => der);
    expect(enclosed).toEqual(
      [certificate, issuer.certificate, root.certificate].sort((left, right) => Buffer.compare(left, right)),
    );
  });

  it.each([
    ['an empty document', 0],
    ['one byte', 1],
    ['a length that needs one more byte', 127],
    ['and one more', 128],
    ['two bytes of length', 65_535],
    ['three bytes of length', 65_536],
  ])('is DER with the right lengths around %s', async (_, length) => {
    const bytes = randomBytes(length);
    const signature = await prepare({ kind: 'P-256' }).signContent(bytes, signingTime);
    const type = readDer(signature).child(0, 'the type');
    expect(readOid(type)).toBe(Oid.signedData);
    expect(readSignedData(signature).content).toEqual(bytes);
    expect((await verifyCms(signature)).intact).toBe(true);
  });

  it.each(KEYS)('never exceeds the promised size of a detached signature: %s %s', async (kind, scheme) => {
    const signer = prepare({ kind, scheme, digest: 'sha512' });
    const digest = randomBytes(64);
    const sizes = await Promise.all(
      Array.from({ length: 20 }, async () => (await signer.signDigest(digest, new Date('2051-01-01'))).length),
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(signer.detachedSizeLimit);
    expect(signer.detachedSizeLimit - Math.max(...sizes)).toBeLessThan(12);
  });

  it('digests with SHA-512 for Ed25519, also when asked for another', () => {
    expect(prepare({ kind: 'Ed25519', digest: 'sha256' }).digest).toBe('sha512');
  });

  it('digests with SHAKE256 for Ed448, and states 512 bits (RFC 8419 §2.3, §3.1)', async () => {
    const signer = prepare({ kind: 'Ed448', digest: 'sha256' });
    expect(signer.digest).toBe('shake256');
    const { digestAlgorithm, signatureAlgorithm, signedAttributes } = readSignedData(
      await signer.signContent(content, signingTime),
    ).signers[0]!;
    expect(digestAlgorithm).toMatchObject({ oid: '2.16.840.1.101.3.4.2.18' });
    expect(digestAlgorithm.parameters?.bytes).toEqual(Buffer.of(0x02, 0x02, 0x02, 0x00));
    expect(signatureAlgorithm).toEqual({ oid: '1.3.101.113', parameters: undefined });
    const digest = signedAttributes.find(({ oid }) => oid === Oid.messageDigest)?.values[0]?.content;
    expect(digest).toEqual(createHash('shake256', { outputLength: 64 }).update(content).digest());
  });

  it('makes Ed448 signatures; OpenSSL verifies the bare signature over the attributes', async () => {
    const { signedAttributesDer, signature } = readSignedData(
      await prepare({ kind: 'Ed448' }).signContent(content, signingTime),
    ).signers[0]!;
    const attributes = Buffer.from(signedAttributesDer!);
    attributes[0] = 0x31;
    const key = identities.Ed448.key.publicKey.export({ format: 'pem', type: 'spki' });
    const { code, output } = await runProgram('openssl', [
      'pkeyutl',
      '-verify',
      '-pubin',
      '-inkey',
      scratch.write('ed448.pem', key),
      '-rawin',
      '-in',
      scratch.write('ed448-attributes', attributes),
      '-sigfile',
      scratch.write('ed448-signature', signature),
    ]);
    expect(output).toContain('Signature Verified Successfully');
    expect(code).toBe(0);
  });
});

describe('prepareCmsSigner › refusals', () => {
  it('refuses a scheme foreign to the key', () => {
    expect(() => prepare({ kind: 'P-256', scheme: 'rsassa-pss' })).toThrow(
      expect.objectContaining({ code: 'ALGORITHM_UNSUPPORTED' }),
    );
  });

  it('refuses a digest of another hash function', async () => {
    await expect(prepare({ kind: 'P-256' }).signDigest(randomBytes(64), signingTime)).rejects.toMatchObject({
      code: 'ALGORITHM_UNSUPPORTED',
    });
  });

  it('refuses the private key of another certificate', () => {
    const other = KEY_KINDS['RSA-2048']();
    expect(() => softwareSigner(other.privateKey, identities['RSA-2048'].certificate, [])).toThrow(
      expect.objectContaining({ code: 'KEY_MISMATCH' }),
    );
    expect(() => softwareSigner(other.privateKey, identities['P-256'].certificate, [])).toThrow(
      expect.objectContaining({ code: 'KEY_MISMATCH' }),
    );
  });

  it('refuses hash functions forbidden by the RSA-PSS key, and signs with the allowed one', async () => {
    const restriction = { modulusLength: 2048, hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha256' };
    const key = generateKeyPairSync('rsa-pss', restriction);
    const { certificate } = makeTestIdentity({ name: 'Restricted', key, issuer });
    const signer = softwareSigner(key.privateKey, certificate, []);
    const allowed = await prepareCmsSigner(signer, { digest: 'sha256', profile: 'cades' }).signContent(
      content,
      signingTime,
    );
    expect(await verifyCms(allowed)).toMatchObject({ intact: true });
    await expect(
      prepareCmsSigner(signer, { digest: 'sha512', profile: 'cades' }).signContent(content, signingTime),
    ).rejects.toMatchObject({ code: 'ALGORITHM_UNSUPPORTED' });
  });

  it('passes on the answer of the key', async () => {
    const failure = new Error('the token is gone');
    const { certificate } = identities['P-256'];
    const signer = prepareCmsSigner(
      { certificate, chain: [], schemes: ['ecdsa'], sign: () => Promise.reject(failure) },
      { digest: 'sha256', profile: 'cades' },
    );
    const outputPath = scratch.path('never-written');
    await expect(signer.signContent(content, signingTime)).rejects.toBe(failure);
    await expect(signer.signFile({ inputPath: contentPath, outputPath, attached: true, signingTime })).rejects.toBe(
      failure,
    );
    await expect(verifyCmsFile(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
