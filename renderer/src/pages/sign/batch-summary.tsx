import { Button, Group, Progress, Text, Title } from '@mantine/core';
import {
  CircleAlert,
  CircleCheck,
  Download,
  FolderOpen,
  Pause,
  PenLine,
  Play,
  RotateCw,
  X,
} from '../../components/icons/index.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSigningDesk } from './use-signing-desk.ts';
import { formatDuration } from '../../format/duration.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import type { BatchEntry } from './batch-entry.ts';
import type { DeskState } from './desk-state.ts';
import classes from './sign.module.css';
import { useDownloadAll } from './use-download-all.ts';

interface BatchSummaryProps {
  readonly entries: readonly BatchEntry[];
  readonly desk: DeskState;
  readonly finished: boolean;
}

/** The progress of a batch, with pause and cancel; then its outcome. */
export function BatchSummary({ entries, desk, finished }: BatchSummaryProps) {
  return (
    <div className={classes.summary}>
      {finished ? <Finished entries={entries} desk={desk} /> : <UnderWay entries={entries} desk={desk} />}
    </div>
  );
}

type SummaryProps = Omit<BatchSummaryProps, 'finished'>;

/** The progress of a file: sending is the first half, signing the second. */
function progressOf({ item, outcome }: BatchEntry): number {
  switch (outcome.kind) {
    case 'ready':
    case 'queued':
      return 0;
    case 'sending':
      return 0.5 * Math.min(1, outcome.sent / item.file.size);
    case 'sent':
    case 'approval':
    case 'pin':
    case 'evidence':
    case 'signing':
      return 0.5;
    case 'signed':
    case 'failed':
      return 1;
  }
}

function usePhase(entries: SummaryProps['entries'], { sending, paused }: DeskState): string {
  const { t } = useTranslation();
  if (paused) return t('sign.paused');
  if (sending) return t('sign.sending');
  const kinds = new Set(entries.map(({ outcome }) => outcome.kind));
  if (kinds.has('approval')) return t('sign.waitingApproval');
  return kinds.has('pin') ? t('sign.waitingPin') : t('sign.signing');
}

function UnderWay({ entries, desk: state }: SummaryProps) {
  const { t } = useTranslation();
  const desk = useSigningDesk();
  const phase = usePhase(entries, state);
  const { sending, paused, cancelled } = state;
  const value = (100 * entries.reduce((sum, entry) => sum + progressOf(entry), 0)) / Math.max(1, entries.length);
  const done = entries.filter(({ outcome: { kind } }) => (sending ? kind === 'sent' : kind === 'signed')).length;
  useEffect(() => {
    if (!sending) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [sending]);
  return (
    <>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div role="status">
          <Title order={2} size="h3">
            {phase}
          </Title>
        </div>
        <Group gap="sm" wrap="nowrap">
          <Button
            variant={paused ? 'filled' : 'default'}
            size="xs"
            disabled={cancelled}
            leftSection={paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
            onClick={() => void desk.pause(!paused)}
          >
            {paused ? t('sign.resume') : t('sign.pause')}
          </Button>
          <Button
            variant="default"
            size="xs"
            loading={cancelled}
            leftSection={<X size={16} aria-hidden />}
            onClick={() => void desk.cancel()}
          >
            {t('sign.cancelBatch')}
          </Button>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {sending
          ? t('sign.sentOf', { done, count: entries.length })
          : t('sign.signedOf', { done, count: entries.length })}
      </Text>
      <Progress value={value} size="lg" radius="xl" aria-label={t('sign.progress')} animated={!sending && !paused} />
    </>
  );
}

function Finished({ entries }: SummaryProps) {
  const { t } = useTranslation();
  const desk = useSigningDesk();
  const { bridge } = useCore();
  const heading = useRef<HTMLHeadingElement>(null);
  const downloadAll = useDownloadAll();
  const signed = entries.flatMap(({ outcome }) => (outcome.kind === 'signed' ? [outcome] : []));
  const failed = entries.length - signed.length;
  const title =
    failed === 0
      ? t('sign.allSigned', { count: signed.length })
      : signed.length === 0
        ? t('sign.noneSigned')
        : t('sign.someSigned', { signed: signed.length, total: entries.length });
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classes.finished} data-good={failed === 0}>
      {failed === 0 ? <CircleCheck size={40} aria-hidden /> : <CircleAlert size={40} aria-hidden />}
      <div className={classes.finishedText}>
        <Title order={2} size="h3" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {signed.length > 0 ? <ResultPlaces signed={signed} /> : null}
        <Reasons entries={entries} />
        <Group gap="sm" mt="md">
          {failed > 0 ? (
            <Button leftSection={<RotateCw size={18} aria-hidden />} onClick={() => void desk.retryFailed()}>
              {t('sign.retryFailed', { count: failed })}
            </Button>
          ) : null}
          <OpenFolder signed={signed} isFirst={failed === 0} />
          {signed.length > 1 && bridge.host === 'browser' ? (
            <Button
              variant={failed > 0 || foldersOf(signed).length === 1 ? 'default' : 'filled'}
              leftSection={<Download size={18} aria-hidden />}
              onClick={() => void downloadAll(signed)}
            >
              {t('sign.downloadAll')}
            </Button>
          ) : null}
          <Button variant="default" leftSection={<PenLine size={18} aria-hidden />} onClick={() => desk.clear()}>
            {t('sign.again')}
          </Button>
        </Group>
      </div>
    </div>
  );
}

