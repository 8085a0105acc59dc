import type { KeySourceHealth } from '../../signing/index.ts';
import { staleTrustSentence, type StaleTrust } from '../certificates/index.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';
import { found, runCheck, type Check } from './check.ts';
import { checkStorage, type StorageParts } from './check-storage.ts';
import type { Finding, Repair } from './findings.ts';

/** The parts of the core. Every part may fail, which is the purpose of the check. */
export interface CoreParts extends StorageParts {
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

/** Checks the parts of the core now, writing at most once a second. Never rejects: a failed check is a result. */
export async function checkCore(parts: CoreParts): Promise<readonly Check[]> {
  const groups = await Promise.all([
    checkStorage(parts),
    runCheck('key-sources', 'sources-fail', () => checkKeySources(parts)),
    runCheck('secret-store', 'secrets-fail', () => checkSecretStore(parts)),
    runCheck('timestamp-servers', 'servers-fail', () => checkTimestampServers(parts)),
    runCheck('trust-data', 'check-failed', () => checkTrust(parts), 'trust'),
    runCheck('clock', 'clock-fails', () => checkClock(parts)),
  ]);
  return groups.flat();
}

const keySourceFindings = {
  ok: 'source-works',
  failing: 'source-fails',
  quarantined: 'source-quarantined',
} as const satisfies Readonly<Record<KeySourceHealth['state'], Finding>>;

/** Begins the id of the key source of a driver; the driver's own id follows. */
const tokenPrefix = 'token:';

async function checkKeySources({ keySources }: CoreParts): Promise<readonly Check[]> {
  return (await keySources.health()).map(({ id, name, state, problem, detail, remedy }) => {
    const isToken = id.startsWith(tokenPrefix);
    const repairs: readonly Repair[] =
      state === 'ok' || !isToken
        ? []
        : [
            { kind: 'retry-driver', id: id.slice(tokenPrefix.length) },
            { kind: 'open', page: 'settings' },
          ];
    const values = { name, detail: detail ?? '', ...dropUndefined({ problem, remedy }) };
    const area = isToken ? undefined : 'key-files';
    return found(`key-source:${id}`, keySourceFindings[state], values, { area, repairs });
  });
}

async function checkTimestampServers({ timestampServers, tries }: CoreParts): Promise<readonly Check[]> {
  const probes = await tries.run(
    'timestamp-servers',
    async () => timestampServers.probe(),
    (all) => all.every(({ problem }) => problem === undefined),
  );
  return probes.map(({ id, problem }) => {
    const checkId = `timestamp-server:${id}`;
    if (problem === undefined) return found(checkId, 'server-answers', { name: id });
    const repairs: readonly Repair[] = [
      { kind: 'test-server', id },
      { kind: 'open', page: 'settings' },
    ];
    return found(checkId, 'server-silent', { name: id, reason: problem }, { repairs });
  });
}

/** Maximum number of sentences in one message. */
const toldEnds = 5;

/**
 * Trust data that will expire is reported in a good check: signing continues, and a monitor should not raise an alarm
 * years ahead.
 */
async function checkTrust({ staleTrust }: CoreParts): Promise<readonly Check[]> {
  const id = 'trust-data';
  const stale = await staleTrust();
  if (stale.length === 0) return [found(id, 'trust-current')];
  const sentences = stale.slice(0, toldEnds).map((one) => staleTrustSentence(one, 'en'));
  const more = stale.length > toldEnds ? [`${stale.length - toldEnds} more end soon ("sinete trust list").`] : [];
  return [found(id, 'trust-ends-soon', { count: stale.length, sentences: [...sentences, ...more].join(' ') })];
}

async function checkSecretStore({ secretStore, tries }: CoreParts): Promise<readonly Check[]> {
  const id = 'secret-store';
  const probe = await tries.run(
    id,
    async () => secretStore.probe(),
    ({ state }) => state === 'ok',
  );
  return [
    probe.state === 'ok' ? found(id, 'secrets-readable') : found(id, 'secrets-unreadable', { reason: probe.reason }),
  ];
}

async function checkClock({ newestTransaction, clock, clockSpread, now }: CoreParts): Promise<readonly Check[]> {
  const id = 'clock';
  const time = now().getTime();
  const { doubted, ahead, accepted } = clock();
  if (ahead !== undefined && ahead !== 0) {
    const minutes = Math.round(Math.abs(ahead) / 60_000);
    return [found(id, ahead > 0 ? 'clock-ahead' : 'clock-behind', { minutes })];
  }
  // Future times of rows do not count once another clock agrees with this one, or a person has accepted it.
  const isConfirmed = ahead === 0 || (accepted !== undefined && time >= accepted.getTime() - CLOCK_TOLERANCE);
  const newest = isConfirmed ? 0 : ((await newestTransaction())?.getTime() ?? 0);
  if (time < EARLIEST_TIME || time < newest - CLOCK_TOLERANCE) return [found(id, 'clock-early')];
  const seconds = Math.round(((await clockSpread?.()) ?? 0) / 1000);
  if (seconds > NODES_TOLERANCE) return [found(id, 'clocks-differ', { seconds })];
  return [found(id, doubted ? 'clock-doubted' : 'clock-plausible')];
}
