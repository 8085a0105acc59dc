import { Button, Stack, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty, PageHeader, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { useQuery } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { useRouteParameter } from '../shell/route.ts';
import { ApplicationsCard } from './applications-card.tsx';
import { SiteDialog } from './site-dialog.tsx';
import { SiteRow } from './site-row.tsx';

/** Who may ask for signatures from outside: web sites, and registered applications. */
export function SitesPage() {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  // The link `sinete://pair` of a web page leads here: it proposes its origin, and the user decides.
  const pair = useRouteParameter('pair');
  const close = (): void => {
    setAdding(false);
    if (pair !== null) window.location.hash = '#/sites';
  };
  return (
    <>
      <PageHeader title={t('sites.title')} subtitle={t('sites.subtitle')} />
      <Stack gap="lg">
        <Section
          title={t('sites.list')}
          side={
            <Button
              variant="default"
              size="xs"
              leftSection={<Plus size={16} aria-hidden />}
              onClick={() => setAdding(true)}
            >
              {t('sites.add')}
            </Button>
          }
          flush
        >
          <SiteList />
        </Section>
        <ApplicationsCard />
      </Stack>
      {adding || pair !== null ? <SiteDialog key={pair} site={null} proposed={pair ?? ''} onClose={close} /> : null}
    </>
  );
}

function SiteList() {
  const { t } = useTranslation();
  const sites = useQuery('sites.list', {});
  const errorText = useErrorText();
  if (sites.value === null) {
    return sites.error === null ? <RowsPlaceholder /> : <Empty>{errorText(sites.error)}</Empty>;
  }
  if (sites.value.length === 0) {
    return (
      <Empty>
        <Text fw={600} c="var(--mantine-color-text)">
          {t('sites.none')}
        </Text>
        <Text size="sm" mt={4} maw="34rem" mx="auto">
          {t('sites.noneText')}
        </Text>
      </Empty>
    );
  }
  return (
    <Rows label={t('sites.list')}>
      {sites.value.map((site) => (
        <SiteRow key={site.origin} site={site} />
      ))}
    </Rows>
  );
}
