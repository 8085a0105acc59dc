import { Group, Text } from '@mantine/core';
import { RotateCw } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptFileView, RenewalStateView } from '../../../../src/ui-contract/renewal-calls.ts';
import { CardAction, RemoveAction } from '../../components/actions.tsx';
import { RowHead } from '../../components/list/row-head.tsx';
import { Mark, type Tone } from '../../components/status.tsx';
import { useFinish } from '../../components/use-finish.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { formatDay } from '../../format/format.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import classes from './renewals.module.css';

const marks = {
  new: { tone: 'neutral', icon: 'waiting' },
  renewed: { tone: 'good', icon: 'good' },
  'not-due': { tone: 'good', icon: 'good' },
  due: { tone: 'accent', icon: 'waiting' },
  'content-missing': { tone: 'warning', icon: 'warning' },
  'file-missing': { tone: 'warning', icon: 'warning' },
  locked: { tone: 'warning', icon: 'locked' },
  'not-valid': { tone: 'bad', icon: 'bad' },
  'no-signature': { tone: 'neutral', icon: 'idle' },
  failed: { tone: 'bad', icon: 'bad' },
} as const satisfies Record<RenewalStateView | 'new', { readonly tone: Tone; readonly icon: string }>;

const nonBreakingHyphen = '\u2011';

const lastPathPart = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** A file that is kept valid, with the outcome of its last check. */
export function FileRow({ file }: { readonly file: KeptFileView }) {
  const { t } = useTranslation();
  const { path, origin, outcome } = file;
  const { busy, renew, forget } = useRenewal(path);
  const state = outcome?.state ?? 'new';
  const { protection, details } = useFacts(file);
  const reason = useReason(state, outcome?.detail ?? '');
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <RowHead name={lastPathPart(path)}>
          <Mark {...marks[state]}>{t(`renewals.states.${state}`)}</Mark>
        </RowHead>
        {reason === '' ? null : <Text size="sm">{reason}</Text>}
        {protection.length === 0 ? null : <Text size="sm">{protection.join(' · ')}</Text>}
        {details.length === 0 ? null : (
          <Text size="sm" c="dimmed">
            {details.join(' · ')}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {path}
        </Text>
        {(outcome?.warnings ?? []).map(({ code, standard }) => (
          <Text key={code} size="sm">
            {t(`history.warnings.${code}`, { standard })}
          </Text>
        ))}
      </div>
      <Group gap="xs" wrap="nowrap">
        <CardAction
          icon={RotateCw}
          name={t('renewals.renewNamed', { name: lastPathPart(path) })}
          busy={busy}
          quiet={marks[state].tone === 'good'}
          onClick={() => void renew()}
        >
          {t('renewals.renew')}
        </CardAction>
        {origin === 'history' ? (
          <RemoveAction
            name={lastPathPart(path)}
            title={t('renewals.forgetTitle')}
            text={t('renewals.forgetText')}
            onRemove={forget}
          />
        ) : null}
      </Group>
    </li>
  );
}

/** The days of the protection, and what else is known of the file. */
function useFacts({ outcome, checkedAt, dueAt, renewedAt }: KeptFileView) {
  const { t, i18n } = useTranslation();
  const day = (instant: string): string => formatDay(instant, i18n.language);
  const until = outcome?.protectedUntil ?? null;
  const level = outcome?.signatures[0]?.levelProven ?? null;
  return {
    protection: [
      ...(until === null ? [] : [t('renewals.until', { day: day(until) })]),
      ...(dueAt === null ? [] : [t('renewals.next', { day: day(dueAt) })]),
    ],
    details: [
      ...(outcome?.endsBy == null ? [] : [t('renewals.endsBy', { name: outcome.endsBy.name })]),
      ...(level === null ? [] : [t('renewals.level', { level: level.replace('-', nonBreakingHyphen) })]),
      ...(renewedAt === null ? [] : [t('renewals.renewedOn', { day: day(renewedAt) })]),
      ...(checkedAt === null ? [] : [t('renewals.checked', { day: day(checkedAt) })]),
    ],
  };
}

/** The remedy, or the core's reason in the language of the window. */
function useReason(state: RenewalStateView | 'new', detail: string): string {
  const { t } = useTranslation();
  switch (state) {
    case 'content-missing':
    case 'file-missing':
    case 'locked':
      return t(`renewals.reasons.${state}`);
    case 'failed':
    case 'not-valid':
    case 'due':
      return detail;
    case 'new':
    case 'renewed':
    case 'not-due':
    case 'no-signature':
      return '';
  }
}

function useRenewal(path: string) {
  const { t, i18n } = useTranslation();
  const language = useLanguage();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const finish = useFinish('renewals.list');
  const [busy, setBusy] = useState(false);
  return {
    busy,
    renew: async (): Promise<void> => {
      setBusy(true);
      const result = await bridge.call('renewals.renew', { path, within: 'always', language });
      setBusy(false);
      queries.refresh('renewals.list');
      if (!result.ok) {
        toasts.failed(result.error);
        return;
      }
      const { state, detail, protectedUntil } = result.value;
      if (state === 'renewed' && protectedUntil !== null) {
        toasts.done(t('renewals.done', { day: formatDay(protectedUntil, i18n.language) }));
      } else toasts.done(t('renewals.notDone', { name: lastPathPart(path), reason: detail }));
    },
    forget: async (): Promise<void> => finish(await bridge.call('renewals.forget', { path }), t('renewals.forgotten')),
  };
}
