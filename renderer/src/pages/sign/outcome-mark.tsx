import { useTranslation } from 'react-i18next';
import { Mark } from '../../components/status.tsx';
import type { DeskItem, Outcome } from './desk-state.ts';

/** Where a file stands, in a word. */
export function OutcomeMark({ item, outcome }: { readonly item: DeskItem; readonly outcome: Outcome }) {
  const { t, i18n } = useTranslation();
  switch (outcome.kind) {
    case 'ready':
    case 'queued':
      return (
        <Mark tone="neutral" icon="idle">
          {t('sign.queued')}
        </Mark>
      );
    case 'sending': {
      const share = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(
        Math.min(1, outcome.sent / item.file.size),
      );
      return (
        <Mark tone="accent" icon="working">
          {t('sign.sendingPercent', { percent: share })}
        </Mark>
      );
    }
    case 'sent':
      return (
        <Mark tone="neutral" icon="good">
          {t('sign.sent')}
        </Mark>
      );
    case 'approval':
      return (
        <Mark tone="warning" icon="waiting">
          {t('status.approval')}
        </Mark>
      );
    case 'pin':
      return (
        <Mark tone="warning" icon="pin">
          {t('status.pin')}
        </Mark>
      );
    case 'evidence':
      return (
        <Mark tone="warning" icon="waiting">
          {t('status.evidence')}
        </Mark>
      );
    case 'signing':
      return (
        <Mark tone="accent" icon="working">
          {t('status.signing')}
        </Mark>
      );
    case 'signed':
      return (
        <Mark tone="good" icon="good">
          {t('status.signed')}
        </Mark>
      );
    case 'failed':
      return (
        <Mark tone="bad" icon="bad">
          {t('status.error')}
        </Mark>
      );
  }
}
