import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CrlIndex, type Certificate } from '../../../src/signing/index.ts';
import {
  derBitString,
  derContext,
  derInteger,
  derNull,
  derPrimitiveContext,
  derElement,
  derSequence,
  derTime,
} from '../../../src/signing/der/writer.ts';
import { SIGNATURE_KINDS, makeParty, type Party, type SignatureKind } from '../certificates/path/path-pki.ts';
import { makeScratchFolder } from '../cms/scratch-folder.ts';
import { crlExtension, manyEntries, writeTestCrl, type TestCrlFields } from './write-crl.ts';

const scratch = makeScratchFolder();
const issuer = makeParty({ name: 'Issuer' });
const thisUpdate = new Date('2026-01-02T03:04:05Z');
const nextUpdate = new Date('2026-02-02T03:04:05Z');
const serial = (number: number): Buffer => Buffer.from(number.toString(16).padStart(8, '0'), 'hex');

const crlOf = (fields: Partial<TestCrlFields> = {}, signer: Party = issuer): Buffer =>
  writeTestCrl({ issuer: signer.certificate.subject, thisUpdate, nextUpdate, ...fields }, signer.key.privateKey);

const entries = [
  { serialNumber: serial(0x01020304), revokedAt: new Date('2025-12-01'), reason: 1 },
  { serialNumber: serial(0x81020304), revokedAt: new Date('2025-12-02') },
];

describe('CrlIndex', () => {
  it('verifies a list signed with Ed448, without entries and without a next update', async () => {
    const ed448 = makeParty({ name: 'Ed448', key: generateKeyPairSync('ed448'), signature: SIGNATURE_KINDS.Ed448 });
    const body = derSequence(
      derInteger(1),
      SIGNATURE_KINDS.Ed448.algorithm,
      ed448.certificate.subject,
      Buffer.from('170d3236303130323030303030305a', 'hex'),
    );
    const value = derBitString(SIGNATURE_KINDS.Ed448.sign(body, ed448.key.privateKey));
    const index = await CrlIndex.build(derSequence(body, SIGNATURE_KINDS.Ed448.algorithm, value), ed448.certificate);
    expect(index.entryCount).toBe(0);
    expect(index.nextUpdate).toBeUndefined();
    expect(index.find(Buffer.of(1))).toBeUndefined();
  });

  it('stores eight bytes per entry', async () => {
    const { der } = manyEntries(1_000);
    const index = await CrlIndex.build(crlOf({ entriesDer: der }), issuer.certificate);
    expect(index.serialize().length).toBeLessThan(8_000 + 64);
  });

  it('does not restore an index beside another list', async () => {
    const index = await CrlIndex.build(crlOf({ entries }), issuer.certificate);
    const other = crlOf({ entries: entries.slice(1) });
    await expect(CrlIndex.restore(index.serialize(), other)).rejects.toMatchObject({ code: 'CRL_MALFORMED' });
  });

  it('finds a serial number whatever zeros are written in front of it', async () => {
    const index = await CrlIndex.build(crlOf({ entries }), issuer.certificate);
    expect(index.find(Buffer.from('0081020304', 'hex'))).toBeDefined();
    expect(index.find(Buffer.from('00000081020304', 'hex'))).toBeDefined();
  });

  it('does not take a negative number for the positive number with the same last bytes', async () => {
    const positive = await CrlIndex.build(crlOf({ entries }), issuer.certificate);
    expect(positive.find(Buffer.from('81020304', 'hex'))).toBeUndefined();
    const revoked = derTime(new Date('2026-01-02'));
    const entriesDer = derSequence(derElement(0x02, Buffer.of(0xff)), revoked);
    const negative = await CrlIndex.build(crlOf({ entriesDer }), issuer.certificate);
    expect(negative.find(Buffer.of(0xff))).toBeDefined();
    expect(negative.find(Buffer.of(0x00, 0xff))).toBeUndefined();
  });

  it('reads all extensions of an entry', async () => {
    const invalidSince = crlExtension('2.5.29.24', Buffer.from('180f32303235313130313030303030305a', 'hex'));
    const reason = crlExtension('2.5.29.21', Buffer.of(0x0a, 1, 5), true);
    const entry = { serialNumber: Buffer.of(9), revokedAt: thisUpdate, extensions: [invalidSince, reason] };
    const index = await CrlIndex.build(crlOf({ entries: [entry] }), issuer.certificate);
    expect(index.find(Buffer.of(9))).toEqual({
      revokedAt: thisUpdate,
      reason: 'cessationOfOperation',
      invalidSince: new Date('2025-11-01'),
    });
  });
});

