import { Button } from '@mantine/core';
import { lazy, Suspense, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from './components/notice.tsx';
import { RowsPlaceholder } from './components/page.tsx';

/** Pages that are loaded when they are first opened, so that the first page need not wait for them. */
export const HistoryPage = late(async () => (await import('./history/history-page.tsx')).HistoryPage);
export const SettingsPage = late(async () => (await import('./settings/settings-page.tsx')).SettingsPage);
export const ValidatePage = late(async () => (await import('./validate/validate-page.tsx')).ValidatePage);
export const DoctorPage = late(async () => (await import('./doctor/doctor-page.tsx')).DoctorPage);

/** Draws a late page, and rows in its place while it is on its way. */
export function LatePage({ page: Page }: { readonly page: ComponentType }) {
  return (
    <Suspense fallback={<RowsPlaceholder />}>
      <Page />
    </Suspense>
  );
}

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
