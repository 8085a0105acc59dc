import { codeOfSigningError } from '../../service/errors/index.ts';
import type { ProblemText } from './problem-language.ts';
import { httpTexts } from './http-texts.ts';
import { serviceTexts } from './service-texts.ts';

/** The texts of all codes of the service and the HTTP layer. */
const problemTexts: Readonly<Record<string, ProblemText>> = { ...httpTexts, ...serviceTexts };

/** The text of a code; codes of the signing core use the text of the matching service code. */
export function problemText(code: string): ProblemText | undefined {
  if (Object.hasOwn(problemTexts, code)) return problemTexts[code];
  const codes: Readonly<Record<string, string>> = codeOfSigningError;
  const serviceCode = Object.hasOwn(codes, code) ? codes[code] : undefined;
  return serviceCode === undefined ? undefined : problemTexts[serviceCode];
}

/**
 * Title and detail in Portuguese; undefined for codes without a text. The detail describes the code, because sentences
 * about single fields exist in English only.
 */
export function portugueseText(code: string): { readonly title: string; readonly detail: string } | undefined {
  const text = problemText(code);
  if (text === undefined) return undefined;
  const [, , title, cause, remedy] = text;
  return { title, detail: `${cause} ${remedy}` };
}
