import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateDetails } from '../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { SidePanel } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { Field, Fields, RowsPlaceholder } from '../components/page.tsx';
import { Mark } from '../components/status.tsx';
import { Validity } from '../components/validity.tsx';
import { useQuery } from '../data/core-context.ts';
import { formatDay, formatInstant, groupHex } from '../format/format.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './certificates.module.css';

/** Everything that is known of a certificate. */
export function DetailsPanel({ alias, onClose }: { readonly alias: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const details = useQuery('certificates.describe', { alias });
  const errorText = useErrorText();
  return (
    <SidePanel title={details.value?.holder ?? t('certificates.details')} onClose={onClose}>
      {details.value === null ? (
        details.error === null ? (
          <RowsPlaceholder />
        ) : (
          <Notice kind="error">{errorText(details.error)}</Notice>
        )
      ) : (
        <Details details={details.value} />
      )}
    </SidePanel>
  );
}

function Details({ details }: { readonly details: CertificateDetails }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xl">
      <Group gap={6}>
        <Validity certificate={details} />
        {details.isDefault ? (
          <Mark tone="accent" icon="star">
            {t('certificates.default')}
          </Mark>
        ) : null}
        {details.isTest ? (
          <Mark tone="warning" icon="test">
            {t('certificates.test')}
          </Mark>
        ) : null}
      </Group>
      <HolderPart details={details} />
      <Part title={t('certificates.drawer.chain')}>
        <Chain chain={details.chain} />
      </Part>
      <KeyPart details={details} />
      <Part title={t('certificates.drawer.subject')}>
        <Name name={details.subject} />
      </Part>
      <Part title={t('certificates.drawer.issuer')}>
        <Name name={details.issuerName} />
      </Part>
      <IdentificationPart details={details} />
      <div>
        <CopyButton text={details.pem} name={t('certificates.drawer.pem')} label={t('certificates.drawer.copyPem')} />
      </div>
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <Title order={3} size="sm" mb="xs">
        {title}
      </Title>
      {children}
    </div>
  );
}

function HolderPart({ details }: { readonly details: CertificateDetails }) {
  const { t, i18n } = useTranslation();
  return (
    <Part title={t('certificates.drawer.holder')}>
      <Fields>
        <Field name={t('certificates.drawer.name')}>{details.holder}</Field>
        {details.taxpayerNumber === null ? null : (
          <Field name={t('certificates.drawer.taxpayer')}>{details.taxpayerNumber}</Field>
        )}
        {details.birthDate === null ? null : (
          <Field name={t('certificates.drawer.birthDate')}>{dayOf(details.birthDate, i18n.language)}</Field>
        )}
        {details.email === null ? null : <Field name={t('certificates.drawer.email')}>{details.email}</Field>}
        <Field name={t('certificates.drawer.notBefore')}>{formatInstant(details.notBefore, i18n.language)}</Field>
        <Field name={t('certificates.drawer.notAfter')}>{formatInstant(details.notAfter, i18n.language)}</Field>
        <Field name={t('certificates.drawer.source')}>
          {details.token === null ? t('certificates.file') : t('certificates.token', { label: details.token.label })}
        </Field>
      </Fields>
    </Part>
  );
}

/** A day without time has no zone: it is read as local, so that it does not move to the day before. */
function dayOf(date: string, language: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? formatDay(`${date}T12:00:00`, language) : date;
}

function Chain({ chain }: { readonly chain: CertificateDetails['chain'] }) {
  const { t, i18n } = useTranslation();
  if (chain.length === 0) return <>{t('certificates.drawer.chainNone')}</>;
  return (
    <ol className={classes.chain}>
      {chain.map((link) => (
        <li key={link.fingerprint}>
          <span className={classes.wrap}>{link.name}</span>
          <span className={classes.chainUntil}>
            {t('certificates.until', { day: formatDay(link.notAfter, i18n.language) })}
          </span>
        </li>
      ))}
    </ol>
  );
}

function KeyPart({ details }: { readonly details: CertificateDetails }) {
  const { t } = useTranslation();
  const bits = details.publicKeyBits;
  return (
    <Part title={t('certificates.drawer.key')}>
      <Fields>
        <Field name={t('certificates.drawer.algorithm')}>
          {details.keyAlgorithm}
          {bits === null ? '' : `, ${t('certificates.drawer.bits', { count: bits })}`}
        </Field>
        <Field name={t('certificates.drawer.signatureAlgorithm')}>{details.signatureAlgorithm}</Field>
        <Field name={t('certificates.drawer.keyUsage')}>{details.keyUsage.join(', ')}</Field>
        <Field name={t('certificates.drawer.extendedKeyUsage')}>{details.extendedKeyUsage.join(', ')}</Field>
      </Fields>
    </Part>
  );
}

function Name({ name }: { readonly name: CertificateDetails['subject'] }) {
  return (
    <Fields>
      {name.map((part, index) => (
        <Field key={`${part.type} ${index}`} name={part.type}>
          {part.value}
        </Field>
      ))}
    </Fields>
  );
}

function IdentificationPart({ details }: { readonly details: CertificateDetails }) {
  const { t } = useTranslation();
  return (
    <Part title={t('certificates.drawer.identification')}>
      <Fields>
        <Field name={t('certificates.drawer.serial')}>
          <code className={classes.hex}>{groupHex(details.serialNumberHex)}</code>
        </Field>
        <Field name={t('certificates.drawer.fingerprint')}>
          <code className={classes.hex}>{groupHex(details.fingerprint)}</code>
        </Field>
        <Field name={t('certificates.drawer.alias')}>
          <code className={classes.hex}>{details.alias}</code>
        </Field>
      </Fields>
    </Part>
  );
}