const flag = (number: number): Buffer => derPrimitiveContext(number, Buffer.of(0xff));
const point = (...fields: readonly Buffer[]): Buffer => crlExtension('2.5.29.28', derSequence(...fields), true);
const entryWith = (extension: Buffer): Partial<TestCrlFields> => ({
  entries: [{ serialNumber: Buffer.of(1), revokedAt: thisUpdate, extensions: [extension] }],
});
const withoutCrlSign = makeParty({ name: 'Issuer', key: issuer.key, keyUsage: [5] });
const stranger = makeParty({ name: 'Stranger', key: issuer.key });
const namesake = makeParty({ name: 'Issuer' });
const sha1 = makeParty({ name: 'Issuer', key: issuer.key });

const refusals: readonly (readonly [string, string, () => Buffer, Certificate])[] = [
  [
    'an unknown critical extension',
    'CRL_UNSUPPORTED',
    () => crlOf({ extensions: [crlExtension('1.2.3', derNull(), true)] }),
    issuer.certificate,
  ],
  [
    'a list for attribute certificates',
    'CRL_UNSUPPORTED',
    () => crlOf({ extensions: [point(flag(5))] }),
    issuer.certificate,
  ],
  [
    'an unknown critical extension of an entry',
    'CRL_UNSUPPORTED',
    () => crlOf(entryWith(crlExtension('1.2.3', derNull(), true))),
    issuer.certificate,
  ],
  [
    'an entry of another issuer',
    'CRL_UNSUPPORTED',
    () => crlOf(entryWith(crlExtension('2.5.29.29', derSequence(), true))),
    issuer.certificate,
  ],
  ['a signer without cRLSign', 'SIGNATURE_INVALID', () => crlOf({ entries }), withoutCrlSign.certificate],
  ['a signer of another name', 'SIGNATURE_INVALID', () => crlOf({ entries }), stranger.certificate],
  ['a signer of the same name with another key', 'SIGNATURE_INVALID', () => crlOf({ entries }), namesake.certificate],
  ['a cut list', 'CRL_MALFORMED', () => crlOf({ entries }).subarray(0, -1), issuer.certificate],
  [
    'something behind the list',
    'CRL_MALFORMED',
    () => Buffer.concat([crlOf({ entries }), Buffer.of(0)]),
    issuer.certificate,
  ],
  [
    'an entry that is no sequence',
    'CRL_MALFORMED',
    () => crlOf({ entriesDer: Buffer.from('0500', 'hex') }),
    issuer.certificate,
  ],
  [
    'an entry without a time',
    'CRL_MALFORMED',
    () => crlOf({ entriesDer: Buffer.from('3003020101', 'hex') }),
    issuer.certificate,
  ],
  [
    'an entry that claims to be longer than the list',
    'CRL_MALFORMED',
    () => crlOf({ entriesDer: Buffer.from('3010020101', 'hex') }),
    issuer.certificate,
  ],
  [
    'an entry of a million bytes',
    'CRL_MALFORMED',
    () => crlOf({ entriesDer: derSequence(derInteger(Buffer.alloc(1_000_000, 1))) }),
    issuer.certificate,
  ],
  ['a certificate', 'CRL_MALFORMED', () => sha1.certificate.der, issuer.certificate],
  ['nothing', 'CRL_MALFORMED', () => Buffer.alloc(0), issuer.certificate],
];

describe('CrlIndex.build', () => {
  it.each(refusals)('refuses %s with %s', async (_, code, make, signer) => {
    await expect(CrlIndex.build(make(), signer)).rejects.toMatchObject({ code });
    await expect(CrlIndex.build(scratch.write('refused.crl', make()), signer)).rejects.toMatchObject({ code });
  });

  it('refuses a file that does not exist', async () => {
    await expect(CrlIndex.build(scratch.path('nowhere'), issuer.certificate)).rejects.toMatchObject({
      code: 'CRL_MALFORMED',
    });
  });
});

/** A list with anything before and behind its signature; signed with the key of the issuer. */
function signedList(
  {
    body = [],
    kind = SIGNATURE_KINDS['ECDSA, SHA-256'],
  }: { readonly body?: readonly Buffer[]; readonly kind?: SignatureKind },
  outer: Buffer = kind.algorithm,
  ...behind: readonly Buffer[]
): Buffer {
  const times = [derTime(thisUpdate), derTime(nextUpdate)];
  const signed = derSequence(derInteger(1), kind.algorithm, issuer.certificate.subject, ...times, ...body);
  return derSequence(signed, outer, derBitString(kind.sign(signed, issuer.key.privateKey)), ...behind);
}

