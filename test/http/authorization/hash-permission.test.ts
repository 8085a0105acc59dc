import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { askedHashes } from '../../../src/http/authorization/hash-permission.ts';
import { OAuthRefusal } from '../../../src/http/authorization/oauth-library.ts';

const hashOf = (content: string): Buffer => createHash('sha256').update(content).digest();
const hash = hashOf('abc');
const certificate = 'c0'.repeat(32);
const SHA256 = '2.16.840.1.101.3.4.2.1';

const ask = (parameters: Readonly<Record<string, string>>) => askedHashes(['credential'], parameters, 100);
const details = (value: unknown) => ({ authorization_details: JSON.stringify(value) });

describe('the permission that an authorization request for a credential asks for', () => {
  it('is for one signature by any certificate, without parameters', () => {
    expect(ask({})).toEqual({ most: 1, certificate: undefined, values: undefined });
  });

  it.each([
    ['as parameters', { hashes: hash.toString('base64'), hashAlgorithmOID: SHA256 }],
    ['percent-encoded once more', { hashes: encodeURIComponent(hash.toString('base64')) }],
    [
      'as authorization details',
      details([
        {
          type: 'credential',
          hashAlgorithmOID: SHA256,
          documentDigests: [{ hash: hash.toString('base64') }],
        },
      ]),
    ],
  ])('has the hashes that are sent %s', (_, parameters) => {
    expect(ask(parameters)).toMatchObject({ most: 1, values: [`sha256:${hash.toString('hex')}`] });
  });

  it('has the number and the certificate that the request names', () => {
    expect(ask({ numSignatures: '3', credentialID: certificate })).toMatchObject({ most: 3, certificate });
  });

  it.each([
    ['a number that is no number', { numSignatures: 'many' }],
    ['a fraction', { numSignatures: '1.5' }],
    ['more signatures than this instance lets a person permit', { numSignatures: '101' }],
    ['more hashes than signatures', { numSignatures: '1', hashes: ['abc', 'abd'].map((one) => hashOf(one).toString('base64')).join() }], // prettier-ignore
    ['a certificate that is no fingerprint', { credentialID: '1' }],
    ['a hash of another length', { hashes: 'YWJj' }],
    ['a hash with a broken percent-encoding', { hashes: '%ff%E0%' }],
    ['an unknown hash function', { hashes: hash.toString('base64'), hashAlgorithmOID: '1.2.3' }],
    ['details that are no JSON', { authorization_details: '{' }],
    ['details without an object', details([null])],
    ['details of two credentials', details([{ type: 'credential' }, { type: 'credential' }])],
    ['details of another type', details([{ type: 'payment' }])],
    ['a digest that is no object', details([{ type: 'credential', documentDigests: [null] }])],
  ])('is refused for %s', (_, parameters) => {
    expect(() => ask(parameters)).toThrow(OAuthRefusal);
  });

  it('is refused where the instance signs no hashes', () => {
    expect(() => askedHashes(['credential'], {}, 0)).toThrow(OAuthRefusal);
  });
});
