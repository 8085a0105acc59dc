import { Button } from '@mantine/core';
import { lazy, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from './notice.tsx';

/** A part that is loaded when it is first drawn; after a failure, a message is shown instead. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazy(async (): Promise<{ readonly default: ComponentType<Props> }> => ({
    default: await load().catch(() => NotLoaded),
  }));
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
