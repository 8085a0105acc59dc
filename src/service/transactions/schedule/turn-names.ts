import { createHmac, randomBytes } from 'node:crypto';
import type { Authority } from '../../authorization/index.ts';

/** Whose turn it is: an application, a site, a person or the programs of this computer; and inside of it a token. */
export type TurnOwner = readonly [owner: string, token: string];

const NAME_LENGTH = 16;

/**
 * Names turns so that rows can keep them, and nobody learns from a row whose they are: a CPF is short enough to be
 * found by trying, so the key is in memory only. What is kept from before a restart is told apart all the same; what
 * the same credentials ask for afterwards takes turns with it under another name.
 */
export class TurnNames {
  readonly #key = randomBytes(32);

  /** Undefined: no credentials say whose turn it is. */
  of(authority: Authority | undefined): TurnOwner | undefined {
    if (authority?.turn === undefined) return undefined;
    const [owner, token] = authority.turn;
    return [this.#name(owner), this.#name(`${owner}\n${token}`)];
  }

  #name(turn: string): string {
    return createHmac('sha256', this.#key).update(turn).digest().toString('base64url', 0, NAME_LENGTH);
  }
}
