import { createContext, useCallback, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../../components/toasts.tsx';
import { mostFiles, type SigningDesk } from './signing-desk.ts';

/** Filled once, by the shell: the desk lives as long as the window. */
export const SigningDeskContext = createContext<SigningDesk | null>(null);

/** The signing desk of this window. */
export function useSigningDesk(): SigningDesk {
  const desk = useContext(SigningDeskContext);
  if (desk === null) throw new Error('SigningDeskContext is not filled.');
  return desk;
}

/** Adds files to the signing desk and reports files that were not accepted. */
export function useAddFiles(): (files: readonly File[]) => Promise<void> {
  const desk = useSigningDesk();
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
