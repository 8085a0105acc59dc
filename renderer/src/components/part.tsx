import { Title, type TitleOrder } from '@mantine/core';
import type { ReactNode } from 'react';

interface PartProps {
  readonly title: string;
  /** The level of its heading. */
  readonly order?: TitleOrder;
  readonly children: ReactNode;
}

/** A titled part of details. */
export function Part({ title, order = 3, children }: PartProps) {
  return (
    <div>
      <Title order={order} size="sm" mb="xs">
        {title}
      </Title>
      {children}
    </div>
  );
}
