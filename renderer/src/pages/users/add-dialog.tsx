import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { maskTaxpayerNumber } from '../../../../src/text/taxpayer-number.ts';
import { AddForm } from './add-form.tsx';
import type { Person } from './people.ts';

interface AddDialogProps {
  /** Null asks for the CPF or CNPJ as well. */
  readonly person: Person | null;
  readonly onClose: () => void;
}

/** Adds an enrolled person, from here or elsewhere, to the users of this computer. */
export function AddDialog({ person, onClose }: AddDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('users.adding.title')} onClose={onClose}>
      <Stack gap="md">
        {person === null ? null : (
          <div>
            <Text fw={600}>{person.name}</Text>
            <Text size="sm" c="dimmed">
              {maskTaxpayerNumber(person.username)}
            </Text>
          </div>
        )}
        <AddForm
          username={person?.username ?? null}
          cancel={t('common.cancel')}
          submit={t('users.adding.submit')}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  );
}
