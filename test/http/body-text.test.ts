import { describe, expect, it } from 'vitest';
import { decodeBody, findJsonMistake, parseForm, parseJson } from '../../src/http/body-text.ts';

describe('the text of a body', () => {
  it.each([
    ['ASCII', Buffer.from('{"a":1}'), '{"a":1}'],
    ['UTF-8', Buffer.from('{"a":"ção"}'), '{"a":"ção"}'],
    ['a byte order mark', Buffer.from('\uFEFF{"a":"ç"}'), '{"a":"ç"}'],
    ['U+FFFD that was sent as such', Buffer.from('{"a":"\uFFFD"}'), '{"a":"\uFFFD"}'],
  ])('is decoded from %s', (_what, bytes, text) => {
    expect(decodeBody(bytes)).toBe(text);
  });

  it.each([
    ['Latin-1', Buffer.from('{"a":"Aprova\xe7\xe3o"}', 'latin1'), 12, 'e7'],
    ['half a character at the end', Buffer.concat([Buffer.from('"é'), Buffer.of(0xc3)]), 3, 'c3'],
    ['a wrong byte behind a real U+FFFD', Buffer.concat([Buffer.from('é\uFFFD'), Buffer.of(0xff, 0x20)]), 5, 'ff'],
    ['half of a surrogate pair', Buffer.of(0x22, 0xed, 0xa0, 0x80, 0x22), 1, 'ed'],
  ])('is refused for %s, with the first wrong byte', (_what, bytes, offset, byte) => {
    const says = expect.stringContaining(`the byte at offset ${offset} is 0x${byte}`) as string;
    expect(() => decodeBody(bytes)).toThrow(expect.objectContaining({ code: 'BODY_NOT_UTF8', message: says }));
  });
});

describe('a mistake in JSON', () => {
  it.each([
    ['{"a":1,}', 1, 8],
    ['{"a":1', 1, 7],
    ['', 1, 1],
    ['{\n  "a": tru\n}', 2, 8],
    ['{\n  a: 1\n}', 2, 3],
    ["{'a':1}", 1, 2],
    ['[1 2]', 1, 4],
    ['[1,]', 1, 4],
    ['[1}', 1, 3],
    ['{"a" 1}', 1, 6],
    ['{"a":01}', 1, 7],
    ['{"a":"b\nc"}', 1, 8],
    ['{"a":"\\x"}', 1, 7],
    ['{"a":"\\u12"}', 1, 7],
    ['{"a":"', 1, 7],
    ['{}x', 1, 3],
    ['{"a":NaN}', 1, 6],
    ['// no', 1, 1],
  ])('%j is found at line %i, column %i', (text, line, column) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(findJsonMistake(text)).toEqual({ line, column });
    const says = `The body is not JSON: look at line ${line}, column ${column}.`;
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'REQUEST_MALFORMED', message: says }));
  });

  it('is found in a long text', () => {
    const text = `[${'"'.padEnd(2_000_000, 'x')}",\n${'[1,{"a":[true,false,null,-1.5e+3,""]}],'.repeat(1000)}\n]`;
    expect(findJsonMistake(text)).toEqual({ line: 3, column: 1 });
  });

  it.each([
    ['null', 'null'],
    ['7', 'a number'],
    ['"a"', 'a string'],
  ])('is told for %s: the body must be an object', (text, kind) => {
    const says = `The body must be a JSON object, and it is ${kind}.`;
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ message: says }));
  });
});

describe('a form', () => {
  it.each([
    ['a=1&b=x+y%2B', { a: '1', b: 'x y+' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a&b=', { a: '', b: '' }],
    ['a=100%&b=%zz', { a: '100%', b: '%zz' }],
    ['a%5B%5D=%C3%A7=', { 'a[]': 'ç=' }],
    ['', {}],
  ])('%j is read', (text, fields) => {
    expect(parseForm(text, 50)).toEqual(fields);
  });

  it('is refused with too many fields, and for a field that is not UTF-8', () => {
    expect(() => parseForm('a=1&'.repeat(51), 50)).toThrow(expect.objectContaining({ code: 'REQUEST_MALFORMED' }));
    const says = expect.stringContaining('The field "nome"') as string;
    expect(() => parseForm('nome=Jo%E3o', 50)).toThrow(
      expect.objectContaining({ code: 'BODY_NOT_UTF8', message: says }),
    );
  });
});

describe('a JSON text with half of a character', () => {
  it.each([
    ['a value', String.raw`{"signature_settings":[{"reason":"ab\ud800cd"}]}`, 'signature_settings[0].reason'],
    ['a second half alone', String.raw`{"reason":"\uDFFF"}`, 'reason'],
    ['halves in the wrong order', String.raw`{"reason":"\udc00\ud800"}`, 'reason'],
    ['a list', String.raw`["a","\ud83d"]`, '[1]'],
    ['a name', String.raw`{"a":{"\ud800":1}}`, 'a name in a'],
  ])('is refused in %s, with its place', (_, text, place) => {
    const says = expect.stringContaining(`The text of ${place} has half of a character`) as string;
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'BODY_NOT_UTF8', message: says }));
  });

  it('is read where both halves are there, or where the backslash is escaped', () => {
    const text = String.raw`{"a":"\ud83d\ude00","b":"\\ud800"}`;
    expect(parseJson(text)).toEqual({ a: '😀', b: String.raw`\ud800` });
  });
});

describe('a JSON text with a name twice', () => {
  it.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":{"b":1,"c":[{"d":1,"\\u0064":2}]}}', 'd'],
    ['[{"a" : 1},{"":1, "" :2}]', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('is refused by the name: %s', (text, name) => {
    const says = `The field "${name}" comes twice in one object: send it once.`;
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'REQUEST_MALFORMED', message: says }));
  });

  it.each(['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', String.raw`{"a":"\"a\":1","b":"{\"c\" : \"c\":"}`])(
    'is read where each object has the name once: %s',
    (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    },
  );
});
