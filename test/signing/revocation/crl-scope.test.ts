/** The certificates and reasons covered by a list (RFC 5280 §5.2.4, §5.2.5, §6.3.3). */
import { describe, expect, it } from 'vitest';
import { CrlIndex } from '../../../src/signing/index.ts';
import {
  derContext,
  derElement,
  derInteger,
  derPrimitiveContext,
  derSequence,
} from '../../../src/signing/der/writer.ts';
import { coveredReasons, mayBeAbout, scopeKey } from '../../../src/signing/revocation/crl/crl-scope.ts';
import { afterDelta, isDeltaOf, judgeCrl, judgeWholeCrl } from '../../../src/signing/revocation/crl/open-crls.ts';
import { ALL_REASONS } from '../../../src/signing/revocation/reasons.ts';
import { general, makeExtension, makeName, makeParty, type Party } from '../certificates/path/path-pki.ts';
import { crlExtension, writeTestCrl, type TestCrlFields } from './write-crl.ts';

const now = new Date('2026-03-01T12:00:00Z');
const day = (number: number): Date => new Date(now.getTime() + number * 86_400_000);
const issuer = makeParty({ name: 'Issuer' });
const lister = makeParty({ name: 'Lister' });
const flag = (number: number): Buffer => derPrimitiveContext(number, Buffer.of(0xff));
const named = (...names: readonly Buffer[]): Buffer => derContext(0, derContext(0, ...names));
const point = (...fields: readonly Buffer[]): Buffer => crlExtension('2.5.29.28', derSequence(...fields), true);
const reasons = (number: number, hex: string): Buffer => derPrimitiveContext(number, Buffer.from(hex, 'hex'));
const [KEY, AUTHORITY] = [0b10, 0b100];
const URL = 'http://a.test/l';

const listOf = (fields: Partial<TestCrlFields> = {}, signer: Party = issuer): Promise<CrlIndex> =>
  CrlIndex.build(
    writeTestCrl(
      { issuer: signer.certificate.subject, thisUpdate: day(-1), nextUpdate: day(1), ...fields },
      signer.key.privateKey,
    ),
    signer.certificate,
  );
const scoped = (...fields: readonly Buffer[]): Partial<TestCrlFields> => ({ extensions: [point(...fields)] });
const holderOf = (...points: readonly Buffer[]): Party =>
  makeParty({
    name: 'Holder',
    issuer,
    extensions: points.length === 0 ? [] : [makeExtension('2.5.29.31', derSequence(...points))],
  });
const covered = async ({ certificate }: Party, fields: Partial<TestCrlFields>, signer: Party = issuer) => {
  const { issuer: name, extensions } = await listOf(fields, signer);
  return coveredReasons(certificate, name, extensions);
};

const plain = holderOf();
const authority = makeParty({ name: 'CA', issuer, authority: true });
const twoListers = holderOf(
  derSequence(derContext(2, general.directory(makeName('Another')), general.directory(lister.certificate.subject))),
);
const twoPlaces = holderOf(derSequence(named(general.uri('http://c.test/l'), general.uri(URL))));
const placed = holderOf(derSequence(named(general.uri(`${URL} `))));
const inDirectory = holderOf(derSequence(named(general.directory(makeName('Place')))));
const ofSomeReasons = holderOf(derSequence(named(general.uri(URL)), reasons(1, '0560')));
const byLister = holderOf(derSequence(derContext(2, general.directory(lister.certificate.subject))));
const byListerAt = holderOf(
  derSequence(named(general.uri(URL)), derContext(2, general.directory(lister.certificate.subject))),
);

