import { Group, Text, VisuallyHidden } from '@mantine/core';
import {
  ArrowDown,
  ArrowUp,
  FlaskConical,
  GripVertical,
  Pencil,
  Plus,
  type IconComponent,
} from '../../components/icons/index.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput, CallResult, TimestampServerView } from '../../../../src/ui-contract/ui-contract.ts';
import { CardAction, IconAction, RemoveAction } from '../../components/actions.tsx';
import { RowHead } from '../../components/list/row-head.tsx';
import { Intro } from '../../components/intro.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { Mark } from '../../components/status.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useAttempt } from '../../data/use-attempt.ts';
import { useFinish } from '../../components/use-finish.ts';
import { nameOfDigest } from '../../format/digest.ts';
import { formatInstant } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { TimestampDialog } from './timestamp-dialog.tsx';
import { useOrder, type DragRow } from './use-order.ts';
import classes from './settings.module.css';

/** The time-stamp servers in the order of requests. */
export function TimestampsCard() {
  const { t } = useTranslation();
  const servers = useQuery('tsa.list', {});
  const [editing, setEditing] = useState<TimestampServerView | 'new' | null>(null);
  // The test services have no place in the order: they are only used last, or by name.
  const own = (servers.value ?? []).filter(({ isTest }) => !isTest).map(({ id }) => id);
  const { told, move, rowProps } = useOrder(own);
  return (
    <Section
      title={t('settings.timestamps.title')}
      side={
        <CardAction icon={Plus} onClick={() => setEditing('new')}>
          {t('settings.timestamps.add')}
        </CardAction>
      }
      flush
    >
      <Intro>{t('settings.timestamps.text')}</Intro>
      <QueryRows
        label={t('settings.timestamps.title')}
        query={servers}
        none={<Nothing title={t('settings.timestamps.none')} text={t('settings.timestamps.noneText')} />}
      >
        {(server, index) => (
          <ServerRow
            key={server.id}
            server={server}
            position={index + 1}
            onEdit={() => setEditing(server)}
            order={
              server.isTest || own.length < 2
                ? null
                : { count: own.length, drag: rowProps(server.id), move: (to) => void move(server.id, to) }
            }
          />
        )}
      </QueryRows>
      <VisuallyHidden role="status">{told}</VisuallyHidden>
      {editing === null ? null : (
        <TimestampDialog
          server={editing === 'new' ? null : editing}
          taken={(servers.value ?? []).map(({ id }) => id)}
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  );
}

interface ServerRowProps {
  readonly server: TimestampServerView;
  readonly position: number;
  readonly onEdit: () => void;
  /** Null if the place cannot be changed. */
  readonly order: Order | null;
}

interface Order {
  readonly count: number;
  readonly drag: DragRow;
  /** Moves the row to a position, counted from 0. */
  readonly move: (to: number) => void;
}

function ServerRow({ server, position, onEdit, order }: ServerRowProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const { id: name } = server;
  const test = useAttempt(() => bridge.call('tsa.test', { id: name }));
  return (
    <li className={classes.row} {...order?.drag.row}>
      {order === null ? null : (
        <span className={classes.handle} title={t('operation.order.help')} aria-hidden {...order.drag.handle}>
          <GripVertical size={18} />
        </span>
      )}
      <span className={classes.position} aria-hidden>
        {position}
      </span>
      <div className={classes.rowText}>
        <RowHead name={name}>
          {server.isTest ? (
            <Mark tone="warning" icon="test">
              {t('certificates.test')}
            </Mark>
          ) : null}
        </RowHead>
        <Text size="sm" c="dimmed">
          {server.url}
        </Text>
        <Text size="sm" c="dimmed">
          {[
            t(`settings.timestamps.authentications.${server.authentication}`),
            nameOfDigest(server.digest),
            server.policy,
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </Text>
      </div>
      <Group gap="xs">
        <CardAction
          icon={FlaskConical}
          name={t('settings.timestamps.testNamed', { name })}
          busy={test.busy}
          onClick={() => void test.attempt()}
        >
          {t('settings.timestamps.test')}
        </CardAction>
        {order === null ? null : <MoveIcons name={name} position={position} order={order} />}
        {server.isTest ? null : <ChangeIcons name={name} onEdit={onEdit} />}
      </Group>
      <div className={classes.result} aria-live="polite">
        {test.outcome === null ? null : <Outcome outcome={test.outcome} />}
      </div>
    </li>
  );
}

interface MoveIconsProps {
  readonly name: string;
  readonly position: number;
  readonly order: Order;
}

function MoveIcons({ name, position, order: { count, move } }: MoveIconsProps) {
  const { t } = useTranslation();
  const pressed = useRef<HTMLButtonElement | null>(null);
  useEffect(() => {
    // A moved row loses the focus, so it is set again.
    pressed.current?.focus();
    pressed.current = null;
  }, [position]);
  const onMove = (to: number, button: HTMLButtonElement): void => {
    pressed.current = button;
    move(to);
  };
  // At the first or last place the button is idle instead of disabled, so that it keeps the focus.
  const icon = (Icon: IconComponent, label: string, to: number, isEnd: boolean) => (
    <IconAction icon={Icon} hint={label} name={label} idle={isEnd} onClick={(button) => onMove(to, button)} />
  );
  return (
    <>
      {icon(ArrowUp, t('operation.order.up', { name }), position - 2, position === 1)}
      {icon(ArrowDown, t('operation.order.down', { name }), position, position === count)}
    </>
  );
}

interface ChangeIconsProps {
  readonly name: string;
  readonly onEdit: () => void;
}

function ChangeIcons({ name, onEdit }: ChangeIconsProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('tsa.list', 'doctor.read');
  return (
    <>
      <IconAction
        icon={Pencil}
        hint={t('settings.timestamps.edit')}
        name={t('settings.timestamps.editNamed', { name })}
        onClick={onEdit}
      />
      <RemoveAction
        name={name}
        title={t('settings.timestamps.removeTitle')}
        text={t('settings.timestamps.removeText')}
        onRemove={async () => finish(await bridge.call('tsa.remove', { id: name }), t('settings.timestamps.removed'))}
      />
    </>
  );
}

function Outcome({ outcome }: { readonly outcome: CallResult<CallOutput<'tsa.test'>> }) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  if (!outcome.ok) {
    return (
      <Notice kind="error" title={t('settings.timestamps.fails')}>
        {errorText(outcome.error)}
      </Notice>
    );
  }
  const { time, authority } = outcome.value;
  return (
    <Notice kind="information" title={t('settings.timestamps.works')}>
      <Text size="sm">
        {t('settings.timestamps.worksText', { time: formatInstant(time, i18n.language) })}{' '}
        {authority === null ? null : t('settings.timestamps.worksBy', { authority })}
      </Text>
    </Notice>
  );
}
