import { SimpleGrid } from '@mantine/core';
import { Children, type ReactNode } from 'react';
import classes from './sign.module.css';

/** Two fields side by side where both have room for their choices, and one below the other elsewhere. */
export function FieldPair({ children }: { readonly children: ReactNode }) {
  const isPair = Children.toArray(children).length > 1;
  return (
    <SimpleGrid type="container" cols={isPair ? { base: 1, '36rem': 2 } : 1} className={classes.pairs}>
      {children}
    </SimpleGrid>
  );
}
