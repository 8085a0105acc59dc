import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeBer, normalizeBerPrefix } from '../../../src/signing/der/normalize-ber.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import {
  Tag,
  readBitStringBytes,
  readBoolean,
  readDer,
  readDerHeader,
  readDerPrefix,
  readNamedBits,
  readOid,
  readSmallInteger,
  readString,
  readTime,
} from '../../../src/signing/der/reader.ts';
import {
  derBitString,
  derElement,
  derHeader,
  derInteger,
  derNamedBits,
  derOctetString,
  derOid,
  derSequence,
  derSetOf,
  derTime,
  derUtf8String,
} from '../../../src/signing/der/writer.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const malformed = expect.objectContaining({ name: 'SigningError', code: 'DER_MALFORMED' }) as Error;

describe('the DER writer', () => {
  it.each([
    [0, '30 00'],
    [127, '30 7f'],
    [128, '30 81 80'],
    [255, '30 81 ff'],
    [256, '30 82 01 00'],
    [65_535, '30 82 ff ff'],
    [65_536, '30 83 01 00 00'],
    [2 ** 32, '30 85 01 00 00 00 00'],
    [2 ** 48 - 1, '30 86 ff ff ff ff ff ff'],
  ])('writes the length %i in its shortest form (X.690 §8.1.3)', (length, hex) => {
    expect(derHeader(Tag.sequence, length)).toEqual(bytes(hex));
    expect(readDerHeader(bytes(hex), 0)).toEqual({ tag: Tag.sequence, contentStart: bytes(hex).length, length });
  });

  it.each<[number | bigint, string]>([
    [0, '02 01 00'],
    [127, '02 01 7f'],
    [128, '02 02 00 80'],
    [256, '02 02 01 00'],
    [2n ** 64n, '02 09 01 00 00 00 00 00 00 00 00'],
  ])('writes the integer %s (X.690 §8.3)', (value, hex) => {
    expect(derInteger(value)).toEqual(bytes(hex));
  });

  it('writes bytes as a non-negative integer without padding', () => {
    expect(derInteger(bytes('00 00 80'))).toEqual(bytes('02 02 00 80'));
    expect(derInteger(bytes(''))).toEqual(bytes('02 01 00'));
  });

  it.each([
    ['2.999.3', '06 03 88 37 03'],
    ['1.2.840.113549', '06 06 2a 86 48 86 f7 0d'],
    [Oid.sha256, '06 09 60 86 48 01 65 03 04 02 01'],
    [Oid.icpBrasilPerson, '06 05 60 4c 01 03 01'],
  ])('writes and reads the object identifier %s (X.690 §8.19)', (dotted, hex) => {
    expect(derOid(dotted)).toEqual(bytes(hex));
    expect(readOid(readDer(bytes(hex)))).toBe(dotted);
  });

  it('sorts a SET OF by the encodings, a prefix before its continuation (X.690 §11.6)', () => {
    const set = derSetOf(bytes('04 02 01 00'), bytes('04 01 ff'), bytes('02 01 05'), bytes('04 01 01'));
    expect(set).toEqual(bytes('31 0d 02 01 05 04 01 01 04 01 ff 04 02 01 00'));
  });

  it.each([
    [[], '03 01 00'],
    [[0], '03 02 07 80'],
    [[0, 1], '03 02 06 c0'],
    [[5, 6], '03 02 01 06'],
    [[8], '03 03 07 00 80'],
  ])('writes the named bits %j without trailing zeros (X.690 §11.2.2)', (bits, hex) => {
    expect(derNamedBits(bits)).toEqual(bytes(hex));
    expect(readNamedBits(readDer(bytes(hex)), 'bits')).toEqual(bits);
  });

  it.each([
    ['1950-01-01T00:00:00Z', Tag.utcTime, '500101000000Z'],
    ['2049-12-31T23:59:59Z', Tag.utcTime, '491231235959Z'],
    ['2050-01-01T00:00:00Z', Tag.generalizedTime, '20500101000000Z'],
    ['1949-12-31T23:59:59Z', Tag.generalizedTime, '19491231235959Z'],
  ])('writes and reads %s as RFC 5280 §4.1.2.5 says', (time, tag, text) => {
    const element = readDer(derTime(new Date(time)));
    expect(element.tag).toBe(tag);
    expect(element.content.toString()).toBe(text);
    expect(readTime(element, 'a time')).toEqual(new Date(time));
  });
});

