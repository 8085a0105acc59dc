import { Text, Title } from '@mantine/core';
import { FileBadge, FlaskConical, Usb, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddModuleDialog } from '../certificates/add-module-dialog.tsx';
import { ImportDialog } from '../certificates/import-dialog.tsx';
import { TestIdentityDialog } from '../certificates/test-identity-dialog.tsx';
import classes from './home.module.css';

type Way = 'import' | 'token' | 'test';

const ways: readonly { readonly way: Way; readonly icon: LucideIcon }[] = [
  { way: 'import', icon: FileBadge },
  { way: 'token', icon: Usb },
  { way: 'test', icon: FlaskConical },
];

/** The first steps, while there is no certificate. */
export function Welcome() {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Way | null>(null);
  const close = (): void => setChosen(null);
  return (
    <section className={classes.welcome} aria-labelledby="welcome">
      <Title order={2} id="welcome" size="h3">
        {t('home.firstTitle')}
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        {t('home.firstText')}
      </Text>
      <div className={classes.ways}>
        {ways.map(({ way, icon: Icon }) => (
          <button key={way} type="button" className={classes.way} onClick={() => setChosen(way)}>
            <Icon size={26} aria-hidden />
            <span className={classes.wayTitle}>{t(`home.${way}Title`)}</span>
            <span className={classes.wayText}>{t(`home.${way}Text`)}</span>
          </button>
        ))}
      </div>
      {chosen === 'import' ? <ImportDialog onClose={close} /> : null}
      {chosen === 'token' ? <AddModuleDialog onClose={close} /> : null}
      {chosen === 'test' ? <TestIdentityDialog onClose={close} /> : null}
    </section>
  );
}
