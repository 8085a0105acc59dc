import { Stack } from '@mantine/core';
import { FileUp } from '../../components/icons/index.ts';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { DropZone, FilePickers } from '../../components/drop-zone.tsx';
import { PageHeader } from '../../components/page.tsx';
import { BatchCard } from './batch-card.tsx';
import { FilesCard } from './files-card.tsx';
import { OptionsForm } from './options-form.tsx';
import type { DeskState } from './desk-state.ts';
import { useAddFiles, useSigningDesk } from './use-signing-desk.ts';

function useDesk(): DeskState {
  const desk = useSigningDesk();
  return useSyncExternalStore(
    (listener) => desk.onChange(listener),
    () => desk.state(),
  );
}

/** Choose files and options, sign, and fetch the results. The choice stays during visits to other pages. */
export function SignPage() {
  const { t } = useTranslation();
  const desk = useDesk();
  return (
    <>
      <PageHeader title={t('sign.title')} subtitle={t('sign.subtitle')} />
      {desk.started ? (
        <BatchCard desk={desk} />
      ) : (
        <Stack gap="lg">
          <FilePicker small={desk.items.length > 0} />
          {desk.items.length > 0 ? (
            <OptionsForm items={desk.items}>
              <FilesCard items={desk.items} />
            </OptionsForm>
          ) : null}
        </Stack>
      )}
    </>
  );
}

/** The window accepts dropped files anywhere; this text says so, and its buttons open the pickers. */
function FilePicker({ small }: { readonly small: boolean }) {
  const { t } = useTranslation();
  const addFiles = useAddFiles();
  return (
    <DropZone icon={FileUp} size={small ? 'line' : 'largest'} text={t('sign.drop')} or={t('sign.dropOr')}>
      <FilePickers isSecondary={small} onFiles={(files) => void addFiles(files)} />
    </DropZone>
  );
}
