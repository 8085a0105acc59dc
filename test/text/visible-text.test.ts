import { describe, expect, it } from 'vitest';
import { splitUnseen, visibleText, withoutUnseen } from '../../src/text/visible-text.ts';

const rows: readonly (readonly [title: string, text: string, visible: string, plain: string])[] = [
  ['leaves a plain name', 'contrato nº 7 (ção).pdf', 'contrato nº 7 (ção).pdf', 'contrato nº 7 (ção).pdf'],
  ['leaves letters of other scripts', 'חוזה 合同 договор.pdf', 'חוזה 合同 договор.pdf', 'חוזה 合同 договор.pdf'],
  ['leaves combining accents', 'não.pdf', 'não.pdf', 'não.pdf'],
  ['leaves emoji', '🙂.pdf', '🙂.pdf', '🙂.pdf'],
  ['marks a right-to-left override', 'invoice-\u202Efdp.exe', 'invoice-‹U+202E›fdp.exe', 'invoice-fdp.exe'],
  ['marks a left-to-right isolate', 'a\u2066b\u2069', 'a‹U+2066›b‹U+2069›', 'ab'],
  ['marks the Arabic letter mark', 'a\u061Cb', 'a‹U+061C›b', 'ab'],
  ['marks a zero width space', 'con\u200Btract', 'con‹U+200B›tract', 'contract'],
  ['marks a zero width joiner', 'a\u200Db', 'a‹U+200D›b', 'ab'],
  ['marks a byte order mark', '\uFEFFname', '‹U+FEFF›name', 'name'],
  ['marks a soft hyphen', 'con\u00ADtract', 'con‹U+00AD›tract', 'contract'],
  ['marks a combining grapheme joiner', 'a\u034Fb', 'a‹U+034F›b', 'ab'],
  ['marks a variation selector', 'a\uFE0Fb', 'a‹U+FE0F›b', 'ab'],
  ['marks a variation selector beyond 16 bits', 'a\u{E0100}b', 'a‹U+E0100›b', 'ab'],
  ['marks tag characters', 'a\u{E0041}b', 'a‹U+E0041›b', 'ab'],
  ['marks a Hangul filler', 'a\u3164b', 'a‹U+3164›b', 'ab'],
  ['marks a blank Braille pattern', 'a\u2800b', 'a‹U+2800›b', 'ab'],
  ['marks NUL, escape and delete', 'a\u0000\u001B[31m\u007F', 'a‹U+0000›‹U+001B›[31m‹U+007F›', 'a[31m'],
  ['marks a C1 control', 'a\u0085b\u009Bc', 'a‹U+0085›b‹U+009B›c', 'abc'],
  ['marks line ends', 'a\r\nb\u2028c', 'a‹U+000D›‹U+000A›b‹U+2028›c', 'abc'],
  ['marks a no-break space', 'a\u00A0b', 'a‹U+00A0›b', 'a b'],
  ['marks an ideographic space', 'a\u3000b', 'a‹U+3000›b', 'a b'],
  ['marks a private character', 'a\uE000b', 'a‹U+E000›b', 'ab'],
  ['marks half a surrogate pair', 'a\uD800b', 'a‹U+D800›b', 'ab'],
  ['marks a noncharacter', 'a\uFFFFb', 'a‹U+FFFF›b', 'ab'],
];

describe('visibleText', () => {
  it.each(rows)('%s', (_title, text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  it('shows every format and bidirectional control of Unicode', () => {
    const left = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => /[\p{Cc}\p{Cf}\p{Bidi_Control}]/u.test(character) && visibleText(character) === character,
    );
    expect(left).toEqual([]);
  });
});

describe('withoutUnseen', () => {
  it.each(rows)('%s: keeps only what can be seen', (_title, text, _visible, plain) => {
    expect(withoutUnseen(text)).toBe(plain);
  });
});

describe('splitUnseen', () => {
  it('tells marks from text that looks like a mark', () => {
    expect(splitUnseen('‹U+202E›\u202Ex')).toEqual([
      { text: '‹U+202E›', isMark: false },
      { text: '‹U+202E›', isMark: true },
      { text: 'x', isMark: false },
    ]);
  });

  it('keeps the line ends of a text', () => {
    expect(splitUnseen('a\nb\u200B', '\n\t')).toEqual([
      { text: 'a\nb', isMark: false },
      { text: '‹U+200B›', isMark: true },
    ]);
  });
});
