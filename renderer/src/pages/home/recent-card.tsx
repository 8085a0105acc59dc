import { ActionIcon, Anchor, Text } from '@mantine/core';
import { ChevronDown } from '../../components/icons/index.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UiDocument, UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';
import { Empty, Rows, Section } from '../../components/page.tsx';
import { ResultActions } from '../../components/result-actions.tsx';
import { DocumentStatus, TransactionStatus } from '../../components/transaction-status.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatAgo, formatInstant } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { hrefOf } from '../../route.ts';
import classes from './home.module.css';
import { ShownName } from '../../components/text/shown-name.tsx';
import { useRequesterName } from '../../components/text/use-requester-name.ts';

/** The newest transactions; each opens to its documents. */
export function RecentCard({ recent }: { readonly recent: readonly UiTransaction[] }) {
  const { t } = useTranslation();
  return (
    <Section
      title={t('home.recent')}
      flush
      side={
        recent.length === 0 ? null : (
          <Anchor href={hrefOf('history')} size="sm">
            {t('home.toHistory')}
          </Anchor>
        )
      }
    >
      {recent.length === 0 ? (
        <Empty>{t('home.recentNone')}</Empty>
      ) : (
        <Rows>
          {recent.map((transaction) => (
            <RecentRow key={transaction.tcn} transaction={transaction} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function RecentRow({ transaction }: { readonly transaction: UiTransaction }) {
  const requesterName = useRequesterName();
  const { t, i18n } = useTranslation();
  const now = useNow();
  const [open, setOpen] = useState(false);
  const id = useId();
  const { documents } = transaction;
  const first = documents[0]?.name ?? t('home.documents', { count: 0 });
  const more = documents.length - 1;
  return (
    <li>
      <div className={classes.row}>
        <div className={classes.rowText}>
          <Text fw={550} className={classes.wrap}>
            {first}
            {more > 0 ? (
              <Text component="span" c="dimmed" fw={400}>
                {' '}
                {t('home.andMore', { count: more })}
              </Text>
            ) : null}
          </Text>
          <Text size="sm" c="dimmed" className={classes.wrap}>
            <ShownName name={requesterName(transaction)} /> · {transaction.type} ·{' '}
            <time dateTime={transaction.createdAt} title={formatInstant(transaction.createdAt, i18n.language)}>
              {formatAgo(transaction.createdAt, now, i18n.language)}
            </time>
          </Text>
        </div>
        <div className={classes.rowEnd}>
          <TransactionStatus transaction={transaction} />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-expanded={open}
            aria-controls={id}
            aria-label={`${open ? t('home.hideDocuments') : t('home.showDocuments')}: ${first}`}
            onClick={() => setOpen(!open)}
          >
            <ChevronDown size={18} aria-hidden className={classes.chevron} data-open={open} />
          </ActionIcon>
        </div>
      </div>
      <ul id={id} hidden={!open} className={classes.documents} aria-label={t('home.details')}>
        {open
          ? documents.map((document) => <DocumentRow key={document.id} tcn={transaction.tcn} document={document} />)
          : null}
      </ul>
    </li>
  );
}

function DocumentRow({ tcn, document }: { readonly tcn: string; readonly document: UiDocument }) {
  const errorText = useErrorText();
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text size="sm" className={classes.wrap}>
          <ShownName name={document.resultName ?? document.name} />
        </Text>
        {document.error === null ? null : (
          <Text size="sm" c="dimmed">
            {errorText(document.error)}
          </Text>
        )}
      </div>
      {document.status === 'SIGNED' ? (
        <ResultActions tcn={tcn} document={document} />
      ) : (
        <DocumentStatus status={document.status} />
      )}
    </li>
  );
}
