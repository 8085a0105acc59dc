import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';
import { Rows, Section } from '../../components/page.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatAgo } from '../../format/format.ts';
import classes from './home.module.css';
import { askedSubject } from '../../../../src/text/asked-subject.ts';
import { useRequesterName } from '../../components/text/use-requester-name.ts';

interface WaitingCardProps {
  readonly waiting: readonly UiTransaction[];
  readonly onReview: (tcn: string) => void;
}

const COUNTS = { documents: 'home.documents', hashes: 'home.hashes', data: 'home.data' } as const;

/** Transactions waiting for the user's approval or PIN. */
export function WaitingCard({ waiting, onReview }: WaitingCardProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const requesterName = useRequesterName();
  return (
    <Section title={t('home.approvals')} flush>
      <Rows>
        {waiting.map((entry) => (
          <li key={entry.tcn} className={classes.row}>
            <div className={classes.rowText}>
              <Text fw={550} className={classes.wrap}>
                {t('home.askedBy', { name: requesterName(entry) })}
              </Text>
              <Text size="sm" c="dimmed">
                {entry.waitingFor === 'pin' ? t('home.needsPin') : t('home.needsApproval')} ·{' '}
                {t(COUNTS[askedSubject(entry.type, entry.documents)], { count: entry.documents.length })} ·{' '}
                {formatAgo(entry.createdAt, now, i18n.language)}
              </Text>
            </div>
            <Button
              size="xs"
              aria-label={`${t('app.review')}: ${requesterName(entry)}`}
              onClick={() => onReview(entry.tcn)}
            >
              {t('app.review')}
            </Button>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
