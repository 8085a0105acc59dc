import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDigest, digestBytes } from '../../../src/signing/algorithms/algorithms.ts';
import { verifySignature } from '../../../src/signing/algorithms/signature-algorithm.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import { derBitString, derInteger, derOctetString, derOid, derSequence } from '../../../src/signing/der/writer.ts';
import { softwareSigner } from '../../../src/signing/keys/software-signer.ts';
import { makeTestIdentity } from '../cms/test-identities.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'));
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

interface SignatureVector {
  readonly source: string;
  readonly scheme: 'ed25519' | 'ed448';
  readonly secret: string;
  readonly public: string;
  readonly message: string;
  readonly signature: string;
}

interface DigestVector {
  readonly source: string;
  readonly algorithm: 'sha256' | 'shake256';
  readonly message: string;
  readonly digest: string;
}

describe('softwareSigner, with the keys of the standard', () => {
  it.each(read('eddsa.json') as readonly SignatureVector[])('signs as in $source', async (vector) => {
    const identifier = derSequence(derOid(Oid[vector.scheme]));
    // RFC 8410 §4, §7
    const info = derSequence(derInteger(0), identifier, derOctetString(derOctetString(bytes(vector.secret))));
    const publicInfo = derSequence(identifier, derBitString(bytes(vector.public)));
    const privateKey = createPrivateKey({ key: info, format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey({ key: publicInfo, format: 'der', type: 'spki' });
    const { certificate } = makeTestIdentity({ name: 'Vector', key: { privateKey, publicKey } });
    const { scheme } = vector;
    const message = bytes(vector.message);
    const signature = await softwareSigner(privateKey, certificate, []).sign(message, { scheme, digest: 'sha512' });
    expect(signature.toString('hex')).toBe(vector.signature);
    expect(verifySignature(publicKey, { scheme, digest: 'sha512' }, message, signature)).toBe(true);
  });
});

describe('digestBytes and createDigest', () => {
  it.each(read('digests.json') as readonly DigestVector[])('answer as in $source', ({ algorithm, message, digest }) => {
    expect(digestBytes(algorithm, bytes(message)).toString('hex')).toBe(digest);
    expect(createDigest(algorithm).update(bytes(message)).digest('hex')).toBe(digest);
  });
});
