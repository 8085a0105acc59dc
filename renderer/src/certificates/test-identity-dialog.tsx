import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { cpfDigits, formatCpf, isCpf } from '../format/cpf.ts';
import { useErrorText } from '../i18n/error-text.ts';

interface Identity {
  readonly name: string;
  readonly cpf: string;
  readonly birthDate: string;
  readonly email: string;
}

type FieldName = keyof Identity;

const empty: Identity = { name: '', cpf: '', birthDate: '', email: '' };

/** The fields that are not right. */
function wrongFields(identity: Identity): ReadonlySet<FieldName> {
  const wrong = new Set<FieldName>();
  const name = identity.name.trim();
  if (name.length < 3 || name.length > 60) wrong.add('name');
  if (!isCpf(identity.cpf)) wrong.add('cpf');
  if (identity.birthDate !== '' && Date.parse(identity.birthDate) > Date.now()) wrong.add('birthDate');
  if (identity.email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(identity.email)) wrong.add('email');
  return wrong;
}

/** Makes a certificate of the test authority, with a person's fields in it as ICP-Brasil writes them. */
export function TestIdentityDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [identity, setIdentity] = useState(empty);
  const [checked, setChecked] = useState(false);
  const { busy, error, make } = useMake(onClose);
  const wrong = wrongFields(identity);
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setChecked(true);
    if (wrong.size === 0) void make(identity);
    else event.currentTarget.querySelector<HTMLInputElement>(`input[name="${[...wrong][0] ?? ''}"]`)?.focus();
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
    <Dialog title={t('certificates.testDialog.title')} onClose={onClose} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
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
          {error === null ? null : (
            <Notice kind="error" alert>
              {error}
            </Notice>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('certificates.testDialog.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function useMake(onClose: () => void) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const make = async (identity: Identity): Promise<void> => {
    setBusy(true);
    setError(null);
    const result = await bridge.call('certificates.makeTestIdentity', {
      name: identity.name.trim(),
      cpf: cpfDigits(identity.cpf),
      ...(identity.birthDate === '' ? {} : { birthDate: identity.birthDate }),
      ...(identity.email === '' ? {} : { email: identity.email }),
    });
    setBusy(false);
    if (!result.ok) {
      setError(errorText(result.error));
      return;
    }
    queries.refresh('certificates.list', 'home.read', 'health.read');
    toasts.done(t('certificates.testDialog.done', { name: result.value.holder }));
    onClose();
  };
  return { busy, error, make };
}
