import { Button, Group, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import { FolderOpen } from '../../components/icons/index.ts';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField, technical, textField } from '../../components/fields/fields.ts';
import type { ArchiveView } from '../../../../src/ui-contract/archive-calls.ts';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useFolderChoice } from '../../components/fields/use-folder-choice.ts';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { CardFormEnd } from './card-form-end.tsx';

const places = ['beside', 'folder'] as const satisfies ArchiveView['place'][];

/** Where signed files are put, and how they are named. */
export function ArchiveCard() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const { value, error } = useQuery('archive.read', { language });
  return (
    <Section title={t('operation.archive.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('operation.archive.text')}
      </Text>
      {value === null && error === null ? <RowsPlaceholder /> : null}
      {value === null && error !== null ? <Notice kind="error">{errorText(error)}</Notice> : null}
      {value === null ? null : <ArchiveForm key={language} archive={value} />}
    </Section>
  );
}

/** The typed values of the form. */
type ArchiveDraft = Pick<ArchiveView, 'place' | 'folder' | 'byMonth' | 'suffix'>;

/** The draft, and how it is changed and saved. */
function useArchiveDraft(archive: ArchiveView) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const language = useLanguage();
  const { place, folder, byMonth, suffix } = archive;
  const [draft, setDraft] = useState<ArchiveDraft>({ place, folder, byMonth, suffix });
  const { busy, error, submit } = useSubmit();
  const change = (part: Partial<ArchiveDraft>): void => setDraft((before) => ({ ...before, ...part }));
  /** A text that the user has not changed follows the language. */
  const chosen = (key: 'folder' | 'suffix'): string | null => {
    const text = draft[key].trim();
    return text === '' || (!archive.chosen[key] && draft[key] === archive[key]) ? null : text;
  };
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const wanted = { ...draft, language, folder: chosen('folder'), suffix: chosen('suffix') };
    const wordsFor = ({ code }: { readonly code: string }): string | null =>
      code === 'REQUEST_INVALID' || code === 'INPUT_INVALID' ? t('operation.archive.wrong') : null;
    const saved = await submit(bridge.call('archive.change', wanted), wordsFor);
    if (saved === null) return;
    change({ folder: saved.folder, suffix: saved.suffix });
    queries.refresh('archive.read');
    toasts.done(t('operation.archive.saved'));
  };
  return { draft, busy, error, change, save };
}

interface FieldProps {
  readonly draft: ArchiveDraft;
  readonly change: (part: Partial<ArchiveDraft>) => void;
  /** True for a key that the configuration sets. */
  readonly isFixed: (key: string) => boolean;
  /** The help of a key's field, unless the configuration sets the key. */
  readonly describe: (key: string, otherwise: string) => string;
}

function ArchiveForm({ archive }: { readonly archive: ArchiveView }) {
  const { t } = useTranslation();
  const { draft, busy, error, change, save } = useArchiveDraft(archive);
  const isFixed = (key: string): boolean => archive.fixed.includes(`archive.${key}`);
  const describe = (key: string, otherwise: string): string => (isFixed(key) ? t('operation.way.fixed') : otherwise);
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <Stack gap="md">
        <PlaceFields draft={draft} change={change} isFixed={isFixed} describe={describe} />
        <Switch
          label={t('operation.archive.byMonth')}
          description={describe('by_month', t('operation.archive.byMonthHelp'))}
          disabled={isFixed('by_month')}
          {...checkField(draft.byMonth, (byMonth) => change({ byMonth }))}
        />
        <TextInput
          maw={320}
          label={t('operation.archive.suffix')}
          description={describe('suffix', t('operation.archive.suffixHelp', { suffix: draft.suffix.trim() }))}
          disabled={isFixed('suffix')}
          {...technical}
          maxLength={40}
          {...textField(draft.suffix, (suffix) => change({ suffix }))}
        />
        <CardFormEnd error={error} busy={busy} submit={t('operation.archive.save')} />
      </Stack>
    </form>
  );
}

/** Beside the document, or in a folder; on the desktop the user can choose the folder in a dialog. */
function PlaceFields({ draft, change, isFixed, describe }: FieldProps) {
  const { t } = useTranslation();
  const choose = useFolderChoice((folder) => change({ folder }));
  return (
    <>
      <Radio.Group
        label={t('operation.archive.place')}
        description={describe('place', t('operation.archive.placeHelp'))}
        value={draft.place}
        onChange={(named) => change({ place: places.find((one) => one === named) ?? 'beside' })}
      >
        <Group gap="lg" mt="xs">
          {places.map((one) => (
            <Radio key={one} value={one} label={t(`operation.archive.places.${one}`)} disabled={isFixed('place')} />
          ))}
        </Group>
      </Radio.Group>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('operation.archive.folder')}
          description={describe('folder', t('operation.archive.folderHelp'))}
          disabled={isFixed('folder')}
          {...technical}
          maxLength={4096}
          {...textField(draft.folder, (folder) => change({ folder }))}
        />
        {choose === null || isFixed('folder') ? null : (
          <Button
            variant="default"
            leftSection={<FolderOpen size={16} aria-hidden />}
            onClick={() => void choose(t('signOptions.chooseFolder'), draft.folder)}
          >
            {t('signOptions.chooseFolder')}
          </Button>
        )}
      </Group>
    </>
  );
}
