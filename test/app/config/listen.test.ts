import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration, type Configuration } from '../../../src/app/config/config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-listen-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function read(text: string): Promise<Configuration> {
  writeFileSync(join(folder, 'sinete.toml'), text);
  return readConfiguration({ dataFolder: folder, environment: {}, policyFile: join(folder, 'none.toml') });
}

const tls = 'tls.certificate = "/etc/s/cert.pem"\ntls.key = "/etc/s/key.pem"';
const own = 'public_url = "https://sign.example"\n';
const open = '[[listen]]\nhost = "0.0.0.0"\nport = 8443\n';
const socket = '[[listen]]\nsocket = "/run/sinete/proxy.sock"\n';
const usual = ['signing', 'authorization', 'registry', 'assistant'];

describe('[[listen]]', () => {
  it('opens nothing by default', async () => {
    expect((await read('')).listen).toEqual([]);
  });

  it('opens an address to other computers with TLS, without the window', async () => {
    const { listen } = await read(`${own}${open}${tls}`);
    expect(listen).toEqual([
      {
        host: '0.0.0.0',
        port: 8443,
        services: usual,
        remote: { publicUrl: 'https://sign.example' },
        tls: { certificate: '/etc/s/cert.pem', key: '/etc/s/key.pem' },
      },
    ]);
  });

  it('opens an address behind a named proxy', async () => {
    const { listen } = await read(`${own}${open}behind_proxy = true\ntrusted_proxies = ["10.0.0.5", "fd00::/8"]`);
    expect(listen).toMatchObject([{ remote: { trustedProxies: ['10.0.0.5', 'fd00::/8'] } }]);
  });

  it('takes a loopback address behind a proxy for one of other computers', async () => {
    const { listen } = await read(
      `${own}[[listen]]\nhost = "127.0.0.1"\nport = 8080\nbehind_proxy = true\ntrusted_proxies = ["127.0.0.1"]`,
    );
    expect(listen[0]?.remote).toBeDefined();
  });

  it('leaves another loopback address to the owner', async () => {
    const { listen } = await read('[[listen]]\nhost = "::1"\nport = 8080\nservices = ["registry"]');
    expect(listen).toEqual([{ host: '::1', port: 8080, services: ['registry'] }]);
  });

  it('opens a socket for a proxy, with its group', async () => {
    const { listen } = await read(`${own}${socket}behind_proxy = true\nsocket_group = "www-data"`);
    expect(listen).toEqual([
      {
        socket: '/run/sinete/proxy.sock',
        group: 'www-data',
        services: usual,
        remote: { publicUrl: 'https://sign.example' },
      },
    ]);
  });

  it.each([
    ['with a socket and no proxy', `${own}${socket}`, /behind_proxy/],
    [
      'with a socket and an address',
      `${own}${socket}behind_proxy = true\nhost = "127.0.0.1"\nport = 1`,
      /neither host/,
    ],
    ['with a socket and TLS', `${own}${socket}behind_proxy = true\n${tls}`, /neither host/],
    ['with a socket without a public address', `${socket}behind_proxy = true`, /public_url/],
    ['with a socket by a relative path', `${own}[[listen]]\nsocket = "proxy.sock"\nbehind_proxy = true`, /absolute/],
    [
      'with a socket by a long path',
      `${own}[[listen]]\nsocket = "/${'a'.repeat(103)}"\nbehind_proxy = true`,
      /103 bytes/,
    ],
    ['with a group and no socket', `${own}${open}${tls}\nsocket_group = "www-data"`, /needs host and port/],
    ['without any place', `${own}[[listen]]\nservices = ["signing"]`, /needs host and port/],
    ['without TLS and without a proxy', `${own}${open}`, /without TLS/],
    ['without a public address', `${open}${tls}`, /public_url/],
    ['with a proxy that is not named', `${own}${open}behind_proxy = true`, /trusted_proxies/],
    ['with a named proxy that is not told', `${own}${open}${tls}\ntrusted_proxies = ["10.0.0.5"]`, /behind_proxy/],
    ['with a public address in clear', `public_url = "http://sign.example"\n${open}${tls}`, /public_url/],
    ['with a path in its public address', `public_url = "https://sign.example/s"\n${open}${tls}`, /public_url/],
    ['with a name for its address', `${own}[[listen]]\nhost = "sign.example"\nport = 1\n${tls}`, /listen/],
    ['with a key that does not exist', `${own}${open}${tls}\nservice = ["signing"]`, /listen/],
    ['with a service that does not exist', `${own}${open}${tls}\nservices = ["admin"]`, /listen/],
    ['with a proxy by name', `${own}${open}behind_proxy = true\ntrusted_proxies = ["nginx"]`, /listen/],
  ])('is refused %s', async (_which, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
    await expect(read(text)).rejects.toMatchObject({ exitCode: 2 });
  });
});
