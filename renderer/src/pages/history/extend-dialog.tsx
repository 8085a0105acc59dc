import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../../components/fields/fields.ts';
import type { CallError, CallInput, UiDocument } from '../../../../src/ui-contract/ui-contract.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { SecretInput } from '../../components/dialogs/secret-input.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { asksPassword, isPasswordWrong } from '../../data/asks-password.ts';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';

type Extension = CallInput<'history.extend'>;

const levels = ['B-LTA', 'B-LT', 'B-T'] as const satisfies readonly Extension['level'][];
const places = ['replace', 'beside'] as const satisfies readonly Extension['place'][];

interface ExtendDialogProps {
  readonly tcn: string;
  readonly document: UiDocument;
  readonly onClose: () => void;
}

/** Extends the signed file of a document, in place or as a new file. For an encrypted PDF it asks for the password. */
export function ExtendDialog({ tcn, document, onClose }: ExtendDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [level, setLevel] = useState<Extension['level']>('B-LTA');
  const [place, setPlace] = useState<Extension['place']>('replace');
  const password = usePassword();
  const { busy, error, submit } = useSubmit();
  const extend = async (): Promise<void> => {
    const done = await submit(
      bridge.call('history.extend', { tcn, documentId: document.id, level, place, ...password.given }),
      password.wordsFor,
    );
    if (done === null) return;
    queries.refresh('history.documents', 'history.presence', 'transactions.read', 'renewals.list');
    toasts.done(t('history.extend.done', { path: done.path }));
    onClose();
  };
  return (
    <FormDialog
      title={t('history.extend.title')}
      gap="lg"
      error={error}
      busy={busy}
      submit={t('history.extend.submit')}
      onSubmit={extend}
      onClose={onClose}
    >
      <Choices level={level} place={place} onLevel={setLevel} onPlace={setPlace} />
      {password.isAsked ? (
        <SecretInput
          label={t('stamp.password')}
          description={t('certificates.importDialog.passwordHelp')}
          data-autofocus
          {...textField(password.typed, password.type)}
        />
      ) : null}
    </FormDialog>
  );
}

interface ChoicesProps {
  readonly level: Extension['level'];
  readonly place: Extension['place'];
  readonly onLevel: (level: Extension['level']) => void;
  readonly onPlace: (place: Extension['place']) => void;
}

/** The level of the extended signature, and the place of the extended file. */
function Choices({ level, place, onLevel, onPlace }: ChoicesProps) {
  const { t } = useTranslation();
  return (
    <>
      <Radio.Group
        label={t('history.extend.level')}
        value={level}
        onChange={(value) => onLevel(levels.find((one) => one === value) ?? level)}
      >
        <Stack gap="xs" mt="xs">
          {levels.map((one) => (
            <Radio key={one} value={one} label={t(`history.extend.levels.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group
        label={t('history.extend.place')}
        value={place}
        onChange={(value) => onPlace(places.find((one) => one === value) ?? place)}
      >
        <Stack gap="xs" mt="xs">
          {places.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`history.extend.places.${one}`)}
              description={t(`history.extend.placeHelp.${one}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </>
  );
}

/** The password of the PDF, which is requested after the core has reported an encrypted PDF. */
function usePassword() {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const [typed, type] = useState('');
  const wordsFor = (error: CallError): string | null => {
    if (!asksPassword(error)) return null;
    setAsked(true);
    return isPasswordWrong(error) ? t('stamp.wrongPassword') : t('history.extend.needsPassword');
  };
  return { isAsked, typed, type, wordsFor, given: typed === '' ? {} : { password: typed } };
}
