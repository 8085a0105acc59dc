import { Button, FileButton, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { TakeOutAction } from '../../components/actions.tsx';
import { Suspense, useId, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../../components/fields/fields.ts';
import type { CallError } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import { SecretInput } from '../../components/dialogs/secret-input.tsx';
import { useValidationDesk } from './use-validation-desk.ts';
import { saveFile } from '../../components/save-file.ts';
import { asksPassword, isPasswordWrong } from '../../data/asks-password.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { Light } from '../../components/light.tsx';
import { RaiseOffer } from './raise-offer.tsx';
import { ReportActions } from './report-actions.tsx';
import { ReportBody } from './report-body.tsx';
import classes from './validate.module.css';
import type { Progress, ValidationItem } from './validation-desk.ts';
import { ShownName } from '../../components/text/shown-name.tsx';
import { visibleText } from '../../../../src/text/visible-text.ts';
import { late } from '../../late.tsx';

const CompareDialog = late(async () => (await import('./compare-dialog.tsx')).CompareDialog);

/** A signature file: its verdict, and all details below. */
export function ItemCard({ item }: { readonly item: ValidationItem }) {
  const { t } = useTranslation();
  const validation = useValidationDesk();
  const id = useId();
  const { signature, content, progress } = item;
  const remove = (): void => {
    validation.remove(item.id);
    // The button disappears with its card, so the focus moves to the title of the page.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  };
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <Light
          indication={indicationOf(progress)}
          changed={progress.kind === 'done' && progress.view.report.changedSince}
          size="large"
        />
        <div className={classes.headText}>
          <Title order={2} id={id} className={classes.wrap}>
            <ShownName name={signature.name} />
          </Title>
          {content === null ? null : (
            <Text size="sm" c="dimmed" className={classes.wrap}>
              {t('validate.withContent', { name: visibleText(content.name) })}
            </Text>
          )}
          <Text className={classes.verdict}>
            <State progress={progress} />
          </Text>
        </div>
        <Group gap="xs" className={classes.headActions}>
          {progress.kind === 'done' ? <ReportActions view={progress.view} /> : null}
          <TakeOutAction name={signature.name} onClick={remove} />
        </Group>
      </div>
      <Stack gap="md" className={classes.cardBody}>
        {progress.kind === 'failed' ? <Failure item={item} error={progress.error} /> : null}
        <DocumentChoice item={item} />
        {progress.kind === 'done' ? <Result item={item} view={progress.view} /> : null}
      </Stack>
    </section>
  );
}

type DoneProgress = Extract<Progress, { readonly kind: 'done' }>;

/** The report, its actions, and the comparison of a page that was changed after a signature. */
function Result({ item, view }: { readonly item: ValidationItem } & Pick<DoneProgress, 'view'>) {
  const [compared, setCompared] = useState<{ readonly signedSize: number; readonly name: string } | null>(null);
  const { file, kind } = item.signature;
  return (
    <>
      <ReportBody
        report={view.report}
        isPdf={kind === 'pdf'}
        onCompare={(signedSize, name) => setCompared({ signedSize, name })}
        onSaveSigned={(size, name) => saveFile(name, file.slice(0, size, 'application/pdf'))}
      />
      <RaiseOffer item={item} view={view} />
      {compared === null ? null : (
        <Suspense fallback={null}>
          <CompareDialog file={file} {...compared} onClose={() => setCompared(null)} />
        </Suspense>
      )}
    </>
  );
}

const indicationOf = (progress: Progress) =>
  progress.kind === 'done' ? progress.view.report.indication : progress.kind === 'failed' ? 'INDETERMINATE' : null;

function State({ progress }: { readonly progress: Progress }) {
  const { t, i18n } = useTranslation();
  switch (progress.kind) {
    case 'waiting':
      return <>{t('validate.waiting')}</>;
    case 'sending': {
      const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(progress.share);
      return <>{t('validate.sending', { percent })}</>;
    }
    case 'validating':
      return <>{t('validate.validating')}</>;
    case 'failed':
      return <strong>{t('validate.failed')}</strong>;
    case 'done':
      return (
        <>
          <strong>{progress.view.report.verdict}.</strong> {progress.view.report.sentence}
        </>
      );
  }
}

function Failure({ item, error }: { readonly item: ValidationItem; readonly error: CallError }) {
  const { t } = useTranslation();
  const validation = useValidationDesk();
  const errorText = useErrorText();
  const [password, setPassword] = useState('');
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    validation.retry(item.id, password);
  };
  if (asksPassword(error)) {
    const wrong = isPasswordWrong(error);
    return (
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <SecretInput
            className={classes.grow}
            label={t('validate.password')}
            description={t('validate.passwordHelp')}
            {...textField(password, setPassword, wrong ? t('errors.PASSWORD_INCORRECT') : null)}
          />
          <Button type="submit" disabled={password === ''}>
            {t('validate.open')}
          </Button>
        </Group>
      </form>
    );
  }
  return (
    <Notice kind="error" alert>
      <Group justify="space-between" gap="sm">
        <span>{errorText(error)}</span>
        <Button
          size="xs"
          variant="default"
          aria-label={t('validate.retryNamed', { name: item.signature.name })}
          onClick={() => validation.retry(item.id)}
        >
          {t('common.retry')}
        </Button>
      </Group>
    </Notice>
  );
}

/** The document of a detached signature: matched by name, or chosen here by hand. */
function DocumentChoice({ item }: { readonly item: ValidationItem }) {
  const { t } = useTranslation();
  const validation = useValidationDesk();
  const { signature, content, progress } = item;
  if (signature.kind === 'pdf') return null;
  const isMissing =
    progress.kind === 'done' &&
    progress.view.report.signatures.some(({ subIndication }) => subIndication === 'SIGNED_DATA_NOT_FOUND');
  const documents = validation.documents().filter((file) => file !== signature);
  return (
    <>
      {isMissing ? <Notice kind="warning">{t('validate.missing')}</Notice> : null}
      <Group align="flex-end" gap="sm">
        <NativeSelect
          className={classes.grow}
          label={t('validate.documentLabel')}
          aria-label={t('validate.document', { name: signature.name })}
          value={content === null ? '' : String(documents.indexOf(content))}
          data={[
            { value: '', label: t('validate.documentNone') },
            ...documents.map((file, index) => ({ value: String(index), label: file.name })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            validation.match(item.id, value === '' ? null : (documents[Number(value)] ?? null))
          }
        />
        <FileButton
          onChange={(file) => {
            if (file !== null) void validation.matchFile(item.id, file);
          }}
          inputProps={{ 'aria-label': t('validate.chooseDocument') }}
        >
          {(props) => (
            <Button {...props} variant={isMissing ? 'filled' : 'default'}>
              {t('validate.chooseDocument')}
            </Button>
          )}
        </FileButton>
      </Group>
    </>
  );
}
