import { Text } from '@mantine/core';
import type { Icon } from '../icons/icon.ts';
import type { ReactNode } from 'react';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  readonly icon: Icon;
  /** A line above what was chosen already; or large, in a page that has nothing else, or even larger. */
  readonly size: 'line' | 'large' | 'largest';
  /** That files may be dropped here. */
  readonly text: string;
  /** What else can be done, while there is room to say it. */
  readonly or: string;
  /** The buttons that open the pickers. */
  readonly children: ReactNode;
}

/** Says that files may be dropped, and offers the pickers. The window itself takes them, wherever they fall. */
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
