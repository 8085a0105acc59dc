import type { KeySourceHealth } from '../../signing/index.ts';
import { staleTrustSentence, type StaleTrust } from '../certificates/index.ts';
import type { Room, RoomView } from '../space/index.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';
import type { SystemReader } from './read-system.ts';
import type { RecentTries } from './recent-tries.ts';

/** The findings of the health check. */
export type HealthFinding =
  | 'database-works'
  | 'folder-works'
  | 'folder-scarce'
  | 'folder-full'
  | 'folder-quota'
  | 'rows-whole'
  | 'rows-missing'
  | 'rows-unknown'
  | 'mark-unwritten'
  | 'other-history'
  | 'database-gone'
  | 'found-none'
  | 'found-documents'
  | 'found-unanswered'
  | 'results-whole'
  | 'results-damaged'
  | 'source-works'
  | 'source-fails'
  | 'source-quarantined'
  | 'server-answers'
  | 'server-silent'
  | 'store-works'
  | 'store-fails'
  | 'trust-current'
  | 'trust-ends'
  | 'secrets-readable'
  | 'secrets-unreadable'
  | 'clock-plausible'
  | 'clock-ahead'
  | 'clock-behind'
  | 'clock-early'
  | 'clock-doubted'
  | 'clocks-differ'
  | 'check-failed';

/** Values for the text of a finding. */
type HealthValues = Readonly<Record<string, string | number>>;

/** A health check. */
export interface HealthCheck {
  /**
   * `database`, `document-store`, `database-rows`, `lost-and-found`, `data-folder`, `results`, `secret-store`, `clock`,
   * `key-sources`, `timestamp-servers`, `trust-data`, or `key-source:<id>` and `timestamp-server:<id>` for each.
   */
  readonly id: string;
  readonly ok: boolean;
  /** The code of the finding. The window has a text for each code in every language. */
  readonly finding: HealthFinding;
  /** Values for the finding's text: names, counts, minutes, and sizes in bytes. */
  readonly values: HealthValues;
  /** An English sentence for a person. */
  readonly message: string;
  /** The remedy in English; null for a good state. */
  readonly remedy: string | null;
}

export interface HealthReport {
  readonly status: 'OK' | 'ERROR';
  readonly checks: readonly HealthCheck[];
}

/** Rows that the database has lost, according to its mark; undefined numbers are unknown. */
export interface LostRows {
  readonly kind: 'rows-missing' | 'other-history' | 'database-gone';
  readonly rows: number | undefined;
  readonly transactions: number | undefined;
  readonly documents: number | undefined;
  readonly signed: number | undefined;
}

/** The checked parts. Every part may fail, which is the purpose of the check. */
export interface HealthDependencies {
  /** Writes a value and reads it back; rejects on failure or for a different value. */
  readonly database: { writeAndReadBack(): Promise<void> };
  /** True if the database is a separate server instead of a file in the data folder. Default: false. */
  readonly databaseIsServer?: boolean;
  /** Reads from the object store of the documents; rejects on failure. Absent: the documents are in a folder. */
  readonly documentStore?: { probe(): Promise<void> };
  /** Measured largest difference in milliseconds between the clocks of two nodes; absent for a single instance. */
  readonly clockSpread?: () => Promise<number>;
  /**
   * The state of the clock: offset in milliseconds (`ahead`), and the time at which a person last accepted the clock.
   */
  readonly clock: () => {
    readonly doubted: boolean;
    readonly ahead: number | undefined;
    readonly accepted: Date | undefined;
  };
  /** When the newest transaction was created; undefined when there is none. */
  readonly newestTransaction: () => Promise<Date | undefined>;
  readonly dataFolder: string;
  readonly room: Pick<Room, 'view'>;
  readonly keySources: { health(): Promise<readonly KeySourceHealth[]> };
  readonly secretStore: {
    probe(): Promise<{ readonly state: 'ok' } | { readonly state: 'unavailable'; readonly reason: string }>;
  };
  /** Whether each time stamp server answers; `problem` is a sentence. */
  /** Stored results that were found missing or changed. */
  readonly damagedResults: () => readonly { readonly reason: 'missing' | 'changed' }[];
  /** How the database differs from its mark; undefined when it does not. */
  readonly lostRows: () => LostRows | undefined;
  /** The last failure to write the mark of the database; undefined if the mark is up to date. */
  readonly markFailure: () => unknown;
  /**
   * Numbers of documents that were set aside: those without a row, and those of requests that ended without an answer.
   */
  readonly foundDocuments: () => Promise<{ readonly lost: number; readonly unanswered: number }>;
  readonly timestampServers: { probe(): Promise<readonly { readonly id: string; readonly problem?: string }[]> };
  /** Trust data that has expired, or expires soon. */
  readonly staleTrust: () => Promise<readonly StaleTrust[]>;
  readonly system: SystemReader;
  /** Cached trial writes of the last second. */
  readonly tries: Pick<RecentTries, 'run'>;
  readonly now: () => Date;
}

