import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../components/notice.tsx';
import { RowsPlaceholder, Section } from '../components/page.tsx';
import { Mark } from '../components/status.tsx';
import { useQuery } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';

/** What the checks of the core found, and what to do about it. */
export function HealthCard() {
  const { t } = useTranslation();
  const health = useQuery('health.read', {});
  const errorText = useErrorText();
  const failing = health.value?.checks.filter((check) => !check.ok) ?? [];
  if (health.value === null) {
    return (
      <Section title={t('home.health')} flush={health.error === null}>
        {health.error === null ? <RowsPlaceholder /> : <Notice kind="error">{errorText(health.error)}</Notice>}
      </Section>
    );
  }
  return (
    <Section title={t('home.health')}>
      {failing.length === 0 ? (
        <Mark tone="good" icon="good">
          {t('home.healthGood')}
        </Mark>
      ) : (
        <Stack gap="sm">
          {failing.map((check) => (
            <Notice key={check.id} kind="warning" title={check.message}>
              {check.remedy === null ? null : <Text size="sm">{check.remedy}</Text>}
            </Notice>
          ))}
        </Stack>
      )}
    </Section>
  );
}
