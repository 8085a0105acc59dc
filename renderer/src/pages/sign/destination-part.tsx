import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { FolderOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import type { OptionPartProps } from './option-part.ts';
import classes from './sign.module.css';
import type { Destination } from './signing-options.ts';

const kinds = ['keep', 'beside', 'folder'] as const satisfies Destination['kind'][];

/**
 * The destination of the results. A browser can only download results; the desktop writes results to a folder by
 * choice.
 */
export function DestinationPart({ options, onChange }: OptionPartProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  if (bridge.desktop === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('signOptions.destinationBrowser')}
      </Text>
    );
  }
  const choose = (kind: string): void => {
    const chosen = kinds.find((one) => one === kind) ?? 'keep';
    onChange({ destination: chosen === 'folder' ? { kind: 'folder', path: '' } : { kind: chosen } });
  };
  return (
    <Radio.Group label={t('signOptions.destination')} value={options.destination.kind} onChange={choose}>
      <Stack gap={8} pt={6}>
        {kinds.map((kind) => (
          <Radio key={kind} value={kind} label={t(`signOptions.destinations.${kind}`)} />
        ))}
        {options.destination.kind === 'folder' ? (
          <FolderChoice path={options.destination.path} onChange={onChange} />
        ) : null}
      </Stack>
    </Radio.Group>
  );
}

function FolderChoice({ path, onChange }: { readonly path: string } & Pick<OptionPartProps, 'onChange'>) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const toasts = useToasts();
  const choose = async (): Promise<void> => {
    const result = await bridge.desktop?.call('desktop.chooseFolder', {
      title: t('signOptions.chooseFolder'),
      ...(path === '' ? {} : { from: path }),
    });
    if (result?.ok === false) toasts.failed(result.error);
    if (result?.ok === true && result.value.path !== null) {
      onChange({ destination: { kind: 'folder', path: result.value.path } });
    }
  };
  return (
    <Group gap="sm" pl={32}>
      <Button
        size="xs"
        variant="default"
        leftSection={<FolderOpen size={16} aria-hidden />}
        onClick={() => void choose()}
      >
        {path === '' ? t('signOptions.chooseFolder') : t('signOptions.otherFolder')}
      </Button>
      <Text size="sm" className={classes.wrap} role="status">
        {path === '' ? t('signOptions.folderNeeded') : path}
      </Text>
    </Group>
  );
}
