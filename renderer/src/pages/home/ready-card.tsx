import { Button, Group, Text, Title } from '@mantine/core';
import { IdCard } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import { Mark } from '../../components/status.tsx';
import { Validity } from '../../components/validity.tsx';
import { useQuery } from '../../data/core-context.ts';
import { hrefOf } from '../../route.ts';
import classes from './home.module.css';

/** The certificate that signs by default. */
export function ReadyCard({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const certificates = useQuery('certificates.list', {});
  const chosen = certificates.value?.find((certificate) => certificate.isDefault) ?? null;
  return (
    <section className={classes.ready} aria-labelledby="ready">
      <div>
        <Title order={2} id="ready" size="h3">
          {t('home.ready')}
        </Title>
        <Text size="sm" c="dimmed" mt={4}>
          {chosen === null && certificates.value !== null ? t('home.noDefault') : t('home.readyDetail', { count })}
        </Text>
      </div>
      {chosen === null ? null : (
        <div className={classes.identity}>
          <IdCard size={28} aria-hidden />
          <div className={classes.identityText}>
            <Text fw={600} className={classes.wrap}>
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
                <Mark tone="neutral" icon="pin">
                  {t('certificates.locked')}
                </Mark>
              ) : null}
            </Group>
          </div>
        </div>
      )}
      <Button component="a" href={hrefOf('certificates')} variant="default" className={classes.toCertificates}>
        {t('home.seeCertificates')}
      </Button>
    </section>
  );
}
