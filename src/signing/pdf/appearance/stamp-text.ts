import type { TrueTypeFont } from './true-type-font.ts';
import { maskTaxpayerNumber } from '../../../text/taxpayer-number.ts';

/** Text broken into fitting lines. */
export interface TextLayout {
  /** Points. */
  readonly size: number;
  readonly lines: readonly string[];
}

/**
 * Distance between base lines, and from the top to the first base line, in font sizes; room for accents on capitals.
 */
export const LINE_PITCH = 1.25;
export const FIRST_BASE_LINE = 0.98;

const LARGEST = 12;
const SMALLEST = 1;
const STEP = 0.25;
/** Font size in points down to which words stay whole. */
const READABLE = 6;

/** Width of a text in font sizes. */
export function widthOf(font: TrueTypeFont, text: string): number {
  let width = 0;
  for (const character of text) width += font.advanceOf(font.glyphOf(character.codePointAt(0) ?? 0) ?? 0);
  return width / font.unitsPerEm;
}

/** The width of a text in font sizes. */
export type Measure = (text: string) => number;

/** Cuts a word wider than the line. */
function cutWord(measure: Measure, word: string, limit: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && measure(piece + character) > limit) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** Breaks a line at spaces, and inside words longer than any line. `limit` is in font sizes. */
export function wrap(measure: Measure, line: string, limit: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').filter((part) => part !== '')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (measure(longer) <= limit) {
      current = longer;
      continue;
    }
    if (current !== '') lines.push(current);
    const pieces = cutWord(measure, word, limit);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1) ?? '';
  }
  return [...lines, current];
}

/**
 * Breaks the text for the given room in the largest fitting size, up to 12 points. Words stay whole down to 6 points.
 * In a room too small for 1 point, the edge of the stamp cuts the text.
 */
export function layoutText(
  measure: Measure,
  lines: readonly string[],
  room: { readonly width: number; readonly height: number },
): TextLayout {
  const widest = Math.max(0, ...lines.flatMap((line) => line.split(' ')).map((word) => measure(word)));
  for (let size = LARGEST; ; size -= STEP) {
    if (widest * size > room.width && size > READABLE) continue;
    const wrapped = lines.flatMap((line) => wrap(measure, line, room.width / size));
    const fits = wrapped.length * LINE_PITCH * size <= room.height;
    if (fits || size <= SMALLEST) return { size, lines: wrapped };
  }
}

/** Largest size in points of the lines beside a title: a share of the height, between a usual size and that of large stamps. */
const largestBody = (height: number): number => Math.max(9, Math.min(13, Math.round(height * 0.44) / 4));
/** Font size of the other lines down to which no line is broken. */
const UNBROKEN = 6;
/** Most times that the title is larger than the other lines, and least times where a long name is fitted. */
const TITLE_SHARE = 1.4;
const TITLE_LEAST = 0.9;

/** A line of a stamp in its own size. */
export interface SizedLine {
  readonly text: string;
  /** Points. */
  readonly size: number;
  readonly isTitle: boolean;
}

/**
 * Lays out a stamp with a title. The title stays on one line, smaller if it must be; a title that would be smaller than
 * the other lines is broken. Other lines are broken only where the text would be smaller than 6 points.
 */
export function layoutTitled(
  measure: Measure,
  lines: readonly string[],
  title: string,
  room: { readonly width: number; readonly height: number },
): readonly SizedLine[] {
  const titleAt = lines.indexOf(title);
  const others = Math.max(0, ...lines.filter((_, index) => index !== titleAt).map((line) => measure(line)));
  const sized = (body: number): readonly SizedLine[] =>
    lines.flatMap((line, index): readonly SizedLine[] => {
      if (index !== titleAt) {
        return wrap(measure, line, room.width / body).map((text) => ({ text, size: body, isTitle: false }));
      }
      const fitted = Math.min(body * TITLE_SHARE, room.width / measure(line));
      const size = Math.max(fitted, body * TITLE_LEAST);
      return wrap(measure, line, room.width / size + 0.001).map((text) => ({ text, size, isTitle: true }));
    });
  const heightOf = (set: readonly SizedLine[]): number => set.reduce((sum, { size }) => sum + size * LINE_PITCH, 0);
  for (let body = largestBody(room.height); body >= UNBROKEN; body -= STEP) {
    const set = sized(body);
    if (others * body <= room.width && heightOf(set) <= room.height) return set;
  }
  for (let body = largestBody(room.height); ; body -= STEP) {
    const set = sized(body);
    if (heightOf(set) <= room.height || body <= SMALLEST) return set;
  }
}

/** Values for a stamp. Taxpayer numbers are given whole; only their middle is ever shown. */
export interface StampValues {
  readonly name?: string;
  readonly cpf?: string;
  readonly cnpj?: string;
  readonly reason?: string;
  readonly location?: string;
  readonly company?: string;
  readonly signingTime: Date;
  /** IANA name, such as `America/Sao_Paulo`. Default: the zone of this computer. */
  readonly timeZone?: string;
  /** The caller's own lines; `{extra_info}` shows all lines in order. */
  readonly extraInfo?: readonly { readonly label: string; readonly value: string }[];
  /** The page on which anybody can check the signature, as people read an address: `validar.iti.gov.br`. */
  readonly checkPage?: string;
}

