import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { Mark } from '../../components/status.tsx';
import { useCheckWords } from '../../data/use-check-words.ts';
import { useFindings, type AnyCheck } from '../../data/use-findings.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { hrefOf } from '../../route.ts';

/** The findings of the Doctor: problems with their remedies, and the number of further points. */
export function HealthCard() {
  const { t } = useTranslation();
  const { checks, wrong, error } = useFindings();
  const errorText = useErrorText();
  if (checks === null) {
    return (
      <Section title={t('home.health')} flush={error === null}>
        {error === null ? <RowsPlaceholder /> : <Notice kind="error">{errorText(error)}</Notice>}
      </Section>
    );
  }
  const problems = wrong.filter(({ outcome }) => outcome === 'problem');
  const advice = wrong.length - problems.length;
  return (
    <Section title={t('home.health')}>
      <Stack gap="sm">
        {problems.length > 0 ? null : (
          <Mark tone="good" icon="good">
            {t('home.healthGood')}
          </Mark>
        )}
        {problems.map((check) => (
          <Problem key={check.id} check={check} />
        ))}
        {advice === 0 ? null : (
          <Text size="sm" c="dimmed">
            {t('home.healthAdvice', { count: advice })}
          </Text>
        )}
        {wrong.length === 0 ? null : (
          <Anchor href={hrefOf('doctor')} size="sm">
            {t('home.toDoctor')}
          </Anchor>
        )}
      </Stack>
    </Section>
  );
}

function Problem({ check }: { readonly check: AnyCheck }) {
  const { title, found, remedy } = useCheckWords()(check);
  return (
    <Notice kind="warning" title={title}>
      <Text size="sm">{found}</Text>
      {remedy === null ? null : (
        <Text size="sm" mt={4}>
          {remedy}
        </Text>
      )}
    </Notice>
  );
}
