import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';

/** Hands files to the validation desk and says when some were left out. */
export function useValidateFiles(): (files: readonly File[]) => Promise<void> {
  const { validation } = useCore();
  const toasts = useToasts();
  const { t } = useTranslation();
  return useCallback(
    async (files: readonly File[]) => {
      if (!(await validation.add(files))) toasts.failedText(t('validate.tooMany'));
    },
    [validation, toasts, t],
  );
}
