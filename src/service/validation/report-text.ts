/** The words of a report: the finding and the remedy of each check, in Brazilian Portuguese and in English. */
import type { Hierarchy, ValidationCheckCode } from '../../signing/index.ts';
import { algorithmAndPolicyTexts } from './texts/algorithm-and-policy.ts';
import { certificateAndTrustTexts } from './texts/certificate-and-trust.ts';
import type { CheckText, ReportLanguage } from './texts/check-text.ts';
import { dateAndRevocationTexts, TEST_SERVICES_SILENT } from './texts/date-and-revocation.ts';
import { formatAndIntegrityTexts } from './texts/format-and-integrity.ts';
import { timestampAndChangeTexts } from './texts/timestamps-and-changes.ts';

/** Every check in every language; the compiler misses none. */
export const CHECK_TEXTS: Readonly<Record<ValidationCheckCode, CheckText>> = {
  ...formatAndIntegrityTexts,
  ...certificateAndTrustTexts,
  ...dateAndRevocationTexts,
  ...algorithmAndPolicyTexts,
  ...timestampAndChangeTexts,
};

/** The words of a check. */
export interface CheckWords {
  /** The finding: a sentence. */
  readonly finding: string;
  /** The remedy: a sentence; null without a remedy. */
  readonly remedy: string | null;
}

/** `hierarchy`: of the check's certificate, when the remedy depends on the hierarchy. */
export function checkWords(code: ValidationCheckCode, language: ReportLanguage, hierarchy?: Hierarchy): CheckWords {
  const [finding, remedy = null] = CHECK_TEXTS[code][language];
  if (hierarchy === 'test' && code === 'REVOCATION_UNREACHABLE') {
    return { finding, remedy: TEST_SERVICES_SILENT[language] };
  }
  return { finding, remedy };
}
