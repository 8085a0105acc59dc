import { Group, Text } from '@mantine/core';
import { Blocks, KeyRound, Pencil, Trash2 } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApplicationView } from '../../../../src/ui-contract/identity-calls.ts';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EntryIcon, EntryRow } from '../../components/entry-row.tsx';
import { RowMenu, RowMenuItem } from '../../components/menus/row-menu.tsx';
import { Mark } from '../../components/status.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useNow } from '../../components/use-now.ts';
import { useCore } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';
import { formatAgo, formatDay } from '../../format/format.ts';
import { ApplicationDialog } from './application-dialog.tsx';
import { limitPhrases } from './application-limits.tsx';
import type { ShownSecrets } from './secrets-dialog.tsx';
import classes from './sites.module.css';

type Task = 'edit' | 'rotate' | 'remove';

interface ApplicationRowProps {
  readonly application: ApplicationView;
  readonly onSecrets: (secrets: ShownSecrets) => void;
}

/** An application: its name and identification, its registration, and its last use. */
export function ApplicationRow({ application, onSecrets }: ApplicationRowProps) {
  const { t, i18n } = useTranslation();
  const [task, setTask] = useState<Task | null>(null);
  const now = useNow();
  const { name, clientId, createdAt, lastUsedAt, isPublic } = application;
  const limits = [
    ...limitPhrases(t, application.limits),
    ...(application.signsRaw ? [t('applications.signsRawShort')] : []),
  ];
  const used =
    lastUsedAt === null
      ? t('applications.neverUsed')
      : t('applications.lastUsed', { ago: formatAgo(lastUsedAt, now, i18n.language) });
  return (
    <EntryRow
      tall
      sign={<EntryIcon icon={Blocks} />}
      actions={<ApplicationMenu application={application} onTask={setTask} />}
    >
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
      {limits.length === 0 ? null : (
        <Text size="sm" c="dimmed">
          {limits.join(' · ')}
        </Text>
      )}
      {isPublic ? (
        <Group gap={6} mt={6}>
          <Mark tone="neutral" icon="unlocked">
            {t('applications.public')}
          </Mark>
        </Group>
      ) : null}
      <TaskDialog application={application} task={task} onSecrets={onSecrets} onClose={() => setTask(null)} />
    </EntryRow>
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
    <RowMenu name={label}>
      <RowMenuItem icon={Pencil} onClick={() => onTask('edit')}>
        {t('applications.edit')}
      </RowMenuItem>
      <RowMenuItem icon={KeyRound} onClick={() => onTask('rotate')}>
        {t('applications.rotate')}
      </RowMenuItem>
      <RowMenuItem icon={Trash2} danger onClick={() => onTask('remove')}>
        {t('applications.remove')}
      </RowMenuItem>
    </RowMenu>
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
  const { bridge } = useCore();
  const finish = useFinish('applications.list');
  const toasts = useToasts();
  return {
    rotate: async () => {
      const result = await bridge.call('applications.rotate', { clientId });
      if (result.ok) onSecrets({ name, clientId, secrets: result.value });
      else toasts.failed(result.error);
    },
    remove: async () => finish(await bridge.call('applications.remove', { clientId }), t('applications.removed')),
  };
}
