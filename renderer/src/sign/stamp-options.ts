/** The corners of a page as it is displayed, in reading order. */
export const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export const stampPages = ['first', 'last', 'number'] as const;
export const sizes = ['small', 'medium', 'large'] as const;

/** How a visible signature looks and where it stands. */
export interface StampOptions {
  readonly pages: { readonly kind: (typeof stampPages)[number]; readonly number: number };
  readonly corner: (typeof corners)[number];
  readonly size: (typeof sizes)[number];
  /** A template; empty: the usual one. */
  readonly text: string;
}

/** The variables of a template, as the core knows them; `extra_info` is for programs. */
export const stampVariables = ['name', 'cpf', 'cnpj', 'company', 'date', 'reason', 'location'] as const;
export type StampVariable = (typeof stampVariables)[number];
export type StampValues = Readonly<Record<StampVariable, string>>;

/** What a stamp says when nobody says otherwise: the core's own template, line by line. */
export const usualTemplate = [
  'Assinado digitalmente por {name}',
  'CPF: {cpf}',
  '{company}',
  'CNPJ: {cnpj}',
  'Data: {date}',
  'Motivo: {reason}',
  'Local: {location}',
].join('\n');

export const initialStamp: StampOptions = {
  pages: { kind: 'last', number: 1 },
  corner: 'bottom-left',
  size: 'medium',
  text: usualTemplate,
};

const variable = /\{\{\s*(\w+)\s*\}\}|\{(\w+)\}/g;

/** A template filled in, by the rules of the core: a line whose variables are all empty is left out. */
export function previewOf(template: string, values: StampValues): string {
  const lines = template.split(/\r\n|\r|\n/).flatMap((line) => {
    const names = [...line.matchAll(variable)]
      .map(([, double, single]) => double ?? single ?? '')
      .filter((name): name is StampVariable => Object.hasOwn(values, name));
    if (names.length > 0 && names.every((name) => values[name] === '')) return [];
    return [
      line.replace(variable, (written: string, double?: string, single?: string) => {
        const name = double ?? single ?? '';
        return Object.hasOwn(values, name) ? values[name as StampVariable] : written;
      }),
    ];
  });
  return lines.join('\n');
}

const pad = (number: number): string => String(number).padStart(2, '0');

/** Day, time and distance to UTC, as the core writes them on stamps. */
export function stampDate(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const distance = Math.abs(minutes);
  const day = `${pad(date.getDate())}/${pad(date.getMonth() + 1)}/${date.getFullYear()}`;
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return `${day} ${time} ${minutes < 0 ? '-' : '+'}${pad(Math.floor(distance / 60))}:${pad(distance % 60)}`;
}
