import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
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

function ServerFields({ form, problems, change, isNew }: PartProps) {
  const { t } = useTranslation();
  const told = useTold(problems);
  return (
    <>
      {isNew ? (
        <TextInput
          label={t('settings.timestamps.id')}
          description={t('settings.timestamps.idHelp')}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
          value={form.id}
          error={told('id')}
          onChange={(event) => change({ id: event.currentTarget.value })}
        />
      ) : null}
      <TextInput
        label={t('settings.timestamps.url')}
        type="url"
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        maxLength={2000}
        value={form.url}
        error={told('url')}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <div className={classes.choices}>
        <NativeSelect
          label={t('settings.timestamps.digest')}
          data={digests.map((value) => ({ value, label: nameOfDigest(value) }))}
          value={form.digest}
          onChange={(event) => {
            const digest = digests.find((one) => one === event.currentTarget.value);
            if (digest !== undefined) change({ digest });
          }}
        />
        <TextInput
          label={`${t('settings.timestamps.policy')} (${t('common.optional')})`}
          placeholder={t('settings.timestamps.policyHelp')}
          spellCheck={false}
          autoComplete="off"
          value={form.policy}
          error={told('policy')}
          onChange={(event) => change({ policy: event.currentTarget.value })}
        />
      </div>
    </>
  );
}

function AuthenticationFields({ form, problems, change, isNew }: PartProps) {
  const { t } = useTranslation();
  const told = useTold(problems);
  return (
    <>
      <NativeSelect
        label={t('settings.timestamps.authentication')}
        data={authenticationKinds.map((value) => ({ value, label: t(`settings.timestamps.authentications.${value}`) }))}
        value={form.kind}
        onChange={(event) => {
          const kind = authenticationKinds.find((one) => one === event.currentTarget.value);
          if (kind !== undefined) change({ kind });
        }}
      />
      {isNew || form.kind === 'none' ? null : (
        <Text size="sm" c="dimmed">
          {t('settings.timestamps.again')}
        </Text>
      )}
      {credentialsOf(form.kind).map((field) => {
        const shared = {
          label: t(`settings.timestamps.${field}`),
          value: form[field],
          error: told(field),
          spellCheck: false,
          autoComplete: 'off',
        };
        if (field === 'password' || field === 'token') {
          return (
            <SecretInput key={field} {...shared} onChange={(event) => change({ [field]: event.currentTarget.value })} />
          );
        }
        if (field === 'user') {
          return (
            <TextInput key={field} {...shared} onChange={(event) => change({ user: event.currentTarget.value })} />
          );
        }
        return (
          <Textarea
            key={field}
            {...shared}
            rows={4}
            placeholder="-----BEGIN …-----"
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          />
        );
      })}
    </>
  );
}

function useTold(problems: FormProblems) {
  const { t } = useTranslation();
  return (field: keyof TimestampForm): string | null => {
    const problem = problems[field];
    return problem === undefined ? null : t(`settings.timestamps.${problem}`);
  };
}
