import { Button, Group, Stack, Text } from '@mantine/core';
import { Eye, ExternalLink } from '../../components/icons/index.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteVisitView } from '../../../../src/ui-contract/doctor-calls.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { formatTime } from '../../format/duration.ts';
import { useVisitOutcome } from '../../questions/visit-outcome.ts';
import classes from './doctor.module.css';

/** Milliseconds between two checks, and the duration of the watch. */
const interval = 1500;
const patience = 120_000;

const browsers = ['chrome', 'brave', 'firefox', 'safari', 'managed'] as const;

/** A check run by the user: whether a site's request passes the browser, and the remedy. */
export function SitesWatch() {
  const { t } = useTranslation();
  const { state, visits, start, stop } = useWatch();
  return (
    <Section title={t('findings.watch.title')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('findings.watch.text')}
        </Text>
        <Group gap="sm">
          {state === 'running' ? (
            <Button variant="default" onClick={stop}>
              {t('findings.watch.stop')}
            </Button>
          ) : (
            <Button leftSection={<Eye size={18} aria-hidden />} onClick={start}>
              {t('findings.watch.start')}
            </Button>
          )}
          <OpenAddress />
        </Group>
        <div role="status">
          {state === 'running' ? <Text size="sm">{t('findings.watch.running')}</Text> : null}
          {state === 'over' && visits.length === 0 ? <Notice kind="warning">{t('findings.watch.over')}</Notice> : null}
          {visits.length === 0 ? null : <Visits visits={visits} />}
        </div>
        <Text size="sm" c="dimmed">
          {t('findings.watch.openText')}
        </Text>
        <div>
          <Text fw={600} size="sm" mb={6}>
            {t('findings.watch.browsers')}
          </Text>
          {browsers.map((browser) => (
            <details key={browser} className={classes.browser}>
              <summary>{t(`findings.watch.${browser}.name`)}</summary>
              <Text size="sm">{t(`findings.watch.${browser}.text`)}</Text>
            </details>
          ))}
        </div>
      </Stack>
    </Section>
  );
}

function OpenAddress() {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const address = useQuery('home.read', {}).value?.addresses.signing;
  const { desktop } = bridge;
  const icon = <ExternalLink size={18} aria-hidden />;
  if (desktop !== null) {
    return (
      <Button
        variant="default"
        leftSection={icon}
        onClick={() => void desktop.call('desktop.openLink', { link: 'interface' })}
      >
        {t('findings.watch.open')}
      </Button>
    );
  }
  if (address === undefined || address === '') return null;
  return (
    <Button component="a" href={address} target="_blank" rel="noreferrer" variant="default" leftSection={icon}>
      {t('findings.watch.open')}
    </Button>
  );
}

function Visits({ visits }: { readonly visits: readonly SiteVisitView[] }) {
  const { t, i18n } = useTranslation();
  const tellOutcome = useVisitOutcome();
  return (
    <ul className={classes.visits} aria-label={t('findings.watch.last')}>
      {visits.map(({ origin, browser, outcome, at }) => (
        <li key={`${origin} ${browser} ${outcome}`}>
          <Text fw={600} size="sm">
            {origin}
          </Text>
          <Text size="sm">{tellOutcome(outcome)}</Text>
          <Text size="sm" c="dimmed">
            {`${browser} · ${formatTime(at, i18n.language)}`}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** Repeats the check until a request arrives, for two minutes at most. */
function useWatch() {
  const { bridge } = useCore();
  const [state, setState] = useState<'idle' | 'running' | 'over'>('idle');
  const [visits, setVisits] = useState<readonly SiteVisitView[]>([]);
  useEffect(() => {
    if (state !== 'running') return;
    const end = Date.now() + patience;
    // A time of the core's clock, as the times of the visits are.
    let since: string | null = null;
    let isOver = false;
    const look = async (): Promise<void> => {
      const result = await bridge.call('doctor.visits', {});
      if (isOver || !result.ok) return;
      since ??= result.value.now;
      const begin = since;
      const found = result.value.visits.filter(({ at }) => at >= begin);
      setVisits(found);
      if (Date.now() > end) setState('over');
    };
    void look();
    const timer = setInterval(() => void look(), interval);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [bridge, state]);
  return {
    state,
    visits,
    start: () => {
      setVisits([]);
      setState('running');
    },
    stop: () => setState('over'),
  };
}
