/** The compose file, read by docker-compose, and the script for its secrets. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, runTool } from '../oracles/run-program.ts';
import { itNeeding } from '../setup/needs.ts';

const container = join(import.meta.dirname, '../../packaging/container');
const command = join(import.meta.dirname, '../../node_modules/.bin/sinete');
let folder: string;

interface Service {
  readonly image: string;
  readonly ports?: readonly unknown[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly { readonly source: string }[];
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly network_mode?: string;
  readonly mem_limit?: string;
  readonly cpus?: number;
  readonly pids_limit?: number;
  readonly privileged?: boolean;
  readonly restart?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

let compose: Compose;
const services = (): readonly (readonly [string, Service])[] => Object.entries(compose.services);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-compose-'));
  const merged = join(folder, 'merged.yaml');
  writeFileSync(merged, await runTool('docker-compose', ['-f', join(container, 'compose.yaml'), 'config']));
  // docker-compose is written in Python, and brings this module.
  const program = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';
  compose = JSON.parse(await runTool('python3', ['-c', program, merged])) as Compose;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the compose file', () => {
  it('is accepted by docker-compose without a word', async () => {
    const words = ['-f', join(container, 'compose.yaml'), 'config', '-q'];
    expect(await runProgram('docker-compose', words)).toEqual({ code: 0, output: '', errors: '' });
  });

  it('has two nodes, a proxy, PostgreSQL and an object store, each with the version of its image', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['database', 'node-1', 'node-2', 'proxy', 'store']);
    for (const [name, { image }] of services()) expect(image, name).toMatch(/^[a-z/]+:\d+\.\d+[\w.-]*$/);
  });

  it('publishes nothing but port 443 of the proxy', () => {
    const published = services().filter(([, { ports = [] }]) => ports.length > 0);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['proxy', [{ published: 443, target: 443 }]]]);
  });

  it('gives every service a health check, limits, a read-only root and no needless rights', () => {
    for (const [name, service] of services()) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
      });
      expect(service.healthcheck?.test[0], name).toBe('CMD');
      expect([service.mem_limit, service.cpus, service.pids_limit], name).not.toContain(undefined);
      expect(service.privileged, name).toBeUndefined();
      if (name !== 'proxy') expect(service.cap_add, name).toBeUndefined();
    }
  });

  it('lets only nodes reach the database and the store, and the proxy only nodes', () => {
    expect(compose.services['database']).toMatchObject({ network_mode: 'none' });
    const networksOf = (name: string): readonly string[] =>
      Object.keys(compose.services[name]?.networks ?? {}).toSorted();
    expect(networksOf('store')).toEqual(['documents']);
    expect(compose.networks['documents']).toEqual({ internal: true });
    expect(compose.networks['front']).toMatchObject({ internal: true });
    const onDocuments = services().filter(([name]) => networksOf(name).includes('documents'));
    expect(onDocuments.map(([name]) => name).toSorted()).toEqual(['node-1', 'node-2', 'store']);
    expect(networksOf('proxy')).toEqual(['front', 'published']);
  });

  it('hands secrets over as files, and has none in clear', () => {
    const used = new Set(services().flatMap(([, { secrets = [] }]) => secrets.map(({ source }) => source)));
    expect([...used].sort()).toEqual(Object.keys(compose.secrets).sort());
    for (const { file } of Object.values(compose.secrets)) expect(file).toContain('/container/secrets/');
    const variables = services().flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secret = variables.filter(([name]) => /PASSWORD|SECRET|KEY|TOKEN/.test(name));
    expect(secret.length).toBeGreaterThan(0);
    for (const [name, value] of secret)
      expect([name, value]).toEqual([name, expect.stringMatching(/^\/run\/secrets\//)]);
  });
});

itNeeding('root')('the script makes each secret once, for its reader alone', async () => {
  const place = join(folder, 'container');
  await runTool('cp', ['--recursive', container, place]);
  const run = () =>
    runProgram('bash', ['--posix', join(place, 'make-secrets.sh')], { environment: { SINETE: command } });
  expect(await run()).toMatchObject({ code: 0, errors: '' });
  const secrets = join(place, 'secrets');
  const shown = readdirSync(secrets).map((name) => {
    const { uid, gid, mode } = statSync(join(secrets, name));
    return `${name} ${uid}:${gid} ${(mode & 0o777).toString(8)}`;
  });
  expect(shown.sort()).toEqual([
    'database-password 999:999 400',
    'master.key 0:10001 440',
    'node-database-password 0:10001 440',
    'store-credentials 0:10001 440',
    'store-identities.json 0:0 400',
  ]);
  expect(statSync(secrets).mode & 0o777).toBe(0o700);
  const read = (name: string): string => readFileSync(join(secrets, name), 'utf8');
  expect(read('node-database-password')).toBe(read('database-password'));
  const [, key = ''] = /aws_secret_access_key = (\S+)/.exec(read('store-credentials')) ?? [];
  expect(JSON.parse(read('store-identities.json'))).toMatchObject({
    identities: [{ credentials: [{ secretKey: key }] }],
  });
  for (const one of [key, read('database-password')]) expect(one.length).toBeGreaterThanOrEqual(40);
  const before = read('master.key');
  expect((await run()).code).not.toBe(0);
  expect(read('master.key')).toBe(before);
});
