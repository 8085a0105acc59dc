import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { FileUp, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrustImport, TrustView } from '../../../src/ui-contract/ui-contract.ts';
import { Confirm } from '../components/confirm.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import { Empty, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { Mark } from '../components/status.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { useSubmit } from '../data/use-submit.ts';
import { formatDay, groupHex } from '../format/format.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { TrustDialog } from './trust-dialog.tsx';
import classes from './settings.module.css';

type Anchor = TrustView['anchors'][number];

/** The roots to which validation follows certificates. */
export function TrustCard() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { bridge, queries } = useCore();
  const { value: trust, error } = useQuery('trust.list', {});
  const [importing, setImporting] = useState(false);
  const [imported, setImported] = useState<TrustImport | null>(null);
  const update = useSubmit();
  const take = (result: TrustImport): void => {
    setImported(result);
    queries.refresh('trust.list', 'health.read');
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
      <Text size="sm" c="dimmed" className={classes.intro}>
        {t('settings.trust.text')}
        {trust === null ? null : ` ${t('settings.trust.intermediates', { count: trust.intermediates })}`}
      </Text>
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
      {trust === null && error === null ? <RowsPlaceholder /> : null}
      {trust === null && error !== null ? <Empty>{errorText(error)}</Empty> : null}
      {trust?.anchors.length === 0 ? (
        <Empty>
          <Text fw={600} c="var(--mantine-color-text)">
            {t('settings.trust.none')}
          </Text>
          <Text size="sm" mt={4}>
            {t('settings.trust.noneText')}
          </Text>
        </Empty>
      ) : null}
      {trust === null || trust.anchors.length === 0 ? null : (
        <Rows label={t('settings.trust.title')}>
          {trust.anchors.map((anchor) => (
            <AnchorRow key={anchor.fingerprint} anchor={anchor} />
          ))}
        </Rows>
      )}
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
      <Button
        size="xs"
        variant="default"
        loading={busy}
        leftSection={<RefreshCw size={16} aria-hidden />}
        onClick={() => void onUpdate()}
      >
        {t('settings.trust.update')}
      </Button>
      <Button size="xs" variant="default" leftSection={<FileUp size={16} aria-hidden />} onClick={onImport}>
        {t('settings.trust.add')}
      </Button>
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
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [removing, setRemoving] = useState(false);
  const { name, fingerprint, hierarchy, notAfter } = anchor;
  const remove = async (): Promise<void> => {
    const result = await bridge.call('trust.remove', { fingerprint });
    queries.refresh('trust.list', 'health.read');
    if (result.ok) toasts.done(t('settings.trust.removed'));
    else toasts.failed(result.error);
  };
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {t('settings.trust.until', { day: formatDay(notAfter, i18n.language) })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('settings.trust.fingerprint')}: <code className={classes.hex}>{groupHex(fingerprint)}</code>
        </Text>
      </div>
      <Group gap="xs">
        <Mark
          tone={hierarchy === 'test' ? 'warning' : hierarchy === 'other' ? 'neutral' : 'good'}
          icon={hierarchy === 'test' ? 'test' : 'good'}
        >
          {t(`settings.trust.hierarchies.${hierarchy}`)}
        </Mark>
        <CopyButton text={fingerprint} name={t('settings.trust.copyFingerprint', { name })} />
        {hierarchy === 'test' ? null : (
          <Tooltip label={t('common.remove')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('common.removeNamed', { name })}
              onClick={() => setRemoving(true)}
            >
              <Trash2 size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      {removing ? (
        <Confirm
          title={t('settings.trust.removeTitle')}
          text={t('settings.trust.removeText', { name })}
          action={t('common.remove')}
          onClose={() => setRemoving(false)}
          onConfirm={remove}
        />
      ) : null}
    </li>
  );
}
