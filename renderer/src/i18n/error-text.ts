import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../../src/ui-contract/ui-contract.ts';
import { errors } from './en-errors.ts';

function isKnownCode(code: string): code is keyof typeof errors {
  return Object.hasOwn(errors, code) && code !== 'unknown';
}

/** Turns an error value into a sentence in the user's language: by its code, else with the message that came. */
export function useErrorText(): (error: { readonly code: string; readonly message: string }) => string {
  const { t } = useTranslation();
  return useCallback(
    (error: CallError) => {
      if (isKnownCode(error.code)) return t(`errors.${error.code}`);
      return t('errors.unknown', { message: error.message === '' ? error.code : error.message });
    },
    [t],
  );
}
