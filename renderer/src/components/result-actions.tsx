import { ActionIcon, Code, Group, Text, Tooltip } from '@mantine/core';
import { Download, FileSymlink, FolderOpen } from 'lucide-react';
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
}

/**
 * Download a result; or, for a result in its owner's folder, open the result or its folder and copy its path. Without a
 * program for the file, the path is shown instead.
 */
export function ResultActions({ tcn, document }: ResultActionsProps) {
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
  return (
    <Group gap={4} wrap="nowrap">
      {bridge.host === 'browser' || resultPath === null ? (
        <Tooltip label={t('common.download')}>
          <ActionIcon
            component="a"
            href={bridge.resultUrl(tcn, document.id)}
            download={name}
            variant="light"
            aria-label={t('common.downloadNamed', { name })}
          >
            <Download size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : null}
      {resultPath === null ? null : (
        <>
          <Tooltip label={t('sign.open')}>
            <ActionIcon
              variant="light"
              aria-label={t('sign.openNamed', { name })}
              onClick={() => void ask('results.open')}
            >
              <FileSymlink size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('sign.reveal')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('sign.revealNamed', { name })}
              onClick={() => void ask('results.reveal')}
            >
              <FolderOpen size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <CopyButton text={resultPath} name={t('sign.pathOf', { name })} />
        </>
      )}
      {path === null ? null : <PathDialog name={name} path={path} onClose={() => setPath(null)} />}
    </Group>
  );
}

interface PathDialogProps {
  readonly name: string;
  readonly path: string;
  readonly onClose: () => void;
}

/** The path of a result, where no program can show it. */
function PathDialog({ name, path, onClose }: PathDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={name} onClose={onClose} closeOnClickOutside>
      <Text mb="xs">{t('sign.revealPath')}</Text>
      <Group wrap="nowrap" align="flex-start">
        <Code block flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {path}
        </Code>
        <CopyButton text={path} name={t('sign.path')} />
      </Group>
    </Dialog>
  );
}
