import type { CheckArea, ValidationCheckCode, VALIDATION_CHECKS } from '../../../signing/index.ts';

/** The languages of a report. */
export const REPORT_LANGUAGES = ['pt-BR', 'en'] as const;

export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

/** The finding, a sentence; then the remedy, if any. */
export type Words = readonly [finding: string, remedy?: string];

/** A check in every language. */
export type CheckText = Readonly<Record<ReportLanguage, Words>>;

/** The codes of some areas. */
export type CodesOf<Area extends CheckArea> = {
  [Code in ValidationCheckCode]: (typeof VALIDATION_CHECKS)[Code][0] extends Area ? Code : never;
}[ValidationCheckCode];

/** The texts of some areas; the compiler misses none. */
export type TextsOf<Area extends CheckArea> = Readonly<Record<CodesOf<Area>, CheckText>>;
