import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '../icons/icon.ts';

interface IconActionProps {
  readonly icon: Icon;
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
