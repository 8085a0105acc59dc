import { Button } from '@mantine/core';
import { BellRing } from '../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import classes from './approval.module.css';

/** Reminds of postponed questions. */
export function WaitingBar({ count, onReview }: { readonly count: number; readonly onReview: () => void }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <div className={classes.bar}>
      <BellRing size={18} aria-hidden />
      <span>{t('app.waitingBar', { count })}</span>
      <Button size="compact-sm" onClick={onReview}>
        {t('app.review')}
      </Button>
    </div>
  );
}
