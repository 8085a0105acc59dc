import { ActionIcon, Button, Group, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { ArrowDown, ArrowUp, FlaskConical, GripVertical, Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput, CallResult, TimestampServerView } from '../../../src/ui-contract/ui-contract.ts';
import { Confirm } from '../components/confirm.tsx';
import { Notice } from '../components/notice.tsx';
import { Empty, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { Mark } from '../components/status.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { formatInstant } from '../format/format.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { TimestampDialog } from './timestamp-dialog.tsx';
import { useOrder, type DragRow } from './use-order.ts';
import classes from './settings.module.css';

/** The time-stamp servers in the order in which they are asked. */
export function TimestampsCard() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { value: servers, error } = useQuery('tsa.list', {});
  const [editing, setEditing] = useState<TimestampServerView | 'new' | null>(null);
  // The test services have no place of their own: they are asked last, or by name.
  const own = (servers ?? []).filter(({ isTest }) => !isTest).map(({ id }) => id);
  const { told, move, rowProps } = useOrder(own);
  return (
    <Section
      title={t('settings.timestamps.title')}
      side={
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => setEditing('new')}
        >
          {t('settings.timestamps.add')}
        </Button>
      }
      flush
    >
      <Text size="sm" c="dimmed" className={classes.intro}>
        {t('settings.timestamps.text')}
      </Text>
      {servers === null && error === null ? <RowsPlaceholder /> : null}
      {servers === null && error !== null ? <Empty>{errorText(error)}</Empty> : null}
      {servers?.length === 0 ? (
        <Empty>
          <Text fw={600} c="var(--mantine-color-text)">
            {t('settings.timestamps.none')}
          </Text>
          <Text size="sm" mt={4}>
            {t('settings.timestamps.noneText')}
          </Text>
        </Empty>
      ) : null}
      {servers === null || servers.length === 0 ? null : (
        <Rows label={t('settings.timestamps.title')}>
          {servers.map((server, index) => (
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
          ))}
        </Rows>
      )}
      <VisuallyHidden role="status">{told}</VisuallyHidden>
      {editing === null ? null : (
        <TimestampDialog
          server={editing === 'new' ? null : editing}
          taken={(servers ?? []).map(({ id }) => id)}
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
  /** Null: there is nothing to change about its place. */
  readonly order: Order | null;
}

interface Order {
  readonly count: number;
  readonly drag: DragRow;
  /** To a position from 0 on. */
  readonly move: (to: number) => void;
}

function ServerRow({ server, position, onEdit, order }: ServerRowProps) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState(false);
  const { testing, outcome, test, remove } = useServerActions(server.id);
  const name = server.id;
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
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {server.url}
        </Text>
        <Text size="sm" c="dimmed">
          {[t(`settings.timestamps.authentications.${server.authentication}`), server.digest, server.policy]
            .filter((part) => part !== null)
            .join(' · ')}
        </Text>
      </div>
      <Group gap="xs">
        {server.isTest ? (
          <Mark tone="warning" icon="test">
            {t('certificates.test')}
          </Mark>
        ) : null}
        <Button
          size="xs"
          variant="default"
          loading={testing}
          leftSection={<FlaskConical size={16} aria-hidden />}
          aria-label={t('settings.timestamps.testNamed', { name })}
          onClick={() => void test()}
        >
          {t('settings.timestamps.test')}
        </Button>
        {order === null ? null : <MoveIcons name={name} position={position} order={order} />}
        {server.isTest ? null : <ChangeIcons name={name} onEdit={onEdit} onRemove={() => setRemoving(true)} />}
      </Group>
      <div className={classes.result} aria-live="polite">
        {outcome === null ? null : <Outcome outcome={outcome} />}
      </div>
      {removing ? (
        <Confirm
          title={t('settings.timestamps.removeTitle')}
          text={t('settings.timestamps.removeText')}
          action={t('common.remove')}
          onClose={() => setRemoving(false)}
          onConfirm={remove}
        />
      ) : null}
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
    // A row that changes its place in the page loses the focus.
    pressed.current?.focus();
    pressed.current = null;
  }, [position]);
  const onMove = (to: number, button: HTMLButtonElement): void => {
    pressed.current = button;
    move(to);
  };
  return (
    <>
      <MoveIcon
        onMove={onMove}
        label={t('operation.order.up', { name })}
        Icon={ArrowUp}
        to={position - 2}
        isEnd={position === 1}
      />
      <MoveIcon
        onMove={onMove}
        label={t('operation.order.down', { name })}
        Icon={ArrowDown}
        to={position}
        isEnd={position === count}
      />
    </>
  );
}

interface MoveIconProps {
  readonly label: string;
  readonly Icon: typeof ArrowUp;
  readonly to: number;
  readonly isEnd: boolean;
  readonly onMove: (to: number, button: HTMLButtonElement) => void;
}

/** Not disabled at an end: the focus stays on the button that moved the row there. */
function MoveIcon({ label, Icon, to, isEnd, onMove }: MoveIconProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-disabled={isEnd}
        {...(isEnd ? { 'data-disabled': true } : {})}
        onClick={(event) => {
          if (!isEnd) onMove(to, event.currentTarget);
        }}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

interface ChangeIconsProps {
  readonly name: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function ChangeIcons({ name, onEdit, onRemove }: ChangeIconsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Tooltip label={t('settings.timestamps.edit')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('settings.timestamps.editNamed', { name })}
          onClick={onEdit}
        >
          <Pencil size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('common.remove')}>
        <ActionIcon variant="subtle" color="gray" aria-label={t('common.removeNamed', { name })} onClick={onRemove}>
          <Trash2 size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
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

function useServerActions(id: string) {
  const { bridge, queries } = useCore();
  const { t } = useTranslation();
  const toasts = useToasts();
  const [testing, setTesting] = useState(false);
  const [outcome, setOutcome] = useState<CallResult<CallOutput<'tsa.test'>> | null>(null);
  return {
    testing,
    outcome,
    test: async () => {
      setTesting(true);
      setOutcome(await bridge.call('tsa.test', { id }));
      setTesting(false);
    },
    remove: async () => {
      const result = await bridge.call('tsa.remove', { id });
      queries.refresh('tsa.list', 'health.read');
      if (result.ok) toasts.done(t('settings.timestamps.removed'));
      else toasts.failed(result.error);
    },
  };
}
