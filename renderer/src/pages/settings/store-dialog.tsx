import { Checkbox, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { checkField, choiceField, optional, technical, textField } from '../../components/fields/fields.ts';
import { SecretInput } from '../../components/dialogs/secret-input.tsx';
import { useCore } from '../../data/core-context.ts';
import { EntryDialog, type EntryPart } from './entry-dialog.tsx';
import {
  storeFormOf,
  storeInputOf,
  storeKinds,
  storeProblemsOf,
  type StoreForm,
  type StoreProblems,
  type StoreView,
} from './store-form.ts';

interface StoreDialogProps {
  /** The store to change; null for a new store. */
  readonly store: StoreView | null;
  /** Used names. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

type PartProps = EntryPart<StoreForm, StoreProblems>;

/** Adds an object store, or changes a store. Problems are shown at their fields, from the first attempt to save on. */
export function StoreDialog({ store, taken, onClose }: StoreDialogProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const isNew = store === null;
  return (
    <EntryDialog
      title={isNew ? t('operation.stores.addTitle') : t('operation.stores.editTitle', { name: store.id })}
      isNew={isNew}
      begin={() => storeFormOf(store)}
      problemsOf={(form) => storeProblemsOf(form, isNew ? taken : [])}
      save={async (form) => bridge.call('stores.add', storeInputOf(form))}
      wordsFor={({ message }) => message}
      changed={['stores.list', 'doctor.read']}
      submit={t('operation.stores.save')}
      saved={t('operation.stores.saved')}
      onClose={onClose}
    >
      {(part) => (
        <>
          <PlaceFields {...part} />
          <CredentialFields {...part} />
        </>
      )}
    </EntryDialog>
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
            {...choiceField(
              storeKinds,
              form.kind,
              (one) => t(`operation.stores.kinds.${one}`),
              (kind) => change({ kind }),
            )}
          />
          <TextInput {...field('id')} description={t('operation.stores.idHelp')} maxLength={64} />
        </>
      ) : null}
      <TextInput
        {...field('endpoint')}
        label={optional(t, t('operation.stores.endpoint'))}
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
        label={optional(t, t('operation.stores.prefix'))}
        description={t('operation.stores.prefixHelp')}
        maxLength={512}
      />
      {form.kind === 's3' ? (
        <Checkbox
          label={t('operation.stores.pathStyle')}
          {...checkField(form.pathStyle, (pathStyle) => change({ pathStyle }))}
        />
      ) : null}
      <Checkbox
        label={t('operation.stores.overwrite')}
        {...checkField(form.overwrite, (overwrite) => change({ overwrite }))}
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

/** The common properties of text fields. */
function useField({ form, problems, change }: PartProps) {
  const { t } = useTranslation();
  return (name: TextField) => {
    const problem = problems[name];
    return {
      label: t(`operation.stores.${name}`),
      ...technical,
      ...textField(
        form[name],
        (text) => change({ [name]: text }),
        problem === undefined ? null : t(`operation.stores.${problem}`),
      ),
    };
  };
}
