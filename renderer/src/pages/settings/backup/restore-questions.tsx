import { Checkbox, List, Stack, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { RestoreQuestion } from '../../../../../src/ui-contract/settings-calls.ts';
import { backupWords, type BackupGroup } from '../../../../../src/values/backup-groups.ts';
import { checkField } from '../../../components/fields/fields.ts';
import { Notice } from '../../../components/notice.tsx';

interface RestoreQuestionsProps {
  readonly question: RestoreQuestion;
  /** The kinds to restore; none at first. */
  readonly keep: readonly BackupGroup[];
  readonly onChange: (keep: readonly BackupGroup[]) => void;
}

/**
 * What a backup opens, kind by kind, each with a box that is empty at first. One box covers all kinds of a backup that
 * this instance has made itself.
 */
export function RestoreQuestions({ question: { isOwn, kinds }, keep, onChange }: RestoreQuestionsProps) {
  const { t } = useTranslation();
  const all = kinds.map(({ group }) => group);
  return (
    <Stack>
      <Notice kind="warning">{t(isOwn ? 'operation.backup.opensOwn' : 'operation.backup.opens')}</Notice>
      {isOwn && (
        <Checkbox
          label={t('operation.backup.keepAll')}
          {...checkField(keep.length === all.length, (checked) => onChange(checked ? all : []))}
        />
      )}
      {kinds.map(({ group, lines }) => (
        <div key={group}>
          {isOwn ? (
            <Text fw={500}>{t(`operation.backup.groups.${group}`)}</Text>
          ) : (
            <Checkbox
              label={t(`operation.backup.groups.${group}`)}
              {...checkField(keep.includes(group), (checked) =>
                onChange(checked ? [...keep, group] : keep.filter((one) => one !== group)),
              )}
            />
          )}
          <List size="sm" withPadding>
            {lines.map((line) => (
              <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
                {lineInWords(line, t)}
              </List.Item>
            ))}
          </List>
        </div>
      ))}
    </Stack>
  );
}

/** A line of the core, with the word for its rows in the language of the window. */
function lineInWords(line: string, t: TFunction): string {
  const word = backupWords.find((one) => line.startsWith(`${one}: `));
  return word === undefined ? line : `${t(`operation.backup.words.${word}`)}${line.slice(word.length)}`;
}
