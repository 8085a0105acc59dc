import { Renewals, type RenewalOutcome } from '../../service/renewals/index.ts';
import type { Validator } from '../../service/validation/index.ts';
import { timestampDigestsOf, type WorkerPool } from '../../signing/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Configuration } from '../config/config.ts';
import { documentBeside, recordBeside } from '../evidence/document-beside.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { raiseFile } from '../evidence/raise-file.ts';
import { testServerId, type TimestampServers } from '../evidence/timestamp-servers.ts';
import type { Log } from '../log/log.ts';

/** Parts of renewals. */
export interface OpenRenewalsParts {
  readonly configuration: Pick<Configuration, 'renewal' | 'algorithmPolicy'>;
  readonly storage: Pick<Storage, 'renewals' | 'settings' | 'mark' | 'sharedWith'>;
  readonly validator: Validator;
  readonly evidence: Evidence;
  readonly timestampServers: Pick<TimestampServers, 'list'>;
  readonly workers: WorkerPool;
  readonly onChange: (outcome: RenewalOutcome) => void;
  readonly log: Log;
  readonly now: () => Date;
}

/** The renewals of this instance, not started yet. */
export function openRenewals(parts: OpenRenewalsParts): Renewals {
  const { configuration, storage, validator, timestampServers, onChange, log, now } = parts;
  return new Renewals({
    store: storage.renewals,
    settings: storage.settings,
    locks: storage.sharedWith?.locks,
    onChange,
    log: log.service,
    now,
    documentBeside,
    recordBeside,
    mode: configuration.renewal.mode,
    within: configuration.renewal.within * 1000,
    mayChange: storage.mark.problem === undefined,
    validate: async (request) => validator.validate(request),
    extend: async ({ server, digest, level = 'B-LTA', ...request }) =>
      raiseFile(parts, { ...request, level, timestampServer: server, timestampDigest: digest }),
    servers: async (only, wanted) => {
      const all = (await timestampServers.list()).map(({ id, digest }) => ({
        id,
        digests: timestampDigestsOf(wanted ?? digest, configuration.algorithmPolicy),
      }));
      return serversForRenewals(all, only);
    },
  });
}

/**
 * The server named by `only`, or all servers without the test server: its stamps have no legal value, and must not
 * replace valid ones. The test server alone renews test signatures.
 */
export function serversForRenewals<Server extends { readonly id: string }>(
  all: readonly Server[],
  only: string | undefined,
): readonly Server[] {
  if (only !== undefined) return all.filter(({ id }) => id === only);
  const counting = all.filter(({ id }) => id !== testServerId);
  return counting.length === 0 ? all : counting;
}
