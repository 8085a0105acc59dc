import { Button, Group, Text } from '@mantine/core';
import { ArrowLeft, FileText, IdCard, PenLine } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError, CertificateView, UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import { Mark } from '../../components/status.tsx';
import { TransactionStatus } from '../../components/transaction-status.tsx';
import { Validity } from '../../components/validity.tsx';
import { useCore } from '../../data/core-context.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { noteFirstRun } from '../../data/first-run-progress.ts';
import { StepCard } from './step-card.tsx';
import classes from './first-run.module.css';

interface TryStepProps {
  readonly certificate: CertificateView;
  /** The transaction of the sample; null before it exists. */
  readonly transaction: UiTransaction | null;
  readonly onBack: () => void;
}

/** Signs a sample document: requested and approved like any other. */
export function TryStep({ certificate, transaction, onBack }: TryStepProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { busy, error, sign } = useSample(certificate.alias);
  const waits = transaction?.status === 'WAITING';
  const failure = transaction?.documents.find((document) => document.error !== null)?.error;
  return (
    <StepCard title={t('firstRun.try.title')} text={t('firstRun.try.text')}>
      <SampleAndCertificate certificate={certificate} />
      <div role="status" className={classes.outcome}>
        {waits ? <TransactionStatus transaction={transaction} /> : null}
        {error !== null ? <Notice kind="error">{errorText(error)}</Notice> : null}
        {failure === undefined || failure === null || busy ? null : (
          <Notice kind="error" title={t('firstRun.try.failed')}>
            {errorText(failure)}
          </Notice>
        )}
      </div>
      <Group gap="sm">
        <Button
          leftSection={<PenLine size={18} aria-hidden />}
          loading={busy}
          disabled={waits}
          onClick={() => void sign()}
        >
          {failure === undefined ? t('firstRun.try.submit') : t('common.retry')}
        </Button>
        <Button variant="subtle" leftSection={<ArrowLeft size={18} aria-hidden />} onClick={onBack}>
          {t('firstRun.otherKey')}
        </Button>
      </Group>
    </StepCard>
  );
}

/** The document that is signed, and the certificate that signs. */
function SampleAndCertificate({ certificate }: { readonly certificate: CertificateView }) {
  const { t } = useTranslation();
  return (
    <div className={classes.pair}>
      <div className={classes.thing}>
        <FileText size={26} aria-hidden />
        <div>
          <Text fw={600}>{t('firstRun.sample.fileName')}</Text>
          <Text size="sm" c="dimmed">
            {t('firstRun.try.sample')}
          </Text>
        </div>
      </div>
      <div className={classes.thing}>
        <IdCard size={26} aria-hidden />
        <div>
          <Text fw={600}>{certificate.holder}</Text>
          <Text size="sm" c="dimmed" mb={6}>
            {certificate.issuer}
          </Text>
          <Group gap={6}>
            <Validity certificate={certificate} />
            {certificate.isTest ? (
              <Mark tone="warning" icon="test">
                {t('certificates.test')}
              </Mark>
            ) : null}
          </Group>
        </div>
      </div>
    </div>
  );
}

function useSample(alias: string) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const send = async (): Promise<CallError | null> => {
    const fileName = t('firstRun.sample.fileName');
    const lines = [t('firstRun.sample.first'), t('firstRun.sample.second')];
    const file = sampleDocument({ fileName, title: t('firstRun.sample.title'), lines });
    const files = [{ name: fileName }];
    const created = await bridge.call('sign.create', { type: 'PAdES', alias, digest: 'sha256', files });
    if (!created.ok) return created.error;
    const { tcn } = created.value;
    const sent = await bridge.sendDocument(tcn, file, true, () => undefined, new AbortController().signal);
    if (!sent.ok) return sent.error;
    noteFirstRun({ tcn });
    return null;
  };
  const sign = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    setError(await send());
    setBusy(false);
  };
  return { busy, error, sign };
}

/** The text of the page. */
interface SampleText {
  readonly fileName: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * A PDF with a single page for a test signature (ISO 32000-1 §7.5), created here so that nothing needs to be fetched.
 */
function sampleDocument({ fileName, title, lines }: SampleText): File {
  const written = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n');
  const content = `BT /F1 22 Tf 72 740 Td (${escaped(title)}) Tj /F1 12 Tf 18 TL 0 -40 Td\n${written}\nET`;
  const text = withCrossReferences([
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources <</Font <</F1 4 0 R>>>> /Contents 5 0 R>>',
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ]);
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new File([bytes], fileName, { type: 'application/pdf' });
}

/** A literal string: special characters escaped, and characters outside of Latin-1 left out. */
function escaped(text: string): string {
  return text.replaceAll(/[^\u0020-\u00ff]/g, '?').replaceAll(/[\\()]/g, '\\$&');
}

/** Adds header and cross-reference table to the objects, numbered from 1; each character is a byte. */
function withCrossReferences(objects: readonly string[]): string {
  let file = '%PDF-1.7\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = file.length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size} /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
}
