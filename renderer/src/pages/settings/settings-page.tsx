import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../components/page.tsx';
import { useCore } from '../../data/core-context.ts';
import { hrefOf, hrefOfPart, settingsParts, type SettingsPart, useRouteParameter } from '../../route.ts';
import { AddressesCard } from './addresses-card.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { ArchiveCard } from './archive-card.tsx';
import { AuditCard } from './audit-card.tsx';
import { BackupCard } from './backup/backup-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { DesktopCard } from './desktop-card.tsx';
import { DriversCard } from './drivers-card.tsx';
import { KeptFilesCard } from './backup/kept-files-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { NetworkCard } from './network-card.tsx';
import { StoresCard } from './stores-card.tsx';
import { TestServicesCard } from './test-services-card.tsx';
import { TimestampsCard } from './timestamps-card.tsx';
import { TrustCard } from './trust-card.tsx';
import classes from './settings.module.css';

/** Appearance and signed files; sources of keys and trust; networks and stores; notifications of applications; backups. */
export function SettingsPage() {
  const { t } = useTranslation();
  const named = useRouteParameter('part');
  const part = settingsParts.find((one) => one === named) ?? 'general';
  const firstSteps = (
    <Button component="a" href={hrefOf('first-run')} variant="default">
      {t('firstRun.title')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('settings.title')} subtitle={t('settings.subtitle')} actions={firstSteps} />
      <nav className={classes.parts} aria-label={t('operation.parts')}>
        {settingsParts.map((one) => (
          <a key={one} href={hrefOfPart(one)} {...(one === part ? { 'aria-current': 'page' as const } : {})}>
            {t(`operation.${one}`)}
          </a>
        ))}
      </nav>
      <Stack gap="lg">
        <Cards part={part} />
      </Stack>
    </>
  );
}

function Cards({ part }: { readonly part: SettingsPart }) {
  const { bridge } = useCore();
  switch (part) {
    case 'general':
      return (
        <>
          <AppearanceCard />
          <ArchiveCard />
          {bridge.desktop === null ? null : <DesktopCard desktop={bridge.desktop} />}
        </>
      );
    case 'keys':
      return (
        <>
          <DriversCard />
          <TimestampsCard />
          <TrustCard />
          <TestServicesCard />
        </>
      );
    case 'network':
      return (
        <>
          <AddressesCard />
          <StoresCard />
          <NetworkCard />
          <LimitsCard />
        </>
      );
    case 'deliveries':
      return <DeliveriesCard />;
    case 'data':
      return (
        <>
          <AuditCard />
          <BackupCard />
          <KeptFilesCard />
        </>
      );
  }
}