describe('the DER reader', () => {
  it.each([
    ['nothing', ''],
    ['a tag alone', '30'],
    ['an indefinite length', '30 80 00 00'],
    ['a length that is longer than it need be', '04 81 01 00'],
    ['a length with a zero in front', '04 82 00 80'],
    ['a length of seven bytes', '04 87 01 00 00 00 00 00 00'],
    ['content that is cut off', '04 05 01 02'],
    ['a tag number above 30', '1f 81 00 00'],
    ['something behind the element', '04 01 01 00'],
  ])('refuses %s', (_, hex) => {
    expect(() => readDer(bytes(hex))).toThrow(malformed);
  });

  it('leaves the following bytes alone when asked for the first element', () => {
    expect(readDerPrefix(bytes('04 01 01 00 00')).bytes).toEqual(bytes('04 01 01'));
  });

  it('gives slices of the input, not copies', () => {
    const input = derSequence(derOctetString(bytes('01 02 03')));
    expect(readDer(input).child(0, 'the bytes').content.buffer).toBe(input.buffer);
  });

  it('refuses more than 64 levels in a walk', () => {
    let nested = derOctetString(Buffer.alloc(0));
    for (let level = 0; level < 70; level++) nested = derSequence(nested);
    const walk = (): void => {
      for (let element = readDer(nested); element.constructed;) element = element.child(0, 'the next level');
    };
    expect(walk).toThrow(malformed);
  });

  it('refuses more than a hundred thousand children', () => {
    const many = derElement(Tag.sequence, Buffer.alloc(200_002, bytes('05 00')));
    expect(() => readDer(many).children).toThrow(malformed);
  });

  it.each([
    ['an empty identifier', '06 00'],
    ['an identifier that is cut off', '06 02 2a 86'],
    ['a padded arc', '06 03 2a 80 01'],
  ])('refuses %s', (_, hex) => {
    expect(() => readOid(readDer(bytes(hex)))).toThrow(malformed);
  });

  it.each([
    ['UTF8String', derUtf8String('José ção €'), 'José ção €'],
    ['BMPString', derElement(Tag.bmpString, bytes('004a 006f 0073 00e9')), 'José'],
    ['UniversalString', derElement(Tag.universalString, bytes('0000004a 0001f600')), 'J😀'],
    ['TeletexString as Latin-1', derElement(Tag.teletexString, bytes('4a 6f 73 e9')), 'José'],
    ['PrintableString with characters it must not have', derElement(Tag.printableString, bytes('61 40 62')), 'a@b'],
    ['UTF8String that is damaged', derElement(Tag.utf8String, bytes('61 ff 62')), 'a\u{fffd}b'],
  ])('reads a %s', (_, element, text) => {
    expect(readString(readDer(element), 'a text')).toBe(text);
  });

  it.each([
    ['without seconds', '17 0b 323630313032303330345a', '2026-01-02T03:04:00Z'],
    ['with an offset', derElement(Tag.utcTime, Buffer.from('2601020304-0300')).toString('hex'), '2026-01-02T06:04:00Z'],
    [
      'with a fraction',
      derElement(Tag.generalizedTime, Buffer.from('20260102030405.5Z')).toString('hex'),
      '2026-01-02T03:04:05Z',
    ],
  ])('reads a time %s', (_, hex, time) => {
    expect(readTime(readDer(bytes(hex)), 'a time')).toEqual(new Date(time));
  });

  it.each([
    '26010203',
    '2601020304',
    'Z',
    '20260102030405Z',
    '261301000000Z',
    '260132000000Z',
    '260100000000Z',
    '260101240000Z',
  ])('refuses the UTCTime %s', (text) => {
    expect(() => readTime(readDer(derElement(Tag.utcTime, Buffer.from(text))), 'a time')).toThrow(malformed);
  });

  it('refuses negative, empty and large values as small integers, and bits not filling bytes', () => {
    for (const hex of ['02 01 80', '02 00', '02 07 01 00 00 00 00 00 00']) {
      expect(() => readSmallInteger(readDer(bytes(hex)), 'a number')).toThrow(malformed);
    }
    expect(() => readBitStringBytes(readDer(bytes('03 02 01 80')), 'bits')).toThrow(malformed);
    expect(() => readBoolean(readDer(bytes('01 02 00 00')), 'a mark')).toThrow(malformed);
  });
});

