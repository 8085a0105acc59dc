import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QueryState } from '../data/query-cache.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { Empty, Rows, RowsPlaceholder } from './page.tsx';

interface QueryRowsProps<Item> {
  /** The accessible name of the list. */
  readonly label?: string;
  readonly query: QueryState<readonly Item[]>;
  /** Shown if there are no rows. */
  readonly none: ReactNode;
  /** Draws a row, with its key. */
  readonly children: (item: Item, index: number) => ReactNode;
}

/** The rows of a card: the answer, the error, or a placeholder before the answer. */
export function QueryRows<Item>({ label, query: { value, error }, none, children }: QueryRowsProps<Item>) {
  const errorText = useErrorText();
  if (value === null) return error === null ? <RowsPlaceholder /> : <Empty>{errorText(error)}</Empty>;
  if (value.length === 0) return none;
  return <Rows {...{ label }}>{value.map((item, index) => children(item, index))}</Rows>;
}

interface NothingProps {
  /** Says that there is nothing. */
  readonly title: string;
  /** Says how to add something. */
  readonly text: string;
  /** True for short lines, in a card as wide as the page. */
  readonly narrow?: boolean;
}

/** The text of a list without rows. */
export function Nothing({ title, text, narrow = false }: NothingProps) {
  return (
    <Empty>
      <Text fw={600} c="var(--mantine-color-text)">
        {title}
      </Text>
      <Text size="sm" mt={4} {...(narrow ? { maw: '34rem', mx: 'auto' } : {})}>
        {text}
      </Text>
    </Empty>
  );
}
