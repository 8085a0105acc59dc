import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FindingRow } from '../../components/findings/finding-row.tsx';
import { Notice } from '../../components/notice.tsx';
import { Rows, RowsPlaceholder, Section } from '../../components/page.tsx';
import { Mark } from '../../components/status.tsx';
import { useFindings, useHeadline } from '../../data/use-findings.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { hrefOf } from '../../route.ts';
import classes from './home.module.css';

/** The findings of the Doctor: problems with their repairs, and the number of further points. */
export function HealthCard() {
  const { t } = useTranslation();
  const { checks, wrong, error, again } = useFindings();
  const errorText = useErrorText();
  const problems = wrong.filter(({ outcome }) => outcome === 'problem');
  const headline = useHeadline({ checks, wrong });
  const hasOther = headline !== null && problems.length === 0;
  return (
    <div className={classes.health}>
      <Section title={t('home.health')} flush>
        {checks !== null ? null : error === null ? (
          <RowsPlaceholder />
        ) : (
          <Notice kind="error">{errorText(error)}</Notice>
        )}
        {problems.length === 0 ? null : (
          <Rows label={t('home.health')}>
            {problems.map((check) => (
              <FindingRow key={check.id} check={check} again={again} brief />
            ))}
          </Rows>
        )}
        {hasOther || wrong.length > 0 ? (
          <Stack gap="sm" align="flex-start" className={classes.healthEnd} data-alone={problems.length === 0}>
            {headline?.worst === 'ok' ? (
              <Mark tone="good" icon="good">
                {headline.first}
              </Mark>
            ) : null}
            {headline?.worst === 'advice' ? <Text size="sm">{headline.first}</Text> : null}
            {wrong.length === 0 ? null : (
              <Anchor href={hrefOf('doctor')} size="sm">
                {t('home.toDoctor')}
              </Anchor>
            )}
          </Stack>
        ) : null}
      </Section>
    </div>
  );
}
