import { createPrivateKey, createPublicKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { derOctetString, derSequence, readDer } from '../../../../src/signing/index.ts';
import { readPkcs12 } from '../../../../src/signing/keys/read-pkcs12.ts';
import { writePkcs12, type TestIdentity } from '../../../../src/test-authority/index.ts';
import { JOAO_CPF, personWith } from '../../../pki/identities.ts';
import {
  bag,
  certificateBag,
  contentInfos,
  keyBehindScrypt,
  macWithRounds,
  pbmac1,
  pfx,
  plainSafe,
  toBer,
} from '../../../pki/crafted-pkcs12.ts';
import { opensslPkcs12, opensslPkcs8 } from '../../../pki/pkcs12-files.ts';

const PASSWORD = 'sẽnha';
let maria: TestIdentity;
let joao: TestIdentity;

beforeAll(async () => {
  maria = await personWith();
  joao = await personWith({ name: 'JOAO DE TESTE', cpf: JOAO_CPF, keyKind: 'rsa-2048' });
});

const publicKeyOf = (privateKey: Buffer): Buffer =>
  createPublicKey(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' })).export({
    format: 'der',
    type: 'spki',
  });

describe('readPkcs12 of keys encrypted by openssl pkcs8', () => {
  it.each([
    ['PBKDF2 with HMAC-SHA1', ['-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA1']],
    ['PBKDF2 with HMAC-SHA256', ['-v2', 'aes-128-cbc', '-v2prf', 'hmacWithSHA256']],
    ['PBKDF2 with HMAC-SHA384', ['-v2', 'aes-192-cbc', '-v2prf', 'hmacWithSHA384']],
    ['PBKDF2 with HMAC-SHA512', ['-v2', 'des3', '-v2prf', 'hmacWithSHA512']],
    ['scrypt', ['-scrypt']],
    ['scrypt with other costs', ['-scrypt', '-scrypt_N', '1024', '-scrypt_r', '4', '-scrypt_p', '2']],
  ])('reads %s', async (_name, parameters) => {
    const key = await opensslPkcs8(maria.privateKey, PASSWORD, parameters);
    const safe = derSequence(plainSafe(bag(2, key), certificateBag(maria.certificate)));
    const { keys } = await readPkcs12(pfx(safe), PASSWORD);
    expect(publicKeyOf(keys[0]!.privateKey)).toEqual(publicKeyOf(maria.privateKey));
    await expect(readPkcs12(pfx(safe), 'outra')).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });

  it('refuses scrypt asking for more memory than allowed, and names the limit', async () => {
    const safe = derSequence(plainSafe(bag(2, keyBehindScrypt({ cost: 131_072, blockSize: 8, parallel: 1 }))));
    await expect(readPkcs12(pfx(safe), PASSWORD)).rejects.toMatchObject({
      code: 'PKCS12_UNSUPPORTED',
      message: expect.stringContaining('128 MiB') as string,
    });
  });

  it.each([
    ['no power of two', { cost: 1000, blockSize: 8, parallel: 1 }],
    ['zero', { cost: 1024, blockSize: 0, parallel: 1 }],
  ])('refuses scrypt when a parameter is %s', async (_name, parameters) => {
    const safe = derSequence(plainSafe(bag(2, keyBehindScrypt(parameters))));
    await expect(readPkcs12(pfx(safe), PASSWORD)).rejects.toMatchObject({ code: 'PKCS12_MALFORMED' });
  });
});

describe('readPkcs12 of files with PBMAC1', () => {
  it('takes the right password and refuses a wrong password', async () => {
    const safe = derSequence(...contentInfos(await opensslPkcs12(maria, PASSWORD, ['-nomac'])));
    const file = pfx(safe, pbmac1(safe, PASSWORD));
    expect((await readPkcs12(file, PASSWORD)).keys).toHaveLength(1);
    await expect(readPkcs12(file, 'outra')).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });

  it('refuses a key shorter than RFC 9879 allows, open to guessing', async () => {
    const safe = derSequence(plainSafe(certificateBag(maria.certificate)));
    const file = pfx(safe, pbmac1(safe, PASSWORD, 4));
    await expect(readPkcs12(file, PASSWORD)).rejects.toMatchObject({ code: 'PKCS12_MALFORMED' });
  });
});

