import { Renewals, type RenewalOutcome } from '../../service/renewals/index.ts';
import type { Validator } from '../../service/validation/index.ts';
import type { WorkerPool } from '../../signing/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Configuration } from '../config/config.ts';
import { documentBeside } from '../evidence/document-beside.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { raiseFile } from '../evidence/raise-file.ts';
import { testServerId } from '../evidence/timestamp-servers.ts';
import type { Log } from '../log/log.ts';

/** Parts of renewals. */
export interface OpenRenewalsParts {
  readonly configuration: Pick<Configuration, 'renewal'>;
  readonly storage: Pick<Storage, 'renewals' | 'settings' | 'mark'>;
  readonly validator: Validator;
  readonly evidence: Evidence;
  readonly workers: WorkerPool;
  readonly onChange: (outcome: RenewalOutcome) => void;
  readonly log: Log;
  readonly now: () => Date;
}

/** The renewals of this instance, not started yet. */
export function openRenewals(parts: OpenRenewalsParts): Renewals {
  const { configuration, storage, validator, evidence, onChange, log, now } = parts;
  return new Renewals({
    store: storage.renewals,
    settings: storage.settings,
    onChange,
    log: log.service,
    now,
    documentBeside,
    mode: configuration.renewal.mode,
    within: configuration.renewal.within * 1000,
    mayChange: storage.mark.problem === undefined,
    validate: async (request) => validator.validate(request),
    extend: async ({ server, ...request }) => raiseFile(parts, { ...request, level: 'B-LTA', timestampServer: server }),
    servers: async () => {
      const all = await evidence.timestampServers();
      // A stamp without value never replaces one that counts.
      const counting = all.filter((id) => id !== testServerId);
      return counting.length === 0 ? all : counting;
    },
  });
}
