import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EnrolmentView } from '../../../../src/ui-contract/identity-calls.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { AddForm } from './add-form.tsx';
import { AuthenticatorStep } from './authenticator-step.tsx';
import { PersonStep, type PersonFields } from './person-step.tsx';
import { RecoveryCodesStep } from './recovery-codes-step.tsx';

type Step =
  | { readonly kind: 'person'; readonly error: string | null }
  | { readonly kind: 'authenticator'; readonly offer: EnrolmentView }
  | { readonly kind: 'recovery'; readonly codes: readonly string[] }
  | { readonly kind: 'use' };

const positions: Record<Step['kind'], number> = { person: 1, authenticator: 2, recovery: 3, use: 4 };
const stepCount = 4;

interface EnrolDialogProps {
  /** Numbers of enrolled people. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Enrols a person in steps: identity, authenticator with its first code, recovery codes, and use on this computer. */
export function EnrolDialog({ taken, onClose }: EnrolDialogProps) {
  const { t } = useTranslation();
  const [fields, setFields] = useState<PersonFields>({ name: '', username: '', photo: null });
  const [step, setStep] = useState<Step>({ kind: 'person', error: null });
  const [leaving, setLeaving] = useState(false);
  const name = fields.name.trim();
  // A stray Escape must not lose codes shown only once.
  const close = (): void => {
    if (step.kind === 'recovery' && !leaving) setLeaving(true);
    else onClose();
  };
  return (
    <Dialog
      title={t('users.enrolment.title')}
      aside={t('users.enrolment.step', { position: positions[step.kind], count: stepCount })}
      onClose={close}
      size="lg"
    >
      {step.kind === 'person' ? (
        <PersonStep
          fields={fields}
          error={step.error}
          taken={taken}
          onChange={setFields}
          onCancel={onClose}
          onDone={(offer) => setStep({ kind: 'authenticator', offer })}
        />
      ) : null}
      {step.kind === 'authenticator' ? (
        <AuthenticatorStep
          name={name}
          offer={step.offer}
          onCancel={onClose}
          onOver={() => setStep({ kind: 'person', error: t('users.enrolment.over') })}
          onDone={(codes) => setStep({ kind: 'recovery', codes })}
        />
      ) : null}
      {step.kind === 'recovery' ? (
        <RecoveryCodesStep name={name} codes={step.codes} leaving={leaving} onDone={() => setStep({ kind: 'use' })} />
      ) : null}
      {step.kind === 'use' ? <UseHereStep name={name} username={fields.username} onClose={onClose} /> : null}
    </Dialog>
  );
}

interface UseHereStepProps {
  readonly name: string;
  readonly username: string;
  readonly onClose: () => void;
}

/** Makes a newly enrolled person a user of this computer. */
function UseHereStep({ name, username, onClose }: UseHereStepProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Text>{t('users.enrolment.useText', { name })}</Text>
      <AddForm username={username} cancel={t('users.enrolment.later')} submit={t('users.use')} onClose={onClose} />
    </Stack>
  );
}
