/** The parts of a list before and behind its entries (RFC 5280 §5.1.2, §5.2), byte by byte. */
import { describe, expect, it } from 'vitest';
import { Oid } from '../../../src/signing/der/oids.ts';
import { readDer } from '../../../src/signing/der/reader.ts';
import {
  derBitString,
  derBoolean,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derPrintableString,
  derSequence,
  derTime,
} from '../../../src/signing/der/writer.ts';
import { ALL_REASONS, relativeTo } from '../../../src/signing/revocation/reasons.ts';
import { readCrlExtensions, readCrlHead, type CrlHead } from '../../../src/signing/revocation/crl/crl-head.ts';
import { general, makeName } from '../certificates/path/path-pki.ts';
import { crlExtension } from './write-crl.ts';

const algorithm = derSequence(derOid(Oid.ecdsaWithSha256));
const issuer = makeName('Issuer');
const [thisUpdate, nextUpdate] = [new Date('2026-01-02T03:04:05Z'), new Date('2026-02-02T03:04:05Z')];
const times = [derTime(thisUpdate), derTime(nextUpdate)];
const entries = derSequence(derSequence(derInteger(5), derTime(thisUpdate)));
const extensions = derContext(0, derSequence(crlExtension('2.5.29.20', derInteger(7))));

const list = (...fields: readonly Buffer[]): Buffer =>
  derSequence(derSequence(...fields), algorithm, derBitString(Buffer.of(1)));
const head = (bytes: Buffer, length = bytes.length): CrlHead => readCrlHead(bytes, length);
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

describe('readCrlHead', () => {
  it('tells where everything is', () => {
    const body = derSequence(derInteger(1), algorithm, issuer, ...times, entries, extensions);
    const bytes = derSequence(body, algorithm, derBitString(Buffer.of(1)));
    const read = head(bytes);
    expect(bytes.subarray(read.bodyStart, read.bodyEnd)).toEqual(body);
    expect(bytes.subarray(read.entriesStart, read.entriesEnd)).toEqual(readDer(entries).content);
    expect(bytes.subarray(read.entriesEnd, read.bodyEnd)).toEqual(extensions);
    expect(read).toMatchObject({
      end: bytes.length,
      algorithmBytes: algorithm,
      algorithm: { family: 'ecdsa', digest: 'sha256' },
      issuer,
      thisUpdate,
      nextUpdate,
    });
  });

  it.each<[string, readonly Buffer[], Date | undefined]>([
    ['version 1', [algorithm, issuer, ...times], nextUpdate],
    ['no next update', [derInteger(1), algorithm, issuer, derTime(thisUpdate)], undefined],
    [
      'a next update in GeneralizedTime',
      [derInteger(1), algorithm, issuer, derTime(thisUpdate), derElement(0x18, Buffer.from('20260202030405Z'))],
      nextUpdate,
    ],
    ['extensions', [derInteger(1), algorithm, issuer, ...times, extensions], nextUpdate],
  ])('finds no entries in a list with %s', (_, fields, expected) => {
    const read = head(list(...fields));
    expect(read.nextUpdate).toEqual(expected);
    expect(read.entriesStart).toBe(read.entriesEnd);
    expect(read.bodyEnd - read.entriesEnd).toBe(fields.includes(extensions) ? extensions.length : 0);
  });

  it('finds entries behind a single time', () => {
    const bytes = list(derInteger(1), algorithm, issuer, derTime(thisUpdate), entries);
    const { nextUpdate: next, entriesStart, entriesEnd } = head(bytes);
    expect(next).toBeUndefined();
    expect(bytes.subarray(entriesStart, entriesEnd)).toEqual(readDer(entries).content);
  });

  it('takes no time behind the signed part for the next update', () => {
    const body = derSequence(derInteger(1), algorithm, issuer, derTime(thisUpdate));
    expect(head(derSequence(body, derTime(nextUpdate))).nextUpdate).toBeUndefined();
  });

  const good = list(derInteger(1), algorithm, issuer, ...times);
  const retagged = (offset: number, tag: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes[offset] = tag;
    return bytes;
  };
  it.each<[string, Buffer, number, string]>([
    ['is longer than it says', good, good.length + 1, 'CRL_MALFORMED'],
    ['is shorter than it says', good, good.length - 1, 'CRL_MALFORMED'],
    ['is a set', retagged(0, 0x31), good.length, 'CRL_MALFORMED'],
    ['has a set in front', retagged(head(good).bodyStart, 0x31), good.length, 'CRL_MALFORMED'],
    ['has a signed part that is longer than the list', Buffer.from('30033005ff', 'hex'), 5, 'CRL_MALFORMED'],
    ['has version 1, written', list(derInteger(0), algorithm, issuer, ...times), 0, 'CRL_UNSUPPORTED'],
    ['has version 3', list(derInteger(2), algorithm, issuer, ...times), 0, 'CRL_UNSUPPORTED'],
    ['has no issuer', list(derInteger(1), algorithm, ...times), 0, 'DER_MALFORMED'],
    ['has no time', list(derInteger(1), algorithm, issuer), 0, 'DER_MALFORMED'],
    ['has an unknown algorithm', list(derSequence(derOid('1.2.3')), issuer, ...times), 0, 'ALGORITHM_UNSUPPORTED'],
  ])('refuses a list that %s', (_, bytes, length, expected) => {
    expect(() => head(bytes, length === 0 ? bytes.length : length)).toThrow(code(expected));
  });
});

