import { IdCard, Pencil, Trash2, UserMinus } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import { RowMenu, RowMenuItem } from '../../components/menus/row-menu.tsx';
import type { Person } from './people.ts';

/** The actions in a person's menu. */
export type PersonTask = 'edit' | 'link' | 'remove-here' | 'remove-account';

interface PersonMenuProps {
  readonly person: Person;
  readonly onTask: (task: PersonTask) => void;
}

/** The less frequent actions of a person, as far as applicable. */
export function PersonMenu({ person: { name, account, cached }, onTask }: PersonMenuProps) {
  const { t } = useTranslation();
  const label = t('users.actionsOf', { name });
  return (
    <RowMenu name={label}>
      {cached === null ? null : (
        <RowMenuItem icon={IdCard} onClick={() => onTask('link')}>
          {t('users.linkMenu')}
        </RowMenuItem>
      )}
      {account === null ? null : (
        <RowMenuItem icon={Pencil} onClick={() => onTask('edit')}>
          {t('users.edit')}
        </RowMenuItem>
      )}
      {cached === null ? null : (
        <RowMenuItem icon={UserMinus} onClick={() => onTask('remove-here')}>
          {t('users.removeHere')}
        </RowMenuItem>
      )}
      {account === null ? null : (
        <RowMenuItem icon={Trash2} danger onClick={() => onTask('remove-account')}>
          {t('users.removeAccount')}
        </RowMenuItem>
      )}
    </RowMenu>
  );
}
