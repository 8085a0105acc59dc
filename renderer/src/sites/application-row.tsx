import { ActionIcon, Group, Menu, Text } from '@mantine/core';
import { Blocks, EllipsisVertical, KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApplicationView } from '../../../src/ui-contract/identity-calls.ts';
import { Confirm } from '../components/confirm.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Mark } from '../components/status.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useNow } from '../components/use-now.ts';
import { useCore } from '../data/core-context.ts';
import { formatAgo, formatDay } from '../format/format.ts';
import { ApplicationDialog } from './application-dialog.tsx';
import type { ShownSecrets } from './secrets-dialog.tsx';
import classes from './sites.module.css';

type Task = 'edit' | 'rotate' | 'remove';

interface ApplicationRowProps {
  readonly application: ApplicationView;
  readonly onSecrets: (secrets: ShownSecrets) => void;
}

/** One application: its name and identification, since when, and when it was last used. */
export function ApplicationRow({ application, onSecrets }: ApplicationRowProps) {
  const { t, i18n } = useTranslation();
  const [task, setTask] = useState<Task | null>(null);
  const now = useNow();
  const { name, clientId, createdAt, lastUsedAt, isPublic } = application;
  const used =
    lastUsedAt === null
      ? t('applications.neverUsed')
      : t('applications.lastUsed', { ago: formatAgo(lastUsedAt, now, i18n.language) });
  return (
    <li className={classes.row}>
      <span className={classes.rowIcon}>
        <Blocks size={22} aria-hidden />
      </span>
      <div className={classes.rowText}>
        <Text fw={600} className={classes.wrap}>
          {name}
        </Text>
        <Group gap={4} wrap="nowrap">
          <span className={classes.origin}>{clientId}</span>
          <CopyButton text={clientId} name={t('applications.clientId')} />
        </Group>
        <Text size="sm" c="dimmed">
          {[t('applications.created', { day: formatDay(createdAt, i18n.language) }), used].join(' · ')}
        </Text>
        {isPublic ? (
          <Group gap={6} mt={6}>
            <Mark tone="neutral" icon="unlocked">
              {t('applications.public')}
            </Mark>
          </Group>
        ) : null}
      </div>
      <div className={classes.rowActions}>
        <ApplicationMenu application={application} onTask={setTask} />
      </div>
      <TaskDialog application={application} task={task} onSecrets={onSecrets} onClose={() => setTask(null)} />
    </li>
  );
}

interface ApplicationMenuProps {
  readonly application: ApplicationView;
  readonly onTask: (task: Task) => void;
}

function ApplicationMenu({ application: { name }, onTask }: ApplicationMenuProps) {
  const { t } = useTranslation();
  const label = t('applications.actionsOf', { name });
  return (
    <Menu position="bottom-end" shadow="lg" withInitialFocusPlaceholder={false} portalProps={{ target: '#content' }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => onTask('edit')}>
          {t('applications.edit')}
        </Menu.Item>
        <Menu.Item leftSection={<KeyRound size={16} aria-hidden />} onClick={() => onTask('rotate')}>
          {t('applications.rotate')}
        </Menu.Item>
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<Trash2 size={16} aria-hidden />}
          onClick={() => onTask('remove')}
        >
          {t('applications.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface TaskDialogProps extends ApplicationRowProps {
  readonly task: Task | null;
  readonly onClose: () => void;
}

function TaskDialog({ application, task, onSecrets, onClose }: TaskDialogProps) {
  const { t } = useTranslation();
  const { name } = application;
  const { rotate, remove } = useApplicationActions(application, onSecrets);
  switch (task) {
    case null:
      return null;
    case 'edit':
      return <ApplicationDialog application={application} onClose={onClose} onSecrets={onSecrets} />;
    case 'rotate':
      return (
        <Confirm
          title={t('applications.rotateTitle')}
          text={t('applications.rotateText', { name })}
          action={t('applications.rotate')}
          onClose={onClose}
          onConfirm={rotate}
        />
      );
    case 'remove':
      return (
        <Confirm
          title={t('applications.removeTitle')}
          text={t('applications.removeText', { name })}
          action={t('common.remove')}
          onClose={onClose}
          onConfirm={remove}
        />
      );
  }
}

function useApplicationActions({ clientId, name }: ApplicationView, onSecrets: (secrets: ShownSecrets) => void) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  return {
    rotate: async () => {
      const result = await bridge.call('applications.rotate', { clientId });
      if (result.ok) onSecrets({ name, clientId, secrets: result.value });
      else toasts.failed(result.error);
    },
    remove: async () => {
      const result = await bridge.call('applications.remove', { clientId });
      queries.refresh('applications.list');
      if (result.ok) toasts.done(t('applications.removed'));
      else toasts.failed(result.error);
    },
  };
}
