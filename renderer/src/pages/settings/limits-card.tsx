import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Field, Fields, RowsPlaceholder, Section } from '../../components/page.tsx';
import { useQuery } from '../../data/core-context.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatSize } from '../../format/format.ts';

/** Limits of a request, and the lifetime of results. */
export function LimitsCard() {
  const { t, i18n } = useTranslation();
  const limits = useQuery('settings.read', {}).value?.limits;
  return (
    <Section title={t('operation.limits.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('operation.limits.text')}
      </Text>
      {limits === undefined ? (
        <RowsPlaceholder />
      ) : (
        <Fields>
          <Field name={t('operation.limits.documentSize')}>{formatSize(limits.documentSize, i18n.language)}</Field>
          <Field name={t('operation.limits.documents')}>{formatCount(limits.documents, i18n.language)}</Field>
          <Field name={t('operation.limits.lifetime')}>{formatDuration(limits.lifetime, i18n.language)}</Field>
          <Field name={t('operation.limits.uploadTimeout')}>
            {formatDuration(limits.uploadTimeout, i18n.language)}
          </Field>
        </Fields>
      )}
    </Section>
  );
}
