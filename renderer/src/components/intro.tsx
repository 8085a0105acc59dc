import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './intro.module.css';

/** The purpose of a card, above its rows. */
export function Intro({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" className={classes.intro}>
      {children}
    </Text>
  );
}
