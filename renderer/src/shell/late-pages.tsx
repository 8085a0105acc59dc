import { Suspense, type ComponentType } from 'react';
import { RowsPlaceholder } from '../components/page.tsx';
import { late } from '../late.tsx';

/** Pages that are loaded when first opened, so that the first page appears sooner. */
export const CertificatesPage = late(
  async () => (await import('../pages/certificates/certificates-page.tsx')).CertificatesPage,
);
export const SignPage = late(async () => (await import('../pages/sign/sign-page.tsx')).SignPage);
export const UsersPage = late(async () => (await import('../pages/users/users-page.tsx')).UsersPage);
export const SitesPage = late(async () => (await import('../pages/sites/sites-page.tsx')).SitesPage);
export const HistoryPage = late(async () => (await import('../pages/history/history-page.tsx')).HistoryPage);
export const RenewalsPage = late(async () => (await import('../pages/renewals/renewals-page.tsx')).RenewalsPage);
export const SettingsPage = late(async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage);
export const ValidatePage = late(async () => (await import('../pages/validate/validate-page.tsx')).ValidatePage);
export const FirstRunPage = late(async () => (await import('../pages/first-run/first-run-page.tsx')).FirstRunPage);
export const DoctorPage = late(async () => (await import('../pages/doctor/doctor-page.tsx')).DoctorPage);

/** Shows a late page, and placeholder rows until the page is loaded. */
export function LatePage({ page: Page }: { readonly page: ComponentType }) {
  return (
    <Suspense fallback={<RowsPlaceholder />}>
      <Page />
    </Suspense>
  );
}