describe('the reasons covered by a list', () => {
  it.each<[string, Party, Partial<TestCrlFields>, number]>([
    ['a whole list', plain, {}, ALL_REASONS],
    ['a list for users', plain, scoped(flag(1)), ALL_REASONS],
    ['a list for users, of an authority', authority, scoped(flag(1)), 0],
    ['a list for authorities', plain, scoped(flag(2)), 0],
    ['a list for authorities, of an authority', authority, scoped(flag(2)), ALL_REASONS],
    ['a list for some reasons', plain, scoped(reasons(3, '0560')), KEY | AUTHORITY],
    ['a list of a place, of no place', plain, scoped(named(general.uri(URL))), 0],
    [
      'a list of the issuer as its place',
      plain,
      scoped(named(general.directory(issuer.certificate.subject))),
      ALL_REASONS,
    ],
    ['a list of its place', placed, scoped(named(general.uri(URL))), ALL_REASONS],
    ['a list of a place, of a point without names', holderOf(derSequence()), scoped(named(general.uri(URL))), 0],
    ['a list of one of its places', twoPlaces, scoped(named(general.uri(URL))), ALL_REASONS],
    ['a list of its place with a blank', twoPlaces, scoped(named(general.uri(`${URL} `))), ALL_REASONS],
    ['a list of another place', placed, scoped(named(general.uri('http://b.test/l'))), 0],
    ['a list of two places', placed, scoped(named(general.uri('http://b.test/l'), general.uri(URL))), ALL_REASONS],
    ['a list of a place of another kind', placed, scoped(named(general.dns(URL))), 0],
    [
      'a list of its place in a directory, in other letters',
      inDirectory,
      scoped(named(general.directory(makeName('PLACE')))),
      ALL_REASONS,
    ],
    [
      'a list of its place in a directory',
      inDirectory,
      scoped(named(general.directory(makeName('Place')))),
      ALL_REASONS,
    ],
    ['a list of another place in a directory', inDirectory, scoped(named(general.directory(makeName('Other')))), 0],
    ['a whole list, of a point for some reasons', ofSomeReasons, {}, ALL_REASONS],
    [
      'a list of its place, of a point for some reasons',
      ofSomeReasons,
      scoped(named(general.uri(URL))),
      KEY | AUTHORITY,
    ],
    ['a list for one of them', ofSomeReasons, scoped(named(general.uri(URL)), reasons(3, '0640')), KEY],
  ])('are these of %s', async (_, party, fields, expected) => {
    expect(await covered(party, fields)).toBe(expected);
  });

  it.each<[string, Party, Partial<TestCrlFields>, number]>([
    ['that does not say so', byLister, {}, 0],
    ['that is one of two', twoListers, scoped(flag(4)), ALL_REASONS],
    ['that says so', byLister, scoped(flag(4)), ALL_REASONS],
    ['of a certificate that does not name it', plain, scoped(flag(4)), 0],
    ['at its place', byListerAt, scoped(flag(4), named(general.uri(URL))), ALL_REASONS],
    ['at another place', byListerAt, scoped(flag(4), named(general.uri('http://b.test/l'))), 0],
    ['at its name', byLister, scoped(flag(4), named(general.directory(lister.certificate.subject))), ALL_REASONS],
  ])('are these of a list of another issuer %s', async (_, party, fields, expected) => {
    expect(await covered(party, fields, lister)).toBe(expected);
  });

  it('belong to the lists of the issuer, and of the issuers named by the certificate', () => {
    const [own, other] = [issuer.certificate.subject, lister.certificate.subject];
    const about = ({ certificate }: Party) => [mayBeAbout(certificate, own), mayBeAbout(certificate, other)];
    expect([plain, placed, byLister].map(about)).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
  });
});

