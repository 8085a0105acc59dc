import { Text } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  readonly icon: LucideIcon;
  /** A line above chosen files; fitting into a row of cards; or large, in an otherwise empty page, or even larger. */
  readonly size: 'line' | 'fitting' | 'large' | 'largest';
  /** The invitation to drop files here. */
  readonly text: string;
  /** The alternative, shown when there is room. */
  readonly or: string;
  /** The buttons of the pickers. */
  readonly children: ReactNode;
}

/** Invites to drop files, and offers the pickers. The window itself accepts files at any place. */
export function DropZone({ icon: Icon, size, text, or, children }: DropZoneProps) {
  const isLine = size === 'line';
  return (
    <div className={classes.zone} data-size={size}>
      <Icon size={isLine ? 24 : 44} strokeWidth={1.5} aria-hidden />
      <Text fw={600} size={isLine ? 'md' : 'lg'} className={classes.text}>
        {text}
        {isLine ? null : (
          <Text component="span" c="dimmed" fw={400}>
            {' '}
            {or}
          </Text>
        )}
      </Text>
      {children}
    </div>
  );
}
