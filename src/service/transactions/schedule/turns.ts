import { createHmac, randomBytes } from 'node:crypto';
import type { Authority } from '../../authorization/index.ts';
import { ServiceError } from '../../errors/index.ts';
import type { SigningQueues } from '../content/content.ts';
import type { TransactionLimits } from '../limits.ts';
import type { TransactionRecord, TurnOwner } from '../records.ts';

const NAME_LENGTH = 16;

/**
 * Names queues for storage in rows, without revealing the owner: a CPF is short enough to be guessed, so the key is in
 * memory only. Keys change at restart: an owner's old and new transactions then count as two owners. Several nodes
 * share a key, which is sealed in their database.
 */
export class TurnNames {
  readonly #key: Buffer;

  constructor(key: Buffer = randomBytes(32)) {
    this.#key = key;
  }

  /** Undefined for a caller without credentials. */
  of(authority: Authority | undefined): TurnOwner | undefined {
    if (authority?.turn === undefined) return undefined;
    const [owner, token] = authority.turn;
    return [this.#name(owner), this.#name(`${owner}\n${token}`)];
  }

  #name(turn: string): string {
    return createHmac('sha256', this.#key).update(turn).digest().toString('base64url', 0, NAME_LENGTH);
  }
}

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
