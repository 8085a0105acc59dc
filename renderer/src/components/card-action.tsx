import { Button } from '@mantine/core';
import type { Icon } from '../icons/icon.ts';

interface CardActionProps {
  readonly icon?: Icon;
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
