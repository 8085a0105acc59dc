import { Group, Text } from '@mantine/core';
import { Ban, RefreshCw, RotateCw } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NotificationView } from '../../../../src/ui-contract/notification-calls.ts';
import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import { CardAction } from '../../components/actions.tsx';
import { RowHead } from '../../components/list/row-head.tsx';
import { Intro } from '../../components/intro.tsx';
import { Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { Mark } from '../../components/status.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';
import { formatInstant } from '../../format/format.ts';
import classes from './settings.module.css';

const shown = 100;

/** Notifications of applications about finished requests, delivered and waiting. */
export function DeliveriesCard() {
  const { t } = useTranslation();
  const { queries } = useCore();
  const notifications = useQuery('notifications.list', { limit: shown });
  const refresh = (
    <CardAction icon={RefreshCw} onClick={() => queries.refresh('notifications.list')}>
      {t('operation.notifications.refresh')}
    </CardAction>
  );
  return (
    <Section title={t('operation.notifications.title')} side={refresh} flush>
      <Intro>{t('operation.notifications.text')}</Intro>
      <QueryRows
        label={t('operation.notifications.title')}
        query={notifications}
        none={<Nothing title={t('operation.notifications.none')} text={t('operation.notifications.noneText')} />}
      >
        {(notification) => <DeliveryRow key={notification.id} notification={notification} />}
      </QueryRows>
    </Section>
  );
}

function DeliveryRow({ notification }: { readonly notification: NotificationView }) {
  const { t, i18n } = useTranslation();
  const { target, status, attempts, lastFailure, clientId, createdAt, nextAttemptAt, finishedAt } = notification;
  const { busy, redeliver, giveUp } = useDelivery(notification);
  const when = (instant: string): string => formatInstant(instant, i18n.language);
  const facts = [
    t('operation.notifications.attempts', { count: attempts }),
    ...(nextAttemptAt === null ? [] : [t('operation.notifications.next', { time: when(nextAttemptAt) })]),
    ...(finishedAt === null ? [] : [t('operation.notifications.finished', { time: when(finishedAt) })]),
    ...(clientId === null ? [t('operation.notifications.unsigned')] : []),
  ];
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <RowHead name={target}>
          <StatusMark status={status} />
        </RowHead>
        <Text size="sm" c="dimmed">
          {`${when(createdAt)} · ${facts.join(' · ')}`}
        </Text>
        {lastFailure === null ? null : (
          <Text size="sm">
            {t(`operation.notifications.failures.${lastFailure.kind}`, { status: lastFailure.status })}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {status === 'WAITING' ? (
          <CardAction
            icon={Ban}
            name={t('operation.notifications.giveUpNamed', { name: target })}
            disabled={busy}
            onClick={() => void giveUp()}
          >
            {t('operation.notifications.giveUp')}
          </CardAction>
        ) : null}
        <CardAction
          icon={RotateCw}
          name={t('operation.notifications.redeliverNamed', { name: target })}
          disabled={busy}
          quiet={status === 'DELIVERED'}
          onClick={() => void redeliver()}
        >
          {t('operation.notifications.redeliver')}
        </CardAction>
      </Group>
    </li>
  );
}

const marks = {
  WAITING: { tone: 'accent', icon: 'waiting', text: 'waiting' },
  DELIVERED: { tone: 'good', icon: 'good', text: 'delivered' },
  GIVEN_UP: { tone: 'bad', icon: 'bad', text: 'givenUp' },
} as const satisfies Record<NotificationView['status'], object>;

function StatusMark({ status }: Pick<NotificationView, 'status'>) {
  const { t } = useTranslation();
  const { text, ...mark } = marks[status];
  return <Mark {...mark}>{t(`operation.notifications.${text}`)}</Mark>;
}

function useDelivery({ id }: Pick<NotificationView, 'id'>) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('notifications.list');
  const [busy, setBusy] = useState(false);
  const change = async (call: Promise<CallResult<unknown>>, text: string): Promise<void> => {
    setBusy(true);
    const result = await call;
    setBusy(false);
    finish(result, text);
  };
  return {
    busy,
    redeliver: async () =>
      change(bridge.call('notifications.redeliver', { idOrTcn: id }), t('operation.notifications.redelivered')),
    giveUp: async () => change(bridge.call('notifications.giveUp', { id }), t('operation.notifications.gaveUp')),
  };
}
