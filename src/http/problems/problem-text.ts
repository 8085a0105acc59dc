import type { ProblemText } from './problem-language.ts';
import { httpTexts } from './http-texts.ts';
import { serviceTexts } from './service-texts.ts';

/** The texts of all codes of the service and the HTTP layer. */
export const problemTexts: Readonly<Record<string, ProblemText>> = { ...httpTexts, ...serviceTexts };

/**
 * Title and detail in Portuguese; undefined for codes without a text. The detail is about the code, because sentences
 * about single fields are in English.
 */
export function portugueseText(code: string): { readonly title: string; readonly detail: string } | undefined {
  const text = Object.hasOwn(problemTexts, code) ? problemTexts[code] : undefined;
  if (text === undefined) return undefined;
  const [, , title, cause, remedy] = text;
  return { title, detail: `${cause} ${remedy}` };
}