describe('the end of a list', () => {
  const tooMuch = derContext(0, derSequence(crlExtension('1.2.3', Buffer.alloc(2 ** 20))));

  it.each<[string, Buffer]>([
    ['too much follows its entries', signedList({ body: [tooMuch] })],
    ['something unknown follows its entries', signedList({ body: [derContext(1, derNull())] })],
    ['names two different signature algorithms', signedList({}, SIGNATURE_KINDS['ECDSA, SHA-384'].algorithm)],
    ['something follows its signature', signedList({}, undefined, derNull())],
  ])('is refused where %s', async (words, list) => {
    const built = CrlIndex.build(list, issuer.certificate);
    await expect(built).rejects.toMatchObject({ code: 'CRL_MALFORMED' });
    await expect(built).rejects.toThrow(words);
  });

  it('is taken without entries and extensions, and with SHA-1 for the past only', async () => {
    expect((await CrlIndex.build(signedList({}), issuer.certificate)).entryCount).toBe(0);
    const old = signedList({ kind: SIGNATURE_KINDS['ECDSA, SHA-1'] });
    await expect(CrlIndex.build(old, issuer.certificate)).rejects.toMatchObject({ code: 'ALGORITHM_UNSUPPORTED' });
    const past = await CrlIndex.build(old, issuer.certificate, { allowLegacyAlgorithms: true });
    expect(past.entryCount).toBe(0);
  });

  it('tells the cause of a damage', async () => {
    const cause = { code: 'DER_MALFORMED' };
    await expect(CrlIndex.build(Buffer.of(0x30), issuer.certificate)).rejects.toMatchObject({ cause });
  });
});

describe('a stored index', () => {
  it('is of this version and of whole entries, or none', async () => {
    const crl = crlOf({ entries });
    const stored = (await CrlIndex.build(crl, issuer.certificate)).serialize();
    expect(CrlIndex.isReadable(stored)).toBe(true);
    expect(CrlIndex.isReadable(Buffer.concat([Buffer.from('SINCRL01'), stored.subarray(8)]))).toBe(false);
    expect((await CrlIndex.restore(stored, crl)).entryCount).toBe(2);
    for (const wrong of [Buffer.concat([stored, Buffer.of(0)]), stored.subarray(0, -1)]) {
      await expect(CrlIndex.restore(wrong, crl)).rejects.toMatchObject({ code: 'CRL_MALFORMED' });
    }
  });
});

describe('CrlIndex.find', () => {
  it('tells serial numbers with the same hash apart', async () => {
    // Both have the FNV-1a hash f948f9b5.
    const [one, other] = [Buffer.from('312f4ad96057', 'hex'), Buffer.from('4033b8ad784e', 'hex')];
    const both = [
      { serialNumber: one, revokedAt: thisUpdate, reason: 1 },
      { serialNumber: other, revokedAt: thisUpdate, reason: 4 },
    ];
    for (const list of [both, both.toReversed()]) {
      const index = await CrlIndex.build(crlOf({ entries: list }), issuer.certificate);
      expect([index.find(one)?.reason, index.find(other)?.reason]).toEqual(['keyCompromise', 'superseded']);
    }
    const alone = await CrlIndex.build(crlOf({ entries: both.slice(0, 1) }), issuer.certificate);
    expect(alone.find(other)).toBeUndefined();
  });

  it('reads entries that are longer than usual, also the last one', async () => {
    const reason = crlExtension('2.5.29.21', Buffer.of(0x0a, 1, 5));
    const long = [crlExtension('1.2.3', Buffer.alloc(400)), reason];
    const list = [1, 2, 3].map((number) => ({
      serialNumber: Buffer.of(number),
      revokedAt: thisUpdate,
      extensions: long,
    }));
    for (const source of [crlOf({ entries: list }), scratch.write('long.crl', crlOf({ entries: list }))]) {
      const index = await CrlIndex.build(source, issuer.certificate);
      for (const number of [1, 2, 3]) expect(index.find(Buffer.of(number))?.reason).toBe('cessationOfOperation');
      index.close();
    }
  });

  it('reads nothing of a closed file', async () => {
    const index = await CrlIndex.build(scratch.write('closed.crl', crlOf({ entries })), issuer.certificate);
    index.close();
    expect(() => index.find(serial(0x01020304))).toThrow('EBADF');
  });
});
