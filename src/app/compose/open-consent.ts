import { auditedConsent } from '../../service/audit/index.ts';
import { openConsent, type Consent } from '../../service/consent/index.ts';
import { approveStanding, type Transactions } from '../../service/transactions/index.ts';
import { SqlConsentStore, type Storage } from '../../storage/index.ts';
import type { UiEvent } from '../../ui-contract/ui-contract.ts';
import type { Configuration } from '../config/config.ts';
import type { AuditTrail } from '../log/audit-trail.ts';
import type { Log } from '../log/log.ts';
import { followNodes } from '../nodes/follow-nodes.ts';

/** The listeners of events: open windows. */
export interface EventListeners {
  /** True if anything listens to the events. */
  readonly anyone: boolean;
  tell(event: UiEvent): void;
  /** Calls `act` whenever the last window has closed. */
  whenLastLeaves(act: () => void): void;
}

/** The name of grants in messages between nodes. */
export const grantRows = 'consent';

/** Milliseconds for a window to come back that its user has loaded again. */
const RELOADING = 700;

/** Services for the permissions of sites. */
interface ConsentParts {
  readonly configuration: Pick<Configuration, 'sites' | 'fileGrants'>;
  readonly storage: Pick<Storage, 'database' | 'mayErase' | 'transactions' | 'sharedWith'>;
  readonly transactions: Transactions;
  readonly events: EventListeners;
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly log: Pick<Log, 'service'>;
  readonly now: () => Date;
}

/**
 * Opens the permissions of sites. Users are asked while a window is open. Without a window, as on a server, only
 * earlier grants and the grants of the configuration count. `closeLater` receives the parts that must be closed.
 */
export async function openConsentOf(
  parts: ConsentParts,
  closeLater: (one: { close(): Promise<void> }) => void,
): Promise<Consent> {
  const { configuration, storage, transactions, events, audit, log, now } = parts;
  const consent = await openConsent({
    store: new SqlConsentStore(storage.database, storage.mayErase),
    configured: configuration.sites,
    configuredFiles: configuration.fileGrants,
    canAsk: () => events.anyone,
    now,
  });
  approveStanding(transactions, storage.transactions, consent, log.service);
  events.whenLastLeaves(() => {
    // A window that is loaded again comes back within this time.
    setTimeout(() => {
      if (!events.anyone) consent.stopAsking();
    }, RELOADING).unref();
  });
  consent.onChange(() => {
    events.tell({ name: 'consent-changed' });
    storage.sharedWith?.signals.tell({ stale: [grantRows] });
  });
  closeLater(consent);
  closeLater(
    followNodes(parts, {
      of: [grantRows],
      async read() {
        await consent.refresh();
        events.tell({ name: 'consent-changed' });
      },
    }),
  );
  return auditedConsent(consent, audit.record);
}
