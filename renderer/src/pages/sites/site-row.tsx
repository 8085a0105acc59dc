import { Button, Group, Text } from '@mantine/core';
import { Globe } from '../../components/icons/index.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteView } from '../../../../src/ui-contract/site-calls.ts';
import { CardAction } from '../../components/actions.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { EntryIcon, EntryRow } from '../../components/entry-row.tsx';
import { Mark } from '../../components/status.tsx';
import { useNow } from '../../components/use-now.ts';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';
import { formatAgo, formatInstant } from '../../format/format.ts';
import { grantScopes } from '../../questions/scopes.ts';
import { SiteDialog } from './site-dialog.tsx';
import { SiteNameText } from '../../questions/site-name-text.tsx';
import classes from './sites.module.css';

/** A site: its name, its permissions with their end, its use, and approvals in advance. */
export function SiteRow({ site }: { readonly site: SiteView }) {
  const { t, i18n } = useTranslation();
  const [task, setTask] = useState<'change' | 'revoke' | null>(null);
  const { revoke, endStanding } = useSiteActions(site);
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  const may = grantScopes.filter(({ scope }) => site.scopes.includes(scope));
  const { displayOrigin: name } = site;
  return (
    <EntryRow
      tall
      sign={<EntryIcon icon={Globe} />}
      actions={
        site.source === 'user' ? (
          <Group gap="xs" wrap="nowrap">
            <CardAction name={t('sites.changeNamed', { name })} onClick={() => setTask('change')}>
              {t('sites.change')}
            </CardAction>
            <CardAction name={t('sites.revokeNamed', { name })} onClick={() => setTask('revoke')}>
              {t('sites.revoke')}
            </CardAction>
          </Group>
        ) : null
      }
      below={<Standing site={site} onEnd={(fingerprint) => void endStanding(fingerprint)} />}
    >
      <SiteNameText displayOrigin={name} />
      {site.origin === name ? null : <div className={classes.origin}>{site.origin}</div>}
      <Text size="sm">{capitalized(list.format(may.map(({ text }) => t(`sites.scopesShort.${text}`))))}</Text>
      <SiteFacts site={site} />
      {task === 'change' ? <SiteDialog site={site} onClose={() => setTask(null)} /> : null}
      {task === 'revoke' ? (
        <Confirm
          title={t('sites.revokeTitle')}
          text={t('sites.revokeText', { name })}
          action={t('sites.revoke')}
          onClose={() => setTask(null)}
          onConfirm={revoke}
        />
      ) : null}
    </EntryRow>
  );
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function SiteFacts({ site }: { readonly site: SiteView }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { expiresAt, lastUsedAt, uses, source } = site;
  const used =
    lastUsedAt === null
      ? t('sites.neverUsed')
      : t('sites.lastUsed', { ago: formatAgo(lastUsedAt, now, i18n.language) });
  const until =
    expiresAt === null ? t('sites.untilRevoked') : t('sites.until', { day: formatInstant(expiresAt, i18n.language) });
  return (
    <>
      <Text size="sm" c="dimmed">
        {[
          ...(source === 'configuration' ? [] : [until]),
          used,
          ...(uses > 0 ? [t('sites.uses', { count: uses })] : []),
        ].join(' · ')}
      </Text>
      {source === 'configuration' ? (
        <Group gap={6} mt={6}>
          <Mark tone="neutral" icon="locked">
            {t('sites.fromConfiguration')}
          </Mark>
        </Group>
      ) : null}
    </>
  );
}

interface StandingProps {
  readonly site: SiteView;
  readonly onEnd: (fingerprint: string) => void;
}

function Standing({ site, onEnd }: StandingProps) {
  const { t, i18n } = useTranslation();
  const certificates = useQuery('certificates.list', {});
  const title = useId();
  if (site.standingApprovals.length === 0) return null;
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short' });
  const findHolder = (fingerprint: string): string =>
    certificates.value?.find((one) => one.fingerprint === fingerprint)?.holder ?? t('sites.unknownCertificate');
  return (
    <div className={classes.standing}>
      <Text size="sm" c="dimmed" id={title}>
        {t('sites.standing')}
      </Text>
      <ul aria-labelledby={title}>
        {site.standingApprovals.map(({ certificateFingerprint, signaturesLeft, expiresAt }) => {
          const certificate = findHolder(certificateFingerprint);
          return (
            <li key={certificateFingerprint}>
              <span className={classes.wrap}>
                {t('sites.standingLeft', {
                  count: signaturesLeft,
                  certificate,
                  time: time.format(new Date(expiresAt)),
                })}
              </span>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('sites.standingEndNamed', { certificate })}
                onClick={() => onEnd(certificateFingerprint)}
              >
                {t('sites.standingEnd')}
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function useSiteActions({ origin }: SiteView) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('sites.list');
  return {
    revoke: async () => finish(await bridge.call('sites.revoke', { origin }), t('sites.revoked')),
    endStanding: async (certificateFingerprint: string) =>
      finish(
        await bridge.call('sites.endStandingApproval', { origin, certificateFingerprint }),
        t('sites.standingEnded'),
      ),
  };
}
