import { constants, createHash, generateKeyPairSync, randomBytes, sign, verify, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signHash, verifyHash } from '../../../src/signing/keys/hashes/index.ts';
import { schemesOfKey } from '../../../src/signing/keys/software-signer.ts';
import type { DigestAlgorithm, SignatureScheme } from '../../../src/signing/keys/signer.ts';
import { runProgram } from '../../oracles/run-program.ts';

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const digests: readonly DigestAlgorithm[] = ['sha256', 'sha384', 'sha512'];
const curves = ['prime256v1', 'secp384r1', 'secp521r1', 'brainpoolP256r1', 'brainpoolP320r1', 'brainpoolP384r1', 'brainpoolP512r1'] as const; // prettier-ignore
const keys: readonly (readonly [name: string, pair: KeyPair])[] = [
  ...[2048, 2049, 2056, 3072].map((bits) => [`RSA of ${bits} bits`, generateKeyPairSync('rsa', { modulusLength: bits })] as const), // prettier-ignore
  ['RSA for PSS alone', generateKeyPairSync('rsa-pss', { modulusLength: 2048 })],
  ...curves.map((namedCurve) => [namedCurve, generateKeyPairSync('ec', { namedCurve })] as const),
];
const rows = keys.flatMap(([name, pair]) =>
  schemesOfKey(pair.privateKey).flatMap((scheme) => digests.map((digest) => ({ name, pair, scheme, digest }))),
);

const message = randomBytes(1000);
const hashOf = (digest: DigestAlgorithm): Buffer => createHash(digest).update(message).digest();
const paddingOf = (scheme: SignatureScheme) =>
  scheme === 'rsassa-pss'
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};

describe('a signature over a hash', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hashes-'));
  });
  afterAll(async () => rm(folder, { recursive: true }));

  const verifyWithOpenssl = async (
    pair: KeyPair,
    scheme: SignatureScheme,
    digest: DigestAlgorithm,
    signature: Buffer,
  ) => {
    const at = (name: string): string => join(folder, name);
    await writeFile(at('key.pem'), pair.publicKey.export({ type: 'spki', format: 'pem' }));
    await writeFile(at('hash'), hashOf(digest));
    await writeFile(at('signature'), signature);
    const pss = ['-pkeyopt', 'rsa_padding_mode:pss', '-pkeyopt', 'rsa_pss_saltlen:digest'];
    const { code, errors } = await runProgram('openssl', [
      ...['pkeyutl', '-verify', '-pubin', '-inkey', at('key.pem'), '-in', at('hash'), '-sigfile', at('signature')],
      ...['-pkeyopt', `digest:${digest}`],
      ...(scheme === 'rsassa-pss' ? pss : []),
    ]);
    return { code, errors };
  };

  it.each(rows)('of $name with $scheme and $digest is accepted by OpenSSL and by Node for the message', async (row) => {
    const { pair, scheme, digest } = row;
    const signature = signHash(pair.privateKey, hashOf(digest), { scheme, digest });
    expect(verify(digest, message, { key: pair.publicKey, ...paddingOf(scheme) }, signature)).toBe(true);
    expect(await verifyWithOpenssl(pair, scheme, digest, signature)).toMatchObject({ code: 0 });
  });

  it.each(rows)(
    'of $name with $scheme and $digest is verified if Node made it, and refused for another hash',
    (row) => {
      const { pair, scheme, digest } = row;
      const signature = sign(digest, message, { key: pair.privateKey, ...paddingOf(scheme) });
      const parameters = { scheme, digest };
      expect(verifyHash(pair.publicKey, hashOf(digest), signature, parameters)).toBe(true);
      const other = createHash(digest).update('another message').digest();
      expect(verifyHash(pair.publicKey, other, signature, parameters)).toBe(false);
      for (const place of [3, Math.floor(signature.length / 2), signature.length - 1]) {
        const changed = Buffer.from(signature);
        changed[place] = (changed[place] ?? 0) ^ 1;
        expect(verifyHash(pair.publicKey, hashOf(digest), changed, parameters)).toBe(false);
      }
      const { publicKey } = generateLike(pair);
      expect(verifyHash(publicKey, hashOf(digest), signature, parameters)).toBe(false);
    },
  );

  it('differs each time with ECDSA and PSS, because both need a fresh random number', () => {
    for (const { pair, scheme, digest } of rows.filter(({ scheme }) => scheme !== 'rsassa-pkcs1-v1_5')) {
      const two = [1, 2].map(() => signHash(pair.privateKey, hashOf(digest), { scheme, digest }).toString('hex'));
      expect(new Set(two).size).toBe(2);
    }
  });

  it('is refused for a hash of another length and for a key that hashes by itself', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    expect(() => signHash(privateKey, hashOf('sha384'), { scheme: 'ecdsa', digest: 'sha256' })).toThrow(
      expect.objectContaining({ code: 'ALGORITHM_UNSUPPORTED' }),
    );
    const whole = generateKeyPairSync('ed25519');
    expect(() => signHash(whole.privateKey, hashOf('sha512'), { scheme: 'ed25519', digest: 'sha512' })).toThrow(
      expect.objectContaining({ code: 'KEY_SIGNS_NO_HASH' }),
    );
  });

  it('is refused by a key that its owner restricted to another hash', () => {
    const pair = generateKeyPairSync('rsa-pss', { modulusLength: 2048, hashAlgorithm: 'sha512', mgf1HashAlgorithm: 'sha512' }); // prettier-ignore
    const parameters = { scheme: 'rsassa-pss' } as const;
    expect(() => signHash(pair.privateKey, hashOf('sha256'), { ...parameters, digest: 'sha256' })).toThrow(
      expect.objectContaining({ code: 'ALGORITHM_UNSUPPORTED' }),
    );
    const signature = signHash(pair.privateKey, hashOf('sha512'), { ...parameters, digest: 'sha512' });
    expect(verify('sha512', message, { key: pair.publicKey, ...paddingOf('rsassa-pss') }, signature)).toBe(true);
  });

  it.each([
    ['with numbers of zero', Buffer.from('3006020100020100', 'hex')],
    ['with one number', Buffer.from('3003020101', 'hex')],
    ['that is empty', Buffer.alloc(0)],
    ['with bytes behind its end', Buffer.concat([sign('sha256', message, keyOfCurve().privateKey), Buffer.of(0)])],
  ])('of ECDSA %s is refused', (_how, signature) => {
    expect(verifyHash(keyOfCurve().publicKey, hashOf('sha256'), signature, { scheme: 'ecdsa', digest: 'sha256' })).toBe(false); // prettier-ignore
  });
});

let ofCurve: KeyPair | undefined;

function keyOfCurve(): KeyPair {
  return (ofCurve ??= generateKeyPairSync('ec', { namedCurve: 'prime256v1' }));
}

const others = new Map<string, KeyPair>();

/** Another key of the same kind and size; made once, because RSA keys take long. */
function generateLike({ publicKey }: KeyPair): KeyPair {
  const { namedCurve = '', modulusLength = 0 } = publicKey.asymmetricKeyDetails ?? {};
  const name = `${publicKey.asymmetricKeyType} ${namedCurve} ${modulusLength}`;
  const known = others.get(name);
  if (known !== undefined) return known;
  const made =
    publicKey.asymmetricKeyType === 'ec'
      ? generateKeyPairSync('ec', { namedCurve })
      : publicKey.asymmetricKeyType === 'rsa-pss'
        ? generateKeyPairSync('rsa-pss', { modulusLength })
        : generateKeyPairSync('rsa', { modulusLength });
  others.set(name, made);
  return made;
}
