import { Button, Text, TextInput } from '@mantine/core';
import { FolderOpen, Plus } from '../../components/icons/index.ts';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { technical, textField } from '../../components/fields/fields.ts';
import type { CallOutput } from '../../../../src/ui-contract/ui-contract.ts';
import { RemoveAction } from '../../components/actions.tsx';
import { Intro } from '../../components/intro.tsx';
import { Rows, Section } from '../../components/page.tsx';
import { Nothing } from '../../components/query-rows.tsx';
import { useFinish } from '../../components/use-finish.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useFolderChoice } from '../../components/fields/use-folder-choice.ts';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import classes from './renewals.module.css';

type Folders = CallOutput<'renewals.list'>['folders'];

/** Folders whose signed files are kept valid. */
export function FoldersCard({ folders }: { readonly folders: Folders }) {
  const { t } = useTranslation();
  return (
    <Section title={t('renewals.folders.title')} flush>
      <Intro>{t('renewals.folders.text')}</Intro>
      <FolderForm />
      {folders.length === 0 ? (
        <Nothing title={t('renewals.folders.none')} text={t('renewals.folders.noneText')} narrow />
      ) : (
        <Rows label={t('renewals.folders.title')}>
          {folders.map((folder) => (
            <FolderRow key={folder.path} folder={folder} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function FolderForm() {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [path, setPath] = useState('');
  const choose = useFolderChoice(setPath);
  const { busy, error, submit } = useSubmit();
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const wordsFor = ({ code }: { readonly code: string }): string | null =>
      ['REQUEST_INVALID', 'FOLDER_NOT_FOUND', 'INPUT_INVALID'].includes(code) ? t('renewals.folders.wrong') : null;
    if ((await submit(bridge.call('renewals.addFolder', { path: path.trim() }), wordsFor)) === null) return;
    setPath('');
    queries.refresh('renewals.list');
    toasts.done(t('renewals.folders.added'));
  };
  return (
    <form className={classes.form} onSubmit={(event) => void save(event)} noValidate>
      <TextInput
        className={classes.field}
        label={t('renewals.folders.path')}
        description={t('renewals.folders.pathHelp')}
        {...technical}
        maxLength={4096}
        {...textField(path, setPath, error)}
      />
      {choose === null ? null : (
        <Button
          variant="default"
          leftSection={<FolderOpen size={16} aria-hidden />}
          onClick={() => void choose(t('renewals.folders.path'))}
        >
          {t('renewals.folders.choose')}
        </Button>
      )}
      <Button type="submit" variant="default" leftSection={<Plus size={16} aria-hidden />} loading={busy}>
        {t('renewals.folders.add')}
      </Button>
    </form>
  );
}

function FolderRow({ folder: { path, unreadable } }: { readonly folder: Folders[number] }) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('renewals.list');
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text fw={600}>{path}</Text>
        {unreadable ? <Text size="sm">{t('renewals.folders.unreadable')}</Text> : null}
      </div>
      <RemoveAction
        name={path}
        title={t('renewals.folders.removeTitle')}
        text={t('renewals.folders.removeText')}
        onRemove={async () =>
          finish(await bridge.call('renewals.removeFolder', { path }), t('renewals.folders.removed'))
        }
      />
    </li>
  );
}
