import { createHmac, randomBytes } from 'node:crypto';
import type { Authority } from '../authorization/authority.ts';
import type { SettingsStore } from '../settings/settings.ts';

/** Whose turn it is: an application, a site, a person or the programs of this computer; and inside of it a token. */
export type TurnOwner = readonly [owner: string, token: string];

const SETTING = 'transactions.turn_key';
const NAME_LENGTH = 16;

/**
 * Names turns so that rows can keep them: the same credentials have the same names at any time, and nobody learns from
 * a row whose they are, because a CPF is short enough to be found by trying. The key is made when it is first needed.
 */
export class TurnNames {
  readonly #settings: Pick<SettingsStore, 'read' | 'write'>;
  #key: Promise<Buffer> | undefined;

  constructor(settings: Pick<SettingsStore, 'read' | 'write'>) {
    this.#settings = settings;
  }

  /** Undefined: no credentials say whose turn it is. */
  async of(authority: Authority | undefined): Promise<TurnOwner | undefined> {
    if (authority?.turn === undefined) return undefined;
    const [owner, token] = authority.turn;
    const key = await this.#readKey();
    return [nameOf(key, owner), nameOf(key, `${owner}\n${token}`)];
  }

  async #readKey(): Promise<Buffer> {
    const reading = this.#key ?? this.#readOrMakeKey();
    this.#key = reading;
    return reading.catch((error: unknown) => {
      if (this.#key === reading) this.#key = undefined;
      throw error;
    });
  }

  async #readOrMakeKey(): Promise<Buffer> {
    const kept = await this.#settings.read(SETTING);
    if (typeof kept === 'string') return Buffer.from(kept, 'base64');
    const made = randomBytes(32);
    await this.#settings.write(SETTING, made.toString('base64'));
    return made;
  }
}

function nameOf(key: Buffer, turn: string): string {
  return createHmac('sha256', key).update(turn).digest().toString('base64url', 0, NAME_LENGTH);
}
