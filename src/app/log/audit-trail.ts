import { z } from 'zod';
import {
  verifyAudit,
  type AuditEvent,
  type AuditMark,
  type AuditPage,
  type AuditRow,
  type AuditVerdict,
} from '../../service/audit/index.ts';
import type { Sealer } from '../../service/secrets/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import { SqlAuditLog, StorageError, type Storage } from '../../storage/index.ts';
import type { Log } from './log.ts';

const setting = 'audit.mark';
const place = 'settings audit.mark';
const markSchema = z.object({ sequence: z.number().int().min(1), hash: z.string() });
/** Milliseconds between two seals while rows are added. */
const sealInterval = 600_000;

/** Services for an audit trail. */
export interface AuditTrailParts {
  readonly storage: Pick<Storage, 'database' | 'reader' | 'settings' | 'mark' | 'sharedWith'>;
  readonly sealer: Sealer;
  /** True if the master key is available without asking anyone, and outlives this process. */
  readonly canSeal: () => boolean;
  readonly log: Pick<Log, 'failure'>;
  readonly now: () => Date;
}

/**
 * The audit log with its seal. The chain of hashes detects every change, except for a chain that is rewritten up to its
 * end. The seal, the last row's hash under the master key, also detects a chain that was rewritten or truncated before
 * the last sealed row. Rows are sealed every ten minutes while rows are added, and at the end of the application.
 * Somebody with write access to the database can still replace later rows unnoticed, or remove the seal, which shows as
 * a log without a seal. Storing the head elsewhere (`sinete audit verify` prints the head) closes both gaps.
 */
export class AuditTrail {
  readonly #parts: AuditTrailParts;
  readonly #store: SqlAuditLog;
  readonly #settings: SettingsStore;
  readonly #timer: NodeJS.Timeout;
  #sealed = 0;

  constructor(parts: AuditTrailParts) {
    this.#parts = parts;
    this.#store = new SqlAuditLog(parts.storage.database, parts.storage.mark);
    this.#settings = parts.storage.settings;
    this.#timer = setInterval(() => void this.seal(), sealInterval).unref();
  }

  /** Never rejects, because the event has already happened. A failure to write is logged. */
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
    // The rows are read in another thread, so that requests are served between two parts of the log.
    return verifyAudit(new SqlAuditLog(this.#parts.storage.reader), await this.#readMark());
  }

  /** Seals the last row if there is a new row and the master key is available. Never rejects. */
  async seal(): Promise<void> {
    const { sharedWith } = this.#parts.storage;
    try {
      // A slow node must not replace a later seal by an earlier one.
      await (sharedWith === undefined ? this.#seal() : sharedWith.locks.run('audit seal', async () => this.#seal()));
    } catch (error) {
      this.#parts.log.failure('the audit log could not be sealed', error);
    }
  }

  async #seal(): Promise<void> {
    const head = await this.#store.head();
    if (head.sequence === this.#sealed || head.sequence === 0 || !this.#parts.canSeal()) return;
    const bytes = await this.#parts.sealer.seal(Buffer.from(JSON.stringify(head)), place);
    await this.#settings.write(setting, bytes.toString('base64'));
    this.#sealed = head.sequence;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.seal();
  }

  /** Null if nothing was sealed, or with another master key. */
  async #readMark(): Promise<AuditMark | null> {
    const text = await this.#settings.read(setting);
    if (typeof text !== 'string') return null;
    try {
      const bytes = await this.#parts.sealer.open(Buffer.from(text, 'base64'), place);
      return markSchema.parse(JSON.parse(bytes.toString('utf8')));
    } catch (error) {
      if (error instanceof StorageError && error.code === 'SECRET_UNREADABLE') return null;
      throw error;
    }
  }
}
