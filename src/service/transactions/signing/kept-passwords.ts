/** Stores passwords of encrypted PDFs with pending evidence, so that they survive a restart. */
import type { PdfKeys } from '../../../signing/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import type { Sealer } from '../../secrets/index.ts';
import type { SettingsStore } from '../../settings/index.ts';
import { NamedLocks } from '../schedule/job-runner.ts';
import type { Locks } from '../nodes.ts';

const setting = 'signing.passwords';
/** Maximum number of transactions with a stored password; further passwords are in memory only. */
const MOST = 1000;

interface Entry {
  /** The TCN. */
  readonly id: string;
  /** Base64. */
  readonly sealed: string;
}

/** The place to which the seal is bound: a password can only be opened for its own transaction. */
const placeOf = (tcn: string): string => `settings|${setting}|${tcn}`;

/**
 * Passwords in the settings, sealed under the master key, and erased as soon as no document of the transaction has a
 * pending level. Without a sealer nothing is stored. Changes run one after the other.
 */
export class KeptPasswords {
  readonly #settings: SettingsStore;
  readonly #sealer: Sealer | undefined;
  readonly #locks: Locks;

  constructor(settings: SettingsStore, sealer: Sealer | undefined, locks: Locks = new NamedLocks()) {
    this.#settings = settings;
    this.#sealer = sealer;
    this.#locks = locks;
  }

  /** Rejects with the errors of the sealer and of the settings. */
  async keep(tcn: string, password: string): Promise<void> {
    const sealer = this.#sealer;
    if (sealer === undefined) return;
    await this.#change(async (entries) => {
      if (entries.length >= MOST || entries.some(({ id }) => id === tcn)) return entries;
      const plaintext = Buffer.from(password, 'utf8');
      try {
        const sealed = (await sealer.seal(plaintext, placeOf(tcn))).toString('base64');
        return [...entries, { id: tcn, sealed }];
      } finally {
        plaintext.fill(0);
      }
    });
  }

  /** Undefined if nothing was stored. Rejects if the seal cannot be opened, as after the loss of the master key. */
  async find(tcn: string): Promise<string | undefined> {
    const entry = (await this.#read()).find(({ id }) => id === tcn);
    if (entry === undefined || this.#sealer === undefined) return undefined;
    const opened = await this.#sealer.open(Buffer.from(entry.sealed, 'base64'), placeOf(tcn));
    try {
      return opened.toString('utf8');
    } finally {
      opened.fill(0);
    }
  }

  async forget(tcn: string): Promise<void> {
    await this.#change((entries) => entries.filter(({ id }) => id !== tcn));
  }

  /** Removes passwords that are no longer needed, because a process may have ended before it removed them. */
  async retain(isNeeded: (tcn: string) => Promise<boolean>): Promise<void> {
    for (const { id } of await this.#read()) if (!(await isNeeded(id))) await this.forget(id);
  }

  async #change(next: (entries: readonly Entry[]) => Promise<readonly Entry[]> | readonly Entry[]): Promise<void> {
    await this.#locks.run(setting, async () => {
      const before = await this.#read();
      const after = await next(before);
      if (after.length === before.length) return;
      if (after.length === 0) await this.#settings.remove(setting);
      else await this.#settings.write(setting, after);
    });
  }

  async #read(): Promise<readonly Entry[]> {
    const stored = await this.#settings.read(setting);
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'sealed' in value &&
  typeof value.id === 'string' &&
  typeof value.sealed === 'string';

/** The passwords and keys in memory by TCN, and the kept passwords. */
interface Openings {
  readonly openings: ReadonlyMap<string, PdfKeys>;
  readonly passwords: KeptPasswords;
  readonly log: { warn(facts: object, message: string): void };
}

/** Keeps the password of an encrypted PDF for an extension that may come after a restart. */
export async function keepPassword({ openings, passwords, log }: Openings, tcn: string): Promise<void> {
  const { password } = openings.get(tcn) ?? {};
  if (password === undefined) return;
  await passwords.keep(tcn, password).catch((error: unknown) => {
    log.warn({ transaction: shortTcn(tcn), error }, 'the password of a PDF is kept in memory only');
  });
}

/** The keys that open an encrypted PDF: those in memory, or after a restart the kept password. */
export async function openingOf({ openings, passwords, log }: Openings, tcn: string): Promise<PdfKeys> {
  const present = openings.get(tcn);
  if (present !== undefined) return present;
  const password = await passwords.find(tcn).catch((error: unknown) => {
    log.warn({ transaction: shortTcn(tcn), error }, 'the kept password of a PDF cannot be read');
    return undefined;
  });
  return { password };
}
