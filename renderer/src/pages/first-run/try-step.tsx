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
import classes from './first-run.module.css';
import { sampleDocument } from './sample-document.ts';
import { StepCard } from './step-card.tsx';

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
