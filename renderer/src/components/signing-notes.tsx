import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../src/ui-contract/ui-contract.ts';
import { useQuery } from '../data/core-context.ts';
import { Notice } from './notice.tsx';

/**
 * Warns before an archival signature (AD-RA) that some of its trust data has expired, or expires soon. `children`: a
 * link to newer data, if the user may leave the page.
 */
export function StaleTrustNotice({ children }: { readonly children?: ReactNode }) {
  const { t, i18n } = useTranslation();
  const trust = useQuery('trust.list', { language: i18n.language === 'en' ? 'en' : 'pt-BR' });
  const stale = trust.value?.stale ?? [];
  if (stale.length === 0) return null;
  return (
    <Notice kind="warning" title={t('signOptions.staleTrust')}>
      {stale.join(' ')} {children}
    </Notice>
  );
}

/** Names the programs that may not be able to check signatures of this key. */
export function AcceptanceNotice({ certificate }: { readonly certificate: CertificateView | null }) {
  const { t } = useTranslation();
  if (certificate === null || certificate.acceptance === null) return null;
  return (
    <Notice kind="warning" title={t('signOptions.acceptanceTitle')}>
      {t(`signOptions.acceptance.${certificate.acceptance}`)}
    </Notice>
  );
}
