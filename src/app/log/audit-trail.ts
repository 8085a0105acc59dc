import { z } from 'zod';
import {
  verifyAudit,
  type AuditEvent,
  type AuditMark,
  type AuditPage,
  type AuditRow,
  type AuditVerdict,
  type Sealer,
  type SettingsStore,
} from '../../service/index.ts';
import { SqliteAuditLog, StorageError, type Storage } from '../../storage/index.ts';
import type { Log } from './log.ts';

const setting = 'audit.mark';
const place = 'settings audit.mark';
const markSchema = z.object({ sequence: z.number().int().min(1), hash: z.string() });
/** Milliseconds between two seals while rows come. */
const sealInterval = 600_000;

/** What an audit trail is built over. */
export interface AuditTrailParts {
  readonly storage: Pick<Storage, 'database' | 'settings'>;
  readonly sealer: Sealer;
  /** Whether the master key is at hand and outlives this process: only then a seal costs nobody a question. */
  readonly canSeal: () => boolean;
  readonly log: Pick<Log, 'failure'>;
  readonly now: () => Date;
}

/**
 * The audit log with its seal. The chain of hashes finds every change by somebody who does not make it anew to its end;
 * the seal, the last row's hash under the master key, also finds a chain that was made anew or cut off up to the place
 * that was sealed last: every ten minutes while rows come, and when the application ends. Rows after that place can be
 * cut off or replaced, without a trace, by who may write the database; so can the seal be taken away, which shows as a
 * log without one. A head that is noted elsewhere (`sinete audit verify` prints it) closes both gaps.
 */
export class AuditTrail {
  readonly #parts: AuditTrailParts;
  readonly #store: SqliteAuditLog;
  readonly #settings: SettingsStore;
  readonly #timer: NodeJS.Timeout;
  #sealed = 0;

  constructor(parts: AuditTrailParts) {
    this.#parts = parts;
    this.#store = new SqliteAuditLog(parts.storage.database);
    this.#settings = parts.storage.settings;
    this.#timer = setInterval(() => void this.seal(), sealInterval).unref();
  }

  /** Does not reject: what the event tells of is done. That it could not be written down stands in the log. */
  readonly record = async (event: AuditEvent): Promise<void> => {
    try {
      await this.#store.append([event], this.#parts.now());
    } catch (error) {
      this.#parts.log.failure('a row of the audit log could not be written', error);
    }
  };

  async page(page: AuditPage): Promise<readonly AuditRow[]> {
    return this.#store.page(page);
  }

  async verify(): Promise<AuditVerdict> {
    return verifyAudit(this.#store, await this.#readMark());
  }

  /** Seals the last row, where there is a new one and the master key is at hand. Does not reject. */
  async seal(): Promise<void> {
    try {
      const head = await this.#store.head();
      if (head.sequence === this.#sealed || head.sequence === 0 || !this.#parts.canSeal()) return;
      const octets = await this.#parts.sealer.seal(Buffer.from(JSON.stringify(head)), place);
      await this.#settings.write(setting, octets.toString('base64'));
      this.#sealed = head.sequence;
    } catch (error) {
      this.#parts.log.failure('the audit log could not be sealed', error);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.seal();
  }

  /** Null when nothing was sealed, or with another master key. */
  async #readMark(): Promise<AuditMark | null> {
    const text = await this.#settings.read(setting);
    if (typeof text !== 'string') return null;
    try {
      const octets = await this.#parts.sealer.open(Buffer.from(text, 'base64'), place);
      return markSchema.parse(JSON.parse(octets.toString('utf8')));
    } catch (error) {
      if (error instanceof StorageError && error.code === 'SECRET_UNREADABLE') return null;
      throw error;
    }
  }
}
