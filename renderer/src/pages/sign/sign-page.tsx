import { Button, FileButton, Stack } from '@mantine/core';
import { FilePlus2, FileUp, FolderPlus } from 'lucide-react';
import { useSyncExternalStore, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { DropZone } from '../../components/drop-zone.tsx';
import { PageHeader } from '../../components/page.tsx';
import { BatchCard } from './batch-card.tsx';
import { FilesCard } from './files-card.tsx';
import { OptionsCard } from './options-card.tsx';
import classes from './sign.module.css';
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
            <>
              <FilesCard items={desk.items} />
              <OptionsCard items={desk.items} />
            </>
          ) : null}
        </Stack>
      )}
    </>
  );
}

/** A folder picker is an attribute unknown to React's types. */
const folderInput = { webkitdirectory: '' } as unknown as NonNullable<ComponentProps<typeof FileButton>['inputProps']>;

/** The window takes dropped files anywhere; this says so, and opens the pickers. */
function FilePicker({ small }: { readonly small: boolean }) {
  const { t } = useTranslation();
  const addFiles = useAddFiles();
  return (
    <DropZone icon={FileUp} size={small ? 'line' : 'largest'} text={t('sign.drop')} or={t('sign.dropOr')}>
      <div className={classes.pickers}>
        <FileButton
          multiple
          onChange={(files) => void addFiles(files)}
          inputProps={{ 'aria-label': t('sign.chooseFiles') }}
        >
          {(props) => (
            <Button {...props} variant={small ? 'default' : 'filled'} leftSection={<FilePlus2 size={18} aria-hidden />}>
              {t('sign.chooseFiles')}
            </Button>
          )}
        </FileButton>
        <FileButton
          multiple
          onChange={(files) => void addFiles(files)}
          inputProps={{ ...folderInput, 'aria-label': t('sign.chooseFolder') }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<FolderPlus size={18} aria-hidden />}>
              {t('sign.chooseFolder')}
            </Button>
          )}
        </FileButton>
      </div>
    </DropZone>
  );
}
