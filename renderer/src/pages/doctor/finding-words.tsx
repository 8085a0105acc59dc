import { Text } from '@mantine/core';
import type { CheckWords } from '../../data/use-check-words.ts';

/** The words of a check: the finding, what it means, and the remedy. */
export function FindingWords({ words: { title, found, purpose, remedy } }: { readonly words: CheckWords }) {
  return (
    <>
      <Text fw={600}>{title}</Text>
      <Text size="sm">{found}</Text>
      <Text size="sm" c="dimmed">
        {purpose}
      </Text>
      {remedy === null ? null : (
        <Text size="sm" mt={6}>
          {remedy}
        </Text>
      )}
    </>
  );
}
