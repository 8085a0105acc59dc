import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeKey, limitedAcceptance } from '../../../src/service/certificates/index.ts';
import { type AliasedKey, parseCertificate } from '../../../src/signing/index.ts';
import type { TestIdentity, TestKeyKind } from '../../../src/test-authority/index.ts';
import { companyWith, MARIA_CPF, personWith } from '../../pki/identities.ts';

const HOUR = 3_600_000;
const now = new Date();

function keyOf({ certificate, chain }: TestIdentity, more: Partial<AliasedKey> = {}): AliasedKey {
  const { commonName: alias, fingerprint } = parseCertificate(certificate);
  return { id: 'key', source: 'file', label: '', certificate, chain, alias, fingerprint, sourceId: 'files', ...more };
}

const token = {
  module: 'driver',
  label: 'token',
  serialNumber: '1',
  present: true,
  loginRequired: true,
  loggedIn: false,
  pinAttempts: 'normal' as const,
  pinPad: false,
};

describe('describeKey', () => {
  it('tells of a person the name read by node:crypto, and no whole CPF', async () => {
    const maria = await personWith({ birthDate: '1980-05-17', email: 'maria@example.com' });
    const { alias, ...description } = describeKey(keyOf(maria), now);
    const reference = new X509Certificate(maria.certificate);
    expect(alias).toContain('MARIA');
    expect(description).toMatchObject({
      holder: 'MARIA DE TESTE',
      taxpayerNumber: '***.982.247-**',
      validity: 'valid',
      locked: false,
      token: null,
      isTest: true,
      keyAlgorithm: 'EC P-256',
      publicKeyBits: 256,
      signatureAlgorithm: 'ECDSA with SHA-256',
      email: 'maria@example.com',
      birthDate: '1980-05-17',
    });
    expect(description.keyUsage).toContain('digitalSignature');
    expect(description.extendedKeyUsage).toContain('clientAuth');
    expect(description.fingerprint).toBe(createHash('sha256').update(maria.certificate).digest('hex'));
    expect(description.pem).toBe(reference.toString());
    expect(BigInt(`0x${description.serialNumberHex}`)).toBe(BigInt(`0x${reference.serialNumber}`));
    expect(description.notAfter.getTime()).toBe(Date.parse(reference.validTo));
    expect(JSON.stringify({ ...description, pem: '' })).not.toContain(MARIA_CPF);
  });

  it('tells the company and its masked CNPJ', async () => {
    const description = describeKey(keyOf(await companyWith()), now);
    expect(description).toMatchObject({ holder: 'EMPRESA DE TESTE', taxpayerNumber: '**.ABC.345/****-**' });
  });

  it('lists the issuers upwards', async () => {
    const maria = await personWith();
    const { chain, issuer } = describeKey(keyOf(maria), now);
    expect(chain.map(({ fingerprint }) => fingerprint)).toEqual(
      maria.chain.map((der) => createHash('sha256').update(der).digest('hex')),
    );
    expect(chain[0]?.name).toBe(issuer);
  });

  it.each([
    ['not-yet-valid', HOUR, 2 * HOUR],
    ['expired', -2 * HOUR, -HOUR],
  ])('calls a certificate %s by the clock', async (validity, from, to) => {
    const identity = await personWith({
      notBefore: new Date(now.getTime() + from),
      notAfter: new Date(now.getTime() + to),
    });
    expect(describeKey(keyOf(identity), now).validity).toBe(validity);
  });

  it('tells of a token waiting for its PIN', async () => {
    const maria = await personWith();
    expect(describeKey(keyOf(maria, { source: 'token', token }), now)).toMatchObject({ locked: true, token });
    expect(describeKey(keyOf(maria, { source: 'token', token: { ...token, loggedIn: true } }), now).locked).toBe(false);
  });

  it('does not call a key locked whose token asks for no PIN, or that is not there', async () => {
    const maria = await personWith();
    const open = { ...token, loginRequired: false };
    expect(describeKey(keyOf(maria, { source: 'token', token: open }), now)).toMatchObject({
      locked: false,
      hasKey: true,
    });
    expect(describeKey(keyOf(maria, { source: 'token', token, hasKey: false }), now)).toMatchObject({
      locked: false,
      hasKey: false,
    });
  });

  it.each<[TestKeyKind, string, number]>([
    ['rsa-2048', 'RSA 2048', 2048],
    ['ec-p384', 'EC P-384', 384],
    ['ed25519', 'Ed25519', 256],
    ['ed448', 'Ed448', 456],
  ])('names a key of the kind %s', async (keyKind, keyAlgorithm, publicKeyBits) => {
    expect(describeKey(keyOf(await personWith({ keyKind })), now)).toMatchObject({ keyAlgorithm, publicKeyBits });
    expect(limitedAcceptance(keyAlgorithm)?.kind).toBe(keyAlgorithm.startsWith('Ed') ? 'edwards' : undefined);
  });
});
