import { describe, expect, it } from 'vitest';
import { readDrawingSyntax } from '../../../../src/signing/pdf/reading/drawing-syntax.ts';

const isSound = (text: string): boolean => readDrawingSyntax(Buffer.from(text, 'latin1')).isSound;

describe('readDrawingSyntax', () => {
  it.each([
    ['no instruction', ''],
    ['text', 'BT /F1 24 Tf 72 720 Td (A (nested) \\) text) Tj [(a) -120 (b)] TJ ET'],
    ['paths and colours', 'q 1 0 0 1 0 0 cm 0.5 .5 -1 rg 0 0 10. 10 re f* Q'],
    ['marked content', '/OC /L BDC /Span <</ActualText (x)>> BDC EMC EMC'],
    ['a comment', '% ] ) >>\nq Q'],
    ['more operands than needed', '1 2 3 0 g'],
    ['an unknown operator between BX and EX', 'BX 1 2 nosuch EX'],
    ['a colour of a pattern', '/P scn 0.1 0.2 /P SCN'],
    ['a picture', 'q BI /W 2 /H 1 /BPC 8 /CS /G ID \x00\xff EI Q'],
    ['a picture whose data look like its end', 'BI /W 9 /H 1 /BPC 8 /CS /G ID ab EI\x00\x01\x02 EI\nq Q'],
    ['signs and points without digits before a space', 'q - + . -. 5\t- w Q'],
    ['signs without digits between the parts of a text', 'BT [(a)-(b)- (c) . <64>] TJ ET'],
  ])('finds every program to read %s alike', (_, text) => {
    expect(isSound(text)).toBe(true);
  });

  it.each([
    ['an array that does not end', 'q [ 1 2'],
    ['a string that does not end', 'BT ( Tj ET'],
    ['a dictionary that does not end', 'q << Q'],
    ['a stray end of an array', 'q ] Q'],
    ['a stray end of a string', 'q ) Q'],
    ['a stray end of a dictionary', 'q >> Q'],
    ['braces', 'q { } Q'],
    ['an unknown operator', '1 2 nosuch'],
    ['an operator of JavaScript objects', '1 constructor'],
    ['too few operands', '1 2 rg'],
    ['a string in place of a number', '(1) w'],
    ['a number in place of a name', '1 Do'],
    ['a number with two signs', '--1 w'],
    ['a number with an exponent', '1e5 w'],
    ['a number with two points', '1.2.3 w'],
    ['a number with letters', '12abc w'],
    ['a sign without digits before the next line', 'q 1 -\nw Q'],
    ['a sign without digits before a string', '-(a) Tj'],
    ['a sign without digits at the end of an array', 'BT [(a)-] TJ ET'],
    ['a bad number in an array', '[(a) 1-2] TJ'],
    ['a reference', '1 0 R w'],
    ['operands without an operator', 'q Q 1 2'],
    ['an unknown operator behind EX', 'BX EX nosuch'],
    ['a picture without data', 'BI /W 2 /H 1 Q'],
    ['a picture that does not end', 'BI /W 2 /H 1 ID ab'],
  ])('finds programs to differ about %s', (_, text) => {
    expect(isSound(text)).toBe(false);
  });

  it.each([
    [true, '0 0 9 9 re f'],
    [true, 'BT (a) Tj ET'],
    [true, '/X Do'],
    [true, 'BI /W 1 /H 1 ID a EI'],
    [false, '% DSBlank'],
    [false, '/Tx BMC q 0 0 9 9 re W n BT /F 9 Tf ET Q EMC'],
  ])('tells with %s whether %s paints', (paints, text) => {
    expect(readDrawingSyntax(Buffer.from(text)).paints).toBe(paints);
  });

  it('tells the graphics states in use, and the use of inks', () => {
    const read = (text: string): readonly unknown[] => {
      const { states, hasInks } = readDrawingSyntax(Buffer.from(text));
      return [[...states], hasInks];
    };
    expect(read('/A gs /B gs 1 0 0 rg')).toEqual([['A', 'B'], false]);
    expect(read('0 0 0 1 k')).toEqual([[], true]);
    expect(read('/Spot cs 1 scn')).toEqual([[], true]);
    expect(read('/DeviceRGB CS 1 1 1 SCN')).toEqual([[], false]);
  });
});
