import { Button, Group, Stack, Text } from '@mantine/core';
import type { i18n } from 'i18next';
import { FileDown, ShieldCheck } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditRowView, AuditVerdictView } from '../../../../src/ui-contract/audit-calls.ts';
import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useAttempt } from '../../data/use-attempt.ts';
import { formatInstant } from '../../format/format.ts';
import type { operation } from '../../i18n/en/operation.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import classes from './settings.module.css';

const shown = 10;
/** Maximum number of rows in the answer to a call. */
const pageSize = 1000;

/** The audit log: its integrity, its last rows, and the whole log as a file. */
export function AuditCard() {
  const { t } = useTranslation();
  const { verify, verifying, outcome, save, saving } = useAudit();
  return (
    <Section title={t('operation.audit.title')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('operation.audit.text')}
        </Text>
        <Group gap="sm">
          <Button loading={verifying} leftSection={<ShieldCheck size={18} aria-hidden />} onClick={() => void verify()}>
            {t('operation.audit.verify')}
          </Button>
          <Button
            variant="default"
            loading={saving}
            leftSection={<FileDown size={18} aria-hidden />}
            onClick={() => void save()}
          >
            {t('operation.audit.export')}
          </Button>
        </Group>
        <div aria-live="polite">{outcome === null ? null : <Outcome outcome={outcome} />}</div>
        <LastRows />
      </Stack>
    </Section>
  );
}

function Outcome({ outcome }: { readonly outcome: CallResult<AuditVerdictView> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (!outcome.ok) return <Notice kind="error">{errorText(outcome.error)}</Notice>;
  const verdict = outcome.value;
  if (verdict.state === 'broken') {
    return (
      <Notice kind="error" title={t('operation.audit.broken', { row: verdict.row })}>
        {t(`operation.audit.reasons.${verdict.reason}`)} {t('operation.audit.brokenRemedy')}
      </Notice>
    );
  }
  const { rows, head, mark } = verdict;
  return (
    <Notice kind="information" title={t('operation.audit.intact')}>
      <Text size="sm">{t('operation.audit.intactText', { count: rows })}</Text>
      <Text size="sm">
        {mark === null ? t('operation.audit.unsealed') : t('operation.audit.sealed', { row: mark.sequence })}
      </Text>
      <Text size="sm" component="div" mt={4}>
        {t('operation.audit.head')}: <code className={classes.hex}>{head}</code>{' '}
        <CopyButton text={head} name={t('operation.audit.head')} />
      </Text>
      <Text size="sm">{t('operation.audit.headHelp')}</Text>
    </Notice>
  );
}

/** A newer version may have written other kinds; these are shown by their names in the log. */
function isKnown(kind: string, i18n: i18n): kind is keyof (typeof operation)['audit']['kinds'] {
  return i18n.exists(`operation.audit.kinds.${kind}`);
}

function LastRows() {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { value, error } = useQuery('audit.list', { limit: shown });
  if (value === null) return error === null ? <RowsPlaceholder /> : <Notice kind="error">{errorText(error)}</Notice>;
  if (value.length === 0) return <Text size="sm">{t('operation.audit.none')}</Text>;
  return (
    <div>
      <Text fw={600} size="sm" mb={6}>
        {t('operation.audit.last')}
      </Text>
      <ul className={classes.plainRows} aria-label={t('operation.audit.last')}>
        {value.map(({ sequence, at, kind, subject }) => (
          <li key={sequence}>
            <Text size="sm" c="dimmed" component="span">
              {sequence} · {formatInstant(at, i18n.language)}
            </Text>{' '}
            <Text size="sm" component="span">
              {isKnown(kind, i18n) ? t(`operation.audit.kinds.${kind}`) : kind}
            </Text>{' '}
            {subject === null ? null : (
              <Text size="sm" c="dimmed" component="span" className={classes.hex}>
                {subject}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useAudit() {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [saving, setSaving] = useState(false);
  const verification = useAttempt(() => bridge.call('audit.verify', {}));
  return {
    verifying: verification.busy,
    outcome: verification.outcome,
    saving,
    verify: async () => {
      await verification.attempt();
      queries.refresh('audit.list');
    },
    save: async () => {
      setSaving(true);
      const result = await readAll(bridge);
      setSaving(false);
      if (!result.ok) {
        toasts.failed(result.error);
        return;
      }
      const name = `sinete-audit-${new Date().toISOString().slice(0, 10)}.jsonl`;
      const lines = result.value.map((row) => `${JSON.stringify(row)}\n`);
      saveFile(name, new Blob(lines, { type: 'application/x-ndjson' }));
      toasts.done(t('operation.audit.exported', { name }));
    },
  };
}

/** Oldest first, like `sinete audit export`. */
async function readAll(bridge: Bridge): Promise<CallResult<readonly AuditRowView[]>> {
  const rows: AuditRowView[] = [];
  for (;;) {
    const result = await bridge.call('audit.list', { after: rows.at(-1)?.sequence ?? 0, limit: pageSize });
    if (!result.ok) return result;
    rows.push(...result.value);
    if (result.value.length < pageSize) return { ok: true, value: rows };
  }
}
