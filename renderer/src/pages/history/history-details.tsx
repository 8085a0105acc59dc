import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { HistoryDocument } from '../../../../src/ui-contract/history-calls.ts';
import type { CallOutput, UiDocument } from '../../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { SidePanel } from '../../components/dialogs/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Field, Fields } from '../../components/page.tsx';
import { ResultActions } from '../../components/result-actions.tsx';
import { ShownName } from '../../components/text/shown-name.tsx';
import { useRequesterName } from '../../components/text/use-requester-name.ts';
import { DocumentStatus } from '../../components/transaction-status.tsx';
import { useQuery } from '../../data/core-context.ts';
import { nameOfDigest } from '../../format/digest.ts';
import { maskEveryNumber } from '../../../../src/text/taxpayer-number.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatInstant, formatSize, groupHex } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { DocumentActions } from './document-actions.tsx';
import classes from './history.module.css';

interface HistoryDetailsProps {
  readonly entry: HistoryDocument;
  readonly onClose: () => void;
  readonly onBatch: (tcn: string) => void;
}

type Presence = CallOutput<'history.presence'>['state'];

/** Every stored fact of a document, its present place, the requester, and the available actions. */
export function HistoryDetails({ entry, onClose, onBatch }: HistoryDetailsProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { tcn } = entry;
  const { value } = useQuery('transactions.read', { tcn });
  const document = value?.documents.find(({ id }) => id === entry.document.id) ?? entry.document;
  const presence = useQuery('history.presence', { tcn, documentId: document.id }).value?.state ?? null;
  // A file with a pending level will be extended automatically.
  const canExtend = presence === 'there' && document.pendingLevel === undefined;
  const canRead = presence === 'there' || presence === 'kept';
  return (
    <SidePanel title={document.resultName ?? document.name} onClose={onClose}>
      <Stack gap="lg">
        <div>
          <DocumentStatus status={document.status} waitingFor={value?.waitingFor ?? entry.waitingFor} />
        </div>
        {document.error === null ? null : <Notice kind="error">{errorText(document.error)}</Notice>}
        {document.warnings.map(({ code, standard }) => (
          <Text key={code} size="sm" c="dimmed">
            {t(`history.warnings.${code}`, { standard })}
          </Text>
        ))}
        <Sentences title={t('history.repaired')} sentences={document.repairs} />
        <Sentences title={t('history.adjusted')} sentences={document.adjustments} />
        <Whereabouts document={document} presence={presence} />
        {canRead ? <ResultActions tcn={tcn} document={document} withWords /> : null}
        <DocumentActions entry={entry} document={document} canExtend={canExtend} canRead={canRead} onBatch={onBatch} />
        <Facts entry={entry} document={document} />
      </Stack>
    </SidePanel>
  );
}

interface SentencesProps {
  readonly title: string;
  /** In English, as the core wrote these. */
  readonly sentences: readonly string[];
}

/** A list of sentences about changes that Sinete made to the document for its signature; null for an empty list. */
function Sentences({ title, sentences }: SentencesProps) {
  if (sentences.length === 0) return null;
  return (
    <Notice kind="warning" title={title}>
      {sentences.map((sentence) => (
        <Text key={sentence} size="sm" lang="en">
          {sentence}
        </Text>
      ))}
    </Notice>
  );
}

/** The place of the signed document; reports a file that was moved, removed or changed. */
function Whereabouts({ document, presence }: { readonly document: UiDocument; readonly presence: Presence | null }) {
  const { t, i18n } = useTranslation();
  const { lifetime, revision } = document;
  const destination = document.destination ?? document.resultPath;
  switch (presence) {
    case null:
    case 'not-signed':
      return null;
    case 'there':
      return (
        <div>
          <Text size="sm" className={classes.path}>
            {t('history.drawer.savedAs', { path: destination })}
          </Text>
          {revision === undefined ? null : (
            <Text size="sm" c="dimmed">
              {t('history.drawer.extended', { count: revision })}
            </Text>
          )}
        </div>
      );
    case 'changed':
      return <Notice kind="warning">{t('history.drawer.changed', { path: destination })}</Notice>;
    case 'missing':
      return <Notice kind="warning">{t('history.drawer.missing', { path: destination })}</Notice>;
    case 'in-store':
      return (
        <Text size="sm" className={classes.path}>
          {t('history.drawer.elsewhere', { path: destination })}
        </Text>
      );
    case 'erased':
      return <Notice kind="information">{t('history.drawer.erased')}</Notice>;
    case 'kept': {
      const duration = formatDuration(roundUp(lifetime ?? 0), i18n.language);
      return <Notice kind="warning">{t('history.drawer.keptFor', { duration })}</Notice>;
    }
  }
}

function Facts({ entry, document }: { readonly entry: HistoryDocument; readonly document: UiDocument }) {
  const { t, i18n } = useTranslation();
  const requesterName = useRequesterName();
  const { tcn, signer, requesterKind, door, certificateAlias, type, digest, createdAt, finishedAt } = entry;
  const sizes = [document.size, document.resultSize].flatMap((size) =>
    size === null ? [] : [formatSize(size, i18n.language)],
  );
  return (
    <Fields>
      <Field name={t('history.drawer.original')}>
        <ShownName name={document.sourcePath ?? document.name} />
      </Field>
      {sizes.length === 0 ? null : <Field name={t('history.drawer.size')}>{sizes.join(' → ')}</Field>}
      <Field name={t('history.drawer.requester')}>
        <ShownName name={requesterName(entry)} />
      </Field>
      {requesterKind === 'user-interface' || requesterKind === 'command-line' ? null : (
        <Field name={t('history.drawer.kind')}>{t(`requester.${requesterKind}`)}</Field>
      )}
      {door === null ? null : <Field name={t('history.drawer.door')}>{t(`door.${door}`)}</Field>}
      {signer === null ? null : (
        <Field name={t('history.drawer.signer')}>
          {signer.number === null ? signer.name : `${signer.name} · ${signer.number}`}
        </Field>
      )}
      <Field name={t('history.drawer.certificate')}>{maskEveryNumber(certificateAlias)}</Field>
      <Field name={t('history.drawer.type')}>{type}</Field>
      <Field name={t('history.drawer.digest')}>{nameOfDigest(digest)}</Field>
      <Field name={t('history.drawer.createdAt')}>{formatInstant(createdAt, i18n.language)}</Field>
      {finishedAt === null ? null : (
        <Field name={t('history.drawer.finishedAt')}>{formatInstant(finishedAt, i18n.language)}</Field>
      )}
      <Hash name={t('history.drawer.checksum')} value={document.checksum} />
      <Hash name={t('history.drawer.resultChecksum')} value={document.resultChecksum} />
      <Field name={t('history.drawer.tcn')}>
        <code className={classes.hex}>{tcn}</code>
        <CopyButton text={tcn} name={t('history.drawer.tcn')} />
      </Field>
    </Fields>
  );
}

function Hash({ name, value }: { readonly name: string; readonly value: string | null }) {
  if (value === null) return null;
  return (
    <Field name={name}>
      <code className={classes.hex}>{groupHex(value)}</code>
      <CopyButton text={value} name={name} />
    </Field>
  );
}

/** In whole days, hours or minutes, the largest fitting unit. */
function roundUp(seconds: number): number {
  const unit = [86_400, 3600, 60].find((one) => seconds >= one) ?? 60;
  return Math.ceil(seconds / unit) * unit;
}
