import { Button } from '@mantine/core';
import { lazy, useSyncExternalStore, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from './components/notice.tsx';
import { firstFrame } from './first-frame.ts';
import { addTexts } from './i18n/i18n.ts';
import type * as Soon from './shell/soon.ts';

type SoonParts = typeof Soon;

/** The early parts include the texts of late parts: no late part is drawn without its texts. */
const soonParts: Promise<SoonParts> = firstFrame.then(async () => {
  const parts = await import('./shell/soon.ts');
  addTexts(parts.lateTexts);
  return parts;
});

/** A page or part loaded when first drawn; after a failure, a message is in its place. */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazy(async (): Promise<{ readonly default: ComponentType<Props> }> => {
    await firstFrame;
    const both = Promise.all([load(), soonParts]);
    return {
      default: await both.then(
        ([page]) => page,
        () => NotLoaded,
      ),
    };
  });
}

/** Parts loaded by themselves after the first frame. */
interface Soon {
  /** Null before the parts are loaded. */
  readonly parts: SoonParts | null;
  readonly hasFailed: boolean;
}

let soon: Soon = { parts: null, hasFailed: false };
const listeners = new Set<() => void>();

async function followSoonParts(): Promise<void> {
  soon = await soonParts.then(
    (parts) => ({ parts, hasFailed: false }),
    () => ({ parts: null, hasFailed: true }),
  );
  for (const listener of listeners) listener();
}

void followSoonParts();

function onSoon(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Without `lazy`: each suspending part would make the first frame start its work again. */
export function useSoon(): Soon {
  return useSyncExternalStore(onSoon, () => soon);
}

/**
 * Reports a part that could not be loaded. The browser's module map remembers the failure, so only a fresh page tries
 * again.
 */
export function NotLoaded() {
  const { t } = useTranslation();
  return (
    <Notice kind="error" title={t('session.unreachableTitle')} alert>
      {t('session.unreachable')}
      <div>
        <Button mt="sm" size="xs" variant="default" onClick={() => window.location.reload()}>
          {t('common.retry')}
        </Button>
      </div>
    </Notice>
  );
}
