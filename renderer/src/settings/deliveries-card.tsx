import { Button, Group, Text } from '@mantine/core';
import { Ban, RefreshCw, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NotificationView } from '../../../src/ui-contract/notification-calls.ts';
import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';
import { Empty, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { Mark } from '../components/status.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { formatInstant } from '../format/format.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './settings.module.css';

const shown = 100;

/** What applications were told of finished requests, and what is still on its way to them. */
export function DeliveriesCard() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { queries } = useCore();
  const { value, error } = useQuery('notifications.list', { limit: shown });
  const refresh = (
    <Button
      size="xs"
      variant="default"
      leftSection={<RefreshCw size={16} aria-hidden />}
      onClick={() => queries.refresh('notifications.list')}
    >
      {t('operation.notifications.refresh')}
    </Button>
  );
  return (
    <Section title={t('operation.notifications.title')} side={refresh} flush>
      <Text size="sm" c="dimmed" className={classes.intro}>
        {t('operation.notifications.text')}
      </Text>
      {value === null && error === null ? <RowsPlaceholder /> : null}
      {value === null && error !== null ? <Empty>{errorText(error)}</Empty> : null}
      {value?.length === 0 ? (
        <Empty>
          <Text fw={600} c="var(--mantine-color-text)">
            {t('operation.notifications.none')}
          </Text>
          <Text size="sm" mt={4}>
            {t('operation.notifications.noneText')}
          </Text>
        </Empty>
      ) : null}
      {value === null || value.length === 0 ? null : (
        <Rows label={t('operation.notifications.title')}>
          {value.map((notification) => (
            <DeliveryRow key={notification.id} notification={notification} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function DeliveryRow({ notification }: { readonly notification: NotificationView }) {
  const { t, i18n } = useTranslation();
  const { target, status, attempts, lastError, clientId, createdAt, nextAttemptAt, finishedAt } = notification;
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
        <Text fw={600}>{target}</Text>
        <Text size="sm" c="dimmed">
          {`${when(createdAt)} · ${facts.join(' · ')}`}
        </Text>
        {lastError === null ? null : (
          <Text size="sm">{t('operation.notifications.lastError', { reason: lastError })}</Text>
        )}
      </div>
      <Group gap="xs">
        <StatusMark status={status} />
        {status === 'WAITING' ? (
          <Button
            size="xs"
            variant="default"
            disabled={busy}
            leftSection={<Ban size={16} aria-hidden />}
            aria-label={t('operation.notifications.giveUpNamed', { name: target })}
            onClick={() => void giveUp()}
          >
            {t('operation.notifications.giveUp')}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="default"
          disabled={busy}
          leftSection={<RotateCw size={16} aria-hidden />}
          aria-label={t('operation.notifications.redeliverNamed', { name: target })}
          onClick={() => void redeliver()}
        >
          {t('operation.notifications.redeliver')}
        </Button>
      </Group>
    </li>
  );
}

function StatusMark({ status }: Pick<NotificationView, 'status'>) {
  const { t } = useTranslation();
  switch (status) {
    case 'WAITING':
      return (
        <Mark tone="accent" icon="waiting">
          {t('operation.notifications.waiting')}
        </Mark>
      );
    case 'DELIVERED':
      return (
        <Mark tone="good" icon="good">
          {t('operation.notifications.delivered')}
        </Mark>
      );
    case 'GIVEN_UP':
      return (
        <Mark tone="bad" icon="bad">
          {t('operation.notifications.givenUp')}
        </Mark>
      );
  }
}

function useDelivery({ id }: Pick<NotificationView, 'id'>) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);
  const finish = async (call: Promise<CallResult<unknown>>, text: string): Promise<void> => {
    setBusy(true);
    const result = await call;
    setBusy(false);
    queries.refresh('notifications.list');
    if (result.ok) toasts.done(text);
    else toasts.failed(result.error);
  };
  return {
    busy,
    redeliver: async () =>
      finish(bridge.call('notifications.redeliver', { idOrTcn: id }), t('operation.notifications.redelivered')),
    giveUp: async () => finish(bridge.call('notifications.giveUp', { id }), t('operation.notifications.gaveUp')),
  };
}
