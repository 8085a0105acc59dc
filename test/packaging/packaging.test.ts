import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keys } from '../../src/app/config/config-keys.ts';
import { readEnvironment } from '../../src/app/config/config-sources.ts';
import { createMetrics } from '../../src/http/signing-service/monitoring.ts';

const folder = join(import.meta.dirname, '../../packaging');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** The names of all figures that an instance shows after a request and a time stamp. */
async function shownFigures(): Promise<ReadonlySet<string>> {
  const counts = async () => Promise.resolve({ upload: 0, approval: 0, pin: 0, signing: 0 });
  const metrics = createMetrics({
    documents: async () => Promise.resolve({ SIGNED: 1 }),
    unfinished: counts,
    queued: async () => Promise.resolve(0),
    keySources: async () => Promise.resolve({ ok: 1, failing: 0, quarantined: 0 }),
  });
  metrics.request({ requestId: 'x', method: 'GET', route: 'checkHealth', status: 200, milliseconds: 1, broken: false });
  metrics.stamp('default', 'given', 1);
  const { body } = await metrics.read();
  return new Set([...body.matchAll(/^([a-z]\w+)(?:\{| )/gm)].map(([, name = '']) => name));
}

describe('the examples for Prometheus and Grafana', () => {
  it.each(['prometheus/sinete-alerts.yml', 'prometheus/sinete-alerts.test.yml', 'grafana/sinete-dashboard.json'])(
    'name in %s only figures that an instance shows',
    async (path) => {
      const named = new Set(read(path).match(/\b(?:sinete|process|nodejs)_[a-z]\w+/g) ?? []);
      const shown = await shownFigures();
      expect([...named].filter((name) => !shown.has(name))).toEqual([]);
      expect(named.size).toBeGreaterThan(2);
    },
  );
});

describe('the examples for systemd and containers', () => {
  it.each(['systemd/sinete.service', 'container/Containerfile', 'container/compose.yaml'])(
    'set in %s only variables that the product knows',
    (path) => {
      const named = read(path).match(/\bSINETE_[A-Z_]+/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      expect(() => readEnvironment(Object.fromEntries(named.map((name) => [name, '/x'])))).not.toThrow();
    },
  );

  it('give a draining instance more time than its shutdown_timeout', () => {
    const preset = keys.shutdown_timeout.parse(undefined);
    const times = [
      /TimeoutStopSec=(\d+)/.exec(read('systemd/sinete.service'))?.[1],
      /stop_grace_period: (\d+)s/.exec(read('container/compose.yaml'))?.[1],
    ];
    for (const time of times) expect(Number(time)).toBeGreaterThan(preset);
  });
});
