import { SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { useSubmit } from '../data/use-submit.ts';
import { cpfDigits, formatCpf, isCpf } from '../format/cpf.ts';

interface Identity {
  readonly name: string;
  readonly cpf: string;
  readonly birthDate: string;
  readonly email: string;
}

type FieldName = keyof Identity;

const empty: Identity = { name: '', cpf: '', birthDate: '', email: '' };

/** The wrong fields. */
function wrongFields(identity: Identity): ReadonlySet<FieldName> {
  const wrong = new Set<FieldName>();
  const name = identity.name.trim();
  if (name.length < 3 || name.length > 60) wrong.add('name');
  if (!isCpf(identity.cpf)) wrong.add('cpf');
  if (identity.birthDate !== '' && Date.parse(identity.birthDate) > Date.now()) wrong.add('birthDate');
  if (identity.email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(identity.email)) wrong.add('email');
  return wrong;
}

/** Makes a certificate of the test authority, with a person's fields in ICP-Brasil's form. */
export function TestIdentityDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [identity, setIdentity] = useState(empty);
  const [checked, setChecked] = useState(false);
  const { busy, error, make } = useMake(onClose);
  const wrong = wrongFields(identity);
  const submit = (form: HTMLFormElement): void => {
    setChecked(true);
    if (wrong.size === 0) void make(identity);
    else form.querySelector<HTMLInputElement>(`input[name="${[...wrong][0] ?? ''}"]`)?.focus();
  };
  const field = (name: FieldName) => ({
    name,
    value: identity[name],
    error: checked && wrong.has(name) ? t(`certificates.testDialog.${name}Error`) : null,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setIdentity((before) => ({ ...before, [name]: name === 'cpf' ? formatCpf(value) : value }));
    },
  });
  const optional = ` (${t('common.optional')})`;
  return (
    <FormDialog
      title={t('certificates.testDialog.title')}
      size="lg"
      error={error}
      busy={busy}
      submit={t('certificates.testDialog.submit')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Notice kind="warning">{t('certificates.testDialog.warning')}</Notice>
      <TextInput
        data-autofocus
        required
        label={t('certificates.testDialog.name')}
        autoComplete="off"
        maxLength={60}
        {...field('name')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          required
          label={t('certificates.testDialog.cpf')}
          description={t('certificates.testDialog.cpfHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder="000.000.000-00"
          inputMode="numeric"
          autoComplete="off"
          {...field('cpf')}
        />
        <TextInput type="date" label={t('certificates.testDialog.birthDate') + optional} {...field('birthDate')} />
      </SimpleGrid>
      <TextInput
        type="email"
        label={t('certificates.testDialog.email') + optional}
        autoComplete="off"
        {...field('email')}
      />
    </FormDialog>
  );
}

function useMake(onClose: () => void) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const { busy, error, submit } = useSubmit();
  const make = async (identity: Identity): Promise<void> => {
    const wanted = {
      name: identity.name.trim(),
      cpf: cpfDigits(identity.cpf),
      ...(identity.birthDate === '' ? {} : { birthDate: identity.birthDate }),
      ...(identity.email === '' ? {} : { email: identity.email }),
    };
    const made = await submit(bridge.call('certificates.makeTestIdentity', wanted));
    if (made === null) return;
    queries.refresh('certificates.list', 'home.read', 'health.read');
    toasts.done(t('certificates.testDialog.done', { name: made.holder }));
    onClose();
  };
  return { busy, error, make };
}