const read = (...all: readonly Buffer[]) => readCrlExtensions(derContext(0, derSequence(...all)), issuer);
const WHOLE = { only: undefined, names: undefined, isIndirect: false, reasons: ALL_REASONS };

describe('readCrlExtensions', () => {
  it('has these values without extensions', () => {
    const none = {
      number: undefined,
      deltaBase: undefined,
      authorityKeyIdentifier: undefined,
      scope: WHOLE,
      expiredSince: undefined,
    };
    expect(readCrlExtensions(Buffer.alloc(0), issuer)).toEqual(none);
    expect(read()).toEqual(none);
    expect(read(crlExtension('1.2.3', derNull()))).toEqual(none);
  });

  it('reads each known extension, critical or not', () => {
    for (const isCritical of [false, true]) {
      expect(
        read(
          crlExtension('2.5.29.20', derInteger(0x1234), isCritical),
          crlExtension('2.5.29.27', derInteger(0x12), isCritical),
          crlExtension('2.5.29.35', derSequence(derPrimitiveContext(0, Buffer.of(1, 2))), isCritical),
          crlExtension('2.5.29.60', derElement(0x18, Buffer.from('20200101000000Z')), isCritical),
        ),
      ).toEqual({
        number: '1234',
        deltaBase: '12',
        authorityKeyIdentifier: Buffer.of(1, 2),
        scope: WHOLE,
        expiredSince: new Date('2020-01-01'),
      });
    }
    expect(read(crlExtension('2.5.29.35', derSequence())).authorityKeyIdentifier).toBeUndefined();
  });

  it.each<[string, Buffer, string]>([
    ['an unknown critical one', crlExtension('1.2.3', derNull(), true), 'CRL_UNSUPPORTED'],
    ['a number that is no INTEGER', crlExtension('2.5.29.20', derNull()), 'DER_MALFORMED'],
    ['a base that is no INTEGER', crlExtension('2.5.29.27', derNull()), 'DER_MALFORMED'],
    ['one without a value', derSequence(derOid('1.2.3')), 'DER_MALFORMED'],
    ['a value that is no OCTET STRING', derSequence(derOid('1.2.3'), derNull()), 'DER_MALFORMED'],
    ['one without a type', derSequence(derOctetString(derNull())), 'DER_MALFORMED'],
    ['a place that is no SEQUENCE', crlExtension('2.5.29.28', derNull()), 'DER_MALFORMED'],
  ])('refuses %s', (_, extension, expected) => {
    expect(() => read(extension)).toThrow(code(expected));
  });

  it('takes an explicit mark of an unknown one that is not critical', () => {
    const marked = derSequence(derOid('1.2.3'), derBoolean(false), derOctetString(derNull()));
    expect(read(marked).scope).toEqual(WHOLE);
  });

  it('refuses other things in their place', () => {
    expect(() => readCrlExtensions(derContext(1, derSequence()), issuer)).toThrow(code('DER_MALFORMED'));
    expect(() => readCrlExtensions(derContext(0), issuer)).toThrow(code('DER_MALFORMED'));
  });

  const scope = (...fields: readonly Buffer[]) => read(crlExtension('2.5.29.28', derSequence(...fields), true)).scope;
  const flag = (number: number, value = 0xff): Buffer => derPrimitiveContext(number, Buffer.of(value));
  const place = general.uri('http://a.test/l');

  it.each<[string, readonly Buffer[], object]>([
    ['nothing', [], {}],
    ['users', [flag(1)], { only: 'users' }],
    ['authorities', [flag(2)], { only: 'authorities' }],
    ['flags that are not set', [flag(1, 0), flag(2, 0), flag(4, 0), flag(5, 0)], {}],
    ['other issuers', [flag(4)], { isIndirect: true }],
    ['some reasons', [derPrimitiveContext(3, Buffer.from('0640', 'hex'))], { reasons: 0b10 }],
    ['a place', [derContext(0, derContext(0, place))], { names: [{ kind: 6, value: Buffer.from('http://a.test/l') }] }],
  ])('reads the scope of a list for %s', (_, fields, expected) => {
    expect(scope(...fields)).toEqual({ ...WHOLE, ...expected });
  });

  it('reads a place relative to the issuer', () => {
    const relative = derContext(1, derSequence(derOid('2.5.4.3'), derPrintableString('List 1')));
    expect(scope(derContext(0, relative)).names).toEqual([relativeTo(issuer, readDer(relative))]);
  });

  it('refuses lists about attribute certificates, and places named in an unknown way', () => {
    expect(() => scope(flag(5))).toThrow(code('CRL_UNSUPPORTED'));
    expect(() => scope(derContext(0, derContext(2, place)))).toThrow(code('CRL_UNSUPPORTED'));
  });
});
