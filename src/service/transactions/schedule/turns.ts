import { ServiceError } from '../../errors/index.ts';
import type { FairQueue } from './fair-queue.ts';
import type { TransactionLimits } from '../limits.ts';
import type { TransactionRecord } from '../records.ts';
import type { TurnOwner } from './turn-names.ts';

/** Seconds after which an owner with too much under way may try again. */
const RETRY_AFTER = 10;

/** Who takes turns with a transaction. Programs choose how they call themselves, and are one owner. */
export function turnOwnerOf({ requester, turn }: Pick<TransactionRecord, 'requester' | 'turn'>): TurnOwner {
  const { kind, name } = requester;
  return turn ?? [kind === 'native-program' ? kind : `${kind} ${name}`, ''];
}

/** Where documents wait to be signed. */
interface Queues {
  readonly queue: FairQueue;
  readonly smallQueue: FairQueue;
  readonly limits: Pick<TransactionLimits, 'documentsHeld' | 'documentsHeldPerOwner'>;
}

/** Takes nothing more from an owner with a great many documents in the queue; others are not held up by it. */
export function refuseCrowd({ queue, smallQueue, limits }: Queues, [owner]: TurnOwner): void {
  const ofOwner = queue.held(owner) + smallQueue.held(owner);
  const ofAll = queue.held() + smallQueue.held();
  if (ofOwner < limits.documentsHeldPerOwner && ofAll < limits.documentsHeld) return;
  throw new ServiceError('BUSY', 'Too many documents wait to be signed: send more when some of them are done.', {
    retryAfter: RETRY_AFTER,
  });
}
