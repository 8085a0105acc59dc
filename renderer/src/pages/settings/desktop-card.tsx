import { Button, Stack, Switch, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField } from '../../components/fields/fields.ts';
import type { DesktopView } from '../../../../src/ui-contract/desktop-contract.ts';
import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { useToasts } from '../../components/toasts.tsx';
import type { DesktopHost } from '../../bridge/desktop-host.ts';
import classes from './settings.module.css';

/** Settings of an installed desktop application only: starting with the computer, a pause for programs, updates. */
export function DesktopCard({ desktop }: { readonly desktop: DesktopHost }) {
  const { t } = useTranslation();
  const { view, take } = useDesktop(desktop);
  if (view === null) {
    return (
      <Section title={t('settings.desktop.title')} flush>
        <RowsPlaceholder />
      </Section>
    );
  }
  return (
    <Section title={t('settings.desktop.title')}>
      <Stack gap="lg">
        <Switch
          label={t('settings.desktop.autostart')}
          description={
            view.autostart === null ? t('settings.desktop.autostartNone') : t('settings.desktop.autostartText')
          }
          disabled={view.autostart === null}
          {...checkField(
            view.autostart === true,
            (enabled) => void take(desktop.call('desktop.setAutostart', { enabled })),
          )}
        />
        <Switch
          label={t('settings.desktop.paused')}
          description={t('settings.desktop.pausedText')}
          {...checkField(view.paused, (paused) => void take(desktop.call('desktop.setPaused', { paused })))}
        />
        <Updates desktop={desktop} updates={view.updates} onAnswer={take} />
      </Stack>
    </Section>
  );
}

interface UpdatesProps {
  readonly desktop: DesktopHost;
  readonly updates: DesktopView['updates'];
  readonly onAnswer: (answer: Promise<CallResult<DesktopView>>) => Promise<void>;
}

function Updates({ desktop, updates: { state, version }, onAnswer }: UpdatesProps) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const install = async (): Promise<void> => {
    const result = await desktop.call('desktop.installUpdate', {});
    if (!result.ok) toasts.failed(result.error);
  };
  const busy = state === 'checking' || state === 'downloading';
  return (
    <div className={classes.row}>
      <div className={classes.rowText} role="status">
        <Text fw={550} size="sm">
          {t('settings.desktop.updates')}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`settings.desktop.${state}`, { version: version ?? '' })}
        </Text>
      </div>
      {state === 'ready' ? (
        <Button size="xs" onClick={() => void install()}>
          {t('settings.desktop.install')}
        </Button>
      ) : null}
      {state === 'off' || state === 'ready' ? null : (
        <Button
          size="xs"
          variant="default"
          loading={busy}
          onClick={() => void onAnswer(desktop.call('desktop.checkForUpdates', {}))}
        >
          {t('settings.desktop.check')}
        </Button>
      )}
    </div>
  );
}

/** The shell's state, asked again after changes. */
function useDesktop(desktop: DesktopHost) {
  const toasts = useToasts();
  const [view, setView] = useState<DesktopView | null>(null);
  const take = useCallback(
    async (answer: Promise<CallResult<DesktopView>>): Promise<void> => {
      const result = await answer;
      if (result.ok) setView(result.value);
      else toasts.failed(result.error);
    },
    [toasts],
  );
  useEffect(() => {
    const read = (): void => void take(desktop.call('desktop.read', {}));
    read();
    return desktop.onChange(read);
  }, [desktop, take]);
  return { view, take };
}
