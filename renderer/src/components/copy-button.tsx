import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Check, Copy } from './icons/index.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCore } from '../data/core-context.ts';
import { useToasts } from './toasts.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** The name of the copied text, for the accessible name: "Copy ⟨name⟩". */
  readonly name: string;
  /** A visible text; without a text the button is an icon. */
  readonly label?: string;
}

/** Copies a text and confirms it with a notice. */
export function CopyButton({ text, name, label }: CopyButtonProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const toasts = useToasts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    const done = await bridge.copyText(text);
    setCopied(done);
    if (!done) toasts.failedText(t('common.copyFailed'));
  };
  const icon = copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />;
  if (label !== undefined) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => void copy()}>
        {copied ? t('common.copied') : label}
      </Button>
    );
  }
  return (
    <Tooltip label={copied ? t('common.copied') : t('common.copy')} zIndex={600}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={copied ? t('common.copied') : t('common.copyNamed', { name })}
        onClick={() => void copy()}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