describe('normalizeBer', () => {
  it.each([
    ['an indefinite length', '30 80 02 01 05 00 00', '30 03 02 01 05'],
    ['nested indefinite lengths', '30 80 a0 80 02 01 05 00 00 00 00', '30 05 a0 03 02 01 05'],
    ['a length that is longer than it need be', '30 84 00 00 00 03 02 01 05', '30 03 02 01 05'],
    ['a longer length inside', '30 04 02 81 01 05', '30 03 02 01 05'],
    ['a string in pieces', '24 80 04 02 61 62 04 01 63 00 00', '04 03 61 62 63'],
    ['a string in pieces with a definite length', '24 07 04 02 61 62 04 01 63', '04 03 61 62 63'],
    ['a string in pieces of pieces', '24 80 24 80 04 01 61 00 00 04 01 62 00 00', '04 02 61 62'],
    ['a string of no pieces', '24 80 00 00', '04 00'],
    ['a text in pieces', '2c 80 0c 01 61 0c 01 62 00 00', '0c 02 61 62'],
    ['a text in pieces that are octet strings', '2c 80 04 01 61 04 01 62 00 00', '0c 02 61 62'],
    ['an element that stands behind one that changes', '30 80 04 81 01 61 02 01 05 00 00', '30 06 04 01 61 02 01 05'],
  ])('makes DER of %s', (_, ber, der) => {
    expect(normalizeBer(bytes(ber))).toEqual(bytes(der));
  });

  it.each([
    ['an end that is missing', '30 80 02 01 05'],
    ['an end where none is due', '30 02 00 00 00'],
    ['a primitive element without a length', '04 80 61 00 00'],
    ['a piece of another type', '24 80 0c 01 61 00 00'],
    ['bits in pieces', '23 80 03 02 00 61 00 00'],
    ['something behind the element', '30 80 00 00 00'],
    ['a length that is longer than what is left', '30 84 ff ff ff ff 00'],
    ['a tag number above 30', '3f 81 00 00'],
    ['65 levels', `${'3080'.repeat(70)}${'0000'.repeat(70)}`],
  ])('refuses %s', (_, hex) => {
    expect(() => normalizeBer(bytes(hex))).toThrow(malformed);
  });

  it('keeps the order of a SET and the byte of a BOOLEAN: values are not touched', () => {
    expect(normalizeBer(bytes('31 80 04 01 02 04 01 01 01 01 07 00 00'))).toEqual(
      bytes('31 09 04 01 02 04 01 01 01 01 07'),
    );
  });

  it('tells the length taken when something follows', () => {
    expect(normalizeBerPrefix(bytes('30 80 00 00 00 00'))).toEqual({ der: bytes('30 00'), consumed: 4 });
  });

  interface Tree {
    readonly tag: number;
    readonly content: Uint8Array | readonly Tree[];
    readonly indefinite: boolean;
    readonly longer: boolean;
  }

  const { tree } = fc.letrec<{ tree: Tree; leaf: Tree; node: Tree }>((tie) => ({
    leaf: fc.record({
      tag: fc.constantFrom(Tag.integer, Tag.octetString, Tag.utf8String, 0x80),
      content: fc.uint8Array({ maxLength: 200 }),
      indefinite: fc.constant(false),
      longer: fc.boolean(),
    }),
    node: fc.record({
      tag: fc.constantFrom(Tag.sequence, Tag.set, 0xa0),
      content: fc.array(tie('tree'), { maxLength: 4 }),
      indefinite: fc.boolean(),
      longer: fc.boolean(),
    }),
    tree: fc.oneof({ maxDepth: 6 }, tie('leaf'), tie('node')),
  }));

  function encode({ tag, content, indefinite, longer }: Tree, isDer: boolean): Buffer {
    const data =
      content instanceof Uint8Array
        ? Buffer.from(content)
        : Buffer.concat(content.map((inner) => encode(inner, isDer)));
    if (isDer) return derElement(tag, data);
    if (indefinite) return Buffer.concat([Buffer.of(tag, 0x80), data, Buffer.of(0, 0)]);
    if (!longer) return derElement(tag, data);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([Buffer.of(tag, 0x84), length, data]);
  }

  it('gives the DER of any tree, and leaves DER unchanged, uncopied', () => {
    const property = fc.property(tree, (some) => {
      const der = encode(some, true);
      expect(normalizeBer(encode(some, false)).equals(der)).toBe(true);
      const again = normalizeBer(der);
      expect(again.equals(der)).toBe(true);
      expect(again.buffer).toBe(der.buffer);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('reads back the output of the writer', () => {
    expect(readDer(normalizeBer(derBitString(bytes('01 02')))).content).toEqual(bytes('00 01 02'));
  });
});
