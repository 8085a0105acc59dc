import { errorWordsEn, type EnglishWords } from './en.ts';
import { errorWordsPt } from './pt-br.ts';

/** The words of error codes: one table for each language, for HTTP problems, the window and the checks. */

export { errorWordsEn } from './en.ts';
export { errorWordsPt } from './pt-br.ts';

type Words = EnglishWords | (typeof errorWordsPt)[keyof typeof errorWordsPt];

/** The sentences for people, by code. `skipped`: the number of texts before the cause. */
function forPeople<Code extends string>(
  table: Readonly<Record<Code, Words>>,
  skipped: 0 | 1,
): Readonly<Record<Code, string>> {
  const entries = Object.entries<Words>(table).map(([code, words]) => {
    if (typeof words === 'string') return [code, words];
    const [cause, remedy, people] = words.slice(skipped);
    return [code, people ?? `${cause} ${remedy}`];
  });
  return Object.fromEntries(entries) as Record<Code, string>;
}

/** A sentence for people about each error code, in English; `unknown` serves the codes without one. */
export const errorSentencesEn = forPeople(errorWordsEn, 0);

/** The same in Brazilian Portuguese. */
export const errorSentencesPt = forPeople(errorWordsPt, 1);
