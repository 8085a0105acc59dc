import { ActionIcon, Menu } from '@mantine/core';
import { EllipsisVertical, IdCard, Pencil, Trash2, UserMinus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Person } from './people.ts';

/** What the menu of a person leads to. */
export type PersonTask = 'edit' | 'link' | 'remove-here' | 'remove-account';

interface PersonMenuProps {
  readonly person: Person;
  readonly onTask: (task: PersonTask) => void;
}

/** The less frequent actions of a person, as far as they apply. */
export function PersonMenu({ person: { name, account, cached }, onTask }: PersonMenuProps) {
  const { t } = useTranslation();
  const label = t('users.actionsOf', { name });
  return (
    <Menu position="bottom-end" shadow="lg" withInitialFocusPlaceholder={false} portalProps={{ target: '#content' }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {cached === null ? null : (
          <Menu.Item leftSection={<IdCard size={16} aria-hidden />} onClick={() => onTask('link')}>
            {t('users.linkMenu')}
          </Menu.Item>
        )}
        {account === null ? null : (
          <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => onTask('edit')}>
            {t('users.edit')}
          </Menu.Item>
        )}
        {cached === null ? null : (
          <Menu.Item leftSection={<UserMinus size={16} aria-hidden />} onClick={() => onTask('remove-here')}>
            {t('users.removeHere')}
          </Menu.Item>
        )}
        {account === null ? null : (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<Trash2 size={16} aria-hidden />}
            onClick={() => onTask('remove-account')}
          >
            {t('users.removeAccount')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
