import { describe, expect, it } from 'vitest';
import { Oid } from '../../../../src/signing/index.ts';
import {
  isSameName,
  isWithinSubtree,
  nameKey,
  readGeneralName,
  readRelativeNames,
} from '../../../../src/signing/certificates/path/distinguished-name.ts';
import { readDer } from '../../../../src/signing/der/reader.ts';
import {
  derElement,
  derOid,
  derPrintableString,
  derSequence,
  derSetOf,
  derUtf8String,
} from '../../../../src/signing/der/writer.ts';
import { general, makeName } from './path-pki.ts';

const IA5 = 0x16;
const T61 = 0x14;
const text = (tag: number, value: string): Buffer => derElement(tag, Buffer.from(value, 'latin1'));
const attribute = (oid: string, value: Buffer): Buffer => derSequence(derOid(oid), value);
const nameOf = (...attributes: readonly Buffer[]): Buffer => derSequence(...attributes.map((one) => derSetOf(one)));
const common = (value: Buffer): Buffer => nameOf(attribute(Oid.commonName, value));
const domain = (value: Buffer): Buffer => nameOf(attribute(Oid.domainComponent, value));
const host = (oid: string, value: string): Buffer => nameOf(attribute(oid, text(IA5, value)));

describe('the comparison of names (RFC 5280 §7.1)', () => {
  it.each<[string, Buffer, Buffer, boolean]>([
    ['the same bytes', common(text(T61, 'A')), common(text(T61, 'A')), true],
    ['other letters', common(derUtf8String('Maria')), common(derPrintableString('MARIA')), true],
    ['other spaces', common(derUtf8String(' Maria  Silva ')), common(derUtf8String('Maria Silva')), true],
    ['spaces of other kinds', common(derUtf8String('Maria\u00a0\tSilva')), common(derUtf8String('Maria Silva')), true],
    ['characters that nobody sees', common(derUtf8String('Ma\u200bria')), common(derUtf8String('Maria')), true],
    ['letters in two forms', common(derUtf8String('José')), common(derUtf8String('Jose\u0301')), true],
    [
      'wide letters, whose case comes after their form',
      common(derUtf8String('\uff2d')),
      common(derUtf8String('m')),
      true,
    ],
    ['other words', common(derUtf8String('Maria')), common(derUtf8String('Mario')), false],
    [
      'another attribute',
      common(derUtf8String('A')),
      nameOf(attribute(Oid.organizationName, derUtf8String('A'))),
      false,
    ],
    ['other letters in a type that is compared as bytes', common(text(T61, 'A')), common(text(T61, 'a')), false],
    [
      'the same word in a type that is compared as bytes',
      common(text(T61, 'A')),
      common(derPrintableString('A')),
      false,
    ],
    ['damaged UTF-8 in other letters', common(text(0x0c, 'A\xff')), common(text(0x0c, 'a\xff')), false],
    ['a domain in other letters', domain(text(IA5, 'Example')), domain(text(IA5, 'example')), true],
    ['a domain of another type', domain(text(IA5, 'example')), domain(derUtf8String('Example')), true],
    ['an address in other letters', host(Oid.emailAddress, 'A@b.br'), host(Oid.emailAddress, 'a@b.br'), false],
    [
      'one relative name less',
      makeName('A'),
      derSequence(
        ...readDer(makeName('A'))
          .children.slice(0, 2)
          .map(({ bytes }) => bytes),
      ),
      false,
    ],
  ])('finds %s equal or not', (_, left, right, expected) => {
    expect([isSameName(left, right), isSameName(right, left)]).toEqual([expected, expected]);
    expect(nameKey(left) === nameKey(right)).toBe(expected);
  });

  it('does not mind the order inside of a relative name, and does mind that of relative names', () => {
    const [a, b] = [attribute(Oid.commonName, derUtf8String('A')), attribute(Oid.organizationName, derUtf8String('B'))];
    const together = (...parts: readonly Buffer[]): Buffer => derSequence(derElement(0x31, ...parts));
    expect(isSameName(together(a, b), together(b, a))).toBe(true);
    expect(isSameName(nameOf(a, b), nameOf(b, a))).toBe(false);
    expect(isSameName(nameOf(a, b), together(a, b))).toBe(false);
  });

  it('reads the same bytes once', () => {
    const name = makeName('A');
    expect(readRelativeNames(name)).toBe(readRelativeNames(name));
    expect(readRelativeNames(name)).toEqual(readRelativeNames(Buffer.from(name)));
  });

  it('refuses what is no name', () => {
    for (const damaged of [derSetOf(), derSequence(derSequence())]) {
      expect(() => readRelativeNames(damaged)).toThrow(expect.objectContaining({ code: 'DER_MALFORMED' }));
    }
  });

  it('finds a name within its beginnings', () => {
    const parts = readDer(makeName('A')).children.map(({ bytes }) => bytes);
    const upTo = (count: number): Buffer => derSequence(...parts.slice(0, count));
    expect([0, 1, 2, 3].map((count) => isWithinSubtree(makeName('A'), upTo(count)))).toEqual([true, true, true, true]);
    expect(isWithinSubtree(upTo(2), makeName('A'))).toBe(false);
    expect(isWithinSubtree(makeName('A'), derSequence(...parts.slice(1)))).toBe(false);
  });

  it('reads general names: the name of a directory, else the content', () => {
    const read = (der: Buffer) => readGeneralName(readDer(der));
    expect(read(general.directory(makeName('A')))).toEqual({ kind: 4, value: makeName('A') });
    expect(read(general.dns('a.br'))).toEqual({ kind: 2, value: Buffer.from('a.br') });
  });
});
