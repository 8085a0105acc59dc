import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApplicationSecretsView } from '../../../../src/ui-contract/identity-calls.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import classes from './sites.module.css';

/** The secrets of an application, while visible. */
export interface ShownSecrets {
  readonly name: string;
  readonly clientId: string;
  readonly secrets: ApplicationSecretsView;
}

interface SecretsDialogProps {
  readonly shown: ShownSecrets;
  readonly onClose: () => void;
}

/** Shows secrets, this once. */
export function SecretsDialog({ shown, onClose }: SecretsDialogProps) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const { clientSecret, webhookSecret } = shown.secrets;
  const values = [
    { name: t('applications.clientId'), value: shown.clientId },
    ...(clientSecret === null ? [] : [{ name: t('applications.clientSecret'), value: clientSecret }]),
    { name: t('applications.webhookSecret'), value: webhookSecret },
  ];
  return (
    // A stray Escape must not lose secrets shown only once.
    <Dialog title={t('applications.secretsTitle')} onClose={() => (leaving ? onClose() : setLeaving(true))} size="lg">
      <Stack gap="md">
        <Notice kind="warning" title={shown.name}>
          {t('applications.secretsText')}
        </Notice>
        {values.map(({ name, value }) => (
          <div key={name}>
            <Text size="sm" fw={500} mb={4}>
              {name}
            </Text>
            <div className={classes.secret}>
              <span>{value}</span>
              <CopyButton text={value} name={name} />
            </div>
          </div>
        ))}
        {leaving ? (
          <Notice kind="warning" alert>
            {t('applications.secretsLeaving')}
          </Notice>
        ) : null}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('applications.secretsDone')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
