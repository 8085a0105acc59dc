import { createPrivateKey, createPublicKey } from 'node:crypto';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPkcs12 } from '../../../../src/signing/keys/read-pkcs12.ts';
import type { TestIdentity, TestKeyKind } from '../../../../src/test-authority/index.ts';
import { personWith } from '../../../pki/identities.ts';
import { opensslPkcs12 } from '../../../pki/pkcs12-files.ts';

const ASCII = 'senha de teste';
const ACCENTED = 'sẽnhaçã€';

interface Form {
  readonly form: string;
  readonly parameters: readonly string[];
  readonly password?: string;
  readonly keyKind?: TestKeyKind;
}

const cipher = (name: string): readonly string[] => ['-keypbe', name, '-certpbe', name];

const FORMS: readonly Form[] = [
  { form: 'PBES2 with AES-256, the usual one', parameters: [] },
  { form: 'PBES2 with AES-192', parameters: cipher('AES-192-CBC') },
  { form: 'PBES2 with AES-128', parameters: cipher('AES-128-CBC') },
  { form: 'PBES2 with triple DES', parameters: cipher('DES-EDE3-CBC') },
  { form: 'RC2-40 certificates and a 3DES key (-legacy)', parameters: ['-legacy'] },
  { form: '3DES with three keys', parameters: cipher('PBE-SHA1-3DES') },
  { form: '3DES with two keys', parameters: cipher('PBE-SHA1-2DES') },
  { form: 'RC2-128', parameters: ['-legacy', ...cipher('PBE-SHA1-RC2-128')] },
  { form: 'RC2-40 for the key too', parameters: ['-legacy', ...cipher('PBE-SHA1-RC2-40')] },
  { form: 'a MAC with SHA-1', parameters: ['-macalg', 'sha1'] },
  { form: 'a MAC with SHA-384', parameters: ['-macalg', 'sha384'] },
  { form: 'a MAC with SHA-512', parameters: ['-macalg', 'sha512'] },
  { form: 'a MAC of one round', parameters: ['-nomaciter'] },
  { form: 'one round of everything', parameters: ['-noiter', '-nomaciter', ...cipher('PBE-SHA1-3DES')] },
  { form: 'no MAC', parameters: ['-nomac'] },
  { form: 'no MAC, certificates encrypted', parameters: ['-nomac', ...cipher('AES-256-CBC')] },
  { form: 'no MAC, old ciphers', parameters: ['-nomac', '-legacy'] },
  { form: 'no MAC, RC2-40 for all', parameters: ['-nomac', '-legacy', ...cipher('PBE-SHA1-RC2-40')] },
  { form: 'certificates in the clear', parameters: ['-certpbe', 'NONE'] },
  { form: 'a key in the clear', parameters: ['-keypbe', 'NONE'] },
  { form: 'everything in the clear', parameters: cipher('NONE') },
  { form: 'nothing protected at all', parameters: ['-nomac', ...cipher('NONE')] },
  { form: 'an empty password', parameters: [], password: '' },
  { form: 'an empty password, old ciphers', parameters: ['-legacy'], password: '' },
  { form: 'an empty password and no MAC', parameters: ['-nomac'], password: '' },
  { form: 'an empty password, old ciphers and no MAC', parameters: ['-nomac', '-legacy'], password: '' },
  { form: 'a password with accents', parameters: [], password: ACCENTED },
  { form: 'a password with accents, old ciphers', parameters: ['-legacy'], password: ACCENTED },
  { form: 'a password with accents and no MAC', parameters: ['-nomac', '-legacy'], password: ACCENTED },
  { form: 'a password beyond the basic plane', parameters: cipher('PBE-SHA1-3DES'), password: 'chave🔑' },
  { form: 'an RSA key', parameters: [], keyKind: 'rsa-2048' },
  { form: 'an RSA key, old ciphers', parameters: ['-legacy'], keyKind: 'rsa-2048' },
  { form: 'an EC key on P-384', parameters: [], keyKind: 'ec-p384' },
  { form: 'an EC key on P-521, old ciphers', parameters: ['-legacy'], keyKind: 'ec-p521' },
  { form: 'an Ed25519 key', parameters: [], keyKind: 'ed25519' },
  { form: 'an Ed448 key', parameters: [], keyKind: 'ed448' },
  { form: 'an Ed25519 key, old ciphers', parameters: ['-legacy'], keyKind: 'ed25519' },
];

