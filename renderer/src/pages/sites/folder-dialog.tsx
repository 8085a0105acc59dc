import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { FolderOpen } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { helpBelow, technical, textField } from '../../components/fields/fields.ts';
import type { FileAccessView } from '../../../../src/ui-contract/site-calls.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useFolderChoice } from '../../components/fields/use-folder-choice.ts';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { DurationChoices } from '../../questions/scope-choices.tsx';
import { daysOf, grantDurations, type GrantDuration } from '../../questions/scopes.ts';

const accesses = ['read', 'write', 'both'] as const satisfies readonly FileAccessView[];

/** True when a text looks like the root of a grant: an absolute path or a store's prefix. The core checks the text too. */
const isRoot = (text: string): boolean => /^(\/|\\\\|[a-z]:[\\/]|(s3|gs):\/\/.)/i.test(text.trim());

/** Opens a folder or a store to a site or to an application on another computer. */
export function FolderDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [caller, setCaller] = useState('');
  const [root, setRoot] = useState('');
  const [access, setAccess] = useState<FileAccessView>('read');
  const [duration, setDuration] = useState<GrantDuration>('month');
  const [checked, setChecked] = useState(false);
  const saving = useSubmit();
  const isComplete = caller.trim() !== '' && isRoot(root);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setChecked(true);
    if (!isComplete) {
      form.querySelector<HTMLElement>(caller.trim() === '' ? '[name="caller"]' : '[name="root"]')?.focus();
      return;
    }
    const grant = { caller: caller.trim(), root: root.trim(), access, days: daysOf(duration) };
    if ((await saving.submit(bridge.call('sites.allowFiles', grant))) === null) return;
    queries.refresh('sites.files');
    toasts.done(t('sites.folders.saved'));
    onClose();
  };
  return (
    <FormDialog
      title={t('sites.folders.addTitle')}
      size="lg"
      gap="lg"
      error={saving.error}
      busy={saving.busy}
      submit={t('sites.folders.save')}
      onSubmit={submit}
      onClose={onClose}
    >
      <CallerField
        value={caller}
        error={checked && caller.trim() === '' ? t('sites.folders.callerError') : null}
        onChange={setCaller}
      />
      <RootField
        value={root}
        error={checked && !isRoot(root) ? t('sites.folders.rootError') : null}
        onChange={setRoot}
      />
      <AccessChoices access={access} onChange={setAccess} />
      <DurationChoices offered={grantDurations} duration={duration} onChange={setDuration} />
    </FormDialog>
  );
}

interface TextFieldProps {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
}

/** The site or the application that gets the folder. */
function CallerField({ value, error, onChange }: TextFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      data-autofocus
      required
      name="caller"
      label={t('sites.folders.caller')}
      description={t('sites.folders.callerHelp')}
      inputWrapperOrder={helpBelow}
      placeholder="https://"
      {...technical}
      maxLength={300}
      {...textField(value, onChange, error)}
    />
  );
}

/** The folder: typed, or chosen on the desktop. */
function RootField({ value, error, onChange }: TextFieldProps) {
  const { t } = useTranslation();
  const choose = useFolderChoice(onChange);
  return (
    <div>
      <TextInput
        required
        name="root"
        label={t('sites.folders.root')}
        description={t('sites.folders.rootHelp')}
        inputWrapperOrder={helpBelow}
        {...technical}
        maxLength={4096}
        {...textField(value, onChange, error)}
      />
      {choose === null ? null : (
        <Button
          mt="xs"
          size="xs"
          variant="default"
          leftSection={<FolderOpen size={16} aria-hidden />}
          onClick={() => void choose(t('sites.folders.choose'))}
        >
          {t('sites.folders.choose')}
        </Button>
      )}
    </div>
  );
}

interface AccessChoicesProps {
  readonly access: FileAccessView;
  readonly onChange: (access: FileAccessView) => void;
}

/** Reading, writing, or both. */
function AccessChoices({ access, onChange }: AccessChoicesProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('sites.folders.access')}
      value={access}
      onChange={(chosen) => onChange(accesses.find((one) => one === chosen) ?? 'read')}
    >
      <Stack gap={8} pt={6}>
        {accesses.map((one) => (
          <Radio key={one} value={one} label={t(`sites.folders.accesses.${one}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
