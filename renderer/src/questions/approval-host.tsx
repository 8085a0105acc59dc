import type { UiTransaction } from '../../../src/ui-contract/ui-contract.ts';
import { AuthorizationDialog } from './authorization-dialog.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import { useQuery } from '../data/core-context.ts';
import { ApprovalDialog } from './approval-dialog.tsx';
import { PinDialog } from './pin-dialog.tsx';
import type { Approvals } from './use-approvals.ts';

/** Shows the waiting questions in order, above any page. A dialog closes when its question no longer waits. */
export function ApprovalHost({ approvals }: { readonly approvals: Approvals }) {
  const { current, count } = approvals;
  const postpone = (): void => approvals.postpone();
  switch (current?.kind) {
    case undefined:
      return null;
    case 'transaction':
      return (
        <TransactionQuestion
          transaction={current.transaction}
          also={current.also}
          count={count}
          onPostpone={postpone}
        />
      );
    case 'pin':
      return (
        <PinQuestion key={current.key} alias={current.alias} documents={current.documents} onPostpone={postpone} />
      );
    case 'consent':
      return (
        <ConsentDialog
          // A page that wants more meanwhile is a new question: the button waits again, and the choices begin anew.
          key={`${current.key} ${current.question.wanted.join(' ')}`}
          question={current.question}
          count={count}
          onPostpone={postpone}
        />
      );
    case 'authorization':
      return <AuthorizationDialog key={current.key} request={current.request} count={count} onPostpone={postpone} />;
  }
}

interface TransactionQuestionProps {
  readonly transaction: UiTransaction;
  readonly also: readonly UiTransaction[];
  readonly count: number;
  readonly onPostpone: () => void;
}

function TransactionQuestion({ transaction, also, count, onPostpone }: TransactionQuestionProps) {
  const certificates = useQuery('certificates.list', {});
  const { certificateAlias, documents } = transaction;
  if (transaction.waitingFor === 'pin') {
    return (
      <PinQuestion
        key={`${transaction.tcn} pin`}
        alias={certificateAlias}
        documents={documents.length}
        onPostpone={onPostpone}
      />
    );
  }
  return (
    <ApprovalDialog
      key={transaction.tcn}
      transaction={transaction}
      also={also}
      certificate={certificates.value?.find(({ alias }) => alias === certificateAlias) ?? null}
      count={count}
      onPostpone={onPostpone}
    />
  );
}

interface PinQuestionProps {
  readonly alias: string;
  readonly documents: number;
  readonly onPostpone: () => void;
}

function PinQuestion({ alias, documents, onPostpone }: PinQuestionProps) {
  const certificates = useQuery('certificates.list', {});
  return (
    <PinDialog
      certificate={certificates.value?.find((entry) => entry.alias === alias) ?? null}
      documents={documents}
      loaded={certificates.value !== null}
      onClose={onPostpone}
      onTop
    />
  );
}
