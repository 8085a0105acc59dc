import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { CircleAlert, CircleCheck, Download, PenLine, RotateCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FileIcon } from '../components/file-icon.tsx';
import { Rows, Section } from '../components/page.tsx';
import { ResultActions } from '../components/result-actions.tsx';
import { Mark } from '../components/status.tsx';
import { useCore } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './sign.module.css';
import { isFinished, outcomeOf, type DeskItem, type DeskState, type Outcome } from './signing-desk.ts';
import { useDownloadAll } from './use-download-all.ts';

/** A batch on its way, and then its results. */
export function BatchCard({ desk }: { readonly desk: DeskState }) {
  const { t } = useTranslation();
  const items = desk.items.filter((item) => item.file.size > 0);
  const outcomes = items.map((item) => ({ item, outcome: outcomeOf(item, desk) }));
  const finished = isFinished(desk);
  return (
    <Stack gap="lg">
      <div className={classes.summary} aria-live="polite">
        {finished ? <Finished outcomes={outcomes} /> : <UnderWay outcomes={outcomes} />}
      </div>
      <Section title={t('sign.files', { count: items.length })} flush>
        <Rows>
          {outcomes.map(({ item, outcome }) => (
            <BatchRow key={item.id} item={item} outcome={outcome} />
          ))}
        </Rows>
      </Section>
    </Stack>
  );
}

interface Outcomes {
  readonly outcomes: readonly { readonly item: DeskItem; readonly outcome: Outcome }[];
}

/** Sending is the first half of the way of a file and signing the second. */
function progressOf({ item, outcome }: Outcomes['outcomes'][number]): number {
  switch (outcome.kind) {
    case 'ready':
    case 'queued':
      return 0;
    case 'sending':
      return 0.5 * Math.min(1, outcome.sent / item.file.size);
    case 'sent':
    case 'approval':
    case 'pin':
    case 'signing':
      return 0.5;
    case 'signed':
    case 'failed':
      return 1;
  }
}

function UnderWay({ outcomes }: Outcomes) {
  const { t } = useTranslation();
  const { desk } = useCore();
  const kinds = new Set(outcomes.map(({ outcome }) => outcome.kind));
  const sending = kinds.has('sending') || kinds.has('queued');
  const phase = sending
    ? t('sign.sending')
    : kinds.has('approval')
      ? t('sign.waitingApproval')
      : kinds.has('pin')
        ? t('sign.waitingPin')
        : t('sign.signing');
  const value = (100 * outcomes.reduce((sum, entry) => sum + progressOf(entry), 0)) / Math.max(1, outcomes.length);
  useEffect(() => {
    if (!sending) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [sending]);
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {phase}
        </Title>
        {sending ? (
          <Button variant="default" size="xs" onClick={() => desk.stop()}>
            {t('sign.stop')}
          </Button>
        ) : null}
      </Group>
      <Progress value={value} size="lg" radius="xl" aria-label={t('sign.progress')} animated={!sending} />
    </>
  );
}

function Finished({ outcomes }: Outcomes) {
  const { t } = useTranslation();
  const { desk, bridge } = useCore();
  const heading = useRef<HTMLHeadingElement>(null);
  const downloadAll = useDownloadAll();
  const signed = outcomes.flatMap(({ outcome }) => (outcome.kind === 'signed' ? [outcome] : []));
  const failed = outcomes.length - signed.length;
  const title =
    failed === 0
      ? t('sign.allSigned', { count: signed.length })
      : signed.length === 0
        ? t('sign.noneSigned')
        : t('sign.someSigned', { signed: signed.length, total: outcomes.length });
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classes.finished} data-good={failed === 0}>
      {failed === 0 ? <CircleCheck size={40} aria-hidden /> : <CircleAlert size={40} aria-hidden />}
      <div className={classes.finishedText}>
        <Title order={2} size="h3" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {signed.length > 0 ? <Text c="dimmed">{t('sign.doneDetail')}</Text> : null}
      </div>
      <Group gap="sm">
        {failed > 0 ? (
          <Button leftSection={<RotateCw size={18} aria-hidden />} onClick={() => void desk.retryFailed()}>
            {t('sign.retryFailed', { count: failed })}
          </Button>
        ) : null}
        {signed.length > 1 && bridge.host === 'browser' ? (
          <Button
            variant={failed > 0 ? 'default' : 'filled'}
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
  );
}

function BatchRow({ item, outcome }: { readonly item: DeskItem; readonly outcome: Outcome }) {
  const errorText = useErrorText();
  const { t } = useTranslation();
  const name = outcome.kind === 'signed' ? (outcome.document.resultName ?? item.file.name) : item.file.name;
  return (
    <li className={classes.row}>
      <FileIcon isPdf={item.isPdf} />
      <div className={classes.rowText}>
        <Text className={classes.wrap}>{name}</Text>
        {outcome.kind === 'failed' ? (
          <Text size="sm" c="var(--mantine-color-error)">
            {errorText(outcome.error)}
          </Text>
        ) : null}
        {outcome.kind === 'sending' ? (
          <Progress
            mt={6}
            size="sm"
            value={(100 * outcome.sent) / item.file.size}
            aria-label={t('sign.progressOf', { name: item.file.name })}
          />
        ) : null}
      </div>
      <OutcomeMark item={item} outcome={outcome} />
      {outcome.kind === 'signed' ? <ResultActions tcn={outcome.tcn} document={outcome.document} /> : null}
    </li>
  );
}

function OutcomeMark({ item, outcome }: { readonly item: DeskItem; readonly outcome: Outcome }) {
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
