import { Button, ActionIcon, Tooltip } from '@mantine/core';
import { Trash2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from './dialogs/confirm.tsx';

interface CardActionProps {
  readonly icon?: LucideIcon;
  /** The accessible name, where the text alone does not tell which row is meant; it begins with the text. */
  readonly name?: string;
  /** Whether it is under way. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: string;
}

/** An action of a card or of one of its rows: small and plain, so that it does not compete with those of the page. */
export function CardAction({ icon: Icon, name, busy, disabled, onClick, children }: CardActionProps) {
  return (
    <Button
      size="xs"
      variant="default"
      onClick={onClick}
      {...(Icon === undefined ? {} : { leftSection: <Icon size={16} aria-hidden /> })}
      {...(name === undefined ? {} : { 'aria-label': name })}
      {...(busy === undefined ? {} : { loading: busy })}
      {...(disabled === undefined ? {} : { disabled })}
    >
      {children}
    </Button>
  );
}

interface IconActionProps {
  readonly icon: LucideIcon;
  /** What it does, told to who points at it. */
  readonly hint: string;
  /** The accessible name: what it does, and to which row. */
  readonly name: string;
  /** Whether there is nothing to do now; the focus may stay on it. */
  readonly idle?: boolean;
  /** Takes the button, so that it can be given the focus again. */
  readonly onClick: (button: HTMLButtonElement) => void;
}

/** An action of a row as an icon. */
export function IconAction({ icon: Icon, hint, name, idle = false, onClick }: IconActionProps) {
  return (
    <Tooltip label={hint}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={name}
        {...(idle ? { 'aria-disabled': true, 'data-disabled': true } : {})}
        onClick={(event) => {
          if (!idle) onClick(event.currentTarget);
        }}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

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
