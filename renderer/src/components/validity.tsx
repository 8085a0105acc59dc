import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../src/ui-contract/ui-contract.ts';
import { daysUntil, formatDay } from '../format/format.ts';
import { Mark } from './status.tsx';
import { useNow } from './use-now.ts';

/**
 * Days before the end from which a certificate is shown as expiring soon, so that there is time to buy the next one.
 */
const soon = 30;

/** A mark with icon, colour and text for a certificate: revoked, valid today, or outside its dates. */
export function Validity({
  certificate,
}: {
  readonly certificate: Pick<CertificateView, 'validity' | 'notBefore' | 'notAfter' | 'revocation'>;
}) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { revocation } = certificate;
  if (revocation !== undefined) {
    return (
      <Mark tone="bad" icon="bad">
        {t(revocation.isSuspension ? 'certificates.suspended' : 'certificates.revoked')}{' '}
        {t('certificates.since', { day: formatDay(revocation.since, i18n.language) })}
      </Mark>
    );
  }
  const notAfter = formatDay(certificate.notAfter, i18n.language);
  switch (certificate.validity) {
    case 'valid': {
      const days = daysUntil(certificate.notAfter, now);
      return days > soon ? (
        <Mark tone="good" icon="good">
          {t('certificates.valid')} {t('certificates.until', { day: notAfter })}
        </Mark>
      ) : (
        <Mark tone="warning" icon="warning">
          {t('certificates.expiresSoon', { count: days })}
        </Mark>
      );
    }
    case 'expired':
      return (
        <Mark tone="bad" icon="bad">
          {t('certificates.expired')} {t('certificates.since', { day: notAfter })}
        </Mark>
      );
    case 'not-yet-valid':
      return (
        <Mark tone="warning" icon="waiting">
          {t('certificates.notYetValid')},{' '}
          {t('certificates.from', { day: formatDay(certificate.notBefore, i18n.language) })}
        </Mark>
      );
  }
}
