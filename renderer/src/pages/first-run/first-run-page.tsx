import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView, UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHeader, RowsPlaceholder } from '../../components/page.tsx';
import { useQuery } from '../../data/core-context.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { goTo } from '../../route.ts';
import { DoneStep } from './done-step.tsx';
import { noteFirstRun, useFirstRunProgress } from '../../data/first-run-progress.ts';
import { KeyStep } from './key-step.tsx';
import { StepList, type StepName } from './step-list.tsx';
import { TryStep } from './try-step.tsx';

/** The first steps: making or finding a key, a test signature, and its validation. */
export function FirstRunPage() {
  const { t } = useTranslation();
  const { tcn } = useFirstRunProgress();
  const errorText = useErrorText();
  const certificates = useQuery('certificates.list', {});
  const [choice, setChoice] = useState<Choice>({ kind: 'newest', known: new Set() });
  const [isDone, setDone] = useState(false);
  // Leaving the page in any way ends the first steps: Home does not open them again by itself.
  useEffect(() => () => noteFirstRun({ left: true }), []);
  const leave = (): void => {
    noteFirstRun({ left: true });
    goTo('home');
  };
  // The last step has a button of its own to leave by.
  const actions = isDone ? undefined : (
    <Button variant="default" onClick={leave}>
      {t('firstRun.leave')}
    </Button>
  );
  const common = { choice, onChoice: setChoice, onDone: setDone, onLeave: leave };
  return (
    <>
      <PageHeader title={t('firstRun.title')} subtitle={t('firstRun.subtitle')} actions={actions} />
      {certificates.value === null ? (
        certificates.error === null ? (
          <RowsPlaceholder />
        ) : (
          <Notice kind="error">{errorText(certificates.error)}</Notice>
        )
      ) : tcn === null ? (
        <Steps {...common} certificates={certificates.value} transaction={null} />
      ) : (
        <StepsOfTransaction {...common} tcn={tcn} certificates={certificates.value} />
      )}
    </>
  );
}

interface StepsProps {
  readonly certificates: readonly CertificateView[];
  /** The sample's transaction; null before it exists, and when it is no longer known. */
  readonly transaction: UiTransaction | null;
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
  /** Called with true at the last step. */
  readonly onDone: (isDone: boolean) => void;
  readonly onLeave: () => void;
}

function StepsOfTransaction({ tcn, ...rest }: Omit<StepsProps, 'transaction'> & { readonly tcn: string }) {
  const transaction = useQuery('transactions.read', { tcn });
  if (transaction.value === null && transaction.error === null) return <RowsPlaceholder />;
  return <Steps {...rest} transaction={transaction.value} />;
}

function Steps({ certificates, transaction, choice, onChoice, onDone, onLeave }: StepsProps) {
  const running = certificates.find(({ alias }) => alias === transaction?.certificateAlias);
  const certificate = running ?? chosenOf(certificates, choice);
  const signed = transaction?.status === 'SIGNED' ? transaction : null;
  const step: StepName = signed !== null ? 'done' : certificate === null ? 'key' : 'try';
  useEffect(() => onDone(step === 'done'), [onDone, step]);
  const toKeys = (): void => {
    noteFirstRun({ tcn: null });
    onChoice({ kind: 'newest', known: new Set(certificates.map(({ fingerprint }) => fingerprint)) });
  };
  return (
    <>
      <StepList step={step} />
      {signed !== null ? (
        <DoneStep transaction={signed} onAgain={() => noteFirstRun({ tcn: null })} onFinish={onLeave} />
      ) : certificate === null ? (
        <KeyStep certificates={certificates} onUse={(alias) => onChoice({ kind: 'chosen', alias })} />
      ) : (
        <TryStep certificate={certificate} transaction={transaction} onBack={toKeys} />
      )}
    </>
  );
}

/** A certificate chosen by the user, or the first file imported during this step. */
type Choice =
  | { readonly kind: 'chosen'; readonly alias: string }
  | { readonly kind: 'newest'; readonly known: ReadonlySet<string> };

function chosenOf(certificates: readonly CertificateView[], choice: Choice): CertificateView | null {
  if (choice.kind === 'chosen') return certificates.find(({ alias }) => alias === choice.alias) ?? null;
  const fresh = certificates.filter(
    ({ source, validity, fingerprint }) => source === 'file' && validity === 'valid' && !choice.known.has(fingerprint),
  );
  return fresh.find(({ isDefault }) => isDefault) ?? fresh[0] ?? null;
}
