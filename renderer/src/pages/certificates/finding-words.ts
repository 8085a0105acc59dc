import { useTranslation } from 'react-i18next';
import type { CertificateInspection } from '../../../../src/ui-contract/ui-contract.ts';

/** The core's finding about an aspect of a certificate. */
export interface Finding {
  readonly aspect: 'date' | 'crl' | 'trust';
  readonly status: boolean;
  /** An information code of the interface. */
  readonly code: number;
}

/** NOT_DETERMINED of the interface's information codes. */
const notDetermined = 1193;

/** A finding's title, and its reason with the remedy, in the language of the window. */
export function useWording(
  { aspect, status, code }: Finding,
  hierarchy: CertificateInspection['certificate']['hierarchy'],
): { readonly state: 'good' | 'bad' | 'unknown'; readonly sentence: string } {
  const { t } = useTranslation();
  const codes = (key: 'dateGood' | 'dateBad' | 'crlGood' | 'crlBad' | 'crlUnknown' | 'trustBad'): string =>
    t(`certificates.inspection.codes.${key}`);
  switch (aspect) {
    case 'date':
      return status ? { state: 'good', sentence: codes('dateGood') } : { state: 'bad', sentence: codes('dateBad') };
    case 'crl':
      if (status) return { state: 'good', sentence: codes('crlGood') };
      return code === notDetermined
        ? { state: 'unknown', sentence: codes('crlUnknown') }
        : { state: 'bad', sentence: codes('crlBad') };
    case 'trust': {
      if (!status) return { state: 'bad', sentence: codes('trustBad') };
      const name = t(`validate.hierarchy.${hierarchy ?? 'other'}`);
      return { state: 'good', sentence: t('certificates.inspection.codes.trustGood', { hierarchy: name }) };
    }
  }
}
