import { Button, Group, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import { FolderOpen } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ArchiveView } from '../../../../src/ui-contract/archive-calls.ts';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { useLanguage } from '../../i18n/use-language.ts';

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

function ArchiveForm({ archive }: { readonly archive: ArchiveView }) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const language = useLanguage();
  const [place, setPlace] = useState(archive.place);
  const [folder, setFolder] = useState(archive.folder);
  const [byMonth, setByMonth] = useState(archive.byMonth);
  const [suffix, setSuffix] = useState(archive.suffix);
  const { busy, error, submit } = useSubmit();
  const isFixed = (key: string): boolean => archive.fixed.includes(`archive.${key}`);
  const describe = (key: string, otherwise: string): string => (isFixed(key) ? t('operation.way.fixed') : otherwise);
  /** A text that nobody changed goes on following the language. */
  const chosen = (text: string, key: 'folder' | 'suffix'): string | null =>
    text.trim() === '' || (!archive.chosen[key] && text === archive[key]) ? null : text.trim();
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const wanted = { language, place, byMonth, folder: chosen(folder, 'folder'), suffix: chosen(suffix, 'suffix') };
    const wordsFor = ({ code }: { readonly code: string }): string | null =>
      code === 'REQUEST_INVALID' || code === 'INPUT_INVALID' ? t('operation.archive.wrong') : null;
    const saved = await submit(bridge.call('archive.change', wanted), wordsFor);
    if (saved === null) return;
    setFolder(saved.folder);
    setSuffix(saved.suffix);
    queries.refresh('archive.read');
    toasts.done(t('operation.archive.saved'));
  };
  const choose = async (): Promise<void> => {
    const title = t('signOptions.chooseFolder');
    const result = await bridge.desktop?.call('desktop.chooseFolder', { title, from: folder });
    if (result?.ok === false) toasts.failed(result.error);
    if (result?.ok === true && result.value.path !== null) setFolder(result.value.path);
  };
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <Stack gap="md">
        <Radio.Group
          label={t('operation.archive.place')}
          description={describe('place', t('operation.archive.placeHelp'))}
          value={place}
          onChange={(named) => setPlace(places.find((one) => one === named) ?? 'beside')}
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
            spellCheck={false}
            autoComplete="off"
            maxLength={4096}
            value={folder}
            onChange={(event) => setFolder(event.currentTarget.value)}
          />
          {bridge.desktop === null || isFixed('folder') ? null : (
            <Button variant="default" leftSection={<FolderOpen size={16} aria-hidden />} onClick={() => void choose()}>
              {t('signOptions.chooseFolder')}
            </Button>
          )}
        </Group>
        <Switch
          label={t('operation.archive.byMonth')}
          description={describe('by_month', t('operation.archive.byMonthHelp'))}
          disabled={isFixed('by_month')}
          checked={byMonth}
          onChange={(event) => setByMonth(event.currentTarget.checked)}
        />
        <TextInput
          maw={320}
          label={t('operation.archive.suffix')}
          description={describe('suffix', t('operation.archive.suffixHelp', { suffix: suffix.trim() }))}
          disabled={isFixed('suffix')}
          spellCheck={false}
          autoComplete="off"
          maxLength={40}
          value={suffix}
          onChange={(event) => setSuffix(event.currentTarget.value)}
        />
        {error === null ? null : (
          <Notice kind="error" alert>
            {error}
          </Notice>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t('operation.archive.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
