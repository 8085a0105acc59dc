import { Checkbox, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../components/form-dialog.tsx';
import { SecretInput } from '../components/secret-input.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { useSubmit } from '../data/use-submit.ts';
import {
  storeFormOf,
  storeInputOf,
  storeKinds,
  storeProblemsOf,
  type StoreForm,
  type StoreProblems,
  type StoreView,
} from './store-form.ts';
import { useCheckedForm } from './use-checked-form.ts';

interface StoreDialogProps {
  /** The store to change; null for another one. */
  readonly store: StoreView | null;
  /** Names that are in use. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

interface PartProps {
  readonly form: StoreForm;
  readonly problems: StoreProblems;
  readonly isNew: boolean;
  readonly change: (change: Partial<StoreForm>) => void;
}

/** Adds an object store, or changes one. Problems are told at their fields, from the first attempt to save on. */
export function StoreDialog({ store, taken, onClose }: StoreDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const { form, problems, change, check } = useCheckedForm(
    () => storeFormOf(store),
    (typed) => storeProblemsOf(typed, store === null ? taken : []),
  );
  const { busy, error, submit } = useSubmit();
  const save = async (): Promise<void> => {
    if (!check()) return;
    const wordsFor = ({ message }: { readonly message: string }): string => message;
    const saved = await submit(bridge.call('stores.add', storeInputOf(form)), wordsFor);
    if (saved === null) return;
    queries.refresh('stores.list', 'doctor.read');
    toasts.done(t('operation.stores.saved'));
    onClose();
  };
  const parts = { form, problems, change, isNew: store === null };
  const title = store === null ? t('operation.stores.addTitle') : t('operation.stores.editTitle', { name: store.id });
  return (
    <FormDialog
      title={title}
      size="lg"
      error={error}
      busy={busy}
      submit={t('operation.stores.save')}
      onSubmit={save}
      onClose={onClose}
    >
      <PlaceFields {...parts} />
      <CredentialFields {...parts} />
    </FormDialog>
  );
}

function PlaceFields(props: PartProps) {
  const { form, isNew, change } = props;
  const { t } = useTranslation();
  const field = useField(props);
  return (
    <>
      {isNew ? (
        <>
          <NativeSelect
            label={t('operation.stores.kind')}
            data={storeKinds.map((value) => ({ value, label: t(`operation.stores.kinds.${value}`) }))}
            value={form.kind}
            onChange={(event) => {
              const kind = storeKinds.find((one) => one === event.currentTarget.value);
              if (kind !== undefined) change({ kind });
            }}
          />
          <TextInput {...field('id')} description={t('operation.stores.idHelp')} maxLength={64} />
        </>
      ) : null}
      <TextInput
        {...field('endpoint')}
        label={`${t('operation.stores.endpoint')} (${t('common.optional')})`}
        description={t('operation.stores.endpointHelp')}
        placeholder="https://"
        inputMode="url"
        maxLength={500}
      />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput {...field('bucket')} maxLength={222} />
        {form.kind === 's3' ? <TextInput {...field('region')} maxLength={64} /> : null}
      </Group>
      <TextInput
        {...field('prefix')}
        label={`${t('operation.stores.prefix')} (${t('common.optional')})`}
        description={t('operation.stores.prefixHelp')}
        maxLength={512}
      />
      {form.kind === 's3' ? (
        <Checkbox
          label={t('operation.stores.pathStyle')}
          checked={form.pathStyle}
          onChange={(event) => change({ pathStyle: event.currentTarget.checked })}
        />
      ) : null}
      <Checkbox
        label={t('operation.stores.overwrite')}
        checked={form.overwrite}
        onChange={(event) => change({ overwrite: event.currentTarget.checked })}
      />
    </>
  );
}

function CredentialFields(props: PartProps) {
  const { t } = useTranslation();
  const field = useField(props);
  const again = props.isNew ? null : (
    <Text size="sm" c="dimmed">
      {t('operation.stores.again')}
    </Text>
  );
  if (props.form.kind === 'gcs') {
    return (
      <>
        {again}
        <Textarea
          {...field('serviceAccount')}
          description={t('operation.stores.serviceAccountHelp')}
          placeholder={'{ "type": "service_account", … }'}
          rows={4}
          maxLength={20_000}
        />
      </>
    );
  }
  return (
    <>
      {again}
      <TextInput {...field('accessKeyId')} maxLength={500} />
      <SecretInput {...field('secretAccessKey')} maxLength={500} />
    </>
  );
}

type TextField = Exclude<keyof StoreForm, 'kind' | 'pathStyle' | 'overwrite'>;

/** What the fields with text have in common. */
function useField({ form, problems, change }: PartProps) {
  const { t } = useTranslation();
  return (name: TextField) => {
    const problem = problems[name];
    return {
      label: t(`operation.stores.${name}`),
      value: form[name],
      error: problem === undefined ? null : t(`operation.stores.${problem}`),
      ...{ spellCheck: false, autoComplete: 'off' },
      onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
        change({ [name]: event.currentTarget.value }),
    };
  };
}
