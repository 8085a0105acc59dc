import { Suspense, type ComponentType } from 'react';
import { RowsPlaceholder } from './components/page.tsx';
import { late } from './late.tsx';

/** Pages that are loaded when they are first opened, so that the first page need not wait for them. */
export const CertificatesPage = late(
  async () => (await import('./certificates/certificates-page.tsx')).CertificatesPage,
);
export const SignPage = late(async () => (await import('./sign/sign-page.tsx')).SignPage);
export const UsersPage = late(async () => (await import('./users/users-page.tsx')).UsersPage);
export const SitesPage = late(async () => (await import('./sites/sites-page.tsx')).SitesPage);
export const HistoryPage = late(async () => (await import('./history/history-page.tsx')).HistoryPage);
export const SettingsPage = late(async () => (await import('./settings/settings-page.tsx')).SettingsPage);
export const ValidatePage = late(async () => (await import('./validate/validate-page.tsx')).ValidatePage);
export const FirstRunPage = late(async () => (await import('./first-run/first-run-page.tsx')).FirstRunPage);
export const DoctorPage = late(async () => (await import('./doctor/doctor-page.tsx')).DoctorPage);

/** Draws a late page, and rows in its place while it is on its way. */
export function LatePage({ page: Page }: { readonly page: ComponentType }) {
  return (
    <Suspense fallback={<RowsPlaceholder />}>
      <Page />
    </Suspense>
  );
}
