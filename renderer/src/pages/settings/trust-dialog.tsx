import { Button, FileButton, Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField, optional, technical, textField } from '../../components/fields/fields.ts';
import type { CallInput, TrustImport } from '../../../../src/ui-contract/ui-contract.ts';
import { FieldError } from '../../components/dialogs/field-error.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { formatSize } from '../../format/format.ts';
import { readBase64 } from '../../format/read-base64.ts';
import classes from './settings.module.css';

/** Bytes; the published package of ICP-Brasil is far below. */
const largestFile = 10 * 1024 * 1024;

interface TrustDialogProps {
  readonly onClose: () => void;
  readonly onImported: (result: TrustImport) => void;
}

type Problem = 'noFile' | 'tooLarge' | 'unreadable' | 'address' | 'pin' | 'pinNeeded' | null;

/** The typed values of the form. */
interface TrustDraft {
  readonly from: 'file' | 'address';
  readonly file: File | null;
  readonly address: string;
  readonly pin: string;
  readonly isTest: boolean;
  readonly timeStampsOnly: boolean;
}

const emptyDraft: TrustDraft = {
  from: 'file',
  file: null,
  address: 'https://',
  pin: '',
  isTest: false,
  timeStampsOnly: false,
};

/** Lower-case hex, without the separators of other programs. */
const fingerprintOf = ({ pin }: TrustDraft): string => pin.replaceAll(/[\s:]/g, '').toLowerCase();

function findProblem(draft: TrustDraft): Problem {
  const { from, file, address } = draft;
  const fingerprint = fingerprintOf(draft);
  if (from === 'file' && file === null) return 'noFile';
  if (from === 'file' && file !== null && file.size > largestFile) return 'tooLarge';
  if (from === 'address' && !/^https?:$/.test(URL.parse(address.trim())?.protocol ?? '')) return 'address';
  if (fingerprint === '') return draft.isTest || draft.timeStampsOnly ? 'pinNeeded' : null;
  return /^[0-9a-f]{64}$/.test(fingerprint) ? null : 'pin';
}

/** The form in the call's shape; null for a file that cannot be read. */
async function inputOf(draft: TrustDraft): Promise<CallInput<'trust.import'> | null> {
  const { from, file, address, isTest, timeStampsOnly } = draft;
  const content = from === 'file' && file !== null ? await readBase64(file) : null;
  if (from === 'file' && content === null) return null;
  const fingerprint = fingerprintOf(draft);
  return {
    ...(content === null ? { url: address.trim() } : { file: content }),
    ...(fingerprint === '' ? {} : { fingerprint }),
    ...(isTest ? { isTest } : {}),
    ...(timeStampsOnly ? { timeStampsOnly } : {}),
  };
}

/** Imports roots and authorities from a file or an address; an unpinned root needs its fingerprint. */
export function TrustDialog({ onClose, onImported }: TrustDialogProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const [draft, setDraft] = useState(emptyDraft);
  const [problem, setProblem] = useState<Problem>(null);
  const { busy, error, submit } = useSubmit();
  const change = (part: Partial<TrustDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const save = async (): Promise<void> => {
    const found = findProblem(draft);
    setProblem(found);
    if (found !== null) return;
    const input = await inputOf(draft);
    if (input === null) {
      setProblem('unreadable');
      return;
    }
    const result = await submit(bridge.call('trust.import', input));
    if (result === null) return;
    onImported(result);
    onClose();
  };
  return (
    <FormDialog
      title={t('settings.trust.dialogTitle')}
      error={error}
      busy={busy}
      submit={t('settings.trust.submit')}
      onSubmit={save}
      onClose={onClose}
    >
      <SourceFields draft={draft} change={change} problem={problem} />
      <RootFields draft={draft} change={change} problem={problem} />
    </FormDialog>
  );
}

interface FieldProps {
  readonly draft: TrustDraft;
  readonly change: (part: Partial<TrustDraft>) => void;
  readonly problem: Problem;
}

function SourceFields({ draft, change, problem }: FieldProps) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('settings.trust.from')}
        value={draft.from}
        onChange={(value) => change({ from: value === 'address' ? 'address' : 'file' })}
        data={[
          { value: 'file', label: t('settings.trust.fromFile') },
          { value: 'address', label: t('settings.trust.fromAddress') },
        ]}
      />
      {draft.from === 'file' ? (
        <FileChoice file={draft.file} onChoose={(file) => change({ file })} problem={problem} />
      ) : (
        <TextInput
          label={t('settings.trust.address')}
          type="url"
          {...technical}
          {...textField(draft.address, (address) => change({ address }))}
          error={problem === 'address' ? t('settings.timestamps.urlError') : null}
        />
      )}
    </>
  );
}

/** The fingerprint of a root, and what the root is trusted for. */
function RootFields({ draft, change, problem }: FieldProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={optional(t, t('settings.trust.pin'))}
        description={t('settings.trust.pinHelp')}
        {...technical}
        {...textField(draft.pin, (pin) => change({ pin }))}
        error={problem === 'pin' || problem === 'pinNeeded' ? t(`settings.trust.${problem}Error`) : null}
      />
      {(['isTest', 'timeStampsOnly'] as const).map((name) => (
        <Switch
          key={name}
          label={t(`settings.trust.${name}`)}
          description={t(`settings.trust.${name}Help`)}
          {...checkField(draft[name], (checked) => change({ [name]: checked }))}
        />
      ))}
    </>
  );
}

interface FileChoiceProps {
  readonly file: File | null;
  readonly onChoose: (file: File | null) => void;
  readonly problem: Problem;
}

function FileChoice({ file, onChoose, problem }: FileChoiceProps) {
  const { t, i18n } = useTranslation();
  const isOfFile = problem === 'noFile' || problem === 'tooLarge' || problem === 'unreadable';
  return (
    <div>
      <Group gap="sm">
        <FileButton onChange={onChoose} inputProps={{ 'aria-label': t('settings.trust.file') }}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('settings.trust.choose')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" className={classes.rowText}>
          {file === null ? t('settings.trust.fileHelp') : `${file.name} · ${formatSize(file.size, i18n.language)}`}
        </Text>
      </Group>
      <FieldError error={isOfFile ? t(`settings.trust.${problem}`) : null} />
    </div>
  );
}
