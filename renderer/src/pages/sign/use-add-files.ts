import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { mostFiles } from './signing-desk.ts';

/** Puts files on the signing desk and says what was left out. */
export function useAddFiles(): (files: readonly File[]) => Promise<void> {
  const { desk } = useCore();
  const toasts = useToasts();
  const { t } = useTranslation();
  return useCallback(
    async (files: readonly File[]) => {
      const added = await desk.add(files);
      if (added.duplicates > 0) toasts.done(t('sign.duplicates', { count: added.duplicates }));
      if (added.overLimit) toasts.failedText(t('sign.tooMany', { count: mostFiles }));
    },
    [desk, toasts, t],
  );
}
