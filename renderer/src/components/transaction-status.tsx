import { useTranslation } from 'react-i18next';
import type { UiDocument, UiTransaction } from '../../../src/ui-contract/ui-contract.ts';
import { Mark } from './status.tsx';

/** The state of a transaction in one or two words. */
export function TransactionStatus({ transaction }: { readonly transaction: UiTransaction }) {
  const { t } = useTranslation();
  const total = transaction.documents.length;
  const signed = transaction.documents.filter((document) => document.status === 'SIGNED').length;
  switch (transaction.status) {
    case 'SIGNED':
      return (
        <Mark tone="good" icon="good">
          {t('status.signed')}
        </Mark>
      );
    case 'ERROR':
      return (
        <Mark tone="bad" icon="bad">
          {signed > 0 ? t('status.partly', { signed, total }) : t('status.error')}
        </Mark>
      );
    case 'WAITING':
      return <WaitingMark waitingFor={transaction.waitingFor} />;
  }
}

function WaitingMark({ waitingFor }: Pick<UiTransaction, 'waitingFor'>) {
  const { t } = useTranslation();
  if (waitingFor === null) {
    return (
      <Mark tone="accent" icon="working">
        {t('status.signing')}
      </Mark>
    );
  }
  return (
    <Mark tone={waitingFor === 'upload' ? 'neutral' : 'warning'} icon={waitingFor === 'pin' ? 'pin' : 'waiting'}>
      {t(`status.${waitingFor}`)}
    </Mark>
  );
}

const marks = {
  SIGNED: { tone: 'good', icon: 'good', text: 'signed' },
  ERROR: { tone: 'bad', icon: 'bad', text: 'error' },
  WAITING: { tone: 'neutral', icon: 'waiting', text: 'waiting' },
} as const satisfies Record<UiDocument['status'], object>;

interface DocumentStatusProps extends Pick<UiDocument, 'status'> {
  /** The reason why a document waits, such as a PIN; absent if the core gives none. */
  readonly waitingFor?: UiTransaction['waitingFor'];
}

/** The state of a document. */
export function DocumentStatus({ status, waitingFor }: DocumentStatusProps) {
  const { t } = useTranslation();
  if (status === 'WAITING' && waitingFor !== undefined) return <WaitingMark waitingFor={waitingFor} />;
  const { text, ...mark } = marks[status];
  return <Mark {...mark}>{t(`status.${text}`)}</Mark>;
}
