import { Group, Stack, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult, CertificateInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { SidePanel } from '../../components/dialogs/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Field, Fields, RowsPlaceholder } from '../../components/page.tsx';
import { Part } from '../../components/part.tsx';
import { Mark } from '../../components/status.tsx';
import { useCore } from '../../data/core-context.ts';
import { formatInstant, groupHex } from '../../format/format.ts';
import { readBase64 } from '../../format/read-base64.ts';
import { maskTaxpayerNumber } from '../../../../src/text/taxpayer-number.ts';
import { withoutNumber } from '../../format/without-number.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import classes from './certificates.module.css';
import { ChainTree } from './chain-tree.tsx';
import { HolderFields, IdentifierFields, PolicyPart, SourcesPart } from './described-parts.tsx';
import { InspectionPart } from './inspection-part.tsx';

interface FilePanelProps {
  readonly file: File;
  readonly onClose: () => void;
}

/** The certificates in a received file, with contents and state of each. Nothing is imported. */
export function FilePanel({ file, onClose }: FilePanelProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const answer = useInspection(file);
  return (
    <SidePanel title={file.name} onClose={onClose}>
      {answer === null ? (
        <RowsPlaceholder />
      ) : answer.ok ? (
        <Stack gap="xl">
          {answer.value.map((inspection) => (
            <Inspected key={inspection.certificate.fingerprint_sha256} inspection={inspection} />
          ))}
        </Stack>
      ) : (
        <Notice kind="error" alert>
          {answer.error.code === 'CERTIFICATE_NOT_VALID' ? t('certificates.filePanel.none') : errorText(answer.error)}
        </Notice>
      )}
    </SidePanel>
  );
}

type Answer = CallResult<readonly CertificateInspection[]>;

function useInspection(file: File): Answer | null {
  const { bridge } = useCore();
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<Answer> => {
      const content = await readBase64(file);
      if (content === null) return { ok: false, error: { code: 'DOCUMENT_UNREADABLE', message: '' } };
      return bridge.call('certificates.inspect', { file: content });
    };
    void read().then((result) => {
      if (isCurrent) setAnswer(result);
    });
    return () => {
      isCurrent = false;
    };
  }, [bridge, file]);
  return answer;
}

function Inspected({ inspection }: { readonly inspection: CertificateInspection }) {
  const { t } = useTranslation();
  const { certificate, pem } = inspection;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Title order={2} size="h3" className={classes.wrap}>
          {withoutNumber(certificate.cn)}
        </Title>
        {certificate.basicConstraints.cA ? (
          <Mark tone="accent" icon="star">
            {t('certificates.filePanel.authority')}
          </Mark>
        ) : null}
      </Group>
      <InspectionPart inspection={inspection} />
      <HolderPart inspection={inspection} />
      <Part title={t('certificates.drawer.chain')}>
        <ChainTree chain={inspection.chain} />
      </Part>
      <PolicyPart certificate={certificate} />
      <KeyPart inspection={inspection} />
      <SourcesPart certificate={certificate} />
      <Part title={t('certificates.drawer.identification')}>
        <Fields>
          <Field name={t('certificates.drawer.serial')}>
            <code className={classes.hex}>{groupHex(certificate.serialNumberHex)}</code>
          </Field>
          <Field name={t('certificates.drawer.fingerprint')}>
            <code className={classes.hex}>{groupHex(certificate.fingerprint_sha256)}</code>
          </Field>
          <IdentifierFields certificate={certificate} />
        </Fields>
      </Part>
      <div>
        <CopyButton text={pem} name={t('certificates.drawer.pem')} label={t('certificates.drawer.copyPem')} />
      </div>
    </Stack>
  );
}

function HolderPart({ inspection: { certificate, chain } }: { readonly inspection: CertificateInspection }) {
  const { t, i18n } = useTranslation();
  const { subject, issuer } = certificate;
  const number = subject.cnpj ?? subject.cpf;
  const [own] = chain;
  return (
    <Part title={t('certificates.drawer.holder')}>
      <Fields>
        <Field name={t('certificates.drawer.name')}>{withoutNumber(certificate.cn)}</Field>
        {number === null ? null : <Field name={t('certificates.drawer.taxpayer')}>{maskTaxpayerNumber(number)}</Field>}
        {subject.email === null ? null : <Field name={t('certificates.drawer.email')}>{subject.email}</Field>}
        <HolderFields certificate={certificate} />
        <Field name={t('certificates.drawer.issuer')}>{issuer.cn}</Field>
        {own === undefined ? null : (
          <>
            <Field name={t('certificates.drawer.notBefore')}>{formatInstant(own.notBefore, i18n.language)}</Field>
            <Field name={t('certificates.drawer.notAfter')}>{formatInstant(own.notAfter, i18n.language)}</Field>
          </>
        )}
      </Fields>
    </Part>
  );
}

function KeyPart({ inspection: { certificate } }: { readonly inspection: CertificateInspection }) {
  const { t } = useTranslation();
  const { algorithm, bits } = certificate.publicKey;
  return (
    <Part title={t('certificates.drawer.key')}>
      <Fields>
        <Field name={t('certificates.drawer.algorithm')}>
          {algorithm}
          {bits === null ? '' : `, ${t('certificates.drawer.bits', { count: bits })}`}
        </Field>
        <Field name={t('certificates.drawer.signatureAlgorithm')}>{certificate.signature}</Field>
        {certificate.keyUsage.length === 0 ? null : (
          <Field name={t('certificates.drawer.keyUsage')}>{certificate.keyUsage.join(', ')}</Field>
        )}
        {certificate.extKeyUsage.length === 0 ? null : (
          <Field name={t('certificates.drawer.extendedKeyUsage')}>{certificate.extKeyUsage.join(', ')}</Field>
        )}
      </Fields>
    </Part>
  );
}
