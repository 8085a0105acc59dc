import { useTranslation } from 'react-i18next';
import { useCore } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';
import type { Person } from './people.ts';

/** Immediate actions on a person; each reports its outcome. */
export interface PersonActions {
  readonly select: () => Promise<void>;
  /** Removes the person from the users of this computer. */
  readonly removeHere: () => Promise<void>;
  /** Removes the enrolment on this instance; the person is then removed from the users of this computer too. */
  readonly removeAccount: () => Promise<void>;
}

/** The actions of a person. */
export function usePersonActions({ username, name, account, cached }: Person): PersonActions {
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
