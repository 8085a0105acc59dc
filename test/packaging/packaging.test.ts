import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/app/config/config.ts';
import { keys } from '../../src/app/config/config-keys.ts';
import { readEnvironment } from '../../src/app/config/config-sources.ts';
import { policyFile } from '../../src/app/config/data-folder.ts';
import { linkScheme } from '../../src/desktop/deep-links.ts';
import { createMetrics } from '../../src/http/signing-service/monitoring.ts';
import { runProgram } from '../oracles/run-program.ts';

const folder = join(import.meta.dirname, '../../packaging');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** The names of all figures shown by an instance after a request and a time stamp. */
async function shownFigures(): Promise<ReadonlySet<string>> {
  const counts = async () => Promise.resolve({ upload: 0, approval: 0, pin: 0, signing: 0 });
  const metrics = createMetrics({
    documents: async () => Promise.resolve({ SIGNED: 1 }),
    unfinished: counts,
    queued: async () => Promise.resolve(0),
    keySources: async () => Promise.resolve({ ok: 1, failing: 0, quarantined: 0 }),
    storage: async () => Promise.resolve({ database: 1, documents: 0 }),
    nodes: async () => Promise.resolve({ alive: 3, jobs: 5 }),
  });
  metrics.request({ requestId: 'x', method: 'GET', route: 'checkHealth', status: 200, milliseconds: 1, broken: false });
  metrics.stamp('default', 'given', 1);
  const { body } = await metrics.read();
  return new Set([...body.matchAll(/^([a-z]\w+)(?:\{| )/gm)].map(([, name = '']) => name));
}

describe('the examples for Prometheus and Grafana', () => {
  it.each(['prometheus/sinete-alerts.yml', 'prometheus/sinete-alerts.test.yml', 'grafana/sinete-dashboard.json'])(
    'name in %s only figures shown by an instance',
    async (path) => {
      const named = new Set(read(path).match(/\b(?:sinete|process|nodejs)_[a-z]\w+/g) ?? []);
      const shown = await shownFigures();
      expect([...named].filter((name) => !shown.has(name))).toEqual([]);
      expect(named.size).toBeGreaterThan(2);
    },
  );
});

describe('the dashboard', () => {
  it('adds no count up over nodes if read by each from the common database', () => {
    const { panels } = JSON.parse(read('grafana/sinete-dashboard.json')) as {
      readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
    };
    const common = /\bsinete_(documents|documents_queued|transactions_unfinished|nodes_alive)\b/;
    const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).filter((expr) => common.test(expr));
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.filter((expr) => !expr.startsWith('max'))).toEqual([]);
  });
});

describe('the examples for systemd and containers', () => {
  it.each(['systemd/sinete.service', 'container/Containerfile', 'container/compose.yaml'])(
    'set in %s only variables known to the product',
    (path) => {
      const named = read(path).match(/\bSINETE_[A-Z_]+/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      expect(() => readEnvironment(Object.fromEntries(named.map((name) => [name, '/x'])))).not.toThrow();
    },
  );

  it('give a draining instance more time than its shutdown_timeout', () => {
    const preset = keys.shutdown_timeout.schema.parse(undefined);
    const times = [
      /TimeoutStopSec=(\d+)/.exec(read('systemd/sinete.service'))?.[1],
      /stop_grace_period: (\d+)s/.exec(read('container/compose.yaml'))?.[1],
    ];
    for (const time of times) expect(Number(time)).toBeGreaterThan(preset);
  });
});

describe('the configuration for containers', () => {
  it('is accepted, and trusts the address given by the compose file to the proxy', async () => {
    const data = mkdtempSync(join(tmpdir(), 'sinete-compose-'));
    try {
      const file = join(folder, 'container/sinete.toml.example');
      const environment = { SINETE_MASTER_KEY_FILE: '/run/secrets/master_key' };
      const { documentsBucket, listen } = await readConfiguration({ dataFolder: data, environment, file });
      expect(documentsBucket).toMatchObject({ bucket: 'documents', endpoint: 'http://store:8333' });
      const [, proxy] = /proxy:[^]*?ipv4_address: ([\d.]+)/.exec(read('container/compose.yaml')) ?? [];
      expect(listen.map(({ remote }) => remote?.trustedProxies)).toEqual([[proxy]]);
    } finally {
      rmSync(data, { recursive: true });
    }
  });
});

describe('the packages for Debian and Fedora', () => {
  const builder = readFileSync(join(folder, '../electron-builder.yml'), 'utf8');
  const page = 'assets/installer/sinete.1';

  it.each(['deb', 'rpm'])('bring in the %s the manual page of the program', (target) => {
    const [settings = ''] = new RegExp(`^${target}:\\n(?:  .*\\n)+`, 'm').exec(builder) ?? [];
    expect(settings).toContain(`fpm: ['${page}=/usr/share/man/man1/sinete.1']`);
  });

  it("have a page without a fault, naming the program's settings", async () => {
    const words = ['--warnings', '-E', 'UTF-8', '-l', join(folder, '..', page)];
    const shown = await runProgram('man', words, { environment: { MANWIDTH: '100', LC_ALL: 'C.UTF-8' } });
    expect([shown.code, shown.errors]).toEqual([0, '']);
    const linux = { platform: 'linux', environment: {}, home: '~' } as const;
    for (const name of ['--hidden', `${linkScheme}://open`, 'SINETE_DATA', policyFile(linux)]) {
      expect(shown.output).toContain(name);
    }
  });
});
