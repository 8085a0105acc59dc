import { Button } from '@mantine/core';
import { lazy, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from './components/notice.tsx';
import { firstFrame } from './first-frame.ts';
import { addTexts } from './i18n/i18n.ts';
import type * as Soon from './soon.ts';

type SoonParts = typeof Soon;

/** The texts of late parts are among what comes soon: none is drawn without them. */
const soonParts: Promise<SoonParts> = firstFrame.then(async () => {
  const parts = await import('./soon.ts');
  addTexts(parts.lateTexts);
  return parts;
});
soonParts.catch(() => undefined);

/** A page, or a part of one, that is loaded when it is first drawn; where that fails, it says so in its place. */
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

/** A part that comes by itself a moment after the first frame; where that fails, `instead` is drawn. */
export function soon<Props extends object>(
  pick: (parts: SoonParts) => ComponentType<Props>,
  instead: ComponentType<Props>,
): ComponentType<Props> {
  const coming = soonParts.then(pick, () => instead);
  return lazy(async () => ({ default: await coming }));
}

/** Says that a part could not be loaded. That is remembered by the browser's module map, so only a fresh page tries again. */
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
