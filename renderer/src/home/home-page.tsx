import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../components/notice.tsx';
import { PageHeader, RowsPlaceholder } from '../components/page.tsx';
import { useQuery } from '../data/core-context.ts';
import { useFirstRunProgress } from '../first-run/first-run-progress.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { NotLoaded, soon } from '../late.tsx';
import { goTo } from '../shell/route.ts';

/** Drawn once the core has answered, so the first frame need not wait for it. */
const Overview = soon((parts) => parts.Overview, NotLoaded);

/** The state of everything at a glance. */
export function HomePage({ onReview }: { readonly onReview: (tcn: string) => void }) {
  const { t } = useTranslation();
  const home = useQuery('home.read', {});
  const errorText = useErrorText();
  const { left } = useFirstRunProgress();
  const toFirstRun = home.value?.certificates === 0 && !left;
  useEffect(() => {
    if (toFirstRun) goTo('first-run', 'instead');
  }, [toFirstRun]);
  if (toFirstRun) return <RowsPlaceholder />;
  return (
    <>
      <PageHeader title={t('home.title')} subtitle={t('app.tagline')} />
      {home.value === null ? (
        home.error === null ? (
          <RowsPlaceholder />
        ) : (
          <Notice kind="error">{errorText(home.error)}</Notice>
        )
      ) : (
        <Suspense fallback={<RowsPlaceholder />}>
          <Overview home={home.value} onReview={onReview} />
        </Suspense>
      )}
    </>
  );
}
