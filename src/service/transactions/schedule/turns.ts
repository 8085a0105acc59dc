import { ServiceError } from '../../errors/index.ts';
import type { SigningQueues } from '../content/content.ts';
import type { TransactionLimits } from '../limits.ts';
import type { TransactionRecord } from '../records.ts';
import type { TurnOwner } from './turn-names.ts';

/** Seconds until an owner with too many documents may try again. */
const RETRY_AFTER = 10;

/** The queue names of a transaction. Programs choose their own names, so all programs count as a single owner. */
export function turnOwnerOf({ requester, turn }: Pick<TransactionRecord, 'requester' | 'turn'>): TurnOwner {
  const { kind, name } = requester;
  return turn ?? [kind === 'native-program' ? kind : `${kind} ${name}`, ''];
}

/** The signing queues, and the number of documents that may wait in them. */
interface Queues {
  readonly queues: SigningQueues;
  readonly limits: Pick<TransactionLimits, 'documentsHeld' | 'documentsHeldPerOwner'>;
}

/** Refuses further work of an owner with very many queued documents; other owners are not affected. */
export function refuseCrowd({ queues: { files, memory }, limits }: Queues, [owner]: TurnOwner): void {
  const ofOwner = files.held(owner) + memory.held(owner);
  const ofAll = files.held() + memory.held();
  if (ofOwner < limits.documentsHeldPerOwner && ofAll < limits.documentsHeld) return;
  throw new ServiceError('BUSY', 'Too many documents wait to be signed: send more when some of them are done.', {
    retryAfter: RETRY_AFTER,
  });
}
