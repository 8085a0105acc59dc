import { Button } from '@mantine/core';
import { BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '../data/core-context.ts';
import { ApprovalDialog } from './approval-dialog.tsx';
import classes from './approval.module.css';
import { PinDialog } from './pin-dialog.tsx';
import type { Approvals } from './use-approvals.ts';

export { useApprovals } from './use-approvals.ts';

/** Shows what waits for the user on top of any page, one after the other. It closes when the transaction goes away. */
export function ApprovalHost({ approvals }: { readonly approvals: Approvals }) {
  const certificates = useQuery('certificates.list', {});
  const { current } = approvals;
  if (current === null) return null;
  const certificate = certificates.value?.find((entry) => entry.alias === current.certificateAlias) ?? null;
  if (current.waitingFor === 'pin') {
    return (
      <PinDialog
        key={`${current.tcn} pin`}
        certificate={certificate}
        documents={current.documents.length}
        loaded={certificates.value !== null}
        onClose={() => approvals.postpone()}
        onTop
      />
    );
  }
  return (
    <ApprovalDialog
      key={current.tcn}
      transaction={current}
      certificate={certificate}
      count={approvals.count}
      onPostpone={() => approvals.postpone()}
    />
  );
}

/** Reminds of what was put off. */
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
