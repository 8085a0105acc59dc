import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { runProgram, runTool } from '../oracles/run-program.ts';
import { icpBrasilPki } from '../pki/icp-brasil-pki.ts';
import { pem } from '../pki/openssl.ts';
import { systemTool } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';

const packaging = join(import.meta.dirname, '../../packaging');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-packaging-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the unit of systemd', () => {
  /** systemd looks for the command, not installed here. */
  const unit = (): string => {
    const path = join(folder, 'sinete.service');
    const text = readFileSync(join(packaging, 'systemd/sinete.service'), 'utf8');
    writeFileSync(path, text.replace('/usr/local/bin/sinete', process.execPath));
    return path;
  };

  it('is accepted without a word', async () => {
    expect(await runProgram('systemd-analyze', ['verify', unit()])).toEqual({ code: 0, output: '', errors: '' });
  });

  it('leaves an exposure of at most 3.0', async () => {
    const report = await runTool('systemd-analyze', ['security', '--offline=true', unit()]);
    const [, level] = /Overall exposure level for sinete\.service: ([\d.]+)/.exec(report) ?? [];
    expect(Number(level)).toBeGreaterThan(0);
    expect(Number(level)).toBeLessThanOrEqual(3);
  });
});

describe('the files for Prometheus', () => {
  it('are accepted by promtool, and alert in the cases of their tests', async () => {
    const inFolder = { folder: join(packaging, 'prometheus') };
    const checks = [
      ['check', 'rules', 'sinete-alerts.yml'],
      ['test', 'rules', 'sinete-alerts.test.yml'],
      ['check', 'config', '--syntax-only', 'prometheus.yml'],
    ];
    for (const words of checks) expect(await runTool('promtool', words, inFolder)).toMatch(/SUCCESS/);
  });
});

describe('nginx with the example', () => {
  let instance: RealInstance;
  let proxy: ChildProcess | undefined;

  afterEach(async () => {
    if (proxy?.exitCode === null) {
      const ended = new Promise((resolve) => proxy?.once('close', resolve));
      proxy.kill('SIGQUIT');
      await ended;
    }
    await instance.stop();
  });

  /** Starts nginx before the listener; answers its port. */
  async function startProxy(listenerPort: number): Promise<number> {
    const [port, { v5 }] = [await freePort(), await icpBrasilPki()];
    const chain = [v5.server.certificate, ...v5.server.chain.slice(0, -1)];
    writeFileSync(join(folder, 'cert.pem'), chain.map((der) => pem('CERTIFICATE', der)).join(''));
    writeFileSync(join(folder, 'key.pem'), pem('PRIVATE KEY', v5.server.privateKey), { mode: 0o600 });
    const example = readFileSync(join(packaging, 'nginx/sinete.conf'), 'utf8')
      .replace('127.0.0.1:8080', `127.0.0.1:${listenerPort}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace(/^.*listen \[::\]:443.*\n/m, '')
      .replaceAll('/etc/sinete/tls', folder);
    writeFileSync(join(folder, 'sinete.conf'), example);
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder};`);
    const file = join(folder, 'nginx.conf');
    writeFileSync(
      file,
      `${user} daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}\n` +
        `http { access_log off; ${places.join(' ')} include ${folder}/sinete.conf; }\n`,
    );
    const { code, errors } = await runProgram('nginx', ['-t', '-c', file]);
    expect([code, errors.includes('[warn]')], errors).toEqual([0, false]);
    proxy = spawn(systemTool('nginx'), ['-c', file], { stdio: 'ignore' });
    return port;
  }

  it('leads to an instance for which nobody behind it is the owner', async () => {
    const publicUrl = 'https://sign.example';
    const remote = { publicUrl, trustedProxies: ['127.0.0.1'] };
    const services = ['signing', 'authorization'] as const;
    const listen = [{ host: '127.0.0.1', port: 0, services, remote }];
    instance = await startRealInstance({ listen }, { allowRoot: true });
    const port = await startProxy(Number(new URL(instance.sinete.listeners[0]?.address ?? '').port));
    const ask = async (method: string, path: string): Promise<readonly [number, string | undefined]> =>
      new Promise((resolve, reject) => {
        const headers = { Host: 'sign.example', 'Content-Type': 'application/json', 'X-Forwarded-For': '127.0.0.1' };
        const sent = request(
          { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false },
          (answer) => {
            answer.resume();
            resolve([answer.statusCode ?? 0, answer.headers['strict-transport-security']?.slice(0, 7)]);
          },
        );
        sent.on('error', reject);
        sent.end(method === 'POST' ? '{}' : undefined);
      });
    await until(async () => (await ask('GET', '/ready').catch(() => [0]))[0] === 200, 'nginx answers');
    expect(await ask('GET', '/ready')).toEqual([200, 'max-age']);
    expect((await ask('POST', '/signature-service'))[0]).toBe(401);
    expect((await ask('GET', '/dashboard'))[0]).toBe(401);
    expect((await ask('GET', '/user'))[0]).toBe(404);
  });
});
