import { Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CertificateDetails, CertificateInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { maskEveryNumber } from '../../../../src/text/taxpayer-number.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { SidePanel } from '../../components/dialogs/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Field, Fields, RowsPlaceholder } from '../../components/page.tsx';
import { Part } from '../../components/part.tsx';
import { Mark } from '../../components/status.tsx';
import { Validity } from '../../components/validity.tsx';
import { useQuery } from '../../data/core-context.ts';
import { formatDay, formatInstant, groupHex } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import classes from './certificates.module.css';
import { ChainTree } from './chain-tree.tsx';
import { HolderFields, IdentifierFields, PolicyPart, SourcesPart } from './described-parts.tsx';
import { InspectionPart } from './inspection-part.tsx';

/** All facts of a certificate. */
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
  const errorText = useErrorText();
  const answer = useQuery('certificates.inspect', { alias: details.alias });
  const inspection = answer.value?.[0] ?? null;
  const knownChain = [{ ...details, name: details.holder }, ...details.chain];
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
      <Part title={t('certificates.inspection.title')}>
        {inspection !== null ? (
          <InspectionPart inspection={inspection} />
        ) : answer.error !== null ? (
          <Notice kind="error">{errorText(answer.error)}</Notice>
        ) : (
          <RowsPlaceholder />
        )}
      </Part>
      <HolderPart details={details} inspection={inspection} />
      <Part title={t('certificates.drawer.chain')}>
        <ChainTree chain={inspection?.chain ?? knownChain} />
      </Part>
      {inspection === null ? null : <PolicyPart certificate={inspection.certificate} />}
      <KeyPart details={details} />
      {inspection === null ? null : <SourcesPart certificate={inspection.certificate} />}
      <Part title={t('certificates.drawer.subject')}>
        <Name name={details.subject} />
      </Part>
      <Part title={t('certificates.drawer.issuer')}>
        <Name name={details.issuerName} />
      </Part>
      <IdentificationPart details={details} inspection={inspection} />
      <div>
        <CopyButton text={details.pem} name={t('certificates.drawer.pem')} label={t('certificates.drawer.copyPem')} />
      </div>
    </Stack>
  );
}

interface DetailPartProps {
  readonly details: CertificateDetails;
  /** Null during the inspection. */
  readonly inspection: CertificateInspection | null;
}

function HolderPart({ details, inspection }: DetailPartProps) {
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
        {inspection === null ? null : <HolderFields certificate={inspection.certificate} />}
        <Field name={t('certificates.drawer.notBefore')}>{formatInstant(details.notBefore, i18n.language)}</Field>
        <Field name={t('certificates.drawer.notAfter')}>{formatInstant(details.notAfter, i18n.language)}</Field>
        <Field name={t('certificates.drawer.source')}>
          {details.token === null ? t('certificates.file') : t('certificates.token', { label: details.token.label })}
        </Field>
      </Fields>
    </Part>
  );
}

/** A date without a time has no zone; parsing it as local time avoids a shift to the previous day. */
function dayOf(date: string, language: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? formatDay(`${date}T12:00:00`, language) : date;
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

function IdentificationPart({ details, inspection }: DetailPartProps) {
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
        {inspection === null ? null : <IdentifierFields certificate={inspection.certificate} />}
        <Field name={t('certificates.drawer.alias')}>
          <code className={classes.hex}>{maskEveryNumber(details.alias)}</code>
          <CopyButton text={details.alias} name={t('certificates.drawer.alias')} />
        </Field>
      </Fields>
    </Part>
  );
}
