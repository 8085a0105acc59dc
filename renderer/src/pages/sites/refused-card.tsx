import { Text } from '@mantine/core';
import { Ban } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteVisitView } from '../../../../src/ui-contract/doctor-calls.ts';
import { CardAction } from '../../components/actions.tsx';
import { EntryIcon, EntryRow } from '../../components/entry-row.tsx';
import { Intro } from '../../components/intro.tsx';
import { Rows, Section } from '../../components/page.tsx';
import { useNow } from '../../components/use-now.ts';
import { useQuery } from '../../data/core-context.ts';
import { formatAgo } from '../../format/format.ts';
import { useVisitOutcome } from '../../questions/visit-outcome.ts';
import { SiteDialog } from './site-dialog.tsx';
import classes from './sites.module.css';

/** False for extensions and applications, whose origins have schemes of their own. */
const isWebSite = (origin: string): boolean => /^(https?:|null$)/.test(origin);

/** Outcomes of an answered request. */
const answered: ReadonlySet<string> = new Set(['passed', 'asked']);

/** The last refusal of each site without a later success. */
function lastRefusals(visits: readonly SiteVisitView[]): readonly SiteVisitView[] {
  const byOrigin = new Map<string, SiteVisitView>();
  // The newest come first. A question precedes its refusal, so it does not count.
  for (const visit of visits) {
    if (visit.outcome !== 'asked' && !byOrigin.has(visit.origin)) byOrigin.set(visit.origin, visit);
  }
  return [...byOrigin.values()].filter(({ outcome }) => !answered.has(outcome));
}

/** Sites refused since the start, with the reason; nothing without a refused site. */
export function RefusedCard() {
  const { t } = useTranslation();
  const sites = useQuery('sites.list', {}).value ?? [];
  const visits = useQuery('doctor.visits', {}).value?.visits ?? [];
  const permitted = new Set(sites.map(({ origin }) => origin));
  const refused = lastRefusals(visits).filter(({ origin }) => !permitted.has(origin));
  if (refused.length === 0) return null;
  return (
    <Section title={t('sites.refused.title')} flush>
      <Intro>{t('sites.refused.text')}</Intro>
      <Rows label={t('sites.refused.title')}>
        {refused.map((visit) => (
          <RefusedRow key={visit.origin} visit={visit} />
        ))}
      </Rows>
    </Section>
  );
}

/** A refused site: its address, the reason, its browser, and the button for a permission. */
function RefusedRow({ visit }: { readonly visit: SiteVisitView }) {
  const { t, i18n } = useTranslation();
  const tellOutcome = useVisitOutcome();
  const now = useNow();
  const [adding, setAdding] = useState(false);
  const { origin, browser, outcome, at } = visit;
  // A page without an origin of its own cannot be named.
  const canBeNamed = origin.includes('://');
  return (
    <EntryRow
      tall
      sign={<EntryIcon icon={Ban} />}
      actions={
        canBeNamed ? (
          <CardAction name={t('sites.refused.letInNamed', { name: origin })} onClick={() => setAdding(true)}>
            {t('sites.refused.letIn')}
          </CardAction>
        ) : null
      }
    >
      <Text fw={600} className={classes.wrap}>
        {canBeNamed ? origin : t('sites.refused.nameless')}
      </Text>
      <Text size="sm">{isWebSite(origin) ? tellOutcome(outcome) : t('sites.refused.application')}</Text>
      <Text size="sm" c="dimmed">
        {[...(browser === 'other' ? [] : [browser]), formatAgo(at, now, i18n.language)].join(' · ')}
      </Text>
      {adding ? <SiteDialog site={null} proposed={origin} onClose={() => setAdding(false)} /> : null}
    </EntryRow>
  );
}
