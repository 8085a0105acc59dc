import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CardAction } from '../../components/actions.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { EntryRow } from '../../components/entry-row.tsx';
import { Mark } from '../../components/status.tsx';
import { maskTaxpayerNumber } from '../../../../src/text/taxpayer-number.ts';
import { AddDialog } from './add-dialog.tsx';
import { Avatar } from './avatar.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { LinkingDialog } from './linking-dialog.tsx';
import type { Person } from './people.ts';
import { PersonMenu, type PersonTask } from './person-menu.tsx';
import { useCore } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';
import classes from './users.module.css';

/** Number of recovery codes from which a new enrolment is advisable. */
const fewRecoveryCodes = 3;

/** A person: identity, selection, and actions. */
export function PersonRow({ person }: { readonly person: Person }) {
  const { t } = useTranslation();
  const [task, setTask] = useState<PersonTask | 'add' | null>(null);
  const actions = usePersonActions(person);
  const { name, cached } = person;
  const count = cached?.certificates.length ?? 0;
  const certificates = count === 0 ? t('users.noCertificates') : t('users.certificates', { count });
  return (
    <EntryRow
      sign={<Avatar photo={person.photo} />}
      isCurrent={cached?.selected === true}
      actions={
        <Group gap="xs" wrap="nowrap">
          {cached === null ? (
            <Button size="xs" aria-label={t('users.useNamed', { name })} onClick={() => setTask('add')}>
              {t('users.use')}
            </Button>
          ) : null}
          {cached?.selected === false ? (
            <CardAction name={t('users.selectNamed', { name })} onClick={() => void actions.select()}>
              {t('users.select')}
            </CardAction>
          ) : null}
          <PersonMenu person={person} onTask={setTask} />
        </Group>
      }
    >
      <Text fw={600} className={classes.wrap}>
        {name}
      </Text>
      <Text size="sm" c="dimmed" className={classes.wrap}>
        {maskTaxpayerNumber(person.username)}
        {cached === null ? '' : ` · ${certificates}`}
      </Text>
      <Group gap={6} mt={8}>
        <Marks person={person} />
      </Group>
      <TaskDialog person={person} task={task} actions={actions} onClose={() => setTask(null)} />
    </EntryRow>
  );
}

function Marks({ person: { account, cached } }: { readonly person: Person }) {
  const { t } = useTranslation();
  return (
    <>
      {cached?.selected === true ? (
        <Mark tone="accent" icon="star">
          {t('users.selected')}
        </Mark>
      ) : null}
      {cached === null ? (
        <Mark tone="neutral" icon="idle">
          {t('users.notUsed')}
        </Mark>
      ) : null}
      {account === null ? null : (
        <Mark tone="neutral" icon="pin">
          {t('users.enrolledHere')}
        </Mark>
      )}
      {account !== null && account.recoveryCodes < fewRecoveryCodes ? (
        <Mark tone="warning" icon="warning">
          {t('users.recoveryLow', { count: account.recoveryCodes })}
        </Mark>
      ) : null}
    </>
  );
}

interface TaskDialogProps {
  readonly person: Person;
  readonly task: PersonTask | 'add' | null;
  readonly actions: ReturnType<typeof usePersonActions>;
  readonly onClose: () => void;
}

function TaskDialog({ person, task, actions, onClose }: TaskDialogProps) {
  const { t } = useTranslation();
  const { name, account, cached } = person;
  switch (task) {
    case null:
      return null;
    case 'add':
      return <AddDialog person={person} onClose={onClose} />;
    case 'edit':
      return account === null ? null : <EditDialog account={account} onClose={onClose} />;
    case 'link':
      return cached === null ? null : <LinkingDialog user={cached} onClose={onClose} />;
    case 'remove-here':
      return (
        <Confirm
          title={t('users.removeHereTitle')}
          text={t('users.removeHereText', { name })}
          action={t('common.remove')}
          onClose={onClose}
          onConfirm={actions.removeHere}
        />
      );
    case 'remove-account':
      return (
        <Confirm
          title={t('users.removeAccountTitle')}
          text={t('users.removeAccountText', { name })}
          action={t('users.removeAccount')}
          onClose={onClose}
          onConfirm={actions.removeAccount}
        />
      );
  }
}

/** Immediate actions on a person; each reports its outcome. */
interface PersonActions {
  readonly select: () => Promise<void>;
  /** Removes the person from the users of this computer. */
  readonly removeHere: () => Promise<void>;
  /** Removes the enrolment on this instance; the person is then removed from the users of this computer too. */
  readonly removeAccount: () => Promise<void>;
}

/** The actions of a person. */
function usePersonActions({ username, name, account, cached }: Person): PersonActions {
  const { bridge } = useCore();
  const { t } = useTranslation();
  const finish = useFinish('users.list', 'assistant.users');
  return {
    select: async () => finish(await bridge.call('assistant.select', { username }), t('users.selectedNow', { name })),
    removeHere: async () => {
      if (cached === null) return;
      finish(await bridge.call('assistant.remove', { id: cached.id }), t('users.removedHere', { name }));
    },
    removeAccount: async () => {
      if (account === null) return;
      const removed = await bridge.call('users.remove', { id: account.id });
      if (removed.ok && cached !== null) await bridge.call('assistant.remove', { id: cached.id });
      finish(removed, t('users.removedAccount', { name }));
    },
  };
}
