import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Home } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHeader, RowsPlaceholder } from '../../components/page.tsx';
import { useQuery } from '../../data/core-context.ts';
import type { QueryState } from '../../data/query-cache.ts';
import { useFirstRunProgress } from '../../data/first-run-progress.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { NotLoaded } from '../../components/lazy-part.tsx';
import { useSoon } from '../../late.tsx';
import { goTo } from '../../route.ts';

/** The state of everything at a glance. */
export function HomePage({ onReview }: { readonly onReview: (tcn: string) => void }) {
  const { t } = useTranslation();
  const home = useQuery('home.read', {});
  const { left } = useFirstRunProgress();
  const toFirstRun = home.value?.certificates === 0 && !left;
  useEffect(() => {
    if (toFirstRun) goTo('first-run', 'instead');
  }, [toFirstRun]);
  if (toFirstRun) return <RowsPlaceholder />;
  return (
    <>
      <PageHeader title={t('home.title')} subtitle={t('app.tagline')} />
      <Answer home={home} onReview={onReview} />
    </>
  );
}

interface AnswerProps {
  readonly home: QueryState<Home>;
  readonly onReview: (tcn: string) => void;
}

function Answer({ home, onReview }: AnswerProps) {
  const errorText = useErrorText();
  const { parts, hasFailed } = useSoon();
  if (hasFailed) return <NotLoaded />;
  if (home.value !== null && parts !== null) return <parts.Overview home={home.value} onReview={onReview} />;
  return home.value === null && home.error !== null ? (
    <Notice kind="error">{errorText(home.error)}</Notice>
  ) : (
    <RowsPlaceholder />
  );
}
