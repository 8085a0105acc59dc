import type { StampPlace } from '../../../../src/ui-contract/stamp-calls.ts';
import type { Position } from './stamp/geometry.ts';

/** The corners of a page as it is displayed, in reading order. */
export const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export const sizes = ['small', 'medium', 'large'] as const;

/** Widths and heights that are offered, in points. */
export const stampSizes = {
  small: { width: 160, height: 56 },
  medium: { width: 230, height: 80 },
  large: { width: 320, height: 112 },
} as const satisfies Record<(typeof sizes)[number], object>;

/** How a visible signature looks and where it stands. */
export interface StampOptions {
  readonly page: StampPlace['page'];
  readonly position: Position;
  /** Id of the template that words and picture came from; they may have been changed since. */
  readonly template: string;
  /** A template; empty: no words. */
  readonly text: string;
  /** Base64 of a PNG or JPEG. */
  readonly image: string | null;
}

/** Distance from the edges of a stamp that is put into a corner, in points. */
const margin = 36;

/** A stamp put into a corner. */
export function inCorner(corner: Position['corner'], { width, height }: Pick<Position, 'width' | 'height'>): Position {
  return { corner, x: margin, y: margin, width, height };
}

/** The corner that a stamp was put into; null when it was moved since. */
export function cornerOf({ corner, x, y }: Position): Position['corner'] | null {
  return x === margin && y === margin ? corner : null;
}

/** The lines of the usual stamp, by what they show. */
export const stampLines = [
  { variable: 'name', line: 'Assinado digitalmente por {name}' },
  { variable: 'cpf', line: 'CPF: {cpf}' },
  { variable: 'company', line: '{company}' },
  { variable: 'cnpj', line: 'CNPJ: {cnpj}' },
  { variable: 'date', line: 'Data: {date}' },
  { variable: 'reason', line: 'Motivo: {reason}' },
  { variable: 'location', line: 'Local: {location}' },
] as const;
export type StampVariable = (typeof stampLines)[number]['variable'];

const textOf = (...variables: readonly StampVariable[]): string =>
  stampLines.flatMap(({ variable, line }) => (variables.includes(variable) ? [line] : [])).join('\n');

/** What a stamp says when nobody says otherwise: the core's own template without the lines of programs. */
export const usualTemplate = textOf('name', 'cpf', 'company', 'cnpj', 'date', 'reason', 'location');

/** Templates that are always there. `hasPicture`: a picture belongs to it, Sinete's mark until another is chosen. */
export const builtInTemplates = [
  { id: 'usual', text: usualTemplate, hasPicture: false },
  { id: 'short', text: textOf('name', 'date'), hasPicture: false },
  { id: 'company', text: textOf('name', 'company', 'cnpj', 'date'), hasPicture: false },
  { id: 'reason', text: textOf('name', 'date', 'reason', 'location'), hasPicture: false },
  { id: 'picture', text: usualTemplate, hasPicture: true },
  { id: 'picture-only', text: '', hasPicture: true },
] as const;
export type BuiltInTemplate = (typeof builtInTemplates)[number];

export const initialStamp: StampOptions = {
  page: 'last',
  position: inCorner('bottom-left', stampSizes.medium),
  template: 'usual',
  text: usualTemplate,
  image: null,
};

const shows = (line: string, variable: StampVariable): boolean =>
  line.includes(`{${variable}}`) || line.includes(`{{${variable}}}`);

/** Whether a text shows the value. */
export function hasLine(text: string, variable: StampVariable): boolean {
  return text.split('\n').some((line) => shows(line, variable));
}

/** The text with the usual line of a value, in its usual place, or without the lines that show it. */
export function withLine(text: string, wanted: StampVariable, present: boolean): string {
  const lines = text === '' ? [] : text.split('\n');
  if (!present) return lines.filter((line) => !shows(line, wanted)).join('\n');
  const order = stampLines.map(({ variable }) => variable);
  const later = order.slice(order.indexOf(wanted) + 1);
  const found = lines.findIndex((line) => later.some((variable) => shows(line, variable)));
  const at = found < 0 ? lines.length : found;
  const line = stampLines[order.indexOf(wanted)]?.line ?? '';
  return [...lines.slice(0, at), line, ...lines.slice(at)].join('\n');
}
