import { Button, ActionIcon, Tooltip } from '@mantine/core';
import { Trash2, X, type IconComponent } from './icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from './dialogs/confirm.tsx';

interface CardActionProps {
  readonly icon?: IconComponent;
  /** The accessible name, if the text alone does not identify the row; it begins with the text. */
  readonly name?: string;
  /** True while the action runs: the button shows a spinner and takes no click. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** True for an action that is rarely needed: the same button in many rows has no border. */
  readonly quiet?: boolean;
  readonly onClick: () => void;
  readonly children: string;
}

/** An action of a card or of one of its rows: small and plain, so that the actions of the page stand out. */
export function CardAction({ icon: Icon, name, busy, disabled, quiet = false, onClick, children }: CardActionProps) {
  return (
    <Button
      size="xs"
      variant={quiet ? 'subtle' : 'default'}
      onClick={onClick}
      leftSection={Icon && <Icon size={16} aria-hidden />}
      {...{ 'aria-label': name, loading: busy, disabled }}
    >
      {children}
    </Button>
  );
}

interface IconActionProps {
  readonly icon: IconComponent;
  /** Text of the tooltip: the effect of the action. */
  readonly hint: string;
  /** The accessible name: the effect, and the row concerned. */
  readonly name: string;
  /** True while the action would have no effect. The button stays focusable. */
  readonly idle?: boolean;
  /** Receives the button, so that the caller can return the focus to it. */
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
  /** Name of the entry that is removed. */
  readonly name: string;
  /** Heading of the confirmation dialog, as a question. `text` explains the consequences. */
  readonly title: string;
  readonly text: string;
  readonly onRemove: () => Promise<void>;
}

/** Removes a row after the user has confirmed. */
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

/** A button that takes an entry out of a list on the page; nothing stored is removed, so the user is not asked. */
export function TakeOutAction({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t('common.removeNamed', { name })} onClick={onClick}>
      <X size={18} aria-hidden />
    </ActionIcon>
  );
}
