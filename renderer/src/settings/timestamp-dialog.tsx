import { Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimestampServerView } from '../../../src/ui-contract/ui-contract.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { SecretInput } from '../components/secret-input.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { useSubmit } from '../data/use-submit.ts';
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
  readonly change: (change: Partial<TimestampForm>) => void;
}

/** Adds a time-stamp server, or changes one. Problems are told at their fields, from the first attempt to save on. */
export function TimestampDialog({ server, taken, onClose }: TimestampDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [form, setForm] = useState(() => formOf(server));
  const [tried, setTried] = useState(false);
  const { busy, error, submit } = useSubmit();
  const present = problemsOf(form, server === null ? taken : []);
  const problems = tried ? present : {};
  const change = (part: Partial<TimestampForm>): void => setForm((before) => ({ ...before, ...part }));
  const save = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(present).length > 0) return;
    const saved = await submit(bridge.call('tsa.add', inputOf(form)));
    if (saved === null) return;
    queries.refresh('tsa.list', 'health.read');
    toasts.done(t('settings.timestamps.saved'));
    onClose();
  };
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
      <ServerFields form={form} problems={problems} change={change} isNew={server === null} />
      <AuthenticationFields form={form} problems={problems} change={change} isNew={server === null} />
    </FormDialog>
  );
}

function ServerFields({ form, problems, change, isNew }: PartProps & { readonly isNew: boolean }) {
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
      <Group grow align="flex-start">
        <NativeSelect
          label={t('settings.timestamps.digest')}
          data={digests.map((value) => ({ value, label: value.toUpperCase().replace('SHA', 'SHA-') }))}
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
      </Group>
    </>
  );
}

function AuthenticationFields({ form, problems, change, isNew }: PartProps & { readonly isNew: boolean }) {
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
