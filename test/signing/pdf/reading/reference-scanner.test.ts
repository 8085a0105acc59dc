import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SigningError } from '../../../../src/signing/errors.ts';
import { forEachReference } from '../../../../src/signing/pdf/differences/reference-index.ts';
import { scanIndirectObject, scanValue } from '../../../../src/signing/pdf/reading/reference-scanner.ts';
import { SyntaxReader } from '../../../../src/signing/pdf/syntax/syntax-reader.ts';
import type { PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';

const TARGETS: ReadonlySet<number> = new Set([7]);

const outcomeOf = (text: string): string => scanValue(Buffer.from(text, 'latin1'), 0, TARGETS).outcome;

/** True when the reader of values finds a reference to object 7. */
function readerFinds(text: string): boolean {
  let value: PdfValue;
  try {
    value = new SyntaxReader(Buffer.from(text, 'latin1')).readValue();
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return false;
  }
  let found = false;
  forEachReference(value, ({ number }) => {
    if (number === 7) found = true;
  });
  return found;
}

const PIECES = ['<<', '>>', '[', ']', '<', '>', '(', ')', '/K', '/', '%', '\\', '{', '7', '0', '07', '12', '+7', '7.0'];
const MORE = [
  'R',
  'Rx',
  'endobj',
  'stream',
  'true',
  'null',
  ' ',
  '\n',
  '\r',
  '\t',
  '\0',
  '7 0 R',
  '/K 7 0 R',
  '% 7 0 R\n',
];
const WHOLE = ['<</K 7 0 R>>', '[1 7 0 R]', '(7 0 R)', '<7 0 R>', '/7 0 R', '7%x\n0%\rR', '<</A<</B[7 0 R]>>/C 1>>'];

describe('a scan for references', () => {
  it.each([
    ['<</A [1 7 0 R]>> ', 'refers'],
    ['[7%comment\n0 % 8 0 R\rR] ', 'refers'],
    ['[007 00000 R] ', 'refers'],
    ['7 0 R endobj', 'refers'],
    ['<</A (\\) 7 0 R) /B <7 0 R> /7 0>> ', 'refers-not'],
    ['[7 1 8 0 R] ', 'refers-not'],
    ['[+7 0 R 7.0 0 R 7 0 Rx] ', 'refers-not'],
    ['<</A 1>> 7 0 R', 'refers-not'],
    ['(text) 7 0 R', 'refers-not'],
    ['<</A [1 7 0', 'unclear'],
    ['<</A (7 0 R', 'unclear'],
    ['<</A <7 0 R', 'unclear'],
    ['7 0 R', 'unclear'],
  ])('answers for %s: %s', (text, outcome) => {
    expect(outcomeOf(text)).toBe(outcome);
  });

  it('reads the head of an object, and leaves an unusual head to the reader', () => {
    const scan = (text: string): string => scanIndirectObject(Buffer.from(text, 'latin1'), 0, TARGETS).outcome;
    expect(scan(' 12 0 obj\n<</A 7 0 R>>\nendobj')).toBe('refers');
    expect(scan('12 0 obj<</A 8 0 R>>endobj')).toBe('refers-not');
    expect(scan('12 % head\n0 obj <</A 7 0 R>> endobj')).toBe('unclear');
  });

  it('misses no reference that the reader of values finds', () => {
    const text = fc.array(fc.constantFrom(...PIECES, ...MORE, ...WHOLE), { maxLength: 24 });
    fc.assert(
      fc.property(text, fc.constantFrom('', ' '), fc.constantFrom('', '<<', '['), (pieces, joint, start) => {
        const whole = `${start}${pieces.join(joint)}`;
        if (readerFinds(whole)) expect(outcomeOf(whole)).not.toBe('refers-not');
      }),
      { numRuns: 5000 },
    );
  });
});
