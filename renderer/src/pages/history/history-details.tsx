import { Button, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { UiDocument, UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { SidePanel } from '../../components/dialogs/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Field, Fields, RowsPlaceholder } from '../../components/page.tsx';
import { ResultActions } from '../../components/result-actions.tsx';
import { DocumentStatus, TransactionStatus } from '../../components/transaction-status.tsx';
import { useQuery } from '../../data/core-context.ts';
import { nameOfDigest } from '../../format/digest.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatInstant, formatSize, groupHex } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import classes from './history.module.css';
import { ShownName } from '../../components/text/shown-name.tsx';
import { useRequesterName } from '../../components/text/use-requester-name.ts';

/** Most documents shown before a request for all. */
const shownAtFirst = 50;

/** All stored facts of a request: the requester, the certificate, and each document with its result. */
export function HistoryDetails({ tcn, onClose }: { readonly tcn: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { value, error } = useQuery('transactions.read', { tcn });
  return (
    <SidePanel title={value?.documents[0]?.name ?? t('history.drawer.request')} onClose={onClose}>
      {value === null && error === null ? <RowsPlaceholder /> : null}
      {error === null ? null : <Notice kind="error">{errorText(error)}</Notice>}
      {value === null ? null : (
        <Stack gap="xl">
          <div>
            <TransactionStatus transaction={value} />
          </div>
          <RequestPart transaction={value} />
          <DocumentsPart transaction={value} />
        </Stack>
      )}
    </SidePanel>
  );
}

function RequestPart({ transaction }: { readonly transaction: UiTransaction }) {
  const { t, i18n } = useTranslation();
  const requesterName = useRequesterName();
  const { tcn, requesterKind, certificateAlias, type, digest, createdAt, finishedAt } = transaction;
  return (
    <Fields>
      <Field name={t('history.drawer.requester')}>
        <ShownName name={requesterName(transaction)} />
      </Field>
      <Field name={t('history.drawer.kind')}>{t(`requester.${requesterKind}`)}</Field>
      <Field name={t('history.drawer.certificate')}>{certificateAlias}</Field>
      <Field name={t('history.drawer.type')}>{type}</Field>
      <Field name={t('history.drawer.digest')}>{nameOfDigest(digest)}</Field>
      <Field name={t('history.drawer.createdAt')}>{formatInstant(createdAt, i18n.language)}</Field>
      {finishedAt === null ? null : (
        <Field name={t('history.drawer.finishedAt')}>{formatInstant(finishedAt, i18n.language)}</Field>
      )}
      <Field name={t('history.drawer.tcn')}>
        <code className={classes.hex}>{tcn}</code>
        <CopyButton text={tcn} name={t('history.drawer.tcn')} />
      </Field>
    </Fields>
  );
}

function DocumentsPart({ transaction: { tcn, documents } }: { readonly transaction: UiTransaction }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const shown = all ? documents : documents.slice(0, shownAtFirst);
  const hidden = documents.length - shown.length;
  return (
    <div>
      <Title order={3} size="sm" mb="xs">
        {t('history.drawer.documents', { count: documents.length })}
      </Title>
      <ul className={classes.documents}>
        {shown.map((document) => (
          <DocumentRow key={document.id} tcn={tcn} document={document} />
        ))}
      </ul>
      {hidden === 0 ? null : (
        <Text size="sm" component="div">
          {t('history.drawer.moreDocuments', { count: hidden })}{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
            {t('history.drawer.showAll')}
          </Button>
        </Text>
      )}
    </div>
  );
}

function DocumentRow({ tcn, document }: { readonly tcn: string; readonly document: UiDocument }) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { name, size, checksum, status, error, resultName } = document;
  return (
    <li>
      <div className={classes.documentText}>
        <Text size="sm" fw={550}>
          <ShownName name={resultName ?? name} />
          {size === null ? null : (
            <Text component="span" c="dimmed" size="sm" fw={400}>
              {' '}
              {formatSize(size, i18n.language)}
            </Text>
          )}
        </Text>
        {error === null ? null : <Hint>{errorText({ code: error.code, message: error.detail })}</Hint>}
        <Keeping document={document} />
        {checksum === null ? null : (
          <Hint>
            {t('history.drawer.checksum')}: <code className={classes.hex}>{groupHex(checksum)}</code>
          </Hint>
        )}
      </div>
      {status === 'SIGNED' && document.lifetime !== 0 ? (
        <ResultActions tcn={tcn} document={document} />
      ) : (
        <DocumentStatus status={status} />
      )}
    </li>
  );
}

function Hint({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

/** Whether the result is still here. */
function Keeping({ document: { status, lifetime } }: { readonly document: UiDocument }) {
  const { t, i18n } = useTranslation();
  if (status !== 'SIGNED') return null;
  if (lifetime === null) return <Hint>{t('history.drawer.elsewhere')}</Hint>;
  if (lifetime === 0) return <Hint>{t('history.drawer.erased')}</Hint>;
  return <Hint>{t('history.drawer.keptFor', { duration: formatDuration(roundUp(lifetime), i18n.language) })}</Hint>;
}

/** In whole days, hours or minutes, the largest fitting unit. */
function roundUp(seconds: number): number {
  const unit = [86_400, 3600, 60].find((one) => seconds >= one) ?? 60;
  return Math.ceil(seconds / unit) * unit;
}
