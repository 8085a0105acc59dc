import { Stack, Switch, Text } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField } from '../../components/fields/fields.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { useCore } from '../../data/core-context.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { keeperOf } from './test-services-keeper.ts';

/** Switches the services for test identities on and off. */
export function TestServicesCard() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { bridge, queries } = useCore();
  const keeper = keeperOf(bridge);
  const { wanted, view, error } = useSyncExternalStore(keeper.subscribe, keeper.state);
  const [busy, setBusy] = useState(false);
  const toggle = async (run: boolean): Promise<void> => {
    setBusy(true);
    await (run ? keeper.start() : keeper.stop());
    setBusy(false);
    queries.refresh('tsa.list', 'trust.list', 'doctor.read');
  };
  const state = view === null ? t('settings.testServices.stopped') : t('settings.testServices.running', view);
  return (
    <Section title={t('settings.testServices.title')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('settings.testServices.text')}
        </Text>
        <Switch
          label={t('settings.testServices.toggle')}
          description={busy ? t('common.loading') : state}
          {...checkField(wanted, (checked) => void toggle(checked))}
          disabled={busy}
        />
        {error === null ? null : (
          <Notice kind="error" alert>
            {errorText(error)}
          </Notice>
        )}
      </Stack>
    </Section>
  );
}
