import { Text } from '@mantine/core';

interface FindingWordsProps {
  readonly found: string;
  /** Why it matters: for a problem, what may come of it. */
  readonly purpose: string;
  /** Null without a remedy. */
  readonly remedy: string | null;
}

/** The words of a check: the finding, what it means, and the remedy. */
export function FindingWords({ found, purpose, remedy }: FindingWordsProps) {
  return (
    <>
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
