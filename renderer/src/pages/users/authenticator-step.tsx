import { Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../../components/fields/fields.ts';
import type { EnrolmentView } from '../../../../src/ui-contract/identity-calls.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { FormEnd } from '../../components/dialogs/form-end.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { groupHex } from '../../format/format.ts';
import { CodeInput } from './code-input.tsx';
import classes from './users.module.css';

interface AuthenticatorStepProps {
  readonly name: string;
  readonly offer: EnrolmentView;
  readonly onCancel: () => void;
  /** Called if the enrolment has expired and must begin again. */
  readonly onOver: () => void;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
}

/**
 * Shows the secret as a QR code and as text, and asks for a first code to check that the authenticator has the secret.
 */
export function AuthenticatorStep({ name, offer, onCancel, onOver, onDone }: AuthenticatorStepProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const confirm = useSubmit();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setMissing(code.trim() === '');
    if (code.trim() === '') {
      field.current?.focus();
      return;
    }
    const answer = await confirm.submit(
      bridge.call('users.confirm', { enrolment: offer.enrolment, code: code.trim() }),
      ({ code: problem }) => {
        if (problem === 'NOT_FOUND') onOver();
        return problem === 'INVALID_CREDENTIALS' ? t('users.enrolment.wrongCode') : null;
      },
    );
    if (answer === null) {
      field.current?.select();
      return;
    }
    queries.refresh('users.list');
    onDone(answer.recoveryCodes);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="lg">
        <div className={classes.enrol}>
          <QrCode svg={offer.qrCodeSvg} name={name} />
          <Stack gap="md" className={classes.enrolText}>
            <Text>{t('users.enrolment.scan')}</Text>
            <div>
              <Text size="sm" c="dimmed">
                {t('users.enrolment.secret')}
              </Text>
              <div className={classes.secret}>
                <span>{groupHex(offer.secret)}</span>
                <CopyButton text={offer.secret} name={t('users.enrolment.secretName')} />
              </div>
            </div>
            <CodeInput
              ref={field}
              label={t('users.enrolment.firstCode')}
              description={t('users.enrolment.firstCodeHelp')}
              {...textField(code, setCode, missing ? t('users.fields.codeError') : confirm.error)}
            />
          </Stack>
        </div>
        <FormEnd error={null} busy={confirm.busy} submit={t('users.enrolment.confirm')} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** The picture comes as SVG text; as an image it cannot run scripts. */
function QrCode({ svg, name }: { readonly svg: string; readonly name: string }) {
  const { t } = useTranslation();
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(svg)}`, [svg]);
  return <img className={classes.qrCode} src={source} alt={t('users.enrolment.qrCode', { name })} />;
}
