import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { FolderOpen } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFolderChoice } from '../../components/fields/use-folder-choice.ts';
import { useCore, useQuery } from '../../data/core-context.ts';
import { formatDuration } from '../../format/duration.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { destinationKinds, usualDestination, type Destination } from './destination.ts';
import classes from './sign.module.css';

interface DestinationChoice {
  /** The default until another one is chosen. */
  readonly destination: Destination;
  /** False before the core has told the default: a batch started now could go to another place than the settings say. */
  readonly isKnown: boolean;
  readonly choose: (destination: Destination) => void;
}

/** The destination of this batch. */
export function useDestination(): DestinationChoice {
  const { bridge } = useCore();
  const { value, error } = useQuery('archive.read', { language: useLanguage() });
  const [chosen, choose] = useState<Destination | null>(null);
  const isKnown = chosen !== null || value !== null || error !== null;
  return { destination: chosen ?? usualDestination(value, bridge.desktop !== null), isKnown, choose };
}

interface DestinationPartProps {
  readonly destination: Destination;
  readonly onChange: (destination: Destination) => void;
}

/**
 * Chooses the place of the signed files. The archive's folder is chosen in the settings, another folder for this batch
 * only.
 */
export function DestinationPart({ destination, onChange }: DestinationPartProps) {
  const { t, i18n } = useTranslation();
  const { bridge } = useCore();
  const archive = useQuery('archive.read', { language: useLanguage() });
  const lifetime = useQuery('settings.read', {}).value?.limits.lifetime ?? null;
  const kinds = destinationKinds(bridge.desktop !== null);
  const labelOf = (kind: Destination['kind']): string => {
    if (kind === 'archive') return t('signOptions.destinations.archive', { folder: archive.value?.current ?? '…' });
    if (kind !== 'keep') return t(`signOptions.destinations.${kind}`);
    const duration = lifetime === null ? '…' : formatDuration(lifetime, i18n.language);
    return t('signOptions.destinations.keep', { duration });
  };
  const choose = (named: string): void => {
    const kind = kinds.find((one) => one === named) ?? 'archive';
    onChange(kind === 'folder' ? { kind, path: '' } : { kind });
  };
  return (
    <Radio.Group label={t('signOptions.destination')} value={destination.kind} onChange={choose}>
      <Stack gap={8} pt={6}>
        {kinds.map((kind) => (
          <Radio key={kind} value={kind} label={labelOf(kind)} className={classes.wrap} />
        ))}
        {destination.kind === 'folder' ? <FolderChoice path={destination.path} onChange={onChange} /> : null}
      </Stack>
    </Radio.Group>
  );
}

function FolderChoice({ path, onChange }: { readonly path: string } & Pick<DestinationPartProps, 'onChange'>) {
  const { t } = useTranslation();
  const choose = useFolderChoice((chosen) => onChange({ kind: 'folder', path: chosen }));
  return (
    <Group gap="sm" pl={32}>
      <Button
        size="xs"
        variant="default"
        leftSection={<FolderOpen size={16} aria-hidden />}
        onClick={() => void choose?.(t('signOptions.chooseFolder'), path)}
      >
        {path === '' ? t('signOptions.chooseFolder') : t('signOptions.otherFolder')}
      </Button>
      <Text size="sm" className={classes.wrap} role="status">
        {path === '' ? t('signOptions.folderNeeded') : path}
      </Text>
    </Group>
  );
}
