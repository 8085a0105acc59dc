import { parse } from 'node:path';
import type { HealthBody } from '../../http/signing-service/schemas.ts';
import { dashboardBody } from '../../http/signing-service/monitoring.ts';
import { checkCore, describeCheck, type Check } from '../../service/checks/index.ts';
import { describeSystem, systemReader } from '../../service/monitoring/index.ts';
import { bucketOf, countFound } from '../../storage/index.ts';
import { readStaleTrust } from '../evidence/evidence.ts';
import type { Core } from '../compose/open-core.ts';

/** Checks the parts of the core, at the time of the call. */
export async function readHealth({
  storage,
  transactions,
  dataFolder,
  room,
  tries,
  keys,
  secrets,
  trust,
  evidence,
  time,
  now,
}: Core): Promise<readonly Check[]> {
  const { sharedWith } = storage;
  return checkCore({
    database: storage.healthProbe,
    databaseIsServer: storage.engine === 'postgres',
    documentStore: bucketOf(storage),
    clock: () => time.state(),
    newestTransaction: async () => transactions.newestCreation(),
    ...(sharedWith === undefined ? {} : { clockSpread: async () => sharedWith.claims.clockSpread() }),
    dataFolder,
    room,
    tries,
    lostRows: () => storage.mark.problem,
    isDamaged: () => storage.damage.isFound,
    markFailure: () => storage.mark.failure,
    foundDocuments: async () => countFound(storage.documentsFolder),
    damagedResults: () => transactions.damagedResults(),
    keySources: keys.ring,
    secretStore: secrets,
    timestampServers: evidence,
    staleTrust: async () => readStaleTrust({ trust, evidence }, now()),
    system: systemReader,
    now,
  });
}

const isGood = ({ outcome }: Check): boolean => outcome === 'ok';

/** The body of endpoint 7: problems as messages, and with `full` the computer's resources. */
export async function healthBody(core: Core, full: boolean): Promise<HealthBody> {
  const checks = await readHealth(core);
  const status = checks.every(isGood) ? 'OK' : 'ERROR';
  // Trust data that expires soon is no fault, but is reported beside faults as well.
  const told = status === 'OK' ? checks : checks.filter((check) => !isGood(check) || check.id === 'trust-data');
  const messages = told.map((check) => {
    const { message, remedy } = describeCheck(check);
    return remedy === null ? message : `${message} ${remedy}`;
  });
  if (!full) return { status, messages };
  const [about, signature] = await Promise.all([
    describeSystem(systemReader, [parse(core.dataFolder).root, core.dataFolder]),
    dashboardBody(core.transactions, core.now),
  ]);
  return {
    status,
    messages,
    details: {
      memory: about.memory,
      swap: about.swap,
      cpu_usage: about.processorUse,
      num_cpu: about.processorCount,
      running_processes: about.runningProcesses,
      proc_loadavg: about.loadAverage,
      disk_total: about.diskTotal,
      disk_free: about.diskFree,
      signature,
    },
  };
}
