import { openConsent, type RefreshedConsent } from '../../service/consent/index.ts';
import { approveStanding, type Transactions } from '../../service/transactions/index.ts';
import { SqlConsentStore, type Storage } from '../../storage/index.ts';
import type { UiEvent } from '../../ui-contract/ui-contract.ts';
import type { Configuration } from '../config/config.ts';
import type { Log } from '../log/log.ts';

/** The listeners of events: open windows. */
export interface EventListeners {
  /** True if anything listens to the events. */
  readonly anyone: boolean;
  tell(event: UiEvent): void;
}

/** The name of grants in messages between nodes. */
export const grantRows = 'consent';

/**
 * Opens the permissions of sites. Users are asked while a window is open. Without a window, as on a server, only
 * earlier grants and the grants of the configuration count.
 */
export async function openConsentOf(parts: {
  readonly configuration: Pick<Configuration, 'sites' | 'fileGrants'>;
  readonly storage: Pick<Storage, 'database' | 'mayErase' | 'transactions' | 'sharedWith'>;
  readonly transactions: Transactions;
  readonly events: EventListeners;
  readonly log: Pick<Log, 'service'>;
  readonly now: () => Date;
}): Promise<RefreshedConsent> {
  const { configuration, storage, transactions, events, log, now } = parts;
  const consent = await openConsent({
    store: new SqlConsentStore(storage.database, storage.mayErase),
    configured: configuration.sites,
    configuredFiles: configuration.fileGrants,
    canAsk: () => events.anyone,
    now,
  });
  approveStanding(transactions, storage.transactions, consent, log.service);
  consent.onChange(() => {
    events.tell({ name: 'consent-changed' });
    storage.sharedWith?.signals.tell({ stale: [grantRows] });
  });
  return consent;
}
