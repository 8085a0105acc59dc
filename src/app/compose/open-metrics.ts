import { createMetrics, type Metrics } from '../../http/signing-service/monitoring.ts';
import { countQueued, countUnfinished, type Storage } from '../../storage/index.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { KeySources } from './key-sources.ts';

/** The figures of this instance. */
export function openMetrics({
  storage,
  keys,
}: {
  readonly storage: Storage;
  readonly keys: Pick<KeySources, 'ring'>;
}): Metrics {
  return createMetrics({
    documents: async () => storage.transactions.countByStatus(),
    unfinished: async () => countUnfinished(storage.database),
    queued: async () => countQueued(storage.database),
    async keySources() {
      const counts = { ok: 0, failing: 0, quarantined: 0 };
      for (const { state } of await keys.ring.health()) counts[state]++;
      return counts;
    },
  });
}

/** Called with the duration of each time stamp in seconds. */
type ObserveStamp = Metrics['stamp'];

/** Evidence services that measure time stamps. `observe` may do nothing yet. */
export function timedEvidence(evidence: Evidence, observe: ObserveStamp): Evidence {
  return {
    ...evidence,
    async timestamper(request) {
      const timestamper = await evidence.timestamper(request);
      const server = request.server ?? 'default';
      return new Proxy(timestamper, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return name === 'stamp' ? timed(target, server, observe) : (value.bind(target) as unknown);
        },
      });
    },
  };
}

type Timestamper = Awaited<ReturnType<Evidence['timestamper']>>;

function timed(timestamper: Timestamper, server: string, observe: ObserveStamp): Timestamper['stamp'] {
  return async (...input) => {
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      const stamp = await timestamper.stamp(...input);
      observe(server, 'given', seconds());
      return stamp;
    } catch (error) {
      observe(server, 'refused', seconds());
      throw error;
    }
  };
}

/** Passes measurements of time stamps to the metrics, which are opened later than the measured services. */
export class StampObserver {
  metrics: Metrics | undefined;

  readonly observe: ObserveStamp = (...stamp) => {
    this.metrics?.stamp(...stamp);
  };
}