describe('readPkcs12 of several keys', () => {
  it('gives each key its own certificate and chain', async () => {
    const parts = await Promise.all([
      opensslPkcs12(maria, PASSWORD, ['-nomac', '-name', 'Maria', '-certpbe', 'AES-256-CBC']),
      opensslPkcs12(joao, PASSWORD, ['-nomac', '-name', 'João', '-legacy']),
    ]);
    const { keys } = await readPkcs12(pfx(derSequence(...parts.flatMap(contentInfos))), PASSWORD);
    expect(keys.map(({ label }) => label)).toEqual(['Maria', 'João']);
    for (const [index, identity] of [maria, joao].entries()) {
      expect(keys[index]!.certificate).toEqual(identity.certificate);
      expect(keys[index]!.chain).toEqual(identity.chain);
      expect(publicKeyOf(keys[index]!.privateKey)).toEqual(publicKeyOf(identity.privateKey));
    }
  });

  it('leaves out and counts a key without certificate', async () => {
    const safe = derSequence(
      plainSafe(bag(1, maria.privateKey), bag(1, joao.privateKey), certificateBag(joao.certificate)),
    );
    const contents = await readPkcs12(pfx(safe), '');
    expect(contents.keys.map(({ certificate }) => certificate)).toEqual([joao.certificate]);
    expect(contents.keysWithoutCertificate).toBe(1);
    expect(contents.keys[0]!.chain).toEqual([]);
  });

  it('reads entries inside entries, and passes over unknown content', async () => {
    const inner = derSequence(bag(1, maria.privateKey), certificateBag(maria.certificate));
    const safe = derSequence(plainSafe(bag(6, inner), bag(5, derOctetString(Buffer.from('secret bag')))));
    expect((await readPkcs12(pfx(safe), '')).keys).toHaveLength(1);
  });
});

describe('readPkcs12 of BER', () => {
  it.each([
    ['modern ciphers', []],
    ['old ciphers', ['-legacy']],
    ['no encryption', ['-keypbe', 'NONE', '-certpbe', 'NONE']],
  ])('reads indefinite lengths and segmented strings at every layer, with %s', async (_name, parameters) => {
    const infos = contentInfos(await opensslPkcs12(maria, PASSWORD, ['-nomac', ...parameters]));
    const safe = toBer(readDer(derSequence(...infos)));
    const file = toBer(readDer(pfx(safe, pbmac1(safe, PASSWORD))));
    const { keys } = await readPkcs12(file, PASSWORD);
    expect(keys[0]!.certificate).toEqual(maria.certificate);
    expect(keys[0]!.chain).toEqual(maria.chain);
  });
});

describe('readPkcs12 of files costing too much', () => {
  // Two thousand million rounds take longer than a test may.
  it.each([10_000_001, 2 ** 31 - 1])('refuses %d rounds before the first, and names the limit', async (rounds) => {
    const file = pfx(derSequence(), macWithRounds(rounds));
    await expect(readPkcs12(file, PASSWORD)).rejects.toMatchObject({
      code: 'PKCS12_UNSUPPORTED',
      message: expect.stringContaining('10000000') as string,
    });
  });

  it('adds up the rounds of all parts', async () => {
    const file = await opensslPkcs12(maria, PASSWORD);
    await expect(readPkcs12(file, PASSWORD, { maxIterations: 4000 })).rejects.toMatchObject({
      code: 'PKCS12_UNSUPPORTED',
      message: expect.stringContaining('4000') as string,
    });
    expect((await readPkcs12(file, PASSWORD, { maxIterations: 3 * 2048 })).keys).toHaveLength(1);
  });

  it('lets other work go on during its hashing', async () => {
    const file = await opensslPkcs12(maria, PASSWORD, ['-iter', '50000', '-legacy']);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await readPkcs12(file, PASSWORD);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });

  it('refuses more than 10 MiB without a look inside', async () => {
    await expect(readPkcs12(Buffer.alloc(10 * 1024 * 1024 + 1), PASSWORD)).rejects.toMatchObject({
      code: 'PKCS12_UNSUPPORTED',
      message: expect.stringContaining('10 MiB') as string,
    });
  });

  it('refuses more than a thousand entries', async () => {
    const bags = Array.from({ length: 1001 }, () => bag(5, derOctetString(Buffer.alloc(0))));
    await expect(readPkcs12(pfx(derSequence(plainSafe(...bags))), '')).rejects.toMatchObject({
      code: 'PKCS12_UNSUPPORTED',
    });
  });

  it('refuses entries nested without end', async () => {
    let inner = derSequence();
    for (let depth = 0; depth < 12; depth++) inner = derSequence(bag(6, inner));
    const safe = derSequence(plainSafe(bag(6, inner)));
    await expect(readPkcs12(pfx(safe), '')).rejects.toMatchObject({ code: 'PKCS12_UNSUPPORTED' });
  });
});

