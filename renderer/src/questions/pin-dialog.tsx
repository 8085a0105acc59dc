import { Button, Checkbox, Group, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField, textField } from '../components/fields/fields.ts';
import type { CertificateView } from '../../../src/ui-contract/ui-contract.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { SecretInput } from '../components/dialogs/secret-input.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';

interface PinDialogProps {
  /** Null if the certificate is missing because its token was removed. */
  readonly certificate: CertificateView | null;
  /** False while the list of certificates is loading, so that a null `certificate` may still be found. */
  readonly loaded: boolean;
  /** How many documents the PIN is asked for; 0 when none. */
  readonly documents: number;
  readonly onClose: () => void;
  readonly onTop?: boolean;
}

/** Asks for the PIN of a token. The PIN goes to the core in a single message and is stored nowhere. */
export function PinDialog({ certificate, loaded, documents, onClose, onTop = false }: PinDialogProps) {
  const { t } = useTranslation();
  const toasts = useToasts();
  // A signature that goes on is seen by itself.
  const onDone = (): void => {
    if (documents === 0) toasts.done(t('certificates.unlockedNow'));
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={t('certificates.unlockDialog.title')} onTop={onTop}>
      <Stack gap="md">
        {documents > 0 ? (
          <Text size="sm" c="dimmed">
            {t('approval.onePin', { count: documents })}
          </Text>
        ) : null}
        {certificate === null ? (
          <Missing loaded={loaded} />
        ) : (
          <Unlock certificate={certificate} onClose={onClose} onDone={onDone} />
        )}
      </Stack>
    </Dialog>
  );
}

function Missing({ loaded }: { readonly loaded: boolean }) {
  const { t } = useTranslation();
  if (!loaded) return <Loader aria-label={t('common.loading')} />;
  return <Notice kind="warning">{t('errors.KEY_SOURCE_UNAVAILABLE')}</Notice>;
}

interface UnlockProps {
  readonly certificate: CertificateView;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Unlock({ certificate, onClose, onDone }: UnlockProps) {
  const { t } = useTranslation();
  const [pin, setPin] = useState('');
  const [sure, setSure] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The certificate may come after the dialog, when another element has the focus.
  useEffect(() => field.current?.focus(), []);
  const isBrowser = certificate.source === 'browser';
  const unlocking = useUnlocking(certificate, onDone);
  const attempts = certificate.token?.pinAttempts ?? 'unknown';
  const pinPad = certificate.token?.pinPad === true;
  const blocked = attempts === 'locked';
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (unlocking.busy || blocked || (attempts === 'last' && !sure)) return;
    const done = await unlocking.unlock(pin, pinPad);
    setPin('');
    setSure(false);
    if (!done) field.current?.focus();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <Subject certificate={certificate} />
        {pinPad || blocked ? (
          <WithoutField blocked={blocked} unlocking={unlocking} />
        ) : (
          <SecretInput
            ref={field}
            data-autofocus
            label={t(isBrowser ? 'certificates.unlockDialog.password' : 'certificates.unlockDialog.pin')}
            description={isBrowser ? undefined : t('certificates.unlockDialog.pinHelp')}
            {...textField(pin, setPin, unlocking.error)}
          />
        )}
        {attempts === 'last' ? (
          <Checkbox label={t('certificates.unlockDialog.lastConfirm')} {...checkField(sure, setSure)} />
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {blocked ? t('common.close') : t('common.cancel')}
          </Button>
          {blocked ? null : (
            <Button type="submit" loading={unlocking.busy} disabled={attempts === 'last' && !sure}>
              {pinPad ? t('certificates.unlockDialog.padSubmit') : t('certificates.unlockDialog.submit')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The certificate and its token, with the state of the PIN. */
function Subject({ certificate: { holder, issuer, token, source, place } }: { readonly certificate: CertificateView }) {
  const { t } = useTranslation();
  return (
    <>
      <div>
        <Text fw={600}>{holder}</Text>
        <Text size="sm" c="dimmed">
          {source === 'browser'
            ? t('certificates.unlockDialog.passwordText', { place })
            : t('certificates.unlockDialog.text', { label: token?.label ?? issuer })}
        </Text>
      </div>
      <Attempts attempts={token?.pinAttempts ?? 'unknown'} />
    </>
  );
}

/** In place of the field: the keypad of a reader, or a token whose PIN is blocked. */
function WithoutField({ blocked, unlocking }: { readonly blocked: boolean; readonly unlocking: Unlocking }) {
  const { t } = useTranslation();
  return (
    <>
      {blocked ? null : (
        <Notice kind="information" alert={unlocking.busy}>
          {unlocking.busy ? t('certificates.unlockDialog.padWaiting') : t('certificates.unlockDialog.pad')}
        </Notice>
      )}
      {unlocking.error === null ? null : (
        <Notice kind="error" alert>
          {unlocking.error}
        </Notice>
      )}
    </>
  );
}

function Attempts({ attempts }: { readonly attempts: NonNullable<CertificateView['token']>['pinAttempts'] }) {
  const { t } = useTranslation();
  switch (attempts) {
    case 'low':
      return <Notice kind="warning">{t('certificates.unlockDialog.low')}</Notice>;
    case 'last':
      return <Notice kind="error">{t('certificates.unlockDialog.last')}</Notice>;
    case 'locked':
      return <Notice kind="error">{t('certificates.unlockDialog.blocked')}</Notice>;
    case 'normal':
    case 'unknown':
      return null;
  }
}

interface Unlocking {
  readonly busy: boolean;
  readonly error: string | null;
  readonly unlock: (pin: string, pinPad: boolean) => Promise<boolean>;
}

function useUnlocking({ alias, source, place }: CertificateView, onDone: () => void): Unlocking {
  const { bridge, queries } = useCore();
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const unlock = async (pin: string, pinPad: boolean): Promise<boolean> => {
    if (pin === '' && !pinPad) {
      setError(t('certificates.unlockDialog.required'));
      return false;
    }
    setBusy(true);
    setError(null);
    const result = await bridge.call('certificates.unlock', { alias, pin });
    queries.refresh('home.read', 'certificates.list', 'certificates.describe', 'tokens.list');
    setBusy(false);
    if (!result.ok) {
      const isWrongPassword = source === 'browser' && result.error.code === 'PIN_INCORRECT';
      setError(isWrongPassword ? t('certificates.unlockDialog.wrongPassword', { place }) : errorText(result.error));
      return false;
    }
    onDone();
    return true;
  };
  return { busy, error, unlock };
}
