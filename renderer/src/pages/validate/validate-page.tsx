import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { FilePlus2, ShieldCheck } from '../../components/icons/index.ts';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { CardAction } from '../../components/actions.tsx';
import { DropZone } from '../../components/drop-zone.tsx';
import { FileIcon } from '../../components/file-icon.tsx';
import { Intro } from '../../components/intro.tsx';
import { PageHeader, Rows, Section } from '../../components/page.tsx';
import type { GivenFile } from './given-file.ts';
import { ItemCard } from './item-card.tsx';
import { OfficialNotice } from './official-notice.tsx';
import { useValidateFiles, useValidationDesk } from './use-validation-desk.ts';
import classes from './validate.module.css';
import type { ValidationDeskState, ValidationItem } from './validation-desk.ts';
import { ShownName } from '../../components/text/shown-name.tsx';

function useValidation(): ValidationDeskState {
  const validation = useValidationDesk();
  return useSyncExternalStore(
    (listener) => validation.onChange(listener),
    () => validation.state(),
  );
}

/** Drop files and see their verdicts at once. Results stay during visits to other pages. */
export function ValidatePage() {
  const { t } = useTranslation();
  const validation = useValidationDesk();
  const { items, rest } = useValidation();
  const empty = items.length === 0 && rest.length === 0;
  return (
    <>
      <PageHeader title={t('validate.title')} subtitle={t('validate.subtitle')} />
      <Stack gap="lg">
        <Picker small={!empty} />
        {empty ? <Teaching /> : null}
        {empty ? null : (
          <Group justify="space-between">
            <Text fw={550} role="status">
              <Summary items={items} />
            </Text>
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => validation.clear()}>
              {t('validate.clear')}
            </Button>
          </Group>
        )}
        {rest.length === 0 ? null : <Rest files={rest} />}
        {items.map((item) => (
          <ItemCard key={item.id} item={item} />
        ))}
        <Official items={items} />
      </Stack>
    </>
  );
}

/** The window accepts dropped files anywhere on this page; this text says so, and its button opens the picker. */
function Picker({ small }: { readonly small: boolean }) {
  const { t } = useTranslation();
  const validateFiles = useValidateFiles();
  return (
    <DropZone icon={ShieldCheck} size={small ? 'line' : 'large'} text={t('validate.drop')} or={t('validate.dropOr')}>
      <FileButton
        multiple
        onChange={(files) => void validateFiles(files)}
        inputProps={{ 'aria-label': t('validate.choose') }}
      >
        {(props) => (
          <Button {...props} variant={small ? 'default' : 'filled'} leftSection={<FilePlus2 size={18} aria-hidden />}>
            {t('validate.choose')}
          </Button>
        )}
      </FileButton>
    </DropZone>
  );
}

function Teaching() {
  const { t } = useTranslation();
  return (
    <Section title={t('validate.teachTitle')}>
      <ul className={classes.teaching}>
        <li>{t('validate.teachPdf')}</li>
        <li>{t('validate.teachDetached')}</li>
        <li>{t('validate.teachAttached')}</li>
      </ul>
      <Text size="sm" c="dimmed" mt="sm">
        {t('validate.teachNames')}
      </Text>
    </Section>
  );
}

/** The number of valid files, announced again after each verdict. */
function Summary({ items }: { readonly items: readonly ValidationItem[] }) {
  const { t } = useTranslation();
  const verdicts = items.flatMap(({ progress }) => (progress.kind === 'done' ? [progress.view.report.indication] : []));
  const count = (wanted: (typeof verdicts)[number]): number => verdicts.filter((one) => one === wanted).length;
  if (verdicts.length === 0) return <>{t('validate.results')}</>;
  return (
    <>
      {t('validate.summary', {
        passed: count('TOTAL-PASSED'),
        failed: count('TOTAL-FAILED'),
        unknown: count('INDETERMINATE'),
      })}
    </>
  );
}

/** The official notice, once for all results. */
function Official({ items }: { readonly items: readonly ValidationItem[] }) {
  const [notice] = items.flatMap(({ progress }) => (progress.kind === 'done' ? [progress.view.report.notice] : []));
  return notice === undefined ? null : <OfficialNotice notice={notice} />;
}

function Rest({ files }: { readonly files: readonly GivenFile[] }) {
  const { t } = useTranslation();
  const validation = useValidationDesk();
  return (
    <Section title={t('validate.rest')} flush>
      <Intro>{t('validate.restText')}</Intro>
      <Rows>
        {files.map((file, index) => (
          <li key={`${file.name} ${index}`} className={classes.row}>
            <FileIcon isPdf={file.kind === 'pdf'} />
            <Text className={classes.rowText}>
              <ShownName name={file.name} />
            </Text>
            <CardAction
              name={t('validate.takeAnywayNamed', { name: file.name })}
              onClick={() => validation.takeAsSignature(file)}
            >
              {t('validate.takeAnyway')}
            </CardAction>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
