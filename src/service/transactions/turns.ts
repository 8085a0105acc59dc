import type { Authority } from '../authorization/authority.ts';
import { ServiceError } from '../errors.ts';
import type { FairQueue } from './fair-queue.ts';
import type { TransactionLimits } from './limits.ts';
import type { TransactionRecord } from './records.ts';
import type { Requester } from './transaction.ts';

/** Whose turn it is: an application, a site, a person or the programs of this computer; and inside of it a token. */
export type TurnOwner = readonly [owner: string, token: string];

/** Transactions whose tokens are remembered. */
const mostRemembered = 20_000;
/** Seconds after which an owner with too much under way may try again. */
const RETRY_AFTER = 10;

/**
 * Who takes turns with a transaction. Which token it came with is in memory only: after a restart the transactions of
 * an application are told apart by nothing, and take turns among themselves.
 */
export class Turns {
  readonly #owners = new Map<string, TurnOwner>();

  remember(tcn: string, requester: Requester, authority: Authority | undefined): void {
    this.#owners.set(tcn, turnOwnerOf(requester, authority));
    const [oldest] = this.#owners.size > mostRemembered ? this.#owners.keys() : [];
    if (oldest !== undefined) this.#owners.delete(oldest);
  }

  ownerOf({ tcn, requester }: Pick<TransactionRecord, 'tcn' | 'requester'>): TurnOwner {
    return this.#owners.get(tcn) ?? turnOwnerOf(requester, undefined);
  }

  forget(tcn: string): void {
    this.#owners.delete(tcn);
  }
}

/** Programs choose how they call themselves, and are one owner. */
export function turnOwnerOf({ kind, name }: Requester, authority: Authority | undefined): TurnOwner {
  const owner = kind === 'native-program' ? kind : `${kind} ${name}`;
  return authority?.turn ?? [owner, ''];
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
