import { Button } from '@mantine/core';
import { ArrowLeft, FileBadge, FlaskConical, Usb, type IconComponent } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { ImportDialog } from '../../keys/import-dialog.tsx';
import { TestIdentityDialog } from '../../keys/test-identity-dialog.tsx';
import classes from './first-run.module.css';
import { StepCard } from './step-card.tsx';
import { TokenWay } from './token-way.tsx';

/** A way to a key. */
type Way = 'token' | 'import' | 'test';

const ways: readonly { readonly way: Way; readonly icon: IconComponent }[] = [
  { way: 'import', icon: FileBadge },
  { way: 'token', icon: Usb },
  { way: 'test', icon: FlaskConical },
];

interface KeyStepProps {
  readonly certificates: readonly CertificateView[];
  readonly onUse: (alias: string) => void;
}

/**
 * Offers three ways to a key: import, token, or a test certificate. After an import the next step follows
 * automatically.
 */
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

/** The ways to a key, for a choice. */
function Ways({ onChoose }: { readonly onChoose: (way: Way) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.ways}>
      {ways.map(({ way, icon: Icon }) => (
        <button key={way} type="button" className={classes.way} onClick={() => onChoose(way)}>
          <Icon size={26} aria-hidden />
          <span className={classes.wayTitle}>{t(`home.${way}Title`)}</span>
          <span className={classes.wayText}>{t(`home.${way}Text`)}</span>
        </button>
      ))}
    </div>
  );
}
