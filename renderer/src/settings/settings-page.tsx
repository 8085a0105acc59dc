import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../components/page.tsx';
import { useCore } from '../data/core-context.ts';
import { hrefOf } from '../shell/route.ts';
import { AppearanceCard } from './appearance-card.tsx';
import { DesktopCard } from './desktop-card.tsx';
import { DriversCard } from './drivers-card.tsx';
import { TestServicesCard } from './test-services-card.tsx';
import { TimestampsCard } from './timestamps-card.tsx';
import { TrustCard } from './trust-card.tsx';

/** Where keys come from, who stamps the time, whom to trust, and how the window looks. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const firstSteps = (
    <Button component="a" href={hrefOf('first-run')} variant="default">
      {t('firstRun.title')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('settings.title')} subtitle={t('settings.subtitle')} actions={firstSteps} />
      <Stack gap="lg">
        <AppearanceCard />
        {bridge.desktop === null ? null : <DesktopCard desktop={bridge.desktop} />}
        <DriversCard />
        <TimestampsCard />
        <TrustCard />
        <TestServicesCard />
      </Stack>
    </>
  );
}
