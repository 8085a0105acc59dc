import { Group, Text } from '@mantine/core';
import { FileUp, RefreshCw } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrustImport, TrustView } from '../../../../src/ui-contract/ui-contract.ts';
import { CardAction, RemoveAction } from '../../components/actions.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Intro } from '../../components/intro.tsx';
import { RowHead } from '../../components/list/row-head.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { Mark } from '../../components/status.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { formatDay, groupHex } from '../../format/format.ts';
import { Authorities, RefusedAuthorities } from './trust-authorities.tsx';
import { TrustDialog } from './trust-dialog.tsx';
import classes from './settings.module.css';

type Anchor = TrustView['anchors'][number];

/** The trusted roots of validation. */
export function TrustCard() {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const { value: trust, error } = useQuery('trust.list', {});
  const [importing, setImporting] = useState(false);
  const [imported, setImported] = useState<TrustImport | null>(null);
  const update = useSubmit();
  const take = (result: TrustImport): void => {
    setImported(result);
    queries.refresh('trust.list', 'doctor.read');
  };
  const fetchPublished = async (): Promise<void> => {
    setImported(null);
    const result = await update.submit(bridge.call('trust.update', {}));
    if (result !== null) take(result);
  };
  return (
    <Section
      title={t('settings.trust.title')}
      side={<TrustActions busy={update.busy} onUpdate={fetchPublished} onImport={() => setImporting(true)} />}
      flush
    >
      <Intro>{t('settings.trust.text')}</Intro>
      {trust === null || trust.intermediates === 0 ? null : (
        <div className={classes.notices}>
          <Authorities count={trust.intermediates} />
        </div>
      )}
      {trust === null || trust.refused.length === 0 ? null : (
        <div className={classes.notices}>
          <RefusedAuthorities refused={trust.refused} />
        </div>
      )}
      <div aria-live="polite">
        {update.error === null ? null : (
          <div className={classes.notices}>
            <Notice kind="error">{update.error}</Notice>
          </div>
        )}
        {imported === null ? null : (
          <div className={classes.notices}>
            <ImportResult result={imported} />
          </div>
        )}
      </div>
      <QueryRows
        label={t('settings.trust.title')}
        query={{ value: trust?.anchors ?? null, error }}
        none={<Nothing title={t('settings.trust.none')} text={t('settings.trust.noneText')} />}
      >
        {(anchor) => <AnchorRow key={anchor.fingerprint} anchor={anchor} />}
      </QueryRows>
      {importing ? <TrustDialog onClose={() => setImporting(false)} onImported={take} /> : null}
    </Section>
  );
}

interface TrustActionsProps {
  readonly busy: boolean;
  readonly onUpdate: () => Promise<void>;
  readonly onImport: () => void;
}

function TrustActions({ busy, onUpdate, onImport }: TrustActionsProps) {
  const { t } = useTranslation();
  return (
    <Group gap="xs">
      <CardAction icon={RefreshCw} busy={busy} onClick={() => void onUpdate()}>
        {t('settings.trust.update')}
      </CardAction>
      <CardAction icon={FileUp} onClick={onImport}>
        {t('settings.trust.add')}
      </CardAction>
    </Group>
  );
}

function ImportResult({ result }: { readonly result: TrustImport }) {
  const { t } = useTranslation();
  const { anchors, policies, intermediates, skipped } = result;
  return (
    <Notice kind="information" title={t('settings.trust.result', { count: anchors.length })}>
      {intermediates === 0 ? null : (
        <Text size="sm">{t('settings.trust.intermediates', { count: intermediates })}</Text>
      )}
      {policies.length === 0 ? null : <Text size="sm">{t('settings.trust.policies', { count: policies.length })}</Text>}
      {skipped.length === 0 ? null : (
        <details>
          <summary>
            {t('settings.trust.skipped')}: {skipped.length}
          </summary>
          <ul className={classes.skipped}>
            {skipped.map((sentence, index) => (
              <li key={`${index} ${sentence}`}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
    </Notice>
  );
}

function AnchorRow({ anchor }: { readonly anchor: Anchor }) {
  const { t, i18n } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('trust.list', 'doctor.read');
  const { name, fingerprint, hierarchy, notAfter, timeStampsOnly, isRemovable } = anchor;
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <RowHead name={name}>
          <Mark
            tone={hierarchy === 'test' ? 'warning' : hierarchy === 'other' ? 'neutral' : 'good'}
            icon={hierarchy === 'test' ? 'test' : 'good'}
          >
            {t(`settings.trust.hierarchies.${hierarchy}`)}
          </Mark>
          {timeStampsOnly ? (
            <Mark tone="neutral" icon="idle">
              {t('settings.trust.timeStampsOnlyMark')}
            </Mark>
          ) : null}
        </RowHead>
        <Text size="sm" c="dimmed">
          {t('settings.trust.until', { day: formatDay(notAfter, i18n.language) })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('settings.trust.fingerprint')}: <code className={classes.hex}>{groupHex(fingerprint)}</code>
        </Text>
      </div>
      <Group gap="xs">
        <CopyButton text={fingerprint} name={t('settings.trust.copyFingerprint', { name })} />
        {isRemovable ? (
          <RemoveAction
            name={name}
            title={t('settings.trust.removeTitle')}
            text={t('settings.trust.removeText', { name })}
            onRemove={async () =>
              finish(await bridge.call('trust.remove', { fingerprint }), t('settings.trust.removed'))
            }
          />
        ) : null}
      </Group>
    </li>
  );
}
