import type { i18n } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { errorSentencesEn } from '../../../src/text/error-words/index.ts';

type KnownCode = Exclude<keyof typeof errorSentencesEn, 'unknown'>;

/** Error texts are loaded after the first page, but always before an error is shown. */
function isKnownCode(code: string, i18n: i18n): code is KnownCode {
  return /^[A-Z][A-Z0-9_]*$/.test(code) && i18n.exists(`errors.${code}`);
}

/** Translates an error into a sentence in the user's language, by its code. The core's own message is English. */
export function useErrorText(): (error: { readonly code: string }) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    ({ code }: { readonly code: string }) =>
      isKnownCode(code, i18n) ? t(`errors.${code}`) : t('errors.unknown', { code }),
    [t, i18n],
  );
}