const publicKeyOf = (privateKey: Buffer): Buffer =>
  createPublicKey(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' })).export({
    format: 'der',
    type: 'spki',
  });

describe('readPkcs12 of files made by openssl', () => {
  const identities = new Map<TestKeyKind, TestIdentity>();
  const identityOf = async (keyKind: TestKeyKind = 'ec-p256'): Promise<TestIdentity> => {
    const identity = identities.get(keyKind) ?? (await personWith({ keyKind }));
    identities.set(keyKind, identity);
    return identity;
  };

  it.each(FORMS)('reads $form', async ({ parameters, password = ASCII, keyKind }) => {
    const identity = await identityOf(keyKind);
    const file = await opensslPkcs12(identity, password, ['-name', 'José', ...parameters]);
    const before = Buffer.from(file);
    const { keys, certificates, keysWithoutCertificate } = await readPkcs12(file, password);
    expect(keys).toHaveLength(1);
    expect(keysWithoutCertificate).toBe(0);
    expect(keys[0]!.label).toBe('José');
    expect(keys[0]!.certificate).toEqual(identity.certificate);
    expect(keys[0]!.chain).toEqual(identity.chain);
    expect(certificates).toHaveLength(3);
    expect(publicKeyOf(keys[0]!.privateKey)).toEqual(publicKeyOf(identity.privateKey));
    expect(file.equals(before), 'the input is left as it was').toBe(true);
  });

  const wrong = FORMS.filter(({ parameters }) => !(parameters.includes('NONE') && parameters.includes('-nomac')));
  it.each(wrong)('tells of a wrong password for $form', async ({ parameters, password = ASCII, keyKind }) => {
    const file = await opensslPkcs12(await identityOf(keyKind), password, parameters);
    await expect(readPkcs12(file, `${password}x`)).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
    const other = password === '' ? 'x' : '';
    await expect(readPkcs12(file, other)).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });

  it('does not take a password in another case', async () => {
    const file = await opensslPkcs12(await identityOf(), 'Senha', []);
    await expect(readPkcs12(file, 'senha')).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });

  it('names the unreadable cipher', async () => {
    const file = await opensslPkcs12(await identityOf(), ASCII, ['-legacy', ...cipher('PBE-SHA1-RC4-128')]);
    await expect(readPkcs12(file, ASCII)).rejects.toMatchObject({
      code: 'PKCS12_UNSUPPORTED',
      message: expect.stringContaining(
        'RC4 (128 bits), which this program does not read. Export the certificate again',
      ) as string,
    });
  });

  it('puts no password into the error of a wrong password', async () => {
    const file = await opensslPkcs12(await identityOf(), ASCII);
    const error = await readPkcs12(file, 'segredo-errado').catch((reason: unknown) => reason);
    expect(inspect(error, { depth: 10 })).not.toContain('segredo-errado');
  });

  it('tells damage from a wrong password, once something has decrypted', async () => {
    const file = await opensslPkcs12(await identityOf(), ASCII, ['-nomac', ...cipher('AES-256-CBC')]);
    // The encrypted key ends 39 bytes before the end of the file, where its local key id begins.
    const last = file.length - 40;
    file[last] = (file[last] ?? 0) ^ 0xff;
    await expect(readPkcs12(file, ASCII)).rejects.toMatchObject({ code: 'PKCS12_MALFORMED' });
    await expect(readPkcs12(file, 'outra')).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });

  beforeAll(async () => {
    await identityOf();
  });
});
