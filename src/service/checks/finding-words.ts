import type { CheckValues } from './check.ts';
import type { Area, Finding, findings } from './findings.ts';

/** The languages with words for every finding. */
export type CheckLanguage = 'en' | 'pt-BR';

/** Programs and the command line get commands and days in digits; the window has buttons instead. */
export type Reader = 'program' | 'window';

/**
 * `{{name}}` stands for a value, and `{{because}}` for the sentence about the error code in `problem` or `code`. `shown` gives a value as a reader sees it: sizes with their unit, days as dates.
 */
export type Sentence = string | ((values: CheckValues, shown: (name: string) => string, reader: Reader) => string);

/** The sentence and the remedy; the third one replaces the remedy in the window. */
export type Remedied = readonly [Sentence, Sentence] | readonly [Sentence, Sentence, Sentence];

/** The words of all findings in a language. A finding that is not in order has a remedy. */
export interface FindingWords {
  readonly areas: { readonly [Key in Area]: readonly [title: string, purpose: string] };
  readonly findings: {
    readonly [Key in Finding]: (typeof findings)[Key]['outcome'] extends 'ok' ? Sentence : Remedied;
  };
  /** The decimal separator of sizes. */
  readonly decimal: '.' | ',';
}
