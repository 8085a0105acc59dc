import { createHash, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  derElement,
  derOctetString,
  derOid,
  derSequence,
  derSetOf,
  derTime,
  Oid,
  prepareRawSigner,
  readSignedAttributes,
  softwareSigner,
  Tag,
} from '../../../src/signing/index.ts';
import { readDer } from '../../../src/signing/der/reader.ts';
import { prepareConstants } from '../../../src/signing/cms/signer-constants.ts';
import { verifiedSigner } from '../../../src/signing/keys/verified-signer.ts';
import { KEY_KINDS, makeTestIdentity } from './test-identities.ts';

const issuer = makeTestIdentity({ name: 'Issuer', key: KEY_KINDS['P-256']() });
const kinds = Object.entries(KEY_KINDS).map(
  ([name, generate]) => [name, makeTestIdentity({ name, key: generate(), issuer })] as const,
);

const signerOf = (identity: ReturnType<typeof makeTestIdentity>) =>
  verifiedSigner(softwareSigner(identity.key.privateKey, identity.certificate, []));
const identityOf = (name: keyof typeof KEY_KINDS) => kinds.find(([kind]) => kind === name)![1];
const data = Buffer.from('a document that stays where it is');
const hashed = createHash('sha256').update(data).digest();

describe('a raw signer', () => {
  it.each(kinds)('signs bytes with %s', async (name, identity) => {
    const signature = await prepareRawSigner(signerOf(identity)).signData(data, 'sha256');
    const options = name === 'RSA-PSS-2048' ? { padding: 6, saltLength: -1 } : {};
    const digest = name.startsWith('Ed') ? null : 'sha256';
    expect(verify(digest, data, { key: identity.key.publicKey, ...options }, signature)).toBe(true);
  });

  it.each(['Ed25519', 'Ed448'] as const)('refuses a hash with %s, because the key hashes by itself', async (name) => {
    await expect(prepareRawSigner(signerOf(identityOf(name))).signHash(hashed, 'sha256')).rejects.toMatchObject({
      code: 'KEY_SIGNS_NO_HASH',
    });
  });

  it('refuses a scheme that the key does not have, and names those that it has', () => {
    expect(() => prepareRawSigner(signerOf(identityOf('P-256')), 'rsassa-pss')).toThrow(/it has: ecdsa/);
    expect(() => prepareRawSigner(signerOf(identityOf('RSA-PSS-2048')), 'rsassa-pkcs1-v1_5')).toThrow(
      expect.objectContaining({ code: 'ALGORITHM_UNSUPPORTED' }),
    );
  });

  it('refuses a hash that was made with another function', async () => {
    const signer = prepareRawSigner(signerOf(identityOf('RSA-2048')));
    await expect(signer.signHash(hashed, 'sha512')).rejects.toMatchObject({ code: 'ALGORITHM_UNSUPPORTED' });
  });

  it('lets no signature over a hash leave that the certificate does not verify', async () => {
    for (const name of ['RSA-2048', 'RSA-PSS-2048', 'P-256'] as const) {
      const { certificate, key } = identityOf(name);
      const honest = softwareSigner(key.privateKey, certificate, []);
      const other = createHash('sha256').update('something else').digest();
      const faulty = verifiedSigner({ ...honest, sign: (_message, parameters) => honest.sign(other, parameters) });
      await expect(prepareRawSigner(faulty).signHash(hashed, 'sha256')).rejects.toMatchObject({
        code: 'SIGNATURE_INVALID',
      });
    }
  });

  it('signs hashes in the order of the requests, and lets the event loop run in between', async () => {
    const signer = prepareRawSigner(signerOf(identityOf('RSA-2048')));
    const done: number[] = [];
    let turns = 0;
    const count = (): void => {
      turns++;
      if (done.length < 50) setImmediate(count);
    };
    setImmediate(count);
    const sign = async (index: number): Promise<void> => {
      await signer.signHash(hashed, 'sha256');
      done.push(index);
    };
    await Promise.all(Array.from({ length: 50 }, async (_one, index) => sign(index)));
    expect(done).toEqual(Array.from({ length: 50 }, (_one, index) => index));
    expect(turns).toBeGreaterThanOrEqual(50);
  });
});

describe('readSignedAttributes', () => {
  const identity = identityOf('RSA-2048');
  const signer = signerOf(identity);
  const time = new Date('2026-03-04T05:06:07Z');
  const attributesOf = (profile: 'cms' | 'cades'): Buffer =>
    prepareConstants(signer, { digest: 'sha256', profile }).encodeAttributes(hashed, time);

  it('tells the content hash, the time and the certificate of the attributes of this core', () => {
    expect(readSignedAttributes(attributesOf('cades'), identity.certificate)).toMatchObject({
      contentHash: hashed.toString('hex'),
      contentType: Oid.data,
      signingTime: time,
      namesCertificate: true,
    });
    expect(readSignedAttributes(attributesOf('cms'), identity.certificate)?.namesCertificate).toBeUndefined();
  });

  it('tells that the attributes name another certificate', () => {
    const other = identityOf('P-256').certificate;
    expect(readSignedAttributes(attributesOf('cades'), other)?.namesCertificate).toBe(false);
  });

  const attribute = (oid: string, value: Buffer): Buffer => derSequence(derOid(oid), derElement(Tag.set, value));
  const type = attribute(Oid.contentType, derOid(Oid.data));
  const digestOf = (bytes: Buffer): Buffer => attribute(Oid.messageDigest, derOctetString(bytes));
  const digest = digestOf(hashed);
  const good = derSetOf(type, digest, attribute(Oid.signingTime, derTime(time)));
  const reversed = readDer(good).children.map(({ bytes }) => bytes).reverse(); // prettier-ignore

  it.each<readonly [string, Buffer]>([
    ['a text', Buffer.from('I owe you a thousand reais.')],
    ['a hash', hashed],
    ['attributes with bytes behind their end', Buffer.concat([good, Buffer.of(0)])],
    ['attributes in the wrong order', derElement(Tag.set, ...reversed)],
    ['attributes without a content hash', derSetOf(type)],
    ['attributes without a content type', derSetOf(digest)],
    ['attributes with two content hashes', derSetOf(type, digest, digestOf(Buffer.alloc(32)))],
    ['attributes with a content hash of a strange length', derSetOf(type, digestOf(Buffer.alloc(33)))],
    ['a SEQUENCE in place of the SET', derSequence(type, digest)],
    ['the body of a certificate', readDer(identity.certificate).child(0, 'the body').bytes],
  ])('does not take %s for signed attributes', (_what, bytes) => {
    expect(readSignedAttributes(good, undefined)).toBeDefined();
    expect(readSignedAttributes(bytes, identity.certificate)).toBeUndefined();
  });
});
