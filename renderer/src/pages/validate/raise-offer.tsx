import { Button, Group, Text } from '@mantine/core';
import { Hourglass } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import { saveFile } from '../../components/save-file.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useValidationDesk } from './use-validation-desk.ts';
import classes from './validate.module.css';
import type { RaisedLevel, ValidationItem } from './validation-desk.ts';

/** The next level for extending, and the last level, which keeps a signature provable for good. */
function levelsOf({ report }: ValidationView): readonly RaisedLevel[] {
  const next = report.signatures.flatMap(({ raisesTo }) => (raisesTo === null ? [] : [raisesTo]));
  const order = ['B-T', 'B-LT', 'B-LTA'] as const;
  const first = order.find((level) => next.includes(level));
  if (first === undefined) return [];
  return first === 'B-LTA' ? [first] : [first, 'B-LTA'];
}

/** Extends the signatures of a file, and gives the new file to keep; nothing if not possible. */
export function RaiseOffer({ item, view }: { readonly item: ValidationItem; readonly view: ValidationView }) {
  const { t } = useTranslation();
  const validation = useValidationDesk();
  const toasts = useToasts();
  const [busy, setBusy] = useState<RaisedLevel | null>(null);
  const levels = levelsOf(view);
  if (levels.length === 0) return null;
  const raise = async (level: RaisedLevel): Promise<void> => {
    setBusy(level);
    const result = await validation.raise(item.id, level);
    setBusy(null);
    if (!result.ok) {
      toasts.failed(result.error);
      return;
    }
    saveFile(result.value.name, result.value);
    toasts.done(t('validate.raised', { name: result.value.name }));
  };
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" className={classes.grow}>
        {t('validate.raiseHelp')}
      </Text>
      <Group gap="xs">
        {levels.map((level) => (
          <Button
            key={level}
            size="xs"
            variant="default"
            leftSection={<Hourglass size={16} aria-hidden />}
            aria-label={t('validate.raiseNamed', { level, name: view.fileName })}
            loading={busy === level}
            disabled={busy !== null}
            onClick={() => void raise(level)}
          >
            {t('validate.raise', { level })}
          </Button>
        ))}
      </Group>
    </Group>
  );
}
