import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { Mark } from '../../components/status.tsx';
import { areaOf, remedyOf } from '../../data/found-checks.ts';
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
  const { t } = useTranslation();
  if ('kind' in check) {
    return (
      <Notice kind="warning" title={t(`doctor.checks.${check.kind}.title`, { name: check.name })}>
        <Text size="sm">{t(`doctor.checks.${check.kind}.remedy`)}</Text>
      </Notice>
    );
  }
  const remedy = remedyOf(check);
  return (
    <Notice kind="warning" title={t(`findings.areas.${areaOf(check)}.title`, { ...check.values })}>
      {remedy === null ? null : <Text size="sm">{t(`findings.remedies.${remedy}`)}</Text>}
    </Notice>
  );
}