type Signed = Extract<BatchEntry['outcome'], { readonly kind: 'signed' }>;

/** The folder of a path, on every system. */
const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));

/** The folders with signed files, each once. */
function foldersOf(signed: readonly Signed[]): readonly string[] {
  const paths = signed.flatMap(({ document: { resultPath } }) => (resultPath === null ? [] : [resultPath]));
  return [...new Set(paths.map(folderOf))];
}

/** The place of the signed files; for results without a folder, the time until they are erased. */
function ResultPlaces({ signed }: { readonly signed: readonly Signed[] }) {
  const { t, i18n } = useTranslation();
  const [folder, ...others] = foldersOf(signed);
  const lifetimes = signed.flatMap(({ document: { lifetime } }) => (lifetime === null ? [] : [lifetime]));
  return (
    <>
      {folder === undefined ? null : (
        <Text c="dimmed" className={classes.wrap}>
          {others.length === 0 ? t('sign.savedIn', { folder }) : t('sign.savedBeside')}
        </Text>
      )}
      {lifetimes.length === 0 ? null : (
        <Text c="dimmed">{t('sign.keptFor', { duration: keptFor(Math.min(...lifetimes), i18n.language) })}</Text>
      )}
    </>
  );
}

interface OpenFolderProps {
  readonly signed: readonly Signed[];
  /** True for the action that most people take next. */
  readonly isFirst: boolean;
}

/** Opens the folder that all signed files are in. */
function OpenFolder({ signed, isFirst }: OpenFolderProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const toasts = useToasts();
  const first = signed.find(({ document: { resultPath } }) => resultPath !== null);
  if (first === undefined || foldersOf(signed).length > 1) return null;
  const open = async (): Promise<void> => {
    const result = await bridge.call('results.reveal', { tcn: first.tcn, documentId: first.document.id });
    if (!result.ok) toasts.failed(result.error);
  };
  return (
    <Button
      variant={isFirst ? 'filled' : 'default'}
      leftSection={<FolderOpen size={18} aria-hidden />}
      onClick={() => void open()}
    >
      {t('sign.openFolder')}
    </Button>
  );
}

/** In whole hours, or minutes for less than an hour. */
function keptFor(seconds: number, language: string): string {
  const unit = seconds >= 3600 ? 3600 : 60;
  return formatDuration(Math.ceil(seconds / unit) * unit, language);
}

/** Maximum number of listed reasons. The list of files below has all of them. */
const mostReasons = 4;

/** The reasons why files failed, each once, the most frequent first. */
function Reasons({ entries }: Pick<SummaryProps, 'entries'>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const counts = new Map<string, number>();
  for (const { outcome } of entries) {
    if (outcome.kind !== 'failed') continue;
    const reason = errorText(outcome.error);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].sort(([, one], [, other]) => other - one).slice(0, mostReasons);
  if (reasons.length === 0) return null;
  if (entries.length === 1) return <Text size="sm">{reasons[0]?.[0]}</Text>;
  return (
    <ul className={classes.reasons}>
      {reasons.map(([reason, count]) => (
        <li key={reason}>{t('sign.reasonCount', { count, reason })}</li>
      ))}
    </ul>
  );
}
