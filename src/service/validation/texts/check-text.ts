import type { CheckArea, ValidationCheckCode, VALIDATION_CHECKS } from '../../../signing/index.ts';

/** Languages of reports. */
export const REPORT_LANGUAGES = ['pt-BR', 'en'] as const;

export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

/** The finding and the remedy of a check, as sentences. The remedy is missing if there is nothing to do. */
export type Words = readonly [finding: string, remedy?: string];

/** The texts of a check in every language. */
export type CheckText = Readonly<Record<ReportLanguage, Words>>;

/** Codes of the checks in the given areas. */
export type CodesOf<Area extends CheckArea> = {
  [Code in ValidationCheckCode]: (typeof VALIDATION_CHECKS)[Code][0] extends Area ? Code : never;
}[ValidationCheckCode];

/** Texts for the checks of the given areas. The type requires all codes. */
export type TextsOf<Area extends CheckArea> = Readonly<Record<CodesOf<Area>, CheckText>>;
