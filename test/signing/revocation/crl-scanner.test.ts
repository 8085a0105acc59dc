/** The entries of a list (RFC 5280 §5.1.2.6, §5.3): each as its own value, and all of them as the bytes arrive. */
import { describe, expect, it } from 'vitest';
import { readDer } from '../../../src/signing/der/reader.ts';
import { derContext, derElement, derInteger, derNull, derSequence, derTime } from '../../../src/signing/der/writer.ts';
import type { CrlHead } from '../../../src/signing/revocation/crl/crl-head.ts';
import {
  EntryWalk,
  checkEntryExtensions,
  hashSerialNumber,
  isPlainReason,
  readCertificateIssuer,
  readCrlEntry,
  trimSerialNumber,
} from '../../../src/signing/revocation/crl/crl-scanner.ts';
import { general, makeName } from '../certificates/path/path-pki.ts';
import { crlExtension } from './write-crl.ts';

const revokedAt = new Date('2026-01-02T03:04:05Z');
const reasonOf = (number: number, isCritical = false): Buffer =>
  crlExtension('2.5.29.21', derElement(0x0a, Buffer.of(number)), isCritical);
const since = crlExtension('2.5.29.24', derElement(0x18, Buffer.from('20251101000000Z')));
const issuerOf = (...names: readonly Buffer[]): Buffer => crlExtension('2.5.29.29', derSequence(...names), true);
const odd = (isCritical: boolean): Buffer => crlExtension('1.2.3', derNull(), isCritical);
const entry = (serial: number | Buffer, ...extensions: readonly Buffer[]): Buffer =>
  derSequence(derInteger(serial), derTime(revokedAt), ...(extensions.length === 0 ? [] : [derSequence(...extensions)]));
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

describe('a serial number', () => {
  it.each([
    ['00', '00'],
    ['0000', '00'],
    ['0001', '01'],
    ['007f', '7f'],
    ['0080', '0080'],
    ['0000ff01', '00ff01'],
    ['ff', 'ff'],
    ['0100', '0100'],
    ['', ''],
  ])('%s has the shortest form %s', (written, shortest) => {
    expect(trimSerialNumber(hex(written)).toString('hex')).toBe(shortest);
  });

  it('has a hash without its padding, and without its surroundings', () => {
    const hash = (text: string): number => hashSerialNumber(hex(text), 0, text.length / 2);
    // FNV-1a of a single byte, and of none.
    expect([hash('61'), hash('')]).toEqual([0xe40c292c, 0x811c9dc5]);
    expect(hash('00000102')).toBe(hash('0102'));
    expect(hash('00ff')).not.toBe(hash('ff'));
    expect(hashSerialNumber(hex('aa0102bb'), 1, 3)).toBe(hash('0102'));
  });
});

describe('an entry', () => {
  it.each<[string, Buffer, object]>([
    ['nothing else', entry(5), { revokedAt, reason: 'unspecified' }],
    ['a reason', entry(5, reasonOf(4)), { revokedAt, reason: 'superseded' }],
    ['a critical reason', entry(5, reasonOf(4, true)), { revokedAt, reason: 'superseded' }],
    ['a reason out of the standard', entry(5, reasonOf(77)), { revokedAt, reason: 'unspecified' }],
    [
      'reason and date',
      entry(5, since, reasonOf(1), odd(false)),
      { revokedAt, reason: 'keyCompromise', invalidSince: new Date('2025-11-01') },
    ],
    ['something unknown', entry(5, odd(false)), { revokedAt, reason: 'unspecified' }],
  ])('with %s', (_, bytes, expected) => {
    expect(readCrlEntry(bytes)).toEqual(expected);
  });

  it('is damaged with a reason that is no ENUMERATED', () => {
    const bytes = entry(5, crlExtension('2.5.29.21', derInteger(1)), since);
    expect(() => readCrlEntry(bytes)).toThrow(expect.objectContaining({ code: 'DER_MALFORMED' }));
  });

  it('has a plain reason, or not', () => {
    const plain = derSequence(reasonOf(4));
    expect(isPlainReason(plain, 0, plain.length)).toBe(true);
    const inside = Buffer.concat([Buffer.of(1, 2), plain, Buffer.of(3)]);
    expect(isPlainReason(inside, 2, 2 + plain.length)).toBe(true);
    expect(isPlainReason(inside, 1, 1 + plain.length)).toBe(false);
    expect(isPlainReason(inside, 2, inside.length)).toBe(false);
    expect(isPlainReason(derSequence(reasonOf(4, true)), 0, plain.length)).toBe(false);
  });

  it.each<[string, readonly Buffer[], boolean]>([
    ['reason and date', [reasonOf(1, true), since], false],
    ['a critical date', [crlExtension('2.5.29.24', derTime(revokedAt), true)], false],
    ['an issuer', [issuerOf(general.directory(makeName('CA')))], true],
    ['an issuer and something unknown', [issuerOf(), odd(false)], true],
    ['nothing', [], false],
  ])('names an issuer with %s, or not', (_, extensions, expected) => {
    expect(checkEntryExtensions(derSequence(...extensions))).toBe(expected);
  });

  it('is refused with an unknown critical extension, and with none at all', () => {
    expect(() => checkEntryExtensions(derSequence(odd(true)))).toThrow(
      expect.objectContaining({ code: 'CRL_UNSUPPORTED' }),
    );
    expect(() => checkEntryExtensions(derContext(0, odd(false)))).toThrow(
      expect.objectContaining({ code: 'DER_MALFORMED' }),
    );
  });

  it.each<[string, readonly Buffer[], Buffer | undefined]>([
    ['no extension', [], undefined],
    ['a reason', [reasonOf(1)], undefined],
    ['its issuer', [reasonOf(1), issuerOf(general.dns('a'), general.directory(makeName('CA')))], makeName('CA')],
    ['another kind of name', [issuerOf(general.dns('a'))], undefined],
  ])('tells the issuer of its certificate with %s', (_, extensions, expected) => {
    expect(readCertificateIssuer(readDer(entry(5, ...extensions)))).toEqual(expected);
  });
});

