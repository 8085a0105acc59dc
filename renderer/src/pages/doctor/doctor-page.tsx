import { Button, Stack, Text } from '@mantine/core';
import { FileDown, HeartPulse, RefreshCw, ShieldCheck } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import { FindingRow } from '../../components/findings/finding-row.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader, Rows, RowsPlaceholder, Section } from '../../components/page.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useQuery } from '../../data/core-context.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import type { CheckView } from '../../../../src/ui-contract/doctor-calls.ts';
import { useFindings, useHeadline, type Headline } from '../../data/use-findings.ts';
import { SitesWatch } from './sites-watch.tsx';
import classes from './doctor.module.css';

/** Checks everything needed for signing; problems come first, with their repair. */
export function DoctorPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { checks, wrong, error, again } = useFindings();
  const headline = useHeadline({ checks, wrong });
  const fine = checks?.filter(({ outcome }) => outcome === 'ok') ?? [];
  return (
    <>
      <PageHeader
        title={t('doctor.title')}
        subtitle={t('doctor.subtitle')}
        actions={
          <>
            <Button variant="default" leftSection={<RefreshCw size={18} aria-hidden />} onClick={again}>
              {t('doctor.again')}
            </Button>
            {checks === null ? null : <SaveButton checks={checks} />}
          </>
        }
      />
      <Stack gap="lg">
        {error === null ? null : <Notice kind="error">{errorText(error)}</Notice>}
        <Verdict headline={headline} />
        {wrong.length === 0 ? null : <CheckList title={t('doctor.attention')} checks={wrong} again={again} />}
        <SitesWatch />
        {fine.length === 0 ? null : <CheckList title={t('doctor.fine')} checks={fine} again={again} />}
        {checks === null && error === null ? <RowsPlaceholder /> : null}
        <Text size="sm" c="dimmed">
          {t('doctor.exportText')}
        </Text>
      </Stack>
    </>
  );
}

interface CheckListProps {
  readonly title: string;
  readonly checks: readonly CheckView[];
  readonly again: () => void;
}

function CheckList({ title, checks, again }: CheckListProps) {
  return (
    <Section title={title} flush>
      <Rows label={title}>
        {checks.map((check) => (
          <FindingRow key={check.id} check={check} again={again} />
        ))}
      </Rows>
    </Section>
  );
}

function Verdict({ headline }: { readonly headline: Headline | null }) {
  const { t } = useTranslation();
  const Icon = headline?.worst === 'ok' ? ShieldCheck : HeartPulse;
  return (
    <div role="status" className={classes.verdict} data-good={headline?.worst !== 'problem'}>
      <Icon size={32} aria-hidden />
      <div>
        <Text fw={650} size="lg">
          {headline?.first ?? t('doctor.checking')}
        </Text>
        {headline === null || headline.second === null ? null : (
          <Text size="sm" c="dimmed">
            {headline.second}
          </Text>
        )}
      </div>
    </div>
  );
}

function SaveButton({ checks }: { readonly checks: readonly CheckView[] }) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const version = useQuery('home.read', {}).value?.version ?? null;
  const save = (): void => {
    const name = `sinete-doctor-${new Date().toISOString().slice(0, 10)}.json`;
    const text = writeDiagnostics({ checks, version, browser: navigator.userAgent, at: new Date() });
    saveFile(name, new Blob([text], { type: 'application/json' }));
    toasts.done(t('doctor.exported', { name }));
  };
  return (
    <Button variant="default" leftSection={<FileDown size={18} aria-hidden />} onClick={save}>
      {t('doctor.export')}
    </Button>
  );
}

/** Facts for support. */
interface Diagnostics {
  readonly checks: readonly CheckView[];
  readonly version: string | null;
  /** The browser's user agent: its version and the operating system. */
  readonly browser: string;
  readonly at: Date;
}

/**
 * Diagnostics without personal data: only kinds and outcomes. The core's sentences are left out, because they may
 * contain names, paths and addresses.
 */
function writeDiagnostics({ checks, version, browser, at }: Diagnostics): string {
  const told = checks.map(({ finding, outcome }) => ({ check: finding, outcome }));
  return `${JSON.stringify({ product: 'Sinete', version, browser, at: at.toISOString(), checks: told }, null, 2)}\n`;
}
