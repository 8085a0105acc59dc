import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { choiceField } from '../../../components/fields/fields.ts';
import type { OwnStamp } from '../stamp-options.ts';

const kinds = ['usual', 'place', 'none'] as const;

interface FileStampChoiceProps {
  /** False for a single file. */
  readonly isBatch: boolean;
  readonly own: OwnStamp | null;
  readonly onChange: (kind: (typeof kinds)[number]) => void;
}

/** Chooses a different stamp for the shown file. A field is chosen by a click on the page. */
export function FileStampChoice({ isBatch, own, onChange }: FileStampChoiceProps) {
  const { t } = useTranslation();
  if (own?.kind === 'field') {
    return (
      <Group gap="sm" justify="space-between">
        <Text size="sm" role="status">
          {t('stamp.inField', { name: own.fieldName })}
        </Text>
        <Button size="xs" variant="default" onClick={() => onChange('usual')}>
          {t('stamp.leaveField')}
        </Button>
      </Group>
    );
  }
  if (!isBatch) return null;
  return (
    <NativeSelect
      label={t('stamp.thisFile')}
      {...choiceField(kinds, own?.kind ?? 'usual', (kind) => t(`stamp.fileStamps.${kind}`), onChange)}
    />
  );
}
