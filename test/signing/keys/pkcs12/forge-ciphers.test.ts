import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decryptRc2, decryptTripleDes } from '../../../../src/signing/keys/pkcs12/forge-ciphers.ts';

describe('triple DES for run times lacking the cipher', () => {
  it('decrypts the output of node:crypto, and tells wrong padding', () => {
    for (let length = 0; length < 20; length++) {
      const [key, iv, plain] = [randomBytes(24), randomBytes(8), randomBytes(length)];
      const cipher = createCipheriv('des-ede3-cbc', key, iv);
      const data = Buffer.concat([cipher.update(plain), cipher.final()]);
      expect(decryptTripleDes(key, iv, data)).toEqual(plain);
    }
    // Under an all-zero key and vector this block decrypts to 8ca64de9c1b123a7; its last byte is no padding.
    expect(decryptTripleDes(Buffer.alloc(24), Buffer.alloc(8), Buffer.alloc(8))).toBeUndefined();
  });
});

describe('RC2', () => {
  it('tells wrong padding', () => {
    const outcomes = Array.from({ length: 50 }, () => decryptRc2(randomBytes(16), randomBytes(8), randomBytes(16)));
    expect(outcomes.filter((outcome) => outcome === undefined).length).toBeGreaterThan(40);
  });
});
