import { createHmac, randomBytes } from 'node:crypto';
import type { Authority } from '../../authorization/index.ts';

/**
 * The names of a transaction's queues: the owner (an application, a site, a person or the programs of this computer),
 * and the token inside.
 */
export type TurnOwner = readonly [owner: string, token: string];

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
