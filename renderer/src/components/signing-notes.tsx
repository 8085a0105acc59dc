import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../src/ui-contract/ui-contract.ts';
import { useQuery } from '../data/core-context.ts';
import { Notice } from './notice.tsx';

/**
 * Says before an archival signature (AD-RA) which data it would be made with has ended, or ends soon. `children`: the way
 * to newer data, where the page can be left.
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

/** Says which programs may not check signatures of this key. */
export function AcceptanceNotice({ certificate }: { readonly certificate: CertificateView | null }) {
  const { t } = useTranslation();
  if (certificate === null || certificate.acceptance === null) return null;
  return (
    <Notice kind="warning" title={t('signOptions.acceptanceTitle')}>
      {t(`signOptions.acceptance.${certificate.acceptance}`)}
    </Notice>
  );
}
