import type { StampPlace } from '../../../../src/ui-contract/stamp-calls.ts';
import type { Position } from './stamp/geometry.ts';

/** The corners of a page as displayed, in reading order. */
export const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export const sizes = ['small', 'medium', 'large'] as const;

/** Offered widths and heights, in points. */
export const stampSizes = {
  small: { width: 160, height: 56 },
  medium: { width: 230, height: 80 },
  large: { width: 320, height: 112 },
} as const satisfies Record<(typeof sizes)[number], object>;

/** Appearance and place of a visible signature. */
export interface StampOptions {
  readonly page: StampPlace['page'];
  readonly position: Position;
  /** Id of the template of text and image, which may have been changed since. */
  readonly template: string;
  /** A text template; empty: no text. */
  readonly text: string;
  /** Base64 of a PNG or JPEG. */
  readonly image: string | null;
  /** The initials on each page without the stamp; null: none. */
  readonly initials: InitialsOptions | null;
  /** The stamps of single files that differ, by the id of the file. */
  readonly own: ReadonlyMap<number, OwnStamp>;
}

/** The initials on the other pages. */
export interface InitialsOptions {
  readonly position: Position;
  /** A text template; empty: the initials of the signer. */
  readonly text: string;
}

/** The stamp of one file: elsewhere, in a field of the file, or absent. */
export type OwnStamp =
  | { readonly kind: 'place'; readonly page: StampPlace['page']; readonly position: Position }
  | { readonly kind: 'field'; readonly fieldName: string }
  | { readonly kind: 'none' };

/** Null for a file with the stamp of the batch. */
export function ownStampOf({ own }: Pick<StampOptions, 'own'>, id: number): OwnStamp | null {
  return own.get(id) ?? null;
}

/** First size of the initials, in points. */
export const initialsSize = { width: 54, height: 24 } as const;
/** The core replaces this by the initials of the signer. */
export const initialsText = '{initials}';

/** The template of the initials for the core. */
export const textOfInitials = ({ text }: InitialsOptions): string => (text.trim() === '' ? initialsText : text);

/** Distance of a corner's stamp from the edges, in points. */
const margin = 36;

/** A stamp put into a corner. */
export function inCorner(corner: Position['corner'], { width, height }: Pick<Position, 'width' | 'height'>): Position {
  return { corner, x: margin, y: margin, width, height };
}

/** The corner of a stamp; null if the stamp was moved since. */
export function cornerOf({ corner, x, y }: Position): Position['corner'] | null {
  return x === margin && y === margin ? corner : null;
}

/** The lines of the default stamp, by their value. */
export const stampLines = [
  { variable: 'name', line: 'Assinado digitalmente por\n{name}' },
  { variable: 'cpf', line: 'CPF: {cpf}' },
  { variable: 'company', line: '{company}' },
  { variable: 'cnpj', line: 'CNPJ: {cnpj}' },
  { variable: 'date', line: 'Data: {date}' },
  { variable: 'reason', line: 'Motivo: {reason}' },
  { variable: 'location', line: 'Local: {location}' },
  { variable: 'check', line: '{check}' },
  { variable: 'qr', line: '{qr}' },
] as const;
export type StampVariable = (typeof stampLines)[number]['variable'];

const textOf = (...variables: readonly StampVariable[]): string =>
  stampLines.flatMap(({ variable, line }) => (variables.includes(variable) ? [line] : [])).join('\n');

/** The default text of a stamp: the core's own template without the lines for programs. */
export const usualTemplate = textOf('name', 'cpf', 'company', 'cnpj', 'date', 'reason', 'location', 'check');

/** The built-in templates. `hasPicture`: the template has a picture, by default Sinete's mark. */
export const builtInTemplates = [
  { id: 'usual', text: usualTemplate, hasPicture: false },
  { id: 'short', text: textOf('name', 'date', 'check'), hasPicture: false },
  { id: 'company', text: textOf('name', 'company', 'cnpj', 'date', 'check'), hasPicture: false },
  { id: 'reason', text: textOf('name', 'date', 'reason', 'location', 'check'), hasPicture: false },
  { id: 'picture', text: usualTemplate, hasPicture: true },
  { id: 'picture-only', text: '', hasPicture: true },
] as const;
export type BuiltInTemplate = (typeof builtInTemplates)[number];

export const initialStamp: StampOptions = {
  page: 'last',
  position: { ...inCorner('bottom-left', stampSizes.medium), clear: true },
  template: 'usual',
  text: usualTemplate,
  image: null,
  initials: null,
  own: new Map(),
};

/** The default initials: in the lower right corner. */
export const firstInitials: InitialsOptions = {
  position: { ...inCorner('bottom-right', initialsSize), clear: true },
  text: initialsText,
};

const shows = (line: string, variable: StampVariable): boolean =>
  line.includes(`{${variable}}`) || line.includes(`{{${variable}}}`);

/** True if a text contains the variable. */
export function hasLine(text: string, variable: StampVariable): boolean {
  return text.split('\n').some((line) => shows(line, variable));
}

/** The text with the default line for a value at its usual place, or without any line for the value. */
export function withLine(text: string, wanted: StampVariable, present: boolean): string {
  const lines = text === '' ? [] : text.split('\n');
  const order = stampLines.map(({ variable }) => variable);
  // The line above a name says nothing without the name.
  const own = (stampLines[order.indexOf(wanted)]?.line ?? '').split('\n');
  if (!present) return lines.filter((line) => !shows(line, wanted) && !own.includes(line)).join('\n');
  const later = order.slice(order.indexOf(wanted) + 1);
  const found = lines.findIndex((line) => later.some((variable) => shows(line, variable)));
  const at = found < 0 ? lines.length : found;
  const line = stampLines[order.indexOf(wanted)]?.line ?? '';
  return [...lines.slice(0, at), line, ...lines.slice(at)].join('\n');
}
