import { Button, Group, Text, Title } from '@mantine/core';
import { IdCard, PenLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Mark } from '../../components/status.tsx';
import { Validity } from '../../components/validity.tsx';
import { useQuery } from '../../data/core-context.ts';
import { hrefOf } from '../../route.ts';
import classes from './home.module.css';

/** The default certificate, with a link to signing. */
export function ReadyCard({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const certificates = useQuery('certificates.list', {});
  const chosen = certificates.value?.find((certificate) => certificate.isDefault) ?? null;
  return (
    <section className={classes.ready} aria-labelledby="ready">
      <div className={classes.readyText}>
        <Title order={2} id="ready" size="h3">
          {t('home.ready')}
        </Title>
        <Text c="dimmed" mt={4}>
          {chosen === null && certificates.value !== null ? t('home.noDefault') : t('home.readyDetail', { count })}
        </Text>
        <Group mt="md" gap="sm">
          <Button component="a" href={hrefOf('sign')} leftSection={<PenLine size={18} aria-hidden />}>
            {t('home.signNow')}
          </Button>
          <Button component="a" href={hrefOf('certificates')} variant="default">
            {t('home.seeCertificates')}
          </Button>
        </Group>
      </div>
      {chosen === null ? null : (
        <div className={classes.identity}>
          <IdCard size={28} aria-hidden />
          <div className={classes.identityText}>
            <Text fw={650} className={classes.wrap}>
              {chosen.holder}
            </Text>
            <Text size="sm" className={classes.wrap}>
              {[chosen.taxpayerNumber, chosen.issuer].filter((text) => text !== null).join(' · ')}
            </Text>
            <Group gap={6} mt={8}>
              <Validity certificate={chosen} />
              {chosen.isTest ? (
                <Mark tone="warning" icon="test">
                  {t('certificates.test')}
                </Mark>
              ) : null}
              {chosen.locked ? (
                <Mark tone="neutral" icon="locked">
                  {t('certificates.locked')}
                </Mark>
              ) : null}
            </Group>
          </div>
        </div>
      )}
    </section>
  );
}
