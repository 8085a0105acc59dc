import { Trash2 } from '../icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from './dialogs/confirm.tsx';
import { IconAction } from './icon-action.tsx';

interface RemoveActionProps {
  /** What is removed. */
  readonly name: string;
  /** The question that is asked first, and what becomes of it then. */
  readonly title: string;
  readonly text: string;
  readonly onRemove: () => Promise<void>;
}

/** Takes a row away, after asking. */
export function RemoveAction({ name, title, text, onRemove }: RemoveActionProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <IconAction
        icon={Trash2}
        hint={t('common.remove')}
        name={t('common.removeNamed', { name })}
        onClick={() => setAsking(true)}
      />
      {asking ? (
        <Confirm
          title={title}
          text={text}
          action={t('common.remove')}
          onClose={() => setAsking(false)}
          onConfirm={onRemove}
        />
      ) : null}
    </>
  );
}
