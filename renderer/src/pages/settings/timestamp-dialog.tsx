import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { choiceField, optional, technical, textField } from '../../components/fields/fields.ts';
import type { TimestampServerView } from '../../../../src/ui-contract/ui-contract.ts';
import { SecretInput } from '../../components/dialogs/secret-input.tsx';
import { useCore } from '../../data/core-context.ts';
import { nameOfDigest } from '../../format/digest.ts';
import { EntryDialog, type EntryPart } from './entry-dialog.tsx';
import classes from './settings.module.css';
import {
  authenticationKinds,
  credentialsOf,
  digests,
  formOf,
  inputOf,
  problemsOf,
  type FormProblems,
  type TimestampForm,
} from './timestamp-form.ts';

interface TimestampDialogProps {
  /** The server to change; null for a new server. */
  readonly server: TimestampServerView | null;
  /** Used names. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

type PartProps = EntryPart<TimestampForm, FormProblems>;

/**
 * Adds a time-stamp server, or changes a server. Problems are shown at their fields, from the first attempt to save on.
 */
export function TimestampDialog({ server, taken, onClose }: TimestampDialogProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const isNew = server === null;
  return (
    <EntryDialog
      title={isNew ? t('settings.timestamps.addTitle') : t('settings.timestamps.editTitle', { name: server.id })}
      isNew={isNew}
      begin={() => formOf(server)}
      problemsOf={(form) => problemsOf(form, isNew ? taken : [])}
      save={async (form) => bridge.call('tsa.add', inputOf(form))}
      changed={['tsa.list', 'doctor.read']}
      submit={t('settings.timestamps.save')}
      saved={t('settings.timestamps.saved')}
      onClose={onClose}
    >
      {(part) => (
        <>
          <ServerFields {...part} />
          <AuthenticationFields {...part} />
        </>
      )}
    </EntryDialog>
  );
}

function ServerFields(props: PartProps) {
  const { form, change, isNew } = props;
  const { t } = useTranslation();
  const field = useField(props);
  return (
    <>
      {isNew ? <TextInput {...field('id')} description={t('settings.timestamps.idHelp')} maxLength={64} /> : null}
      <TextInput {...field('url')} type="url" inputMode="url" maxLength={2000} />
      <div className={classes.choices}>
        <NativeSelect
          label={t('settings.timestamps.digest')}
          {...choiceField(digests, form.digest, nameOfDigest, (digest) => change({ digest }))}
        />
        <TextInput
          {...field('policy')}
          label={optional(t, t('settings.timestamps.policy'))}
          placeholder={t('settings.timestamps.policyHelp')}
        />
      </div>
    </>
  );
}

function AuthenticationFields(props: PartProps) {
  const { form, change, isNew } = props;
  const { t } = useTranslation();
  const field = useField(props);
  return (
    <>
      <NativeSelect
        label={t('settings.timestamps.authentication')}
        {...choiceField(
          authenticationKinds,
          form.kind,
          (one) => t(`settings.timestamps.authentications.${one}`),
          (kind) => change({ kind }),
        )}
      />
      {isNew || form.kind === 'none' ? null : (
        <Text size="sm" c="dimmed">
          {t('settings.timestamps.again')}
        </Text>
      )}
      {credentialsOf(form.kind).map((name) => {
        if (name === 'password' || name === 'token') return <SecretInput key={name} {...field(name)} />;
        if (name === 'user') return <TextInput key={name} {...field(name)} />;
        return <Textarea key={name} {...field(name)} rows={4} placeholder="-----BEGIN …-----" />;
      })}
    </>
  );
}

/** The common properties of text fields. */
function useField({ form, problems, change }: PartProps) {
  const { t } = useTranslation();
  return (name: Exclude<keyof TimestampForm, 'digest' | 'kind'>) => {
    const problem = problems[name];
    return {
      label: t(`settings.timestamps.${name}`),
      ...technical,
      ...textField(
        form[name],
        (text) => change({ [name]: text }),
        problem === undefined ? null : t(`settings.timestamps.${problem}`),
      ),
    };
  };
}
