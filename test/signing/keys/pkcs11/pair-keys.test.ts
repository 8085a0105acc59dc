import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  matchKey,
  modulusText,
  pointText,
  publicKeyInfoText,
  publicKeyText,
} from '../../../../src/signing/keys/pkcs11/pair-keys.ts';

const infoOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

describe('the public key of a private key on a token', () => {
  it('is recognised by its modulus, padded with zeros or not, also of a key bound to PSS', () => {
    for (const type of ['rsa', 'rsa-pss'] as const) {
      const { publicKey } =
        type === 'rsa'
          ? generateKeyPairSync('rsa', { modulusLength: 2048 })
          : generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
      const text = publicKeyText(publicKey);
      expect(text).toHaveLength(512);
      expect(modulusText(Buffer.from(`0000${text}`, 'hex'))).toBe(text);
      expect(publicKeyInfoText(infoOf(publicKey))).toBe(text);
    }
    expect(modulusText(Buffer.alloc(0))).toBeUndefined();
  });

  it.each(['P-256', 'P-384', 'P-521'])('is recognised by its point on %s, bare or in an OCTET STRING', (namedCurve) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve });
    const text = publicKeyText(publicKey);
    const point = Buffer.from(text, 'hex');
    const length = point.length < 128 ? Buffer.of(point.length) : Buffer.of(0x81, point.length);
    expect(pointText(point)).toBe(text);
    expect(pointText(Buffer.concat([Buffer.of(4), length, point]))).toBe(text);
    expect(publicKeyInfoText(infoOf(publicKey))).toBe(text);
  });

  it.each(['ed25519', 'ed448'] as const)('is recognised on %s', (type) => {
    const { publicKey } = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448');
    const text = publicKeyText(publicKey);
    const bytes = Buffer.from(text, 'hex');
    expect(pointText(bytes)).toBe(text);
    expect(pointText(Buffer.concat([Buffer.of(4, bytes.length), bytes]))).toBe(text);
  });

  it.each([
    ['a compressed point', Buffer.concat([Buffer.of(2), Buffer.alloc(32, 1)])],
    ['no point', Buffer.alloc(0)],
    ['an unknown form', Buffer.from('text')],
  ])('stays unknown for %s', (_what, value) => {
    expect(pointText(value)).toBeUndefined();
    expect(publicKeyInfoText(value)).toBeUndefined();
  });
});

describe('the private key of a certificate', () => {
  const wanted = { keyId: '01', publicKey: 'aa' };
  it.each([
    ['the one with its public key, whatever the identifier', [{ keyId: '02', publicKey: 'aa' }, { keyId: '01', publicKey: 'bb' }], 0], // prettier-ignore
    ['among equal ones the one with its identifier', [{ keyId: '02', publicKey: 'aa' }, { keyId: '01', publicKey: 'aa' }], 1], // prettier-ignore
    ['the only one with its identifier where the token tells no public key', [{ keyId: '02' }, { keyId: '01' }], 1],
    ['absent when only another key has its identifier', [{ keyId: '01', publicKey: 'bb' }], 'absent'],
    ['absent when no identifier is the same and no public key is told', [{ keyId: '02' }], 'absent'],
    ['not chosen among two that nothing tells apart', [{ keyId: '01' }, { keyId: '01' }], 'several'],
  ] as const)('is %s', (_how, keys, expected) => {
    const match = matchKey(keys, wanted);
    expect(match).toBe(typeof expected === 'number' ? keys[expected] : expected);
  });

  it('is never found by an empty identifier', () => {
    expect(matchKey([{ keyId: '' }], { keyId: '', publicKey: 'aa' })).toBe('absent');
  });
});
