import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TimestampServerView } from '../../../src/ui-contract/ui-contract.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { SecretInput } from '../components/secret-input.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { useSubmit } from '../data/use-submit.ts';
import { nameOfDigest } from '../format/digest.ts';
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
import { useCheckedForm } from './use-checked-form.ts';

interface TimestampDialogProps {
  /** The server to change; null for another one. */
  readonly server: TimestampServerView | null;
  /** Names that are in use. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** What a part of the form needs. */
interface PartProps {
  readonly form: TimestampForm;
  readonly problems: FormProblems;
  readonly isNew: boolean;
  readonly change: (change: Partial<TimestampForm>) => void;
}

/** Adds a time-stamp server, or changes one. Problems are told at their fields, from the first attempt to save on. */
export function TimestampDialog({ server, taken, onClose }: TimestampDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const { form, problems, change, check } = useCheckedForm(
    () => formOf(server),
    (typed) => problemsOf(typed, server === null ? taken : []),
  );
  const { busy, error, submit } = useSubmit();
  const save = async (): Promise<void> => {
    if (!check()) return;
    const saved = await submit(bridge.call('tsa.add', inputOf(form)));
    if (saved === null) return;
    queries.refresh('tsa.list', 'health.read');
    toasts.done(t('settings.timestamps.saved'));
    onClose();
  };
  const parts = { form, problems, change, isNew: server === null };
  const title =
    server === null ? t('settings.timestamps.addTitle') : t('settings.timestamps.editTitle', { name: server.id });
  return (
    <FormDialog
      title={title}
      size="lg"
      error={error}
      busy={busy}
      submit={t('settings.timestamps.save')}
      onSubmit={save}
      onClose={onClose}
    >
      <ServerFields {...parts} />
      <AuthenticationFields {...parts} />
    </FormDialog>
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
