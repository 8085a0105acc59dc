import { SigningError } from '../../errors.ts';
import { malformed } from '../syntax/pdf-error.ts';
import { SyntaxReader } from '../syntax/syntax-reader.ts';
import { nameOf, numberOf, PdfNumber, PdfReference, PdfString, type PdfValue } from '../syntax/values.ts';

/**
 * The operators of ISO 32000-2 Annex A by their operands: `n` a number, `s` a string, `N` a name, `a` an array, `d` a
 * dictionary or a name, `*` one or more operands of any kind.
 */
const BY_OPERANDS: Readonly<Record<string, string>> = {
  '': 'b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*',
  n: 'g G i j J M Tc TL Tr Ts Tw Tz w',
  nn: 'd0 l m Td TD',
  nnn: 'rg RG',
  nnnn: 'k K re v y',
  nnnnnn: 'c cm d1 Tm',
  s: "Tj '",
  nns: '"',
  N: 'BMC cs CS Do gs MP ri sh',
  Nd: 'BDC DP',
  Nn: 'Tf',
  a: 'TJ',
  an: 'd',
  '*': 'sc SC scn SCN',
};

const OPERATORS: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_OPERANDS).flatMap(([operands, names]) => names.split(' ').map((name) => [name, operands] as const)),
);

/** Numbers as ISO 32000-2 §7.3.3 writes them. Programs read others, such as `--1` and `1e5`, in different ways. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

/** A number without a digit. Programs read zero where certain bytes follow, and differ before line ends and others. */
const WITHOUT_DIGITS = /^[+-]?\.?$/;

/** The bytes behind a zero without digits: of any operand, and between the strings of an array. */
const SPACES = ' \t';
const SPACES_AND_STRINGS = ' \t(<';

/** First bytes of a number that may be without digits. */
const DIGITS_MAY_LACK = /^[+.-]/;

