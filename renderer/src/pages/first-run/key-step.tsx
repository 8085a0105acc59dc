import { Button } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { ImportDialog } from '../../keys/import-dialog.tsx';
import { TestIdentityDialog } from '../../keys/test-identity-dialog.tsx';
import { StepCard } from './step-card.tsx';
import { TokenWay } from './token-way.tsx';
import { Ways, type Way } from './ways.tsx';

interface KeyStepProps {
  readonly certificates: readonly CertificateView[];
  readonly onUse: (alias: string) => void;
}

/** A key is imported, found in a token, or made for a try. An imported file continues by itself. */
export function KeyStep({ certificates, onUse }: KeyStepProps) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way | null>(null);
  const back = (): void => setWay(null);
  if (way === 'token') {
    return (
      <StepCard title={t('firstRun.token.title')} text={t('firstRun.token.text')}>
        <TokenWay certificates={certificates.filter(({ source }) => source === 'token')} onUse={onUse} />
        <Button mt="md" variant="subtle" leftSection={<ArrowLeft size={18} aria-hidden />} onClick={back}>
          {t('firstRun.otherWay')}
        </Button>
      </StepCard>
    );
  }
  return (
    <StepCard title={t('home.firstTitle')} text={t('home.firstText')} announced={false}>
      <Ways onChoose={setWay} />
      {way === 'import' ? <ImportDialog onClose={back} /> : null}
      {way === 'test' ? <TestIdentityDialog onClose={back} /> : null}
    </StepCard>
  );
}
