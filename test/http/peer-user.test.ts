import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isLoopback, LinuxPeerUser, userInTable } from '../../src/http/peer-user.ts';
import { runTool } from '../oracles/run-program.ts';
import { itNeeding } from '../setup/needs.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serveIdentity(owner: number, host: string): Promise<number> {
  const peerUser = new LinuxPeerUser(owner);
  const server = createServer((request, response) => {
    void peerUser.identify(request.socket).then((peer) => response.end(peer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const ownUser = process.getuid?.() ?? 0;
const ends = { remoteAddress: '127.0.0.1', remotePort: 0x1234, localAddress: '127.0.0.1', localPort: 0x4313 };
const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, remote: string, user: number): string =>
  `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  ${user}        0 1 1 0000000000000000\n`;

describe('the user at the other end of a connection', () => {
  it('is found in the IPv4 table by both ends', () => {
    const table = head + row('0100007F:4313', '0100007F:1234', 7) + row('0100007F:1234', '0100007F:4313', 1000);
    expect(userInTable(table, ends)).toBe(1000);
  });

  it('is not that of the same ports on another loopback address', () => {
    const table = head + row('0200007F:1234', '0100007F:4313', 1000);
    expect(userInTable(table, ends)).toBeUndefined();
  });

  it('is found when the client uses an IPv6 socket for an IPv4 address', () => {
    const mapped = (end: string): string => `0000000000000000FFFF00000100007F:${end}`;
    const table = head + row(mapped('1234'), mapped('4313'), 1000);
    expect(userInTable(table, ends)).toBe(1000);
    expect(userInTable(table, { ...ends, remoteAddress: '::ffff:127.0.0.1', localAddress: '::ffff:127.0.0.1' })).toBe(
      1000,
    );
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['192.168.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['fe80::1', false],
  ])('%s is loopback: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });

  // The kernel's connection tables exist on Linux only; other systems answer `not-checked`.
  itNeeding('Linux').each(['127.0.0.1', '::1'])(
    'is the same user when curl of this user calls %s, and another when the folder belongs to someone else',
    async (host) => {
      const url = (port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
      const ours = await runTool('curl', ['-sg', url(await serveIdentity(ownUser, host))]);
      const theirs = await runTool('curl', ['-sg', url(await serveIdentity(ownUser + 1, host))]);
      expect([ours, theirs]).toEqual(['same-user', 'other-user']);
    },
  );

  // Only root can become another user.
  itNeeding('root')('is another user when curl runs as nobody', async () => {
    const port = await serveIdentity(ownUser, '127.0.0.1');
    const nobody = await runTool('curl', ['-s', `http://127.0.0.1:${port}/`], { user: 65534 });
    expect(nobody).toBe('other-user');
  });
});
