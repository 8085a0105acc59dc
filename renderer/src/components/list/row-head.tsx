import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './row.module.css';

interface RowHeadProps {
  readonly name: string;
  /** The marks of the row's state. */
  readonly children?: ReactNode;
}

/** The name of a row with its state beside it, so that the end of the row is left for actions. */
export function RowHead({ name, children }: RowHeadProps) {
  return (
    <div className={classes.head}>
      <Text fw={600}>{name}</Text>
      {children}
    </div>
  );
}
