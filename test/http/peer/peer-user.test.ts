import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type FindOwners } from '../../../src/http/peer/connection-ends.ts';
import { linuxOwners, ownersInTables, readTable } from '../../../src/http/peer/linux-peers.ts';
import { oncePerConnection, openPeerUser, SharedLookup } from '../../../src/http/peer/peer-user.ts';
import { runTool } from '../../oracles/run-program.ts';
import { itNeeding } from '../../setup/needs.ts';
import { endsFrom } from './ends-from.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server answering each request with its peer, as found by `find`. */
async function serveIdentity(find: FindOwners, host: string): Promise<number> {
  const peerUser = new SharedLookup(find);
  const server = createServer((request, response) => {
    void peerUser.identify(request.socket).then((peer) => response.end(peer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const ownUser = process.getuid?.() ?? 0;

describe('the user at the other end of a connection', () => {
  it('is not told on a system without a way to ask, and a peer beyond loopback is named as such', async () => {
    const peerUser = openPeerUser('darwin');
    expect(await peerUser.identify({ remoteAddress: '127.0.0.1' })).toBe('not-told');
    expect(await peerUser.identify({ remoteAddress: '10.0.0.5' })).toBe('not-loopback');
  });

  // The kernel's connection tables exist on Linux only.
  itNeeding('Linux').each(['127.0.0.1', '::1'])(
    'is the same user when curl of this user calls %s, and another when someone else is the owner',
    async (host) => {
      const url = (port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
      const answers: string[] = [];
      for (const owner of [ownUser, ownUser + 1]) {
        for (const find of [ownersInTables(owner, readTable), linuxOwners(owner)]) {
          answers.push(await runTool('curl', ['-sg', url(await serveIdentity(find, host))]));
        }
      }
      expect(answers).toEqual(['same-user', 'same-user', 'other-user', 'other-user']);
    },
  );

  // Only root can become another user.
  itNeeding('root')('is another user when curl runs as nobody', async () => {
    const port = await serveIdentity(linuxOwners(ownUser), '127.0.0.1');
    const nobody = await runTool('curl', ['-s', `http://127.0.0.1:${port}/`], { user: 65534 });
    expect(nobody).toBe('other-user');
  });
});

describe('one lookup', () => {
  it('serves all connections accepted before it began: 300 at once among 5,000 cost at most three reads', async () => {
    const row = (port: number): string =>
      `   0: 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 0100007F:9887 01 00000000:00000000 00:00000000 00000000  ${ownUser}        0 77 1 0 20 0 0 10 -1\n`;
    const table = Array.from({ length: 5000 }, (_, index) => row(10_000 + index)).join('');
    const reads: string[] = [];
    const peerUser = new SharedLookup(
      ownersInTables(ownUser, async (path, take) => {
        reads.push(path);
        await new Promise((resolve) => setImmediate(resolve));
        take(table);
      }),
    );
    const peers = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        if (index % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
        return peerUser.identify(endsFrom(10_000 + index));
      }),
    );
    expect(new Set(peers)).toEqual(new Set(['same-user']));
    expect(reads.length).toBeLessThanOrEqual(3);
  });

  it('is not begun where the system tells a peer at once, and the answer is kept for the connection', async () => {
    let asked = 0;
    const find = Object.assign(async () => Promise.reject(new Error('no table')), {
      atOnce: () => {
        asked += 1;
        return 'same-user' as const;
      },
    });
    const peerUser = oncePerConnection(new SharedLookup(find));
    const connection = endsFrom(1);
    expect([peerUser.identifyAtOnce?.(connection), await peerUser.identify(connection)]).toEqual([
      'same-user',
      'same-user',
    ]);
    expect(peerUser.identifyAtOnce?.(connection)).toBe('same-user');
    expect(asked).toBe(1);
    expect(peerUser.identifyAtOnce?.(endsFrom(2, { remoteAddress: '10.0.0.5' }))).toBe('not-loopback');
    expect(asked).toBe(1);
  });

  it('that fails is told as such, and the next request of the connection asks again', async () => {
    let calls = 0;
    const lookup = new SharedLookup(async (connections) => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('EMFILE')) : Promise.resolve(connections.map(() => 'same-user'));
    });
    const peerUser = oncePerConnection(lookup);
    const connection = endsFrom(1);
    const answers = [];
    for (let request = 0; request < 3; request++) answers.push(await peerUser.identify(connection));
    expect([answers, calls]).toEqual([['not-asked', 'same-user', 'same-user'], 2]);
  });
});
