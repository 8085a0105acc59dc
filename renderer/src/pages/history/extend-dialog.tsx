import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, UiDocument } from '../../../../src/ui-contract/ui-contract.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';

type Extension = CallInput<'history.extend'>;

const levels = ['B-LTA', 'B-LT', 'B-T'] as const satisfies readonly Extension['level'][];
const places = ['replace', 'beside'] as const satisfies readonly Extension['place'][];

interface ExtendDialogProps {
  readonly tcn: string;
  readonly document: UiDocument;
  readonly onClose: () => void;
}

/** Extends the signed file of a document, in its place or beside it. */
export function ExtendDialog({ tcn, document, onClose }: ExtendDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [level, setLevel] = useState<Extension['level']>('B-LTA');
  const [place, setPlace] = useState<Extension['place']>('replace');
  const { busy, error, submit } = useSubmit();
  const extend = async (): Promise<void> => {
    const done = await submit(bridge.call('history.extend', { tcn, documentId: document.id, level, place }));
    if (done === null) return;
    queries.refresh('history.documents', 'history.presence', 'transactions.read', 'renewals.list');
    toasts.done(t('history.extend.done', { path: done.path }));
    onClose();
  };
  return (
    <FormDialog
      title={t('history.extend.title')}
      gap="lg"
      error={error}
      busy={busy}
      submit={t('history.extend.submit')}
      onSubmit={extend}
      onClose={onClose}
    >
      <Radio.Group
        label={t('history.extend.level')}
        value={level}
        onChange={(value) => setLevel(levels.find((one) => one === value) ?? level)}
      >
        <Stack gap="xs" mt="xs">
          {levels.map((one) => (
            <Radio key={one} value={one} label={t(`history.extend.levels.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group
        label={t('history.extend.place')}
        value={place}
        onChange={(value) => setPlace(places.find((one) => one === value) ?? place)}
      >
        <Stack gap="xs" mt="xs">
          {places.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`history.extend.places.${one}`)}
              description={t(`history.extend.placeHelp.${one}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
