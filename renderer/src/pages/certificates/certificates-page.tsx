import { Button, FileButton, Stack, Text } from '@mantine/core';
import { FileBadge, FileSearch, FlaskConical, Usb } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import { Empty, PageHeader, Rows, RowsPlaceholder, Section } from '../../components/page.tsx';
import { useQuery } from '../../data/core-context.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { AddModuleDialog } from '../../keys/add-module-dialog.tsx';
import { CertificateRow } from './certificate-row.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { FilePanel } from './file-panel.tsx';
import { ImportDialog } from '../../keys/import-dialog.tsx';
import { ModulesCard } from './modules-card.tsx';
import { TestIdentityDialog } from '../../keys/test-identity-dialog.tsx';

type OpenDialog = 'import' | 'module' | 'test' | null;

/** The certificates of this computer, and the drivers of tokens. */
export function CertificatesPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [described, setDescribed] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const close = (): void => setDialog(null);
  return (
    <>
      <PageHeader
        title={t('certificates.title')}
        subtitle={t('certificates.subtitle')}
        actions={
          <>
            <Button leftSection={<FileBadge size={18} aria-hidden />} onClick={() => setDialog('import')}>
              {t('certificates.import')}
            </Button>
            <Button
              variant="default"
              leftSection={<FlaskConical size={18} aria-hidden />}
              onClick={() => setDialog('test')}
            >
              {t('certificates.makeTest')}
            </Button>
            <FileButton
              accept=".cer,.crt,.pem,.der,.p7b,.p7c"
              onChange={setFile}
              inputProps={{ 'aria-label': t('certificates.filePanel.open') }}
            >
              {(props) => (
                <Button {...props} variant="default" leftSection={<FileSearch size={18} aria-hidden />}>
                  {t('certificates.filePanel.open')}
                </Button>
              )}
            </FileButton>
          </>
        }
      />
      <Stack gap="lg">
        <CertificateList onDescribe={setDescribed} />
        <ModulesCard
          add={
            <Button
              variant="default"
              size="xs"
              leftSection={<Usb size={16} aria-hidden />}
              onClick={() => setDialog('module')}
            >
              {t('certificates.addDriver')}
            </Button>
          }
        />
      </Stack>
      {dialog === 'import' ? <ImportDialog onClose={close} /> : null}
      {dialog === 'module' ? <AddModuleDialog onClose={close} /> : null}
      {dialog === 'test' ? <TestIdentityDialog onClose={close} /> : null}
      {file === null ? null : <FilePanel file={file} onClose={() => setFile(null)} />}
      {described === null ? null : <DetailsPanel alias={described} onClose={() => setDescribed(null)} />}
    </>
  );
}

function CertificateList({ onDescribe }: { readonly onDescribe: (alias: string) => void }) {
  const { t } = useTranslation();
  const certificates = useQuery('certificates.list', {});
  const errorText = useErrorText();
  const list = certificates.value;
  return (
    <Section title={t('certificates.list')} flush>
      {list === null && certificates.error !== null ? (
        <Notice kind="error">{errorText(certificates.error)}</Notice>
      ) : null}
      {list === null && certificates.error === null ? <RowsPlaceholder /> : null}
      {list?.length === 0 ? (
        <Empty>
          <Text fw={600} c="var(--mantine-color-text)">
            {t('certificates.none')}
          </Text>
          {t('certificates.noneText')}
        </Empty>
      ) : null}
      {list === null || list.length === 0 ? null : (
        <Rows>
          {list.map((certificate) => (
            <CertificateRow
              key={certificate.alias}
              certificate={certificate}
              onDescribe={() => onDescribe(certificate.alias)}
            />
          ))}
        </Rows>
      )}
    </Section>
  );
}