/** Milliseconds: clocks are often set back a little; a larger step would make signing times wrong. */
const CLOCK_TOLERANCE = 5 * 60_000;
/** Seconds that the clocks of two nodes may differ: a step of a one-time password (RFC 6238). */
const NODES_TOLERANCE = 30;
/** A clock that shows an earlier time is wrong: this application did not exist then. */
const EARLIEST_TIME = Date.UTC(2026, 0, 1);

/** Checks everything now, writing at most once a second. Never rejects: a failed check is a result. */
export async function checkHealth(dependencies: HealthDependencies): Promise<HealthReport> {
  const groups = await Promise.all([
    guarded(
      'database',
      dependencies.databaseIsServer === true
        ? 'Check the PostgreSQL server: that it runs, its disk, and the network between. Nothing is lost by waiting.'
        : 'Check the disk of the data folder: its space, its cable, its errors. Nothing is lost by waiting.',
      () => checkDatabase(dependencies),
    ),
    checkDocumentStore(dependencies),
    guarded('data-folder', 'Check the owner of the data folder and the disk.', () => checkDataFolder(dependencies)),
    guarded('database-rows', 'Start the application again.', () => Promise.resolve(checkRows(dependencies))),
    guarded('lost-and-found', 'Check the owner of the data folder.', () => checkFound(dependencies)),
    guarded('results', 'Start the application again.', () => Promise.resolve(checkResults(dependencies))),
    guarded('key-sources', 'Start the application again.', () => checkKeySources(dependencies)),
    guarded('secret-store', "Unlock the operating system's keychain, or configure another store.", () =>
      checkSecretStore(dependencies),
    ),
    guarded('timestamp-servers', 'Start the application again.', () => checkTimestampServers(dependencies)),
    guarded('trust-data', 'Start the application again.', () => checkTrust(dependencies)),
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
    const message = `The check "${id}" failed.${reason}`;
    return [wrong(id, 'check-failed', {}, { message, remedy })];
  }
}

const well = (id: string, finding: HealthFinding, message: string, values: HealthValues = {}): HealthCheck => ({
  id,
  ok: true,
  finding,
  values,
  message,
  remedy: null,
});

const wrong = (
  id: string,
  finding: HealthFinding,
  values: HealthValues,
  words: Pick<HealthCheck, 'message' | 'remedy'>,
): HealthCheck => ({ id, ok: false, finding, values, ...words });

async function checkDatabase({ database, tries }: HealthDependencies): Promise<readonly HealthCheck[]> {
  await tries.run('database', async () => database.writeAndReadBack());
  return [well('database', 'database-works', 'The database can be written and read back.')];
}

async function checkDocumentStore({ documentStore, tries }: HealthDependencies): Promise<readonly HealthCheck[]> {
  const id = 'document-store';
  if (documentStore === undefined) return [];
  try {
    await tries.run(id, async () => documentStore.probe());
    return [well(id, 'store-works', 'The object store of the documents answers.')];
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The object store of the documents cannot be used now.';
    const remedy = 'Check the object store, its credentials and the network between. Nothing is lost by waiting.';
    return [wrong(id, 'store-fails', {}, { message, remedy })];
  }
}

async function checkDataFolder({
  dataFolder,
  room,
  system,
  tries,
}: HealthDependencies): Promise<readonly HealthCheck[]> {
  const id = 'data-folder';
  await tries.run(id, async () => system.tryWriting(dataFolder));
  const view = await room.view();
  const message = describeRoom(view);
  // A nearly full quota prevents no signature, and may be intended.
  const isWell = view.state === 'enough' || (view.state === 'scarce' && view.cause === 'quota');
  const values = sizesOf(view);
  if (isWell) return [well(id, 'folder-works', `The data folder can be written; ${message}.`, values)];
  const refusing = view.state === 'none' ? ' Further documents are refused.' : '';
  const remedy =
    view.cause === 'quota'
      ? 'Wait until kept documents have ended, or raise limits.disk_quota in the configuration.'
      : 'Make room on the disk.';
  const finding = view.cause === 'quota' ? 'folder-quota' : view.state === 'none' ? 'folder-full' : 'folder-scarce';
  return [wrong(id, finding, values, { message: `In the data folder ${message}.${refusing}`, remedy })];
}

/** Sizes in bytes, as far as they are known. */
const sizesOf = ({ free, kept, awaited, quota }: RoomView): HealthValues => ({
  kept,
  awaited,
  ...dropUndefined({ free, quota }),
});

/** `23.5 GB are free`, `documents have 1.2 GB of 2.0 GB`: whichever is scarcer. */
function describeRoom({ free, kept, awaited, quota, cause }: RoomView): string {
  const ofQuota = quota === undefined ? '' : `documents have ${formatSize(kept)} of ${formatSize(quota)}`;
  if (cause === 'quota') return ofQuota;
  const amount = free === undefined ? 'an unknown amount' : formatSize(free);
  const promised = awaited === 0 ? '' : `, of which signatures under way need ${formatSize(awaited)}`;
  const onDisk = cause === 'disk' ? `only ${amount} are free${promised}` : `${amount} are free`;
  return ofQuota === '' || cause === 'disk' ? onDisk : `${onDisk}, and ${ofQuota}`;
}

function checkRows({ lostRows, markFailure }: HealthDependencies): readonly HealthCheck[] {
  const id = 'database-rows';
  const lost = lostRows();
  if (lost === undefined && markFailure() !== undefined) {
    const message = 'The mark of the database cannot be written: rows that are lost from now on would not be noticed.';
    const remedy = 'Make room on the disk, and check the owner of the data folder.';
    return [wrong(id, 'mark-unwritten', {}, { message, remedy })];
  }
  if (lost === undefined) return [well(id, 'rows-whole', 'The database has every row of its mark.')];
  const remedy = 'End the application and run "sinete recover": it explains what can be put back.';
  const message = `${describeLoss(lost)} Until a person has decided, this instance only reads.`;
  const { kind, ...counts } = lost;
  const finding = kind === 'rows-missing' && lost.rows === undefined ? 'rows-unknown' : kind;
  return [wrong(id, finding, dropUndefined(counts), { message, remedy })];
}

/** A sentence with the exact numbers, as far as they are known. */
export function describeLoss({ kind, rows, transactions, documents, signed }: LostRows): string {
  const state = {
    'rows-missing': 'The database has lost its last rows: its journal is damaged, or it is an older copy.',
    'other-history': 'The database is not the one that was used here last.',
    'database-gone': 'The database is empty, but another one was used here.',
  }[kind];
  if (rows === undefined) return `${state} How much is missing is not known.`;
  return `${state} Missing: ${transactions} transactions, ${documents} documents, of which ${signed} signed (${rows} rows of the audit log).`;
}

async function checkFound({ foundDocuments, tries }: HealthDependencies): Promise<readonly HealthCheck[]> {
  const id = 'lost-and-found';
  const { lost, unanswered } = await tries.run(id, foundDocuments, (found) => found.lost + found.unanswered === 0);
  if (lost > 0) {
    const message = `${lost} documents without a row in the database are in the folder "lost+found".`;
    const remedy = 'Look at "found.jsonl" in that folder, and move or remove the documents.';
    return [wrong(id, 'found-documents', { count: lost }, { message, remedy })];
  }
  if (unanswered === 0) return [well(id, 'found-none', 'Every document of the data folder has its row.')];
  const told = 'Their requests ended without an answer, so that nothing is missing.';
  const message = `${unanswered} documents in the folder "lost+found" may be removed. ${told}`;
  return [well(id, 'found-unanswered', message, { count: unanswered })];
}

function checkResults({ damagedResults }: HealthDependencies): readonly HealthCheck[] {
  const id = 'results';
  const all = damagedResults();
  if (all.length === 0) return [well(id, 'results-whole', 'No stored result is known to be missing or damaged.')];
  const missing = all.filter(({ reason }) => reason === 'missing').length;
  const message = `Of the stored results ${missing} are missing and ${all.length - missing} are damaged.`;
  const remedy = 'Restore a backup, or sign these documents again. The log names their transactions.';
  const values = { count: all.length, missing, damaged: all.length - missing };
  return [wrong(id, 'results-damaged', values, { message, remedy })];
}

async function checkKeySources({ keySources }: HealthDependencies): Promise<readonly HealthCheck[]> {
  return (await keySources.health()).map(({ id, name, state, problem, detail, remedy }) => {
    const checkId = `key-source:${id}`;
    const values = { name, ...dropUndefined({ problem }) };
    switch (state) {
      case 'ok':
        return well(checkId, 'source-works', `The key source "${name}" works.`, values);
      case 'failing':
        return wrong(checkId, 'source-fails', values, {
          message: `The key source "${name}" fails. ${detail ?? ''}`.trim(),
          remedy: remedy ?? 'Test the driver on the settings page; install it again or remove it.',
        });
      case 'quarantined':
        return wrong(checkId, 'source-quarantined', values, {
          message: `The key source "${name}" crashed several times and is not used now. ${detail ?? ''}`.trim(),
          remedy:
            'Update the driver. It is tried again by itself after a pause, or at once by "sinete modules retry" or on the settings page.',
        });
    }
  });
}

async function checkTimestampServers({ timestampServers, tries }: HealthDependencies): Promise<readonly HealthCheck[]> {
  const probes = await tries.run(
    'timestamp-servers',
    async () => timestampServers.probe(),
    (all) => all.every(({ problem }) => problem === undefined),
  );
  return probes.map(({ id, problem }) => {
    const checkId = `timestamp-server:${id}`;
    if (problem === undefined) return well(checkId, 'server-answers', `The time-stamp server ${id} answers.`);
    const remedy = 'Check the network and the address of the server, or remove it.';
    const message = `The time-stamp server ${id} does not answer. ${problem}`;
    return wrong(checkId, 'server-silent', { name: id }, { message, remedy });
  });
}

/** Maximum number of sentences in one message. */
const toldEnds = 5;

/**
 * Trust data that will expire is reported in a good check: signing continues, and a monitor should not raise an alarm
 * years ahead.
 */
async function checkTrust({ staleTrust }: HealthDependencies): Promise<readonly HealthCheck[]> {
  const id = 'trust-data';
  const stale = await staleTrust();
  if (stale.length === 0)
    return [well(id, 'trust-current', 'No trusted root, authority or list of policies ends soon.')];
  const sentences = stale.slice(0, toldEnds).map((one) => staleTrustSentence(one, 'en'));
  const more = stale.length > toldEnds ? [`${stale.length - toldEnds} more end soon ("sinete trust list").`] : [];
  return [well(id, 'trust-ends', [...sentences, ...more].join(' '), { count: stale.length })];
}

async function checkSecretStore({ secretStore, tries }: HealthDependencies): Promise<readonly HealthCheck[]> {
  const id = 'secret-store';
  const probe = await tries.run(
    id,
    async () => secretStore.probe(),
    ({ state }) => state === 'ok',
  );
  if (probe.state === 'ok') return [well(id, 'secrets-readable', 'Secrets can be kept and read.')];
  const remedy = "Unlock the operating system's keychain, or configure another.";
  return [wrong(id, 'secrets-unreadable', {}, { message: probe.reason, remedy })];
}

async function checkClock({
  newestTransaction,
  clock,
  clockSpread,
  now,
}: HealthDependencies): Promise<readonly HealthCheck[]> {
  const id = 'clock';
  const remedy = 'Set the clock of this computer. If it is right, "sinete clock accept" says so.';
  const time = now().getTime();
  const { doubted, ahead, accepted } = clock();
  if (ahead !== undefined && ahead !== 0) {
    const minutes = Math.round(Math.abs(ahead) / 60_000);
    const message = `The clock is ${minutes} minutes ${ahead > 0 ? 'ahead of' : 'behind'} the one of a time-stamp server.`;
    const finding = ahead > 0 ? 'clock-ahead' : 'clock-behind';
    return [wrong(id, finding, { minutes }, { message, remedy })];
  }
  // Future times of rows do not count once another clock agrees with this one, or a person has accepted it.
  const isConfirmed = ahead === 0 || (accepted !== undefined && time >= accepted.getTime() - CLOCK_TOLERANCE);
  const newest = isConfirmed ? 0 : ((await newestTransaction())?.getTime() ?? 0);
  if (time < EARLIEST_TIME || time < newest - CLOCK_TOLERANCE) {
    const message = 'The clock shows a time before something that has already happened.';
    return [wrong(id, 'clock-early', {}, { message, remedy })];
  }
  const seconds = Math.round(((await clockSpread?.()) ?? 0) / 1000);
  if (seconds > NODES_TOLERANCE) {
    const message = `The clocks of the nodes differ by ${seconds} seconds.`;
    return [
      wrong(id, 'clocks-differ', { seconds }, { message, remedy: 'Keep the clocks of all nodes in step by NTP.' }),
    ];
  }
  if (!doubted) return [well(id, 'clock-plausible', 'The clock is plausible.')];
  const wait = 'until the clock agrees with a time-stamp server, or has run evenly for 24 hours';
  const sooner = '"sinete clock accept" ends the wait.';
  const message = `The clock leapt, or this computer was off: expired documents are kept ${wait}. ${sooner}`;
  return [well(id, 'clock-doubted', message)];
}

/** `23.5 GB`, `512.0 MB`: decimal units, one digit after the point. */
export function formatSize(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? (['GB', 1e9] as const) : (['MB', 1e6] as const);
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
