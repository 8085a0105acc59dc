import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField, textField } from '../../../components/fields/fields.ts';
import type { RestoreQuestion } from '../../../../../src/ui-contract/settings-calls.ts';
import type { CallError } from '../../../../../src/ui-contract/ui-contract.ts';
import type { BackupGroup } from '../../../../../src/values/backup-groups.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SecretInput } from '../../../components/dialogs/secret-input.tsx';
import { useToasts } from '../../../components/toasts.tsx';
import { useCore } from '../../../data/core-context.ts';
import { useSubmit } from '../../../data/use-submit.ts';
import { isAbsolutePath, pathBelow } from './absolute-path.ts';
import { BackupPathField } from './backup-path-field.tsx';
import { RestoreQuestions } from './restore-questions.tsx';

/** Texts of errors that mean something special for a backup. */
const wrong = {
  PASSWORD_INCORRECT: 'wrongPassphrase',
  REQUEST_INVALID: 'notBackup',
  DOCUMENT_UNREADABLE: 'damaged',
  KEY_SOURCE_UNAVAILABLE: 'noPlace',
  STORAGE_UNAVAILABLE: 'notRestored',
} as const;

const isKnown = (code: string): code is keyof typeof wrong => Object.hasOwn(wrong, code);

interface RestoreDialogProps {
  /** Where backups are likely to be. */
  readonly folder: string;
  readonly onClose: () => void;
}

/**
 * Checks a backup for a restore at the next start, after a warning to acknowledge. A backup that lets others in or loads
 * code is asked about, kind by kind, before it is prepared.
 */
export function RestoreDialog({ folder, onClose }: RestoreDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [request, setRequest] = useState<RestoreRequest>(() => ({
    path: pathBelow(folder, 'sinete.backup'),
    passphrase: '',
    understood: false,
  }));
  const [tried, setTried] = useState(false);
  const [question, setQuestion] = useState<RestoreQuestion | null>(null);
  const [keep, setKeep] = useState<readonly BackupGroup[]>([]);
  const { busy, error, submit } = useSubmit();
  const restore = async (): Promise<void> => {
    setTried(true);
    const { path, passphrase, understood } = request;
    if (!isAbsolutePath(path) || passphrase === '' || !understood) return;
    const words = ({ code }: CallError): string | null => (isKnown(code) ? t(`operation.backup.${wrong[code]}`) : null);
    const decision = question === null ? {} : { keep: [...keep] };
    const answer = await submit(bridge.call('backup.restore', { path, passphrase, ...decision }), words);
    if (answer === null) return;
    if (answer.asks !== null) {
      setQuestion(answer.asks);
      return;
    }
    queries.refresh('backup.read');
    toasts.done(t('operation.backup.restored'));
    onClose();
  };
  return (
    <FormDialog
      title={t('operation.backup.restoreTitle')}
      size="lg"
      error={error}
      busy={busy}
      submit={t('operation.backup.restoreSubmit')}
      danger
      onSubmit={restore}
      onClose={onClose}
    >
      {question === null ? (
        <RestoreFields {...request} tried={tried} onChange={(change) => setRequest({ ...request, ...change })} />
      ) : (
        <RestoreQuestions question={question} keep={keep} onChange={setKeep} />
      )}
    </FormDialog>
  );
}

/** The file, the key and the choices of the person. */
interface RestoreRequest {
  readonly path: string;
  readonly passphrase: string;
  readonly understood: boolean;
}

interface RestoreFieldsProps extends RestoreRequest {
  /** True once the person wanted to go on: then mistakes are shown. */
  readonly tried: boolean;
  readonly onChange: (change: Partial<RestoreRequest>) => void;
}

function RestoreFields({ path, passphrase, understood, tried, onChange }: RestoreFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Notice kind="warning">{t('operation.backup.restoreWarning')}</Notice>
      <BackupPathField
        label={t('operation.backup.restorePath')}
        help={t('operation.backup.restorePathHelp')}
        path={path}
        error={tried && !isAbsolutePath(path) ? t('operation.backup.pathError') : null}
        onChange={(changed) => onChange({ path: changed })}
      />
      <SecretInput
        label={t('operation.backup.passphrase')}
        {...textField(
          passphrase,
          (text) => onChange({ passphrase: text }),
          tried && passphrase === '' ? t('operation.stores.required') : null,
        )}
      />
      <Checkbox
        label={t('operation.backup.understood')}
        {...checkField(
          understood,
          (checked) => onChange({ understood: checked }),
          tried && !understood ? t('operation.backup.understoodError') : null,
        )}
      />
    </>
  );
}
