import type { KeySourceHealth } from '../../signing/index.ts';
import type { Room, RoomView } from '../space/index.ts';
import type { SystemReader } from './read-system.ts';

/** A health check. */
export interface HealthCheck {
  /**
   * `database`, `data-folder`, `secret-store`, `clock`, `key-sources`, `timestamp-servers`, or `key-source:<id>` and
   * `timestamp-server:<id>` for each.
   */
  readonly id: string;
  readonly ok: boolean;
  /** A sentence for a person. */
  readonly message: string;
  /** The remedy; null for a good state. */
  readonly remedy: string | null;
}

export interface HealthReport {
  readonly status: 'OK' | 'ERROR';
  readonly checks: readonly HealthCheck[];
}

/** The checked parts. Every part may fail, which is the purpose of the check. */
export interface HealthDependencies {
  /** Writes a value and reads it back; rejects on failure or for a different value. */
  readonly database: { writeAndReadBack(): Promise<void> };
  /** When the newest transaction was created; undefined when there is none. */
  readonly newestTransaction: () => Promise<Date | undefined>;
  readonly dataFolder: string;
  readonly room: Pick<Room, 'view'>;
  readonly keySources: { health(): Promise<readonly KeySourceHealth[]> };
  readonly secretStore: {
    probe(): Promise<{ readonly state: 'ok' } | { readonly state: 'unavailable'; readonly reason: string }>;
  };
  /** Whether each time stamp server answers; `problem` is a sentence. */
  readonly timestampServers: { probe(): Promise<readonly { readonly id: string; readonly problem?: string }[]> };
  readonly system: SystemReader;
  readonly now: () => Date;
}

/** Clocks are set back by a little all the time; by more than this, signing times would be wrong. */
const CLOCK_TOLERANCE = 5 * 60_000;
/** No clock of this application has ever been right and shown less. */
const EARLIEST_TIME = Date.UTC(2026, 0, 1);

/** Checks everything now. Never rejects: a failed check is a result. */
export async function checkHealth(dependencies: HealthDependencies): Promise<HealthReport> {
  const groups = await Promise.all([
    guarded('database', 'Start the application again; it sets a damaged database aside.', () =>
      checkDatabase(dependencies),
    ),
    guarded('data-folder', 'Check the owner of the data folder and the disk.', () => checkDataFolder(dependencies)),
    guarded('key-sources', 'Start the application again.', () => checkKeySources(dependencies)),
    guarded('secret-store', "Unlock the operating system's keychain, or configure another store.", () =>
      checkSecretStore(dependencies),
    ),
    guarded('timestamp-servers', 'Start the application again.', () => checkTimestampServers(dependencies)),
    guarded('clock', 'Set the clock of this computer.', () => checkClock(dependencies)),
  ]);
  const checks = groups.flat();
  return { status: checks.every(({ ok }) => ok) ? 'OK' : 'ERROR', checks };
}

async function guarded(
  id: string,
  remedy: string,
  look: () => Promise<readonly HealthCheck[]>,
): Promise<readonly HealthCheck[]> {
  try {
    return await look();
  } catch (error) {
    const reason = error instanceof Error ? ` ${error.message}` : '';
    return [{ id, ok: false, message: `The check "${id}" failed.${reason}`, remedy }];
  }
}

const well = (id: string, message: string): HealthCheck => ({ id, ok: true, message, remedy: null });

async function checkDatabase({ database }: HealthDependencies): Promise<readonly HealthCheck[]> {
  await database.writeAndReadBack();
  return [well('database', 'The database can be written and read back.')];
}

