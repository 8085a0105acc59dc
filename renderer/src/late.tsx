import { Button } from '@mantine/core';
import { lazy, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from './components/notice.tsx';

/** A part of the page that is loaded when it is first drawn; where that fails, it says so in its place. */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazy(async () => ({ default: await load().catch(() => NotLoaded) }));
}

/** A failed loading is remembered by the browser's module map, so only a fresh page tries again. */
function NotLoaded() {
  const { t } = useTranslation();
  return (
    <Notice kind="error" alert>
      {t('errors.UNREACHABLE')}
      <div>
        <Button mt="sm" size="xs" variant="default" onClick={() => window.location.reload()}>
          {t('common.retry')}
        </Button>
      </div>
    </Notice>
  );
}
