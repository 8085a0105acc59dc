import { Button, Group, Text } from '@mantine/core';
import { PenLine, RotateCcw } from '../../components/icons/index.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult, UiTransaction, ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder } from '../../components/page.tsx';
import { ResultActions } from '../../components/result-actions.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import type { Language } from '../../i18n/i18n.ts';
import { hrefOf } from '../../route.ts';
import { Light } from '../../components/light.tsx';
import classes from './first-run.module.css';
import { StepCard } from './step-card.tsx';

interface DoneStepProps {
  readonly transaction: UiTransaction;
  readonly onAgain: () => void;
  readonly onFinish: () => void;
}

/** The validation of the sample, and the next steps. */
export function DoneStep({ transaction, onAgain, onFinish }: DoneStepProps) {
  const { t } = useTranslation();
  const [document] = transaction.documents;
  return (
    <StepCard title={t('firstRun.done.title')} text={t('firstRun.done.text')}>
      {document === undefined ? null : (
        <div className={classes.result}>
          <Verdict transaction={transaction} documentId={document.id} />
          <Group justify="space-between" className={classes.file}>
            <Text fw={600}>{document.resultName ?? document.name}</Text>
            <ResultActions tcn={transaction.tcn} document={document} />
          </Group>
        </div>
      )}
      <Group gap="sm" mt="lg">
        <Button onClick={onFinish}>{t('firstRun.done.finish')}</Button>
        <Button component="a" href={hrefOf('sign')} variant="default" leftSection={<PenLine size={18} aria-hidden />}>
          {t('home.signNow')}
        </Button>
        <Button variant="subtle" leftSection={<RotateCcw size={18} aria-hidden />} onClick={onAgain}>
          {t('firstRun.done.again')}
        </Button>
      </Group>
    </StepCard>
  );
}

function Verdict({ transaction, documentId }: { readonly transaction: UiTransaction; readonly documentId: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const answer = useValidation(transaction, documentId);
  if (answer === null) return <RowsPlaceholder />;
  if (!answer.ok) return <Notice kind="error">{errorText(answer.error)}</Notice>;
  const { report } = answer.value;
  const [signature] = report.signatures;
  const hints = signature?.checks.filter(({ outcome, remedy }) => outcome === 'unknown' && remedy !== null) ?? [];
  return (
    <div role="status">
      <div className={classes.verdict}>
        <Light indication={report.indication} size="large" />
        <div>
          <Text fw={650} size="lg">
            {report.verdict}
          </Text>
          <Text size="sm">{report.sentence}</Text>
          {signature?.holder === null || signature === undefined ? null : (
            <Text size="sm" c="dimmed">
              {t('firstRun.done.signedBy', { name: signature.holder })}
            </Text>
          )}
        </div>
      </div>
      {hints[0] === undefined ? null : <Notice kind="information">{hints[0].remedy}</Notice>}
    </div>
  );
}

/** Validates once the certificate is known, and again when the language changes. */
function useValidation({ tcn, certificateAlias }: UiTransaction, documentId: string): Answer | null {
  const { bridge } = useCore();
  const { i18n } = useTranslation();
  const certificates = useQuery('certificates.list', {});
  const [answer, setAnswer] = useState<Answer | null>(null);
  const language: Language = i18n.language === 'pt-BR' ? 'pt-BR' : 'en';
  const isTest = certificates.value?.find(({ alias }) => alias === certificateAlias)?.isTest;
  const isKnown = certificates.value !== null;
  useEffect(() => {
    if (!isKnown) return;
    let isCurrent = true;
    void validate(bridge, { tcn, documentId, language, isTest: isTest === true }).then((result) => {
      if (isCurrent) setAnswer(result);
    });
    return () => {
      isCurrent = false;
    };
  }, [bridge, tcn, documentId, language, isTest, isKnown]);
  return answer;
}

type Answer = CallResult<ValidationView>;

interface Wanted {
  readonly tcn: string;
  readonly documentId: string;
  readonly language: Language;
  readonly isTest: boolean;
}

/**
 * The revocation lists of test identities are only served while the test services run; the services stop by themselves.
 */
async function validate(bridge: Bridge, { tcn, documentId, language, isTest }: Wanted): Promise<Answer> {
  if (isTest) await bridge.call('testServices.run', {});
  return bridge.call('validation.run', { signature: { result: { tcn, documentId } }, language });
}