describe('the scope of a list', () => {
  const keyOf = async (fields: Partial<TestCrlFields>, name = issuer.certificate.subject): Promise<string> =>
    scopeKey(name, (await listOf(fields)).extensions);
  const identifier = crlExtension('2.5.29.35', derSequence(derPrimitiveContext(0, Buffer.of(1, 2))));

  it('is the same for lists differing in number only', async () => {
    const numbered = (number: number) => keyOf({ extensions: [crlExtension('2.5.29.20', derInteger(number))] });
    expect(await numbered(1)).toBe(await numbered(2));
    expect(await numbered(1)).toBe(await keyOf({}));
  });

  it('differs by every field on the scope of a list', async () => {
    const keys = [
      await keyOf({}),
      await keyOf({}, lister.certificate.subject),
      await keyOf(scoped(flag(1))),
      await keyOf(scoped(flag(2))),
      await keyOf(scoped(flag(4))),
      await keyOf(scoped(reasons(3, '0640'))),
      await keyOf(scoped(named(general.uri(URL)))),
      await keyOf(scoped(named(general.dns(URL)))),
      await keyOf(scoped(named(general.uri('http://b.test/l')))),
      await keyOf({ extensions: [identifier] }),
      await keyOf({
        extensions: [crlExtension('2.5.29.35', derSequence(derPrimitiveContext(0, Buffer.of(1, 3))))],
      }),
      await keyOf(scoped(named(general.uri(URL), general.uri('http://b.test/l')))),
      await keyOf(scoped(derContext(0, derContext(0)))),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

const entryOf = ({ certificate }: Party, reason: number) => ({
  serialNumber: certificate.serialNumber,
  revokedAt: day(-5),
  reason,
});
const number = (value: number): Buffer => crlExtension('2.5.29.20', derInteger(value));
const deltaOf = (base: number): Buffer => crlExtension('2.5.29.27', derInteger(base), true);

describe('the answer of a list', () => {
  const judge = async (fields: Partial<TestCrlFields>, { certificate }: Party = plain, at = now) =>
    judgeCrl(await listOf(fields), certificate, at, now);

  it('is the revocation, or none, with the reasons', async () => {
    expect(await judge({})).toEqual({ revocation: undefined, reasons: ALL_REASONS });
    expect(await judge({ entries: [entryOf(plain, 1)] })).toEqual({
      revocation: { time: day(-5), reason: 'keyCompromise' },
      reasons: ALL_REASONS,
    });
  });

  it.each<[string, Partial<TestCrlFields>, string]>([
    ['is about others', scoped(flag(2)), 'NOT_COVERED'],
    ['is a delta', { extensions: [number(2), deltaOf(1)] }, 'NOT_COVERED'],
    ['is old', { nextUpdate: day(-0.5) }, 'STALE'],
    ['is old, and names the certificate', { nextUpdate: day(-0.5), entries: [entryOf(plain, 1)] }, 'STALE'],
  ])('is none in a list that %s', async (_, fields, code) => {
    expect(await judge(fields)).toMatchObject({ problem: { code } });
  });

  it('is a revocation of an expired certificate, and never another statement', async () => {
    const expired = makeParty({ name: 'Holder', issuer, notAfter: day(-2) });
    expect(await judge({}, expired, day(-3))).toMatchObject({ problem: { code: 'NOT_COVERED' } });
    expect(await judge({ entries: [entryOf(expired, 4)] }, expired, day(-3))).toMatchObject({
      revocation: { reason: 'superseded' },
    });
  });

  it('is enough by itself for all reasons, or with a revocation', async () => {
    const some = scoped(reasons(3, '0640'));
    const whole = async (fields: Partial<TestCrlFields>) =>
      judgeWholeCrl(await listOf(fields), plain.certificate, now, now);
    expect(await whole(some)).toMatchObject({ problem: { code: 'NOT_COVERED' } });
    expect(await whole({ ...some, entries: [entryOf(plain, 1)] })).toMatchObject({ reasons: KEY });
    expect(await whole({})).toMatchObject({ reasons: ALL_REASONS });
    expect(await whole(scoped(flag(2)))).toMatchObject({ problem: { code: 'NOT_COVERED' } });
  });
});

describe('a delta', () => {
  const list = (...extensions: readonly Buffer[]): Promise<CrlIndex> => listOf({ extensions });

  it.each<[string, boolean, readonly Buffer[], readonly Buffer[]]>([
    ['the same base', true, [number(6), deltaOf(5)], [number(5)]],
    ['an earlier base', true, [number(6), deltaOf(4)], [number(5)]],
    ['a later base', false, [number(7), deltaOf(6)], [number(5)]],
    ['numbers of several bytes', true, [number(300), deltaOf(255)], [number(256)]],
    ['an older list', false, [number(5), deltaOf(5)], [number(5)]],
    ['a list without a number', false, [number(6), deltaOf(5)], []],
    ['a delta without a number', false, [deltaOf(5)], [number(5)]],
    ['a list that is none', false, [number(6)], [number(5)]],
    ['another scope', false, [number(6), deltaOf(5), point(flag(1))], [number(5)]],
  ])('belongs to its list, with %s: %j', async (_, expected, delta, base) => {
    expect(isDeltaOf(await list(...delta), await list(...base))).toBe(expected);
  });

  it('adds a revocation, changes one, removes one, or says nothing', async () => {
    const revocation = { time: day(-9), reason: 'certificateHold' } as const;
    const after = async (answer: object | undefined, entries: TestCrlFields['entries'] = []) => {
      const delta = await listOf({ entries, extensions: [number(6), deltaOf(5)] });
      return afterDelta({ revocation: answer as typeof revocation, reasons: KEY }, delta, plain.certificate);
    };
    expect(await after(revocation)).toEqual({ revocation, reasons: KEY });
    expect(await after(undefined, [entryOf(plain, 1)])).toEqual({
      revocation: { time: day(-5), reason: 'keyCompromise' },
      reasons: KEY,
    });
    expect(await after(revocation, [entryOf(plain, 8)])).toEqual({ revocation: undefined, reasons: KEY });
  });
});

describe('an indirect list', () => {
  const issuerOf = (name: Buffer): Buffer => crlExtension('2.5.29.29', derSequence(general.directory(name)), true);
  const other = makeName('Other');
  const serial = Buffer.of(5);
  const entry = (serialNumber: Buffer, ...extensions: readonly Buffer[]) => ({
    serialNumber,
    revokedAt: day(-5),
    extensions,
  });
  const reason = (value: number): Buffer => crlExtension('2.5.29.21', derElement(0x0a, Buffer.of(value)));

  it('gives each entry the issuer of the entry before (§5.3.3)', async () => {
    const index = await listOf({
      ...scoped(flag(4)),
      entries: [
        entry(serial, reason(1)),
        entry(Buffer.of(6), issuerOf(other), reason(4)),
        entry(Buffer.of(7), reason(5)),
        entry(Buffer.of(8), issuerOf(issuer.certificate.subject), reason(3)),
      ],
    });
    const found = (name: Buffer) => [5, 6, 7, 8].map((value) => index.find(Buffer.of(0, value), name)?.reason);
    expect(found(issuer.certificate.subject)).toEqual(['keyCompromise', undefined, undefined, 'affiliationChanged']);
    expect(found(other)).toEqual([undefined, 'superseded', 'cessationOfOperation', undefined]);
    expect(index.find(serial)?.reason).toBe('keyCompromise');
  });

  it('is refused without its mark of a delta list', async () => {
    await expect(listOf({ entries: [entry(serial, issuerOf(other))] })).rejects.toMatchObject({
      code: 'CRL_UNSUPPORTED',
    });
  });
});