async function checkDataFolder({ dataFolder, room, system }: HealthDependencies): Promise<readonly HealthCheck[]> {
  const id = 'data-folder';
  await system.tryWriting(dataFolder);
  const view = await room.view();
  const message = describeRoom(view);
  // A nearly used quota stops nobody from signing, and may be intended.
  const isWell = view.state === 'enough' || (view.state === 'scarce' && view.cause === 'quota');
  if (isWell) return [well(id, `The data folder can be written; ${message}.`)];
  const refusing = view.state === 'none' ? ' Further documents are refused.' : '';
  const remedy =
    view.cause === 'quota'
      ? 'Wait until kept documents have ended, or raise limits.disk_quota in the configuration.'
      : 'Make room on the disk.';
  return [{ id, ok: false, message: `In the data folder ${message}.${refusing}`, remedy }];
}

/** `23.5 GB are free`, `documents have 1.2 GB of 2.0 GB`: the scarcer of the two. */
function describeRoom({ free, kept, awaited, quota, cause }: RoomView): string {
  const ofQuota = quota === undefined ? '' : `documents have ${formatSize(kept)} of ${formatSize(quota)}`;
  if (cause === 'quota') return ofQuota;
  const amount = free === undefined ? 'an unknown amount' : formatSize(free);
  const promised = awaited === 0 ? '' : `, of which signatures under way need ${formatSize(awaited)}`;
  const onDisk = cause === 'disk' ? `only ${amount} are free${promised}` : `${amount} are free`;
  return ofQuota === '' || cause === 'disk' ? onDisk : `${onDisk}, and ${ofQuota}`;
}

async function checkKeySources({ keySources }: HealthDependencies): Promise<readonly HealthCheck[]> {
  return (await keySources.health()).map(({ id, name, state, detail, remedy }) => {
    const checkId = `key-source:${id}`;
    switch (state) {
      case 'ok':
        return well(checkId, `The key source "${name}" works.`);
      case 'failing':
        return {
          id: checkId,
          ok: false,
          message: `The key source "${name}" fails. ${detail ?? ''}`.trim(),
          remedy: remedy ?? 'Test the driver on the settings page; install it again or remove it.',
        };
      case 'quarantined':
        return {
          id: checkId,
          ok: false,
          message: `The key source "${name}" crashed several times and is not used now. ${detail ?? ''}`.trim(),
          remedy: 'Update the driver, then release it on the settings page.',
        };
    }
  });
}

async function checkTimestampServers({ timestampServers }: HealthDependencies): Promise<readonly HealthCheck[]> {
  return (await timestampServers.probe()).map(({ id, problem }) => {
    const checkId = `timestamp-server:${id}`;
    if (problem === undefined) return well(checkId, `The time-stamp server ${id} answers.`);
    const remedy = 'Check the network and the address of the server, or remove it.';
    return { id: checkId, ok: false, message: `The time-stamp server ${id} does not answer. ${problem}`, remedy };
  });
}

async function checkSecretStore({ secretStore }: HealthDependencies): Promise<readonly HealthCheck[]> {
  const id = 'secret-store';
  const probe = await secretStore.probe();
  if (probe.state === 'ok') return [well(id, 'Secrets can be kept and read.')];
  return [
    { id, ok: false, message: probe.reason, remedy: "Unlock the operating system's keychain, or configure another." },
  ];
}

async function checkClock({ newestTransaction, now }: HealthDependencies): Promise<readonly HealthCheck[]> {
  const time = now().getTime();
  const newest = (await newestTransaction())?.getTime() ?? 0;
  const id = 'clock';
  if (time >= EARLIEST_TIME && time >= newest - CLOCK_TOLERANCE) return [well(id, 'The clock is plausible.')];
  const message = 'The clock shows a time before something that has already happened.';
  return [{ id, ok: false, message, remedy: 'Set the clock of this computer.' }];
}

/** `23.5 GB`, `512.0 MB`: decimal units, one digit after the point. */
export function formatSize(octets: number): string {
  const [unit, size] = octets >= 1e9 ? (['GB', 1e9] as const) : (['MB', 1e6] as const);
  return `${(octets / size).toFixed(1)} ${unit}`;
}
