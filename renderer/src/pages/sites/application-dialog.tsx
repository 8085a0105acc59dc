import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField, helpBelow, textField } from '../../components/fields/fields.ts';
import type { ApplicationView } from '../../../../src/ui-contract/identity-calls.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { LimitFields, limitsFrom, limitTexts, wrongLimits, type LimitTexts } from './application-limits.tsx';
import type { ShownSecrets } from './secrets-dialog.tsx';

interface ApplicationDialogProps {
  /** Null registers a new application. */
  readonly application: ApplicationView | null;
  readonly onClose: () => void;
  readonly onSecrets: (secrets: ShownSecrets) => void;
}

interface Fields {
  readonly name: string;
  readonly email: string;
  readonly comments: string;
  /** An address per line. */
  readonly redirectUris: string;
}

type FieldName = keyof Fields;

const order: readonly FieldName[] = ['name', 'redirectUris', 'email', 'comments'];
const nothingWrong: ReadonlySet<FieldName> = new Set();

function addressesOf(text: string): string[] {
  return text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** https, or http on this computer, and no fragment (RFC 6749 §3.1.2). */
function isReturnAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.|\[::1\])/.test(url.hostname));
}

function wrongFields({ name, email, comments, redirectUris }: Fields): ReadonlySet<FieldName> {
  const wrong = new Set<FieldName>();
  const addresses = addressesOf(redirectUris);
  if (name.trim() === '') wrong.add('name');
  if (addresses.length === 0 || !addresses.every(isReturnAddress)) wrong.add('redirectUris');
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email.trim())) wrong.add('email');
  if (comments.trim() === '') wrong.add('comments');
  return wrong;
}

/** Registers an application, or changes its facts. */
export function ApplicationDialog({ application, onClose, onSecrets }: ApplicationDialogProps) {
  const { t } = useTranslation();
  const [fields, setFields] = useState<Fields>({
    name: application?.name ?? '',
    email: application?.email ?? '',
    comments: application?.comments ?? '',
    redirectUris: application?.redirectUris.join('\n') ?? '',
  });
  const [limits, setLimits] = useState(limitTexts(application?.limits ?? {}));
  const [isPublic, setIsPublic] = useState(false);
  const [signsRaw, setSignsRaw] = useState(application?.signsRaw ?? false);
  const [checked, setChecked] = useState(false);
  const { busy, error, save } = useSave(application, onClose, onSecrets);
  const wrong = wrongFields(fields);
  const change = (part: Partial<Fields>): void => setFields((before) => ({ ...before, ...part }));
  const submit = (form: HTMLFormElement): void => {
    setChecked(true);
    const first = [...order.filter((name) => wrong.has(name)), ...wrongLimits(limits)][0];
    if (first === undefined) void save(fields, limits, { isPublic, signsRaw });
    else form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  return (
    <FormDialog
      title={application === null ? t('applications.addTitle') : t('applications.editTitle')}
      size="lg"
      error={error}
      busy={busy}
      submit={application === null ? t('applications.register') : t('applications.save')}
      onSubmit={submit}
      onClose={onClose}
    >
      <FactFields fields={fields} wrong={checked ? wrong : nothingWrong} onChange={change} />
      <LimitFields limits={limits} checked={checked} onChange={setLimits} />
      {application === null ? (
        <Checkbox label={t('applications.isPublic')} {...checkField(isPublic, setIsPublic)} />
      ) : (
        <Checkbox label={t('applications.signsRaw')} {...checkField(signsRaw, setSignsRaw)} />
      )}
    </FormDialog>
  );
}

interface FactFieldsProps {
  readonly fields: Fields;
  /** Fields that show what is wrong. */
  readonly wrong: ReadonlySet<FieldName>;
  readonly onChange: (part: Partial<Fields>) => void;
}

/** The facts of an application. */
function FactFields({ fields, wrong, onChange }: FactFieldsProps) {
  const { t } = useTranslation();
  const field = (name: FieldName) => ({
    name,
    label: t(`applications.${name}`),
    required: true,
    autoComplete: 'off',
    inputWrapperOrder: helpBelow,
    ...textField(
      fields[name],
      (text) => onChange({ [name]: text }),
      wrong.has(name) ? t(`applications.${name}Error`) : null,
    ),
  });
  return (
    <>
      <TextInput data-autofocus description={t('applications.nameHelp')} maxLength={100} {...field('name')} />
      <Textarea
        description={t('applications.redirectUrisHelp')}
        rows={3}
        spellCheck={false}
        {...field('redirectUris')}
      />
      <TextInput type="email" maxLength={300} {...field('email')} />
      <TextInput maxLength={4000} {...field('comments')} />
    </>
  );
}

function useSave(application: ApplicationView | null, onClose: () => void, onSecrets: (secrets: ShownSecrets) => void) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const { busy, error, submit } = useSubmit();
  const save = async (
    fields: Fields,
    limits: LimitTexts,
    { isPublic, signsRaw }: { readonly isPublic: boolean; readonly signsRaw: boolean },
  ): Promise<void> => {
    const wanted = {
      name: fields.name.trim(),
      email: fields.email.trim(),
      comments: fields.comments.trim(),
      redirectUris: addressesOf(fields.redirectUris),
      limits: limitsFrom(limits),
    };
    if (application === null) {
      const added = await submit(bridge.call('applications.add', { ...wanted, isPublic }));
      if (added === null) return;
      const { clientId, name } = added.application;
      onSecrets({ name, clientId, secrets: added.secrets });
    } else {
      const { clientId } = application;
      if ((await submit(bridge.call('applications.change', { clientId, ...wanted, signsRaw }))) === null) return;
      toasts.done(t('applications.saved'));
    }
    queries.refresh('applications.list');
    onClose();
  };
  return { busy, error, save };
}
