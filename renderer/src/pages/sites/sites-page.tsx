import { Stack } from '@mantine/core';
import { Plus } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CardAction } from '../../components/actions.tsx';
import { PageHeader, Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { useQuery } from '../../data/core-context.ts';
import { useRouteParameter } from '../../route.ts';
import { ApplicationsCard } from './applications-card.tsx';
import { FoldersCard } from './folders-card.tsx';
import { RefusedCard } from './refused-card.tsx';
import { SiteDialog } from './site-dialog.tsx';
import { SiteRow } from './site-row.tsx';

/** Callers from outside with permission to ask for signatures: web sites, and registered applications. */
export function SitesPage() {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  // The link `sinete://pair` of a web page leads here: the link proposes an origin, and the user decides.
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
            <CardAction icon={Plus} onClick={() => setAdding(true)}>
              {t('sites.add')}
            </CardAction>
          }
          flush
        >
          <SiteList />
        </Section>
        <RefusedCard />
        <FoldersCard />
        <ApplicationsCard />
      </Stack>
      {adding || pair !== null ? <SiteDialog key={pair} site={null} proposed={pair ?? ''} onClose={close} /> : null}
    </>
  );
}

function SiteList() {
  const { t } = useTranslation();
  return (
    <QueryRows
      label={t('sites.list')}
      query={useQuery('sites.list', {})}
      none={<Nothing title={t('sites.none')} text={t('sites.noneText')} narrow />}
    >
      {(site) => <SiteRow key={site.origin} site={site} />}
    </QueryRows>
  );
}
