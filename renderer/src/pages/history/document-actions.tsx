import { Button, Group } from '@mantine/core';
import { Hourglass, Layers, PenLine, ShieldCheck } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryDocument } from '../../../../src/ui-contract/history-calls.ts';
import type { UiDocument } from '../../../../src/ui-contract/ui-contract.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { useHandOver } from '../../data/hand-over.ts';
import { goTo } from '../../route.ts';
import { ExtendDialog } from './extend-dialog.tsx';

interface DocumentActionsProps {
  readonly entry: HistoryDocument;
  /** The document as it is now. */
  readonly document: UiDocument;
  /** True if the file can be extended at its present place. */
  readonly canExtend: boolean;
  /** True if the signed document can be read, from its file or from Sinete's store. */
  readonly canRead: boolean;
  readonly onBatch: (tcn: string) => void;
}

/** Buttons of a document: validate it, sign it again, extend it, show its batch. */
export function DocumentActions({ entry, document, canExtend, canRead, onBatch }: DocumentActionsProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const handOver = useHandOver();
  const toasts = useToasts();
  const [busy, setBusy] = useState<'validate' | 'sign' | null>(null);
  const { tcn, batch } = entry;
  const take = async (to: 'validate' | 'sign'): Promise<void> => {
    setBusy(to);
    const result = await bridge.call('results.content', { tcn, documentId: document.id });
    setBusy(null);
    if (!result.ok) {
      toasts.failed(result.error);
      return;
    }
    const bytes = Uint8Array.from(atob(result.value.data), (one) => one.charCodeAt(0));
    await handOver[to]([new File([bytes], result.value.name, { lastModified: Date.parse(entry.createdAt) })]);
    goTo(to);
  };
  if (!canRead && batch === 1) return null;
  return (
    <Group gap="sm">
      {canRead ? (
        <>
          <Button
            size="xs"
            variant="default"
            loading={busy === 'validate'}
            leftSection={<ShieldCheck size={16} aria-hidden />}
            onClick={() => void take('validate')}
          >
            {t('history.drawer.validate')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={busy === 'sign'}
            leftSection={<PenLine size={16} aria-hidden />}
            onClick={() => void take('sign')}
          >
            {t('history.drawer.signAgain')}
          </Button>
        </>
      ) : null}
      {canExtend ? <ExtendButton tcn={tcn} document={document} /> : null}
      {batch > 1 ? (
        <Button size="xs" variant="subtle" leftSection={<Layers size={16} aria-hidden />} onClick={() => onBatch(tcn)}>
          {t('history.drawer.showBatch', { count: batch })}
        </Button>
      ) : null}
    </Group>
  );
}

function ExtendButton({ tcn, document }: { readonly tcn: string; readonly document: UiDocument }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Hourglass size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('history.extend.open')}
      </Button>
      {isOpen ? <ExtendDialog tcn={tcn} document={document} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
