import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Health } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { Mark } from '../../components/status.tsx';
import { useQuery } from '../../data/core-context.ts';
import { checksOfCore } from '../../data/checks.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { hrefOf } from '../../route.ts';

/** The findings of the core's checks, with remedies. */
export function HealthCard() {
  const { t } = useTranslation();
  const health = useQuery('health.read', {});
  const errorText = useErrorText();
  if (health.value === null) {
    return (
      <Section title={t('home.health')} flush={health.error === null}>
        {health.error === null ? <RowsPlaceholder /> : <Notice kind="error">{errorText(health.error)}</Notice>}
      </Section>
    );
  }
  return (
    <Section title={t('home.health')}>
      {health.value.checks.every(({ ok }) => ok) ? (
        <Mark tone="good" icon="good">
          {t('home.healthGood')}
        </Mark>
      ) : (
        <Failing health={health.value} />
      )}
    </Section>
  );
}

/** The failures in the words of the Doctor, where the user can do more. */
function Failing({ health }: { readonly health: Health }) {
  const { t } = useTranslation();
  const modules = useQuery('modules.list', {});
  const failing = checksOfCore(health, modules.value ?? []).filter(({ outcome }) => outcome !== 'ok');
  return (
    <Stack gap="sm">
      {failing.map(({ id, kind, name }) => (
        <Notice key={id} kind="warning" title={t(`doctor.checks.${kind}.title`, { name })}>
          <Text size="sm">{t(`doctor.checks.${kind}.remedy`)}</Text>
        </Notice>
      ))}
      <Anchor href={hrefOf('doctor')} size="sm">
        {t('home.toDoctor')}
      </Anchor>
    </Stack>
  );
}
