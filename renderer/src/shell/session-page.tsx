import { Button, Code, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { RefreshCw } from '../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import type { BridgeState } from '../bridge/bridge.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Logo } from '../components/logo.tsx';
import { useCore } from '../data/core-context.ts';
import { PreferencesMenu } from './preferences-menu.tsx';
import classes from './session-page.module.css';

/** Shown without a session: says why there is none, and how to get one. */
export function SessionPage({ state }: { readonly state: Exclude<BridgeState, 'ready'> }) {
  const { t } = useTranslation();
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Group gap="sm" mb="lg">
          <Logo size={40} />
          <Text fw={650} size="xl">
            {t('app.name')}
          </Text>
        </Group>
        <Explanation state={state} />
      </div>
      <PreferencesMenu compact isOpened={false} />
    </main>
  );
}

function Explanation({ state }: { readonly state: Exclude<BridgeState, 'ready'> }) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  switch (state) {
    case 'starting':
      return (
        <Group role="status">
          <Loader size="sm" />
          <Title order={1} size="h3">
            {t('session.starting')}
          </Title>
        </Group>
      );
    case 'unreachable':
      return (
        <Stack>
          <Reason title={t('session.unreachableTitle')} text={t('session.unreachable')} />
          <Command intro={t('session.startHint')} command="npm start" />
          <Group>
            <Button leftSection={<RefreshCw size={18} aria-hidden />} onClick={() => bridge.retry()}>
              {t('common.retry')}
            </Button>
          </Group>
        </Stack>
      );
    case 'no-session':
      return <NewLink title={t('session.noSessionTitle')} text={t('session.noSession')} />;
    case 'key-refused':
      return <NewLink title={t('session.refusedTitle')} text={t('session.refused')} />;
    case 'ended':
      return <NewLink title={t('session.endedTitle')} text={t('session.ended')} />;
  }
}

function Reason({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <Title order={1} size="h2" mb="xs">
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
    </div>
  );
}

function NewLink({ title, text }: { readonly title: string; readonly text: string }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Reason title={title} text={text} />
      <Command intro={t('session.steps')} command="npx sinete link" />
      <Text>{t('session.then')}</Text>
    </Stack>
  );
}

function Command({ intro, command }: { readonly intro: string; readonly command: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text mb={6}>{intro}</Text>
      <div className={classes.command}>
        <Code fz="md" bg="transparent">
          {command}
        </Code>
        <CopyButton text={command} name={t('session.command')} />
      </div>
    </div>
  );
}
