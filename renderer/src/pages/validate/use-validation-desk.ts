import { createContext, useCallback, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../../components/toasts.tsx';
import type { ValidationDesk } from './validation-desk.ts';

/** Filled once, by the shell: the desk lives as long as the window. */
export const ValidationDeskContext = createContext<ValidationDesk | null>(null);

/** The validation desk of this window. */
export function useValidationDesk(): ValidationDesk {
  const desk = useContext(ValidationDeskContext);
  if (desk === null) throw new Error('ValidationDeskContext is not filled.');
  return desk;
}

/** Hands files to the validation desk and reports if some were not accepted. */
export function useValidateFiles(): (files: readonly File[]) => Promise<void> {
  const validation = useValidationDesk();
  const toasts = useToasts();
  const { t } = useTranslation();
  return useCallback(
    async (files: readonly File[]) => {
      if (!(await validation.add(files))) toasts.failedText(t('validate.tooMany'));
    },
    [validation, toasts, t],
  );
}
