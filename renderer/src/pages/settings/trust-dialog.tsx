import { Button, FileButton, Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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

/** Imports roots and authorities from a file or an address; an unpinned root needs its fingerprint. */
export function TrustDialog({ onClose, onImported }: TrustDialogProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const [from, setFrom] = useState<'file' | 'address'>('file');
  const [file, setFile] = useState<File | null>(null);
  const [address, setAddress] = useState('https://');
  const [pin, setPin] = useState('');
  const [isTest, setIsTest] = useState(false);
  const [timeStampsOnly, setTimeStampsOnly] = useState(false);
  const [problem, setProblem] = useState<Problem>(null);
  const { busy, error, submit } = useSubmit();
  const fingerprint = pin.replaceAll(/[\s:]/g, '').toLowerCase();
  const save = async (): Promise<void> => {
    const found =
      findProblem(from, file, address, fingerprint) ??
      (fingerprint === '' && (isTest || timeStampsOnly) ? 'pinNeeded' : null);
    setProblem(found);
    if (found !== null) return;
    const content = from === 'file' && file !== null ? await readBase64(file) : null;
    if (from === 'file' && content === null) {
      setProblem('unreadable');
      return;
    }
    const source: CallInput<'trust.import'> = content === null ? { url: address.trim() } : { file: content };
    const pinned = {
      ...(fingerprint === '' ? {} : { fingerprint }),
      ...(isTest ? { isTest } : {}),
      ...(timeStampsOnly ? { timeStampsOnly } : {}),
    };
    const result = await submit(bridge.call('trust.import', { ...source, ...pinned }));
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
      <SegmentedControl
        fullWidth
        aria-label={t('settings.trust.from')}
        value={from}
        onChange={(value) => setFrom(value === 'address' ? 'address' : 'file')}
        data={[
          { value: 'file', label: t('settings.trust.fromFile') },
          { value: 'address', label: t('settings.trust.fromAddress') },
        ]}
      />
      {from === 'file' ? (
        <FileChoice file={file} onChoose={setFile} problem={problem} />
      ) : (
        <TextInput
          label={t('settings.trust.address')}
          type="url"
          spellCheck={false}
          autoComplete="off"
          value={address}
          error={problem === 'address' ? t('settings.timestamps.urlError') : null}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={`${t('settings.trust.pin')} (${t('common.optional')})`}
        description={t('settings.trust.pinHelp')}
        spellCheck={false}
        autoComplete="off"
        value={pin}
        error={problem === 'pin' || problem === 'pinNeeded' ? t(`settings.trust.${problem}Error`) : null}
        onChange={(event) => setPin(event.currentTarget.value)}
      />
      <Switch
        label={t('settings.trust.isTest')}
        description={t('settings.trust.isTestHelp')}
        checked={isTest}
        onChange={(event) => setIsTest(event.currentTarget.checked)}
      />
      <Switch
        label={t('settings.trust.timeStampsOnly')}
        description={t('settings.trust.timeStampsOnlyHelp')}
        checked={timeStampsOnly}
        onChange={(event) => setTimeStampsOnly(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}

function findProblem(from: 'file' | 'address', file: File | null, address: string, fingerprint: string): Problem {
  if (from === 'file' && file === null) return 'noFile';
  if (from === 'file' && file !== null && file.size > largestFile) return 'tooLarge';
  if (from === 'address' && !/^https?:$/.test(URL.parse(address.trim())?.protocol ?? '')) return 'address';
  return fingerprint === '' || /^[0-9a-f]{64}$/.test(fingerprint) ? null : 'pin';
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