/** The variables of a template, written `{name}` or `{{name}}`. */
export const STAMP_VARIABLES = [
  'name',
  'initials',
  'cpf',
  'cnpj',
  'date',
  'reason',
  'location',
  'company',
  'extra_info',
  'check',
  'qr',
] as const;

/** A name that the template of a stamp may have in braces. */
export type StampVariable = (typeof STAMP_VARIABLES)[number];

/** The Portuguese names of variables. */
const PORTUGUESE_NAMES: ReadonlyMap<string, StampVariable> = new Map([
  ['nome', 'name'],
  ['rubrica', 'initials'],
  ['iniciais', 'initials'],
  ['data', 'date'],
  ['motivo', 'reason'],
  ['local', 'location'],
  ['empresa', 'company'],
  ['verificar', 'check'],
]);

/** The default template of the mark on each further page. */
export const DEFAULT_INITIALS_TEMPLATE = '{initials}';

/** Words of names that initials leave out. */
const PARTICLES = new Set(['de', 'da', 'do', 'das', 'dos', 'e', 'of', 'the', 'von', 'van', 'y', 'del', 'la']);

/** The initials of a name: `MSS` for Maria Silva dos Santos. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !PARTICLES.has(word.toLowerCase()));
  return words.map((word) => (Array.from(word)[0] ?? '').toUpperCase()).join('');
}

/** The default template of a stamp. */
export const DEFAULT_STAMP_TEMPLATE = [
  'Assinado digitalmente por',
  '{name}',
  'CPF: {cpf}',
  '{company}',
  'CNPJ: {cnpj}',
  'Data: {date}',
  'Motivo: {reason}',
  'Local: {location}',
  '{extra_info}',
  '{check}',
].join('\n');

const VARIABLE = /\{\{\s*(\w+)\s*\}\}|\{(\w+)\}/g;

const pad = (number: number): string => String(number).padStart(2, '0');

/** Day, time and distance to UTC: `20/11/2026 07:20:30 (UTC-3)`. The distance makes the instant unambiguous. */
export function formatStampDate(date: Date, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  const minutes = Math.round((local - date.getTime()) / 60_000);
  const distance = Math.abs(minutes);
  const hours = `${Math.floor(distance / 60)}${distance % 60 === 0 ? '' : `:${pad(distance % 60)}`}`;
  const zone = distance === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${hours}`;
  const day = `${pad(part('day'))}/${pad(part('month'))}/${part('year')}`;
  return `${day} ${pad(part('hour'))}:${pad(part('minute'))}:${pad(part('second'))} (${zone})`;
}

const masked = (number: string | undefined): string =>
  number === undefined || number === '' ? '' : maskTaxpayerNumber(number);

function valueOf(variable: StampVariable, values: StampValues): string {
  switch (variable) {
    case 'name':
    case 'reason':
    case 'location':
    case 'company':
      return values[variable] ?? '';
    case 'initials':
      return initialsOf(values.name ?? '');
    case 'cpf':
      return masked(values.cpf);
    case 'cnpj':
      return masked(values.cnpj);
    case 'date':
      return formatStampDate(values.signingTime, values.timeZone);
    case 'extra_info':
      return (values.extraInfo ?? [])
        .map(({ label, value }) => (label === '' ? value : `${label}: ${value}`))
        .join('\n');
    case 'check':
      return values.checkPage === undefined ? '' : `Verifique em ${values.checkPage}`;
    case 'qr':
      return '';
  }
}

const variableOf = (name: string): StampVariable | undefined =>
  STAMP_VARIABLES.find((variable) => variable === name) ?? PORTUGUESE_NAMES.get(name);

/** True when a template has the variable, under any of its names. */
export const usesVariable = (template: string, wanted: StampVariable): boolean =>
  [...template.matchAll(VARIABLE)].some(([, double, single]) => variableOf(double ?? single ?? '') === wanted);

/**
 * Fills in a template. A line with only empty variables is left out, so that a single template serves people and
 * companies, with and without a reason. Unknown names stay as written. Values are never read as a template.
 */
export function stampText(template: string, values: StampValues): string {
  const lines: string[] = [];
  for (const line of template.split(/\r\n|\r|\n/)) {
    let variables = 0;
    let filled = 0;
    const text = line.replace(VARIABLE, (written: string, double?: string, single?: string) => {
      const name = double ?? single ?? '';
      const variable = variableOf(name);
      if (variable === undefined) return written;
      const value = valueOf(variable, values);
      variables += 1;
      if (value !== '') filled += 1;
      return value;
    });
    if (variables === 0 || filled > 0) lines.push(text);
  }
  return lines.join('\n');
}
