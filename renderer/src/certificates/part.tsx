import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A titled part of the details. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <Title order={3} size="sm" mb="xs">
        {title}
      </Title>
      {children}
    </div>
  );
}
