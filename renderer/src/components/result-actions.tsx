import { ActionIcon, Button, Code, Group, Text, Tooltip } from '@mantine/core';
import { Download, FileSymlink, FolderOpen, type IconComponent } from './icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UiDocument } from '../../../src/ui-contract/ui-contract.ts';
import { useCore } from '../data/core-context.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialogs/dialog.tsx';
import { useToasts } from './toasts.tsx';

interface ResultActionsProps {
  readonly tcn: string;
  readonly document: UiDocument;
  /** True for buttons with text, false for icons. */
  readonly withWords?: boolean;
}

/**
 * Downloads a result. If the result is in its owner's folder, opens it or its folder, or copies its path. If no program
 * can open the file, the path is shown instead.
 */
export function ResultActions({ tcn, document, withWords = false }: ResultActionsProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const toasts = useToasts();
  const [path, setPath] = useState<string | null>(null);
  const name = document.resultName ?? document.name;
  const { resultPath } = document;
  const ask = async (call: 'results.open' | 'results.reveal'): Promise<void> => {
    const result = await bridge.call(call, { tcn, documentId: document.id });
    if (!result.ok) toasts.failed(result.error);
    else if (!result.value.opened) setPath(result.value.path);
  };
  const isHere = bridge.host === 'browser' || resultPath === null;
  return (
    <Group gap={withWords ? 'sm' : 4} wrap={withWords ? 'wrap' : 'nowrap'}>
      {isHere ? (
        <ResultAction
          icon={Download}
          words={withWords ? t('common.download') : null}
          hint={t('common.download')}
          name={t('common.downloadNamed', { name })}
          link={{ href: bridge.resultUrl(tcn, document.id), download: name }}
          isMain={resultPath === null}
        />
      ) : null}
      {resultPath === null ? null : (
        <>
          <ResultAction
            icon={FileSymlink}
            words={withWords ? t('sign.open') : null}
            hint={t('sign.open')}
            name={t('sign.openNamed', { name })}
            onClick={() => void ask('results.open')}
          />
          <ResultAction
            icon={FolderOpen}
            words={withWords ? t('sign.reveal') : null}
            hint={t('sign.reveal')}
            name={t('sign.revealNamed', { name })}
            onClick={() => void ask('results.reveal')}
            isQuiet
          />
          <CopyButton text={resultPath} name={t('sign.pathOf', { name })} />
        </>
      )}
      {path === null ? null : <PathDialog name={name} path={path} onClose={() => setPath(null)} />}
    </Group>
  );
}

interface ResultActionProps {
  readonly icon: IconComponent;
  /** The visible words; null: an icon with a hint. */
  readonly words: string | null;
  readonly hint: string;
  /** The accessible name. */
  readonly name: string;
  readonly onClick?: () => void;
  readonly link?: { readonly href: string; readonly download: string };
  readonly isQuiet?: boolean;
  /** True for the action that keeps the result from being lost. */
  readonly isMain?: boolean;
}

function ResultAction({ icon: Icon, words, hint, name, onClick, link, ...rank }: ResultActionProps) {
  const { isQuiet = false, isMain = false } = rank;
  const icon = <Icon size={words === null ? 18 : 16} aria-hidden />;
  const target = link === undefined ? { onClick } : { component: 'a' as const, ...link };
  if (words !== null) {
    return (
      <Button
        size="xs"
        variant={isQuiet ? 'default' : isMain ? 'filled' : 'light'}
        aria-label={name}
        leftSection={icon}
        {...target}
      >
        {words}
      </Button>
    );
  }
  return (
    <Tooltip label={hint}>
      <ActionIcon
        {...(isQuiet ? { variant: 'subtle', color: 'gray' } : { variant: 'light' })}
        aria-label={name}
        {...target}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

interface PathDialogProps {
  readonly name: string;
  readonly path: string;
  readonly onClose: () => void;
}

/** Shows the path of a result that no program can open. */
function PathDialog({ name, path, onClose }: PathDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={name} onClose={onClose} closeOnClickOutside>
      <Text mb="xs">{t('sign.revealPath')}</Text>
      <Group wrap="nowrap">
        <Code block flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {path}
        </Code>
        <CopyButton text={path} name={t('sign.path')} />
      </Group>
    </Dialog>
  );
}
