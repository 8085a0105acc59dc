import { createMetrics, type Metrics } from '../../http/signing-service/monitoring.ts';
import type { RecentTries, Tracer } from '../../service/monitoring/index.ts';
import type { WorkObserver } from '../../service/transactions/index.ts';
import { bucketOf, countQueued, countUnfinished, type Storage } from '../../storage/index.ts';
import { aroundStamps } from '../evidence/around-stamps.ts';
import { openEvidence, type Evidence, type EvidenceParts } from '../evidence/evidence.ts';
import { tracedEvidence } from '../tracing/traced-parts.ts';
import type { KeySources } from './key-sources.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** The metrics of this instance: counts from its database, the states of key sources, storage and nodes. */
export function openMetrics({
  storage,
  keys,
  tries,
}: {
  readonly storage: Storage;
  readonly keys: Pick<KeySources, 'ring'>;
  readonly tries: RecentTries;
}): Metrics {
  const bucket = bucketOf(storage);
  const claims = storage.sharedWith?.claims;
  const unfinished = async () => countUnfinished(storage.database);
  return createMetrics({
    documents: async () => storage.transactions.countByStatus(),
    unfinished,
    queued: async () => countQueued(storage.database),
    async keySources() {
      const counts = { ok: 0, failing: 0, quarantined: 0 };
      for (const { state } of await keys.ring.health()) counts[state]++;
      return counts;
    },
    async storage() {
      const [database, documents] = await Promise.all([
        answers(async () => tries.run('database', async () => storage.healthProbe.writeAndReadBack())),
        bucket && answers(async () => tries.run('document-store', async () => bucket.probe())),
      ]);
      return { database, ...dropUndefined({ documents }) };
    },
    nodes: async () => (await claims?.countNodes()) ?? { alive: 1, jobs: (await unfinished()).signing },
  });
}

const answers = async (probe: () => Promise<unknown>): Promise<0 | 1> =>
  probe().then(
    () => 1,
    () => 0,
  );

/** Called with the duration of each time stamp in seconds. */
type ObserveStamp = Metrics['stamp'];

/** Evidence services that measure time stamps. `observe` may do nothing yet. */
function timedEvidence(evidence: Evidence, observe: ObserveStamp): Evidence {
  return aroundStamps(evidence, async (server, stamp) => {
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      const made = await stamp();
      observe(server, 'given', seconds());
      return made;
    } catch (error) {
      observe(server, 'refused', seconds());
      throw error;
    }
  });
}

/** Passes measurements to the metrics, which are opened later than the measured services. */
class MetricsObserver implements WorkObserver {
  metrics: Metrics | undefined;

  readonly observe: ObserveStamp = (...stamp) => {
    this.metrics?.stamp(...stamp);
  };

  signed(bytes: number): void {
    this.metrics?.signed(bytes);
  }

  failed(): void {
    this.metrics?.failed();
  }

  tookOver(): void {
    this.metrics?.tookOver();
  }
}

/** The evidence services of an instance, with spans, and with measurements for metrics that are opened later. */
export function openMeasuredEvidence(
  parts: EvidenceParts,
  tracer: Tracer,
): { readonly evidence: Evidence; readonly measured: MetricsObserver } {
  const measured = new MetricsObserver();
  return { evidence: tracedEvidence(timedEvidence(openEvidence(parts), measured.observe), tracer), measured };
}
