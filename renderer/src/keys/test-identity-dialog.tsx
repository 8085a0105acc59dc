import { SegmentedControl, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { helpBelow, optional, textField } from '../components/fields/fields.ts';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { useSubmit } from '../data/use-submit.ts';
import { isValidCpf } from '../../../src/text/taxpayer-number.ts';
import { cpfDigits, formatCpf } from '../format/cpf.ts';
import { formatTaxpayer, isTaxpayerNumber, taxpayerCharacters } from '../format/taxpayer.ts';

interface Identity {
  /** Name of the person or company. */
  readonly name: string;
  readonly cnpj: string;
  /** Name of the company's responsible person. */
  readonly responsible: string;
  readonly cpf: string;
  readonly birthDate: string;
  readonly email: string;
}

type FieldName = keyof Identity;

type Holder = 'person' | 'company';

const empty: Identity = { name: '', cnpj: '', responsible: '', cpf: '', birthDate: '', email: '' };

/** The wrong fields. */
function wrongFields(identity: Identity, holder: Holder): ReadonlySet<FieldName> {
  const wrong = new Set<FieldName>();
  const isNoName = (text: string): boolean => text.trim().length < 3 || text.trim().length > 60;
  if (isNoName(identity.name)) wrong.add('name');
  if (holder === 'company') {
    if (taxpayerCharacters(identity.cnpj).length !== 14 || !isTaxpayerNumber(identity.cnpj)) wrong.add('cnpj');
    if (isNoName(identity.responsible)) wrong.add('responsible');
  }
  if (!isValidCpf(identity.cpf)) wrong.add('cpf');
  if (identity.birthDate !== '' && Date.parse(identity.birthDate) > Date.now()) wrong.add('birthDate');
  if (identity.email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(identity.email)) wrong.add('email');
  return wrong;
}

const formats: Partial<Record<FieldName, (text: string) => string>> = { cpf: formatCpf, cnpj: formatTaxpayer };

/** Makes a certificate of the test authority, with the fields of a person or a company in ICP-Brasil's form. */
export function TestIdentityDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [holder, setHolder] = useState<Holder>('person');
  const [identity, setIdentity] = useState(empty);
  const [checked, setChecked] = useState(false);
  const { busy, error, make } = useMake(onClose);
  const wrong = wrongFields(identity, holder);
  const submit = (form: HTMLFormElement): void => {
    setChecked(true);
    if (wrong.size === 0) void make(identity, holder);
    else form.querySelector<HTMLInputElement>(`input[name="${[...wrong][0] ?? ''}"]`)?.focus();
  };
  const field = (name: FieldName) => ({
    name,
    ...textField(
      identity[name],
      (text) => setIdentity((before) => ({ ...before, [name]: formats[name]?.(text) ?? text })),
      checked && wrong.has(name) ? t(`certificates.testDialog.${name}Error`) : null,
    ),
  });
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
      <HolderChoice holder={holder} onChange={setHolder} />
      <TextInput
        data-autofocus
        required
        label={t(holder === 'company' ? 'certificates.testDialog.companyName' : 'certificates.testDialog.name')}
        autoComplete="off"
        maxLength={60}
        {...field('name')}
      />
      {holder === 'company' ? <CompanyFields field={field} /> : null}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <CpfField {...field('cpf')} />
        <TextInput type="date" label={optional(t, t('certificates.testDialog.birthDate'))} {...field('birthDate')} />
      </SimpleGrid>
      <TextInput
        type="email"
        label={optional(t, t('certificates.testDialog.email'))}
        autoComplete="off"
        {...field('email')}
      />
    </FormDialog>
  );
}

interface HolderChoiceProps {
  readonly holder: Holder;
  readonly onChange: (holder: Holder) => void;
}

function HolderChoice({ holder, onChange }: HolderChoiceProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      fullWidth
      aria-label={t('certificates.testDialog.holder')}
      value={holder}
      onChange={(value) => onChange(value === 'company' ? 'company' : 'person')}
      data={[
        { value: 'person', label: t('certificates.testDialog.person') },
        { value: 'company', label: t('certificates.testDialog.company') },
      ]}
    />
  );
}

interface FieldProps extends ReturnType<typeof textField> {
  readonly name: string;
}

function CpfField(field: FieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      required
      label={t('certificates.testDialog.cpf')}
      description={t('certificates.testDialog.cpfHelp')}
      inputWrapperOrder={helpBelow}
      placeholder="000.000.000-00"
      inputMode="numeric"
      autoComplete="off"
      {...field}
    />
  );
}

/** The company's number, and who is responsible for its certificate. */
function CompanyFields({ field }: { readonly field: (name: 'cnpj' | 'responsible') => FieldProps }) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        required
        label={t('certificates.testDialog.cnpj')}
        description={t('certificates.testDialog.cnpjHelp')}
        inputWrapperOrder={helpBelow}
        placeholder="00.000.000/0000-00"
        autoComplete="off"
        {...field('cnpj')}
      />
      <TextInput
        required
        label={t('certificates.testDialog.responsible')}
        autoComplete="off"
        maxLength={60}
        {...field('responsible')}
      />
    </SimpleGrid>
  );
}

function useMake(onClose: () => void) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const { busy, error, submit } = useSubmit();
  const make = async (identity: Identity, holder: Holder): Promise<void> => {
    const { cnpj, responsible } = identity;
    const wanted = {
      name: identity.name.trim(),
      cpf: cpfDigits(identity.cpf),
      ...(holder === 'company' ? { cnpj: taxpayerCharacters(cnpj), responsible: responsible.trim() } : {}),
      ...(identity.birthDate === '' ? {} : { birthDate: identity.birthDate }),
      ...(identity.email === '' ? {} : { email: identity.email }),
    };
    const made = await submit(bridge.call('certificates.makeTestIdentity', wanted));
    if (made === null) return;
    queries.refresh('certificates.list', 'home.read', 'doctor.read');
    toasts.done(t('certificates.testDialog.done', { name: made.holder }));
    onClose();
  };
  return { busy, error, make };
}
