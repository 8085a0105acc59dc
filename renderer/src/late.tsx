import { useSyncExternalStore, type ComponentType } from 'react';
import { lazyPart } from './components/lazy-part.tsx';
import { firstFrame } from './first-frame.ts';
import { addTexts } from './i18n/i18n.ts';
import type * as Soon from './shell/soon.ts';

type SoonParts = typeof Soon;

/** Loads the late texts together with the first late parts, so that no late part is drawn without its texts. */
const soonParts: Promise<SoonParts> = firstFrame.then(async () => {
  const parts = await import('./shell/soon.ts');
  addTexts(parts.lateTexts);
  return parts;
});

/** A page or part loaded when first drawn, after the first frame and with the late texts. */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazyPart(async () => {
    await firstFrame;
    const [part] = await Promise.all([load(), soonParts]);
    return part;
  });
}

/** The parts that are loaded automatically after the first frame. */
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

/** Does not use React's `lazy`: each suspended part would make the first frame start its work again. */
export function useSoon(): Soon {
  return useSyncExternalStore(onSoon, () => soon);
}