describe('readPkcs12 of other data than a PKCS#12 file', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['bytes of no kind', Buffer.of(7, 0, 7, 0)],
    ['half a file', Buffer.of(0x30, 0x82, 0x10, 0x00, 0x02, 0x01, 0x03)],
  ])('tells %s from a wrong password', async (_name, file) => {
    await expect(readPkcs12(file, PASSWORD)).rejects.toMatchObject({ code: 'PKCS12_MALFORMED' });
  });

  it('tells a cut-off file from a wrong password', async () => {
    const file = await writePkcs12(maria, PASSWORD, { iterations: 1 });
    const cut = file.subarray(0, file.length - 1);
    await expect(readPkcs12(cut, PASSWORD)).rejects.toMatchObject({ code: 'PKCS12_MALFORMED' });
  });

  const pem = (label: string, der: Uint8Array): string =>
    `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64')}\n-----END ${label}-----\n`;
  const others: readonly (readonly [name: string, file: () => Buffer, sentence: RegExp])[] = [
    ['an empty file', () => Buffer.alloc(0), /^The file is empty/],
    [
      'a Java key store',
      () => Buffer.from('feedfeed00000002000000010000000100036b6579', 'hex'),
      /Java key store.*keytool/,
    ],
    ['a key in PEM', () => Buffer.from(pem('PRIVATE KEY', maria.privateKey)), /private key in PEM.*openssl pkcs12/],
    [
      'a certificate and its key in PEM',
      () => Buffer.from(pem('CERTIFICATE', maria.certificate) + pem('PRIVATE KEY', maria.privateKey)),
      /private key in PEM/,
    ],
    ['a certificate', () => maria.certificate, /certificate without its private key/],
    ['a PDF', () => Buffer.from('%PDF-1.7\n'), /is a PDF, and not a key file/],
    ['a web page', () => Buffer.from('<!doctype html><title>Entrar</title>'), /is a web page/],
  ];
  it.each(others)('names %s and the remedy', async (_name, file, sentence) => {
    await expect(readPkcs12(file(), PASSWORD)).rejects.toThrow(sentence);
  });
});

describe('readPkcs12 of files after a journey', () => {
  const forms: readonly (readonly [name: string, change: (file: Buffer) => Buffer])[] = [
    ['zeros behind', (file) => Buffer.concat([file, Buffer.alloc(16)])],
    ['a line end behind', (file) => Buffer.concat([file, Buffer.from('\r\n')])],
    ['other bytes behind', (file) => Buffer.concat([file, Buffer.from('------WebKitFormBoundary--')])],
    ['base64', (file) => Buffer.from(file.toString('base64'))],
    [
      'base64 lines behind a byte order mark',
      (file) => Buffer.from(`\ufeff${file.toString('base64').replace(/.{76}/g, '$&\r\n')}`),
    ],
    ['base64 twice', (file) => Buffer.from(Buffer.from(file.toString('base64')).toString('base64'))],
    ['a data URL', (file) => Buffer.from(`data:application/x-pkcs12;base64,${file.toString('base64')}`)],
    [
      'PEM',
      (file) =>
        Buffer.from(`Bag Attributes\n-----BEGIN PKCS12-----\n${file.toString('base64')}\n-----END PKCS12-----\n`),
    ],
  ];
  it.each(forms)('reads a file with %s', async (_name, change) => {
    const file = await opensslPkcs12(maria, PASSWORD);
    expect((await readPkcs12(change(file), PASSWORD)).keys).toHaveLength(1);
    await expect(readPkcs12(change(file), 'outra')).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });
});

describe('readPkcs12 of passwords with accents', () => {
  const typed = 'Pw34$.ç';
  /** The password from a program taking each byte of UTF-8 for a character. */
  const byteByByte = Buffer.from(typed, 'utf8').toString('latin1');
  const rows: readonly (readonly [name: string, made: string, given: string, parameters: readonly string[]])[] = [
    ['bytes taken for characters, old ciphers', byteByByte, typed, ['-legacy']],
    [
      'bytes taken for characters, triple DES',
      byteByByte,
      typed,
      ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES'],
    ],
    ['decomposed letters typed for composed ones', typed, typed.normalize('NFD'), []],
    ['decomposed letters typed for composed ones, old ciphers', typed, typed.normalize('NFD'), ['-legacy']],
    ['composed letters typed for decomposed ones', typed.normalize('NFD'), typed, []],
    ['composed letters, no MAC', typed, typed.normalize('NFD'), ['-nomac']],
  ];
  it.each(rows)('opens a file with %s', async (_name, made, given, parameters) => {
    const file = await opensslPkcs12(maria, made, parameters);
    expect((await readPkcs12(file, given)).keys).toHaveLength(1);
    await expect(readPkcs12(file, 'Pw34$.c')).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });
});
