import { Text } from '@mantine/core';
import { FolderOpen, Plus } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileGrantView } from '../../../../src/ui-contract/site-calls.ts';
import { CardAction } from '../../components/actions.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { EntryIcon, EntryRow } from '../../components/entry-row.tsx';
import { Intro } from '../../components/intro.tsx';
import { Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { Mark } from '../../components/status.tsx';
import { useFinish } from '../../components/use-finish.ts';
import { useNow } from '../../components/use-now.ts';
import { useCore, useQuery } from '../../data/core-context.ts';
import { formatAgo, formatInstant } from '../../format/format.ts';
import { FolderDialog } from './folder-dialog.tsx';
import classes from './sites.module.css';

/** The folders and stores that the owner opened to sites and remote applications. */
export function FoldersCard() {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  return (
    <Section
      title={t('sites.folders.title')}
      side={
        <CardAction icon={Plus} onClick={() => setAdding(true)}>
          {t('sites.folders.add')}
        </CardAction>
      }
      flush
    >
      <Intro>{t('sites.folders.text')}</Intro>
      <QueryRows
        label={t('sites.folders.title')}
        query={useQuery('sites.files', {})}
        none={<Nothing title={t('sites.folders.none')} text={t('sites.folders.noneText')} narrow />}
      >
        {(grant) => <FolderRow key={`${grant.caller} ${grant.root}`} grant={grant} />}
      </QueryRows>
      {adding ? <FolderDialog onClose={() => setAdding(false)} /> : null}
    </Section>
  );
}

/** A folder: its path, the caller, what the caller may do, the end, and the last use. */
function FolderRow({ grant }: { readonly grant: FileGrantView }) {
  const { t, i18n } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('sites.files');
  const now = useNow();
  const [closing, setClosing] = useState(false);
  const { caller, displayCaller: name, root, access, expiresAt, lastUsedAt, uses, source } = grant;
  const until =
    expiresAt === null ? t('sites.untilRevoked') : t('sites.until', { day: formatInstant(expiresAt, i18n.language) });
  const used =
    lastUsedAt === null
      ? t('sites.neverUsed')
      : t('sites.lastUsed', { ago: formatAgo(lastUsedAt, now, i18n.language) });
  const facts = [until, used, ...(uses > 0 ? [t('sites.uses', { count: uses })] : [])];
  const revoke = async () =>
    finish(await bridge.call('sites.revokeFiles', { caller, root }), t('sites.folders.revoked'));
  return (
    <EntryRow
      tall
      sign={<EntryIcon icon={FolderOpen} />}
      actions={
        source === 'user' ? (
          <CardAction name={t('sites.folders.revokeNamed', { root, name })} onClick={() => setClosing(true)}>
            {t('sites.folders.revoke')}
          </CardAction>
        ) : null
      }
    >
      <Text fw={600} className={classes.wrap}>
        {root}
      </Text>
      <Text size="sm" className={classes.wrap}>
        {`${name} · ${t(`sites.folders.accesses.${access}`)}`}
      </Text>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {source === 'configuration' ? (
        <Mark tone="neutral" icon="locked">
          {t('sites.fromConfiguration')}
        </Mark>
      ) : null}
      {closing ? (
        <Confirm
          title={t('sites.folders.revokeTitle')}
          text={t('sites.folders.revokeText', { root, name })}
          action={t('sites.folders.revoke')}
          onClose={() => setClosing(false)}
          onConfirm={revoke}
        />
      ) : null}
    </EntryRow>
  );
}