/** Walks over entries at offset 10 of a list, in pieces of this size. */
function walk(entries: Buffer, size = 1000, fields: Partial<CrlHead> = {}) {
  const bytes = Buffer.concat([Buffer.alloc(10, 0x30), entries, Buffer.alloc(10, 0xff)]);
  const end = 10 + entries.length;
  const head = { entriesStart: 10, entriesEnd: end, bodyEnd: end, ...fields } as CrlHead;
  const walker = new EntryWalk(head);
  for (let offset = 0; offset < bytes.length; offset += size) {
    walker.add(bytes.subarray(offset, offset + size), offset);
  }
  return { words: walker.finish(), namesIssuers: walker.namesIssuers };
}

const hashOf = (bytes: Buffer): number => {
  const { content } = readDer(bytes).child(0, 'a serial number');
  return hashSerialNumber(content, 0, content.length);
};

describe('EntryWalk', () => {
  const long = crlExtension('1.2.3', Buffer.alloc(300));
  const all = [
    entry(1),
    entry(2, reasonOf(1)),
    entry(3, since),
    entry(4, long),
    derSequence(derInteger(5), derElement(0x18, Buffer.from('20260102030405Z'))),
    ...Array.from({ length: 20 }, (_, index) => entry(100 + index)),
  ];
  const expected = all
    .map((bytes, index) => {
      const position = 10 + Buffer.concat(all.slice(0, index)).length;
      return (BigInt(hashOf(bytes)) << 32n) | BigInt(position);
    })
    .toSorted((left, right) => (left < right ? -1 : 1));

  it.each([1, 2, 3, 7, 20, 64, 299, 5000])('finds each entry and its place in pieces of %i bytes', (size) => {
    const { words, namesIssuers } = walk(Buffer.concat(all), size);
    expect([...words]).toEqual(expected);
    expect(namesIssuers).toBe(false);
  });

  it('finds more entries than their bytes let expect', () => {
    const small = Array.from({ length: 200 }, (_, index) => entry(index % 100));
    const { words } = walk(Buffer.concat(small), 64);
    const places = [...words].map((word) => Number(word & 0xffff_ffffn)).toSorted((left, right) => left - right);
    expect(places).toEqual(small.map((bytes, index) => 10 + index * bytes.length));
  });

  it('tells whether an entry names an issuer, in whatever place', () => {
    const naming = entry(7, issuerOf(general.directory(makeName('CA'))));
    for (const order of [
      [naming, entry(1, since)],
      [entry(1, since), naming],
    ]) {
      expect(walk(Buffer.concat(order)).namesIssuers).toBe(true);
    }
  });

  it('takes entries up to 64 KiB', () => {
    const base = entry(1, crlExtension('1.2.3', Buffer.alloc(65_000)));
    const fill = (length: number): Buffer => {
      const bytes = entry(1, crlExtension('1.2.3', Buffer.alloc(65_000 + length - (base.length - 5 + 1))));
      expect(readDer(bytes).content).toHaveLength(length);
      return bytes;
    };
    expect(walk(fill(65_536), 100_000).words).toHaveLength(1);
    expect(() => walk(fill(65_537), 100_000)).toThrow('an entry is too long');
  });

  it.each<[string, string, string]>([
    ['is no sequence', '310302010117', 'an entry is not a sequence'],
    ['has no definite length', '30800000', 'an entry has a length that is not DER'],
    ['has a length of four bytes', '308400000001', 'an entry has a length that is not DER'],
    ['has no INTEGER', '30050401011700', 'an entry is not as it should be'],
    ['has no serial number', '300417020102', 'an entry is not as it should be'],
    ['has an empty serial number', '300402001700', 'an entry is not as it should be'],
    ['has a time that is none', '3006020101160101', 'an entry is not as it should be'],
    ['ends behind its serial number', '3003020101', 'an entry is not as it should be'],
    ['ends in the tag of its time', '300402010117', 'an entry is not as it should be'],
    ['has a time that is longer than the entry', '3006020101170232', 'the time of an entry is cut off'],
    ['is cut off', '30', 'its last entry is cut off'],
    ['is cut off in its length', '3082', 'its last entry is cut off'],
    ['is cut off in its content', '300a0201', 'its last entry is cut off'],
  ])('refuses an entry that %s', (_, text, sentence) => {
    for (const size of [1, 3, 1000]) expect(() => walk(hex(text), size)).toThrow(sentence);
  });

  it('refuses a serial number of 128 bytes, and entries beyond the signed part', () => {
    const serial = derElement(0x02, Buffer.alloc(128, 1));
    const short = Buffer.concat([Buffer.of(0x02, 0x80), Buffer.alloc(128, 1)]);
    for (const one of [serial, short]) {
      expect(() => walk(derSequence(one, derTime(revokedAt)))).toThrow('an entry is not as it should be');
    }
    expect(() => walk(entry(1), 1000, { bodyEnd: 11 })).toThrow('its entries are longer than it is');
  });

  it('has nothing without entries', () => {
    expect(walk(Buffer.alloc(0)).words).toHaveLength(0);
  });
});
