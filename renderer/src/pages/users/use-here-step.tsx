import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AddForm } from './add-form.tsx';

interface UseHereStepProps {
  readonly name: string;
  readonly username: string;
  readonly onClose: () => void;
}

/** Makes a newly enrolled person a user of this computer. */
export function UseHereStep({ name, username, onClose }: UseHereStepProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Text>{t('users.enrolment.useText', { name })}</Text>
      <AddForm username={username} cancel={t('users.enrolment.later')} submit={t('users.use')} onClose={onClose} />
    </Stack>
  );
}
