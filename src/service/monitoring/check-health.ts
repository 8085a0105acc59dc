import type { KeySourceHealth } from '../../signing/index.ts';
import { staleTrustSentence, type StaleTrust } from '../certificates/index.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';
import { checkStorage, type StorageParts } from './check-storage.ts';
import { runCheck, well, wrong, type HealthCheck } from './health-check.ts';

export interface HealthReport {
  readonly status: 'OK' | 'ERROR';
  readonly checks: readonly HealthCheck[];
}

/** The checked parts. Every part may fail, which is the purpose of the check. */
export interface HealthDependencies extends StorageParts {
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
  readonly keySources: { health(): Promise<readonly KeySourceHealth[]> };
  readonly secretStore: {
    probe(): Promise<{ readonly state: 'ok' } | { readonly state: 'unavailable'; readonly reason: string }>;
  };
  /** Whether each time stamp server answers; `problem` is a sentence. */
  readonly timestampServers: { probe(): Promise<readonly { readonly id: string; readonly problem?: string }[]> };
  /** Trust data that has expired, or expires soon. */
  readonly staleTrust: () => Promise<readonly StaleTrust[]>;
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
    checkStorage(dependencies),
    runCheck('key-sources', 'Start the application again.', () => checkKeySources(dependencies)),
    runCheck('secret-store', "Unlock the operating system's keychain, or configure another store.", () =>
      checkSecretStore(dependencies),
    ),
    runCheck('timestamp-servers', 'Start the application again.', () => checkTimestampServers(dependencies)),
    runCheck('trust-data', 'Start the application again.', () => checkTrust(dependencies)),
    runCheck('clock', 'Set the clock of this computer.', () => checkClock(dependencies)),
  ]);
  const checks = groups.flat();
  return { status: checks.every(({ ok }) => ok) ? 'OK' : 'ERROR', checks };
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