/** First bytes of a word: of an operator, or of `true`, `false` and `null`. */
const WORD_START = /^[A-Za-z'"*]/;

/** Findings about the instructions of a stream that is drawn. */
export interface DrawingSyntax {
  /** True when every program reads the same instructions. */
  readonly isSound: boolean;
  /** Names of the graphics states that are set. */
  readonly states: ReadonlySet<string>;
  /** True when colours of printing inks, or colour spaces with a name, are set. */
  readonly hasInks: boolean;
  /** True when something is painted: a path, text, a picture, a shading or a form. */
  readonly paints: boolean;
}

/** Operators that paint (ISO 32000-2 Annex A). */
const PAINTING: ReadonlySet<string> = new Set('b b* B B* BI Do f f* F s S sh Tj TJ \' "'.split(' '));

/**
 * Reads the instructions of a page, a form, a pattern or a glyph (ISO 32000-2 §7.8.2). Programs recover from an error in
 * ways of their own: one gives up the rest of the stream, another one skips a word and draws the rest.
 */
export function readDrawingSyntax(data: Buffer): DrawingSyntax {
  const states = new Set<string>();
  const found = { hasInks: false, paints: false };
  const isSound = isWellFormed(data, (operator, operands) => {
    if (operator === 'gs') states.add(nameOf(operands[0]) ?? '');
    if (usesInks(operator, operands)) found.hasInks = true;
    if (PAINTING.has(operator)) found.paints = true;
  });
  return { isSound, states, ...found };
}

/** Colour spaces whose colours are not inks, so that overprinting changes nothing (ISO 32000-2 §8.6.7). */
const WITHOUT_INKS: ReadonlySet<string> = new Set(['DeviceGray', 'DeviceRGB', 'Pattern']);

function usesInks(operator: string, operands: readonly PdfValue[]): boolean {
  if (operator === 'k' || operator === 'K') return true;
  return (operator === 'cs' || operator === 'CS') && !WITHOUT_INKS.has(nameOf(operands[0]) ?? '');
}

type OnOperator = (operator: string, operands: readonly PdfValue[]) => void;

function isWellFormed(data: Buffer, onOperator: OnOperator): boolean {
  const reader = new SyntaxReader(data);
  let operands: PdfValue[] = [];
  let lenient = 0;
  try {
    for (;;) {
      reader.skipSpace();
      if (reader.atEnd()) return operands.length === 0;
      const first = data.toString('latin1', reader.position, reader.position + 1);
      if (!WORD_START.test(first)) {
        operands.push(first === '[' ? readArray(reader, data) : readOperand(reader, data, SPACES));
        continue;
      }
      const word = reader.readWord();
      const constant = CONSTANTS.get(word);
      if (constant !== undefined) {
        operands.push(constant);
        continue;
      }
      if (word === 'BI') skipInlineImage(reader, data);
      else if (word === 'BX') lenient += 1;
      else if (word === 'EX') lenient = Math.max(0, lenient - 1);
      else if (!isInstruction(word, operands) && lenient === 0) return false;
      onOperator(word, operands);
      operands = [];
    }
  } catch (error) {
    if (error instanceof SigningError) return false;
    throw error;
  }
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Reads the array at the reader's position. Throws `PDF_MALFORMED` for numbers that programs read differently. */
function readArray(reader: SyntaxReader, data: Buffer): PdfValue[] {
  reader.position += 1;
  const values: PdfValue[] = [];
  for (;;) {
    reader.skipSpace();
    if (reader.accept(']')) return values;
    values.push(readOperand(reader, data, SPACES_AND_STRINGS));
  }
}

/** Reads a value; a number without digits is zero before any of the bytes `behind`. Throws like `readArray`. */
function readOperand(reader: SyntaxReader, data: Buffer, behind: string): PdfValue {
  const start = reader.position;
  if (DIGITS_MAY_LACK.test(data.toString('latin1', start, start + 1))) {
    const isZero = WITHOUT_DIGITS.test(reader.readWord()) && !reader.atEnd();
    if (isZero && behind.includes(data.toString('latin1', reader.position, reader.position + 1))) return 0;
    reader.position = start;
  }
  return checked(reader.readValue());
}

/** A value whose numbers every program reads alike. Throws `PDF_MALFORMED` for another one. */
function checked(value: PdfValue): PdfValue {
  if (value instanceof PdfNumber && !NUMBER.test(value.text)) malformed('a number of a page is not written as one');
  if (value instanceof PdfReference) malformed('a page refers to an object in its instructions');
  if (Array.isArray(value)) value.forEach(checked);
  if (value instanceof Map) [...value.values()].forEach(checked);
  return value;
}

/** True for a known operator with its operands. Programs ignore what stands before these. */
function isInstruction(operator: string, operands: readonly PdfValue[]): boolean {
  const wanted = OPERATORS.get(operator);
  if (wanted === undefined) return false;
  if (wanted === '*') return operands.length > 0;
  if (operands.length < wanted.length) return false;
  const own = operands.slice(operands.length - wanted.length);
  return own.every((operand, index) => isOfKind(wanted[index] ?? '', operand));
}

function isOfKind(kind: string, operand: PdfValue): boolean {
  switch (kind) {
    case 'n':
      return numberOf(operand) !== undefined;
    case 's':
      return operand instanceof PdfString;
    case 'N':
      return nameOf(operand) !== undefined;
    case 'a':
      return Array.isArray(operand);
    default:
      return operand instanceof Map || nameOf(operand) !== undefined;
  }
}

/** An `EI` that ends the data: white space before it, and white space or the end of the stream behind it. */
const IMAGE_END = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ]|$)/g;

/** Bytes behind an `EI` that have to be text: data of a picture seldom are. */
const AFTER_IMAGE = 10;

/** Moves behind an inline image (ISO 32000-2 §8.9.7). */
function skipInlineImage(reader: SyntaxReader, data: Buffer): void {
  for (;;) {
    reader.skipSpace();
    if (data[reader.position] === 0x2f) {
      reader.readValue();
      reader.skipSpace();
      const isWord = WORD_START.test(data.toString('latin1', reader.position, reader.position + 1));
      if (isWord) reader.readWord();
      else reader.readValue();
      continue;
    }
    if (reader.readWord() !== 'ID') malformed('a picture in the instructions of a page has no data');
    break;
  }
  const rest = data.toString('latin1', reader.position);
  for (const end of rest.matchAll(IMAGE_END)) {
    const behind = end.index + end[0].length;
    if (!/^[\t\n\f\r\x20-\x7e]*$/.test(rest.slice(behind, behind + AFTER_IMAGE))) continue;
    reader.position += behind;
    return;
  }
  malformed('a picture in the instructions of a page does not end');
}
