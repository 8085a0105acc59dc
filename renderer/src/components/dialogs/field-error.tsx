import { Text } from '@mantine/core';

/**
 * The error of a field without an input of its own, for example a chosen file. A screen reader announces it when it
 * appears.
 */
export function FieldError({ error }: { readonly error: string | null }) {
  return (
    <div role="alert">
      {error === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)" mt={4}>
          {error}
        </Text>
      )}
    </div>
  );
}
