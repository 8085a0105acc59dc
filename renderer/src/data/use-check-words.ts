import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay, formatSize } from '../format/format.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { areaOf, remedyOf } from './found-checks.ts';
import type { AnyCheck } from './use-findings.ts';

/** The words of a check in the language of the window. */
export interface CheckWords {
  readonly title: string;
  readonly found: string;
  /** Why the check matters; for a problem, its possible consequences. */
  readonly purpose: string;
  /** Null if nothing needs to be done. */
  readonly remedy: string | null;
}

const sizeNames = ['free', 'kept', 'quota'] as const;

/** Words for checks of the core and of its surroundings, with days and sizes in the language's notation. */
export function useCheckWords(): (check: AnyCheck) => CheckWords {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  return useCallback(
    (check) => {
      const { count, day, code, problem } = check.values;
      const shown = { ...check.values, count: typeof count === 'number' ? count : 0 };
      if ('kind' in check) {
        const sizes = Object.fromEntries(
          sizeNames.map((name) => {
            const size = check.values[name];
            return [name, typeof size === 'number' ? formatSize(size, i18n.language) : '?'];
          }),
        );
        // The finding of a stopped driver already contains the whole message.
        const isTold = check.finding === 'source-quarantined';
        const because = typeof problem === 'string' && !isTold ? [errorText({ code: problem })] : [];
        return {
          title: t(`doctor.checks.${check.kind}.title`, { name: check.name }),
          found: [t(`doctor.found.${check.finding}`, { ...shown, ...sizes }), ...because].join(' '),
          purpose: t(`doctor.checks.${check.kind}.text`),
          remedy: check.outcome === 'ok' ? null : t(`doctor.checks.${check.kind}.remedy`),
        };
      }
      const area = areaOf(check);
      const remedy = remedyOf(check);
      const values = typeof day === 'string' ? { ...shown, day: formatDay(`${day}T12:00:00`, i18n.language) } : shown;
      const because = check.finding === 'store-silent' && typeof code === 'string' ? [errorText({ code })] : [];
      return {
        title: t(`findings.areas.${area}.title`, values),
        found: [t(`findings.found.${check.finding}`, values), ...because].join(' '),
        purpose: t(`findings.areas.${area}.text`),
        remedy: remedy === null ? null : t(`findings.remedies.${remedy}`),
      };
    },
    [t, i18n, errorText],
  );
}
