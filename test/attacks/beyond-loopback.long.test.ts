/** Another computer, as a network namespace of its own, at an instance in another one (attack 170). */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { makeWorkplace, plainEnvironment, runSinete, type Workplace } from '../app/run-sinete.ts';
import { runProgram, runTool } from '../oracles/run-program.ts';
import { icpBrasilPki } from '../pki/icp-brasil-pki.ts';
import { pem } from '../pki/openssl.ts';
import { itNeeding } from '../setup/needs.ts';
import { knownWords } from '../setup/shell-text.ts';
import { systemTool } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';

const entry = fileURLToPath(new URL('../../src/app/sinete.js', import.meta.url));
const server = `sinete-s-${process.pid}`;
const client = `sinete-c-${process.pid}`;
/** Addresses of a network for documentation (RFC 5737): nothing leaves the two namespaces. */
const [serverAddress, clientAddress] = ['192.0.2.1', '192.0.2.2'];

const ip = async (...words: readonly string[]): Promise<string> => runTool('ip', words);

describe('another computer', () => {
  let place: Workplace;
  let instance: ChildProcess;
  let output: string;

  beforeEach(async () => {
    place = await makeWorkplace();
    if (process.getuid?.() !== 0) return;
    for (const name of [server, client]) await ip('netns', 'add', name);
    await ip('-n', server, 'link', 'add', 'veth-s', 'type', 'veth', 'peer', 'name', 'veth-c', 'netns', client);
    for (const [name, link, address] of [
      [server, 'veth-s', serverAddress],
      [client, 'veth-c', clientAddress],
    ] as const) {
      await ip('-n', name, 'address', 'add', `${address}/24`, 'dev', link);
      for (const one of ['lo', link]) await ip('-n', name, 'link', 'set', one, 'up');
    }
  });
  afterEach(async () => {
    if (process.getuid?.() === 0) {
      instance.kill('SIGTERM');
      await until(() => instance.exitCode !== null || instance.signalCode !== null, 'the instance ends');
      for (const name of [server, client]) await ip('netns', 'delete', name);
    }
    await place.remove();
  });

  /** Serves on all addresses of its namespace, with TLS. */
  async function serve(): Promise<void> {
    const { server: identity } = (await icpBrasilPki()).v5;
    const [certificate, key] = ['cert.pem', 'key.pem'].map((name) => join(place.folder, name));
    const chain = [identity.certificate, ...identity.chain.slice(0, -1)];
    writeFileSync(certificate ?? '', chain.map((der) => pem('CERTIFICATE', der)).join(''));
    writeFileSync(key ?? '', pem('PRIVATE KEY', identity.privateKey), { mode: 0o600 });
    const listener = `[[listen]]\nhost = "0.0.0.0"\nport = 8443\nservices = ["signing", "authorization", "registry"]\n`;
    const files = `tls.certificate = "${certificate ?? ''}"\ntls.key = "${key ?? ''}"\n`;
    const file = join(place.folder, 'sinete.toml');
    writeFileSync(file, `public_url = "https://sign.example"\nmetrics = true\nport = 17171\n${listener}${files}`);
    const words = ['netns', 'exec', server, process.execPath, entry, 'serve', '--config', file, '--allow-root'];
    output = '';
    instance = spawn(systemTool('ip'), knownWords(words), { env: { ...plainEnvironment(), ...place.environment } });
    for (const stream of [instance.stdout, instance.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    await until(() => output.includes('Ctrl+C stops.') || instance.exitCode !== null, 'the instance runs');
    expect(instance.exitCode, output).toBeNull();
  }

  /** The status that the other computer gets; `closed` where nothing listens. */
  async function statusOf(url: string, ...words: readonly string[]): Promise<string> {
    const resolve = ['--resolve', `sign.example:8443:${serverAddress}`];
    const curl = [
      systemTool('curl'),
      '--silent',
      '--insecure',
      '--output',
      '/dev/null',
      '--write-out',
      '%{http_code}',
      ...resolve,
    ];
    const { code, output: status } = await runProgram('ip', ['netns', 'exec', client, ...curl, ...words, url]);
    return code === 7 ? 'closed' : status;
  }

  itNeeding('root')('reaches the open listener and nothing else, and is nobody there', async () => {
    await serve();
    const open = 'https://sign.example:8443';
    const host = ['--header', 'Host: sign.example'];
    expect(await statusOf(`${open}/ready`, ...host)).toBe('200');
    expect(await statusOf(`https://${serverAddress}:8443/ready`)).toBe('200');
    expect(await statusOf(`${open}/ready`, '--header', 'Host: evil.example')).toBe('421');
    const json = ['--header', 'Content-Type: application/json', '--data', '{}'];
    expect(await statusOf(`${open}/signature-service`, ...host, ...json)).toBe('401');
    expect(await statusOf(`${open}/user`, ...host)).toBe('404');
    expect(await statusOf(`http://${serverAddress}:17171/ready`)).toBe('closed');
    const added = await runSinete(place, ['admin', 'tokens', 'add', 'ops', '--scope', 'registry', '--json']);
    const { token } = JSON.parse(added.stdout) as { token: string };
    const bearer = ['--header', `Authorization: Bearer ${token}`];
    expect(await statusOf(`${open}/metrics`, ...host)).toBe('401');
    expect(await statusOf(`${open}/metrics`, ...host, ...bearer)).toBe('403');
    const noted = JSON.parse(readFileSync(join(place.data, 'instance.json'), 'utf8')) as { port: number };
    expect(noted.port).toBe(17_171);
  });
});
