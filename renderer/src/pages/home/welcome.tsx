import { Button, Text, Title } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { hrefOf } from '../../route.ts';
import classes from './home.module.css';

/** The way back to the first steps, while there is no certificate. */
export function Welcome() {
  const { t } = useTranslation();
  return (
    <section className={classes.welcome} aria-labelledby="welcome">
      <Title order={2} id="welcome" size="h3">
        {t('home.firstTitle')}
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        {t('home.firstText')}
      </Text>
      <Button component="a" href={hrefOf('first-run')} rightSection={<ArrowRight size={18} aria-hidden />}>
        {t('firstRun.resume')}
      </Button>
    </section>
  );
}
