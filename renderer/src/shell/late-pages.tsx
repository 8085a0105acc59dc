import { Suspense, type ComponentType } from 'react';
import { RowsPlaceholder } from '../components/page.tsx';
import { late } from '../late.tsx';
import type { Route } from '../route.ts';

/** The pages that are loaded when first opened, so that Home, the first page, appears sooner. */
const latePages: Readonly<Record<Exclude<Route, 'home'>, ComponentType>> = {
  certificates: late(async () => (await import('../pages/certificates/certificates-page.tsx')).CertificatesPage),
  sign: late(async () => (await import('../pages/sign/sign-page.tsx')).SignPage),
  users: late(async () => (await import('../pages/users/users-page.tsx')).UsersPage),
  sites: late(async () => (await import('../pages/sites/sites-page.tsx')).SitesPage),
  history: late(async () => (await import('../pages/history/history-page.tsx')).HistoryPage),
  renewals: late(async () => (await import('../pages/renewals/renewals-page.tsx')).RenewalsPage),
  settings: late(async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage),
  validate: late(async () => (await import('../pages/validate/validate-page.tsx')).ValidatePage),
  'first-run': late(async () => (await import('../pages/first-run/first-run-page.tsx')).FirstRunPage),
  doctor: late(async () => (await import('../pages/doctor/doctor-page.tsx')).DoctorPage),
};

/** Shows a late page, and placeholder rows until the page is loaded. */
export function LatePage({ route }: { readonly route: keyof typeof latePages }) {
  const Page = latePages[route];
  return (
    <Suspense fallback={<RowsPlaceholder />}>
      <Page />
    </Suspense>
  );
}
