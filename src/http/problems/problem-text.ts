import { codeOfSigningError, type ServiceErrorCode } from '../../service/errors/index.ts';
import { errorWordsEn, errorWordsPt } from '../../text/error-words/index.ts';
import type { ProblemText } from './problem-language.ts';
import { httpTexts } from './http-texts.ts';

const httpCodes: Readonly<Record<string, ProblemText>> = httpTexts;
const english: Readonly<Record<ServiceErrorCode, readonly [string, string, string?]>> = errorWordsEn;
const portuguese: Readonly<Record<ServiceErrorCode, readonly [string, string, string, string?]>> = errorWordsPt;

const isServiceCode = (code: string): code is ServiceErrorCode =>
  Object.hasOwn(english, code) && typeof errorWordsEn[code as ServiceErrorCode] !== 'string';

/** The text of a code; codes of the signing core use the text of the matching service code. */
export function problemText(code: string): ProblemText | undefined {
  if (Object.hasOwn(httpCodes, code)) return httpCodes[code];
  const codes: Readonly<Record<string, string>> = codeOfSigningError;
  const known = isServiceCode(code) || !Object.hasOwn(codes, code) ? code : codes[code];
  if (known === undefined || !isServiceCode(known)) return undefined;
  const [cause, remedy] = english[known];
  const [title, causePt, remedyPt] = portuguese[known];
  return [cause, remedy, title, causePt, remedyPt];
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
