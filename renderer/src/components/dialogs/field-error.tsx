import { Text } from '@mantine/core';

/** What is wrong with a field that is no input of its own: a chosen file, for example. Read out when it appears. */
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
