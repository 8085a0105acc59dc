/** The Unix socket of a proxy on this computer. */
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bindSocket, removeSocket } from '../../src/app/instance/proxy-socket.ts';
import { plainRequest } from '../http/start-test-server.ts';
import { startRealInstance } from '../interface/real-instance.ts';

let folder: string;
let socket: string;
const servers: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-socket-'));
  socket = join(folder, 'proxy.sock');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function bind(group?: string): Promise<void> {
  const server = createServer((_request, response) => response.end('ours'));
  servers.push(server);
  await bindSocket(server, { socket, group });
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

const answers = async (): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => resolve(false));
  });

/** Leaves a socket without a server, as a killed process does. */
async function leaveSocket(): Promise<void> {
  const server = createNetServer();
  const other = join(folder, 'other');
  await new Promise<void>((resolve) => server.listen(other, resolve));
  renameSync(other, socket);
  await new Promise((resolve) => server.close(resolve));
}

describe('the socket of a proxy', () => {
  it('is open to its owner and its group, and to nobody else', async () => {
    await bind();
    expect(modeOf(socket)).toBe(0o660);
    expect(await answers()).toBe(true);
    expect(readdirSync(folder)).toEqual(['proxy.sock']);
    removeSocket(socket);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('belongs to the named group', async () => {
    await bind(String(process.getgid?.() ?? 0));
    expect(statSync(socket).gid).toBe(process.getgid?.());
    expect(modeOf(socket)).toBe(0o660);
  });

  it('is not made for an unknown group', async () => {
    await expect(bind('no-such-group')).rejects.toThrow('does not exist');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([0o777, 0o1777, 0o775])(
    'is not made in a folder of mode %o, because others can change the folder',
    async (mode) => {
      chmodSync(folder, mode);
      await expect(bind()).rejects.toThrow('Other users can change the folder');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('replaces a socket left by a killed process', async () => {
    await leaveSocket();
    expect(await answers()).toBe(false);
    await bind();
    expect(await answers()).toBe(true);
  });

  it('takes the place of no other program, and of no other file', async () => {
    await bind();
    await expect(bind()).rejects.toThrow('Another program serves');
    removeSocket(socket);
    writeFileSync(socket, 'a file');
    await expect(bind()).rejects.toThrow('another file');
  });
});

describe('a stranger behind the proxy of a socket', () => {
  it('is not the owner, and is known by the address that the proxy names', async () => {
    const services = ['signing', 'authorization', 'registry', 'assistant'] as const;
    const listen = [{ socket, services, remote: { publicUrl: 'https://sign.example' } }];
    const instance = await startRealInstance({ listen }, { allowRoot: true });
    try {
      expect(instance.sinete.listeners[0]?.address).toBe(`unix:${socket}`);
      const ask = async (method: string, path: string, forwarded: string, host = 'sign.example') =>
        plainRequest(instance, {
          method,
          path,
          channel: socket,
          headers: { Host: host, 'X-Forwarded-For': forwarded },
        });
      expect((await ask('GET', '/health-check', '203.0.113.9')).status).toBe(200);
      expect((await ask('GET', '/user', '203.0.113.9')).status).toBe(401);
      expect((await ask('GET', '/user', '127.0.0.1')).status).toBe(401);
      for (const host of ['other.example', '127.0.0.1', ':0']) {
        expect((await ask('GET', '/health-check', '203.0.113.9', host)).status).toBe(421);
      }
      const wrong = async (from: string): Promise<number> => {
        const headers = { Host: 'sign.example', 'X-Forwarded-For': from, Authorization: 'Bearer wrong' };
        return (await plainRequest(instance, { path: '/metrics', channel: socket, headers })).status;
      };
      const statuses: number[] = [];
      for (let count = 0; count < 11; count += 1) statuses.push(await wrong('1.2.3.4, 203.0.113.9'));
      expect(statuses.slice(0, 10)).not.toContain(429);
      expect(statuses[10]).toBe(429);
      expect(await wrong('203.0.113.10')).toBe(401);
    } finally {
      await instance.stop();
    }
    expect(readdirSync(dirname(socket))).toEqual([]);
  });
});
