/** The words of a report: what each check found and what to do about it, in Brazilian Portuguese and in English. */
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

/** What a check tells a person. */
export interface CheckWords {
  /** What was found: a sentence. */
  readonly finding: string;
  /** What to do about it: a sentence; null where there is nothing to do. */
  readonly remedy: string | null;
}

/** `hierarchy`: of the certificate that the check is about, where what to do depends on it. */
export function checkWords(code: ValidationCheckCode, language: ReportLanguage, hierarchy?: Hierarchy): CheckWords {
  const [finding, remedy = null] = CHECK_TEXTS[code][language];
  if (hierarchy === 'test' && code === 'REVOCATION_UNREACHABLE') {
    return { finding, remedy: TEST_SERVICES_SILENT[language] };
  }
  return { finding, remedy };
}
