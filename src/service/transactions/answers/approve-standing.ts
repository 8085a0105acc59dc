import type { Consent } from '../../consent/index.ts';
import { type ServiceLog, shortTcn } from '../../monitoring/index.ts';
import type { Transactions } from '../transaction.ts';

/**
 * Approves transactions of sites with the user's approval in advance: "N signatures for M minutes for this site and
 * certificate". All documents of a transaction are covered, or none. Returns a function to stop.
 */
export function approveStanding(
  transactions: Transactions,
  consent: Pick<Consent, 'takeSignatures'>,
  log: ServiceLog,
): () => void {
  const busy = new Set<string>();
  const approve = async (tcn: string): Promise<void> => {
    const { waitingFor, requester, certificateFingerprint, documents } = await transactions.query(tcn);
    if (waitingFor !== 'approval' || requester.kind !== 'site') return;
    const count = documents.filter(({ status }) => status === 'WAITING').length;
    if (!(await consent.takeSignatures(requester.name, certificateFingerprint, count))) return;
    await transactions.decide(tcn, 'approve');
    log.info({ transaction: shortTcn(tcn), documents: count }, 'approved in advance');
  };
  return transactions.onChange((tcn) => {
    if (busy.has(tcn)) return;
    busy.add(tcn);
    approve(tcn)
      .catch((error: unknown) => {
        log.warn({ transaction: shortTcn(tcn), error }, 'could not be approved in advance');
      })
      .finally(() => busy.delete(tcn));
  });
}
