import { Button, FileButton, Text, TextInput } from '@mantine/core';
import { FileBadge } from '../components/icons/index.ts';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { optional, textField } from '../components/fields/fields.ts';
import { FieldError } from '../components/dialogs/field-error.tsx';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { SecretInput } from '../components/dialogs/secret-input.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useFileDrop } from '../components/use-file-drop.ts';
import { useCore } from '../data/core-context.ts';
import { formatSize } from '../format/format.ts';
import { detectFileKind, hasPrivateKey, KIND_HEAD } from '../../../src/values/file-kind.ts';
import { readBase64 } from '../format/read-base64.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './keys.module.css';

/** The contract's limit for a key file. */
const largestFile = 10 * 1024 * 1024;

/** Texts for files that are evidently no PKCS#12 file. A file of an unknown kind may be a damaged one: the core says so. */
const wrongKinds = {
  empty: 'certificates.importDialog.emptyFile',
  'java-key-store': 'certificates.importDialog.javaKeyStore',
  'private-key': 'certificates.importDialog.privateKey',
  certificate: 'certificates.importDialog.onlyCertificate',
} as const;

async function wrongKindOf(file: File) {
  const { kind } = detectFileKind(new Uint8Array(await file.slice(0, KIND_HEAD).arrayBuffer()));
  if (kind === 'pkcs12' || kind === 'other') return null;
  if (kind === 'certificate' && hasPrivateKey(await file.text())) return wrongKinds['private-key'];
  return kind in wrongKinds
    ? wrongKinds[kind as keyof typeof wrongKinds]
    : ('certificates.importDialog.notKeyFile' as const);
}

interface Problem {
  readonly at: 'file' | 'password' | 'all';
  readonly text: string;
}

/** Imports a PKCS#12 file. A wrong password is reported at its field, and the chosen file is kept. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState('');
  const [label, setLabel] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const { busy, problem, setProblem, importFile } = useImport(onClose);
  const choose = useCallback(
    (chosen: File | null) => {
      if (chosen === null) return;
      const tooLarge = chosen.size > largestFile;
      setFile(tooLarge ? null : chosen);
      setProblem(tooLarge ? { at: 'file', text: t('certificates.importDialog.tooLarge') } : null);
      if (!tooLarge) {
        const tellKind = (text: Awaited<ReturnType<typeof wrongKindOf>>): void => {
          if (text !== null) setProblem({ at: 'file', text: t(text) });
        };
        // A file that cannot be read is reported by the import.
        wrongKindOf(chosen).then(tellKind, () => undefined);
      }
      passwordField.current?.focus();
    },
    [t, setProblem],
  );
  const submit = async (): Promise<void> => {
    if (file === null) {
      setProblem({ at: 'file', text: t('certificates.importDialog.noFile') });
      return;
    }
    const wrong = await importFile(file, password, label.trim());
    if (wrong) passwordField.current?.select();
  };
  return (
    <FormDialog
      title={t('certificates.importDialog.title')}
      error={problem?.at === 'all' ? problem.text : null}
      busy={busy}
      submit={t('certificates.importDialog.submit')}
      onSubmit={submit}
      onClose={onClose}
    >
      <FileField file={file} onChoose={choose} error={problem?.at === 'file' ? problem.text : null} />
      <SecretInput
        ref={passwordField}
        label={t('certificates.importDialog.password')}
        description={t('certificates.importDialog.passwordHelp')}
        {...textField(password, setPassword, problem?.at === 'password' ? problem.text : null)}
      />
      <TextInput
        label={optional(t, t('certificates.importDialog.label'))}
        placeholder={t('certificates.importDialog.labelHelp')}
        maxLength={200}
        {...textField(label, setLabel)}
      />
    </FormDialog>
  );
}

interface FileFieldProps {
  readonly file: File | null;
  readonly onChoose: (file: File | null) => void;
  readonly error: string | null;
}

function FileField({ file, onChoose, error }: FileFieldProps) {
  const { t, i18n } = useTranslation();
  const { over, handlers } = useFileDrop(useCallback((files) => onChoose(files[0] ?? null), [onChoose]));
  return (
    <div>
      <div className={classes.fileField} data-over={over} {...handlers}>
        <FileBadge size={26} aria-hidden />
        {file === null ? (
          <Text c="dimmed" size="sm">
            {t('certificates.importDialog.drop')}
          </Text>
        ) : (
          <Text className={classes.wrap}>
            <strong>{file.name}</strong>{' '}
            <Text component="span" c="dimmed" size="sm">
              {formatSize(file.size, i18n.language)}
            </Text>
          </Text>
        )}
        <FileButton onChange={onChoose} inputProps={{ 'aria-label': t('certificates.importDialog.file') }}>
          {(props) => (
            <Button {...props} data-autofocus variant={file === null ? 'light' : 'default'} size="xs">
              {file === null ? t('certificates.importDialog.choose') : t('certificates.importDialog.chooseOther')}
            </Button>
          )}
        </FileButton>
      </div>
      <FieldError error={error} />
    </div>
  );
}

function useImport(onClose: () => void) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** Imports the file; resolves to true if the password was wrong. */
  const importFile = async (file: File, password: string, label: string): Promise<boolean> => {
    setBusy(true);
    setProblem(null);
    const content = await readBase64(file);
    const result =
      content === null
        ? ({ ok: false, error: { code: 'DOCUMENT_UNREADABLE', message: '' } } as const)
        : await bridge.call('certificates.import', { file: content, password, ...(label === '' ? {} : { label }) });
    setBusy(false);
    if (result.ok) {
      queries.refresh('certificates.list', 'home.read', 'doctor.read');
      toasts.done(t('certificates.importDialog.done', { count: result.value.length }));
      onClose();
      return false;
    }
    const wrong = result.error.code === 'PASSWORD_INCORRECT';
    setProblem(
      wrong
        ? { at: 'password', text: t('certificates.importDialog.wrong') }
        : { at: 'all', text: errorText(result.error) },
    );
    return wrong;
  };
  return { busy, problem, setProblem, importFile };
}
