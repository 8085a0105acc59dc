import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTcpTable, TCP_TABLE_OWNER_PID_LISTENER, windowsOwners } from '../../src/http/peer/windows-peers.ts';
import { makeWorkplace, runSinete, type Workplace } from '../app/run-sinete.ts';

describe('the owner of a connection, told by Windows', () => {
  it('is this user for a connection of this process', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createConnection(port, '127.0.0.1');
    const [accepted] = (await once(server, 'connection')) as [Socket];
    const ends = {
      localAddress: '127.0.0.1',
      localPort: port,
      remoteAddress: '127.0.0.1',
      remotePort: accepted.remotePort ?? 0,
    };
    expect(await windowsOwners()([ends, { ...ends, remotePort: 1 }])).toEqual(['same-user', 'not-identified']);
    client.destroy();
    accepted.destroy();
    server.close();
  });

  it('is this user for each connection, while others open and close', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connect = async (): Promise<readonly [client: Socket, accepted: Socket]> => {
      const accepting = once(server, 'connection') as Promise<[Socket]>;
      const client = createConnection(port, '127.0.0.1').on('error', () => undefined);
      const [accepted] = await accepting;
      accepted.on('error', () => undefined);
      return [client, accepted];
    };
    const find = windowsOwners();
    const owners = new Map<string, number>();
    for (let round = 0; round < 300; round++) {
      const open = [await connect(), await connect(), await connect()];
      const ends = open.map(([, { remotePort = 0 }]) => ({
        localAddress: '127.0.0.1',
        localPort: port,
        remoteAddress: '127.0.0.1',
        remotePort,
      }));
      for (const owner of await find(ends)) owners.set(owner, (owners.get(owner) ?? 0) + 1);
      for (const sockets of open) for (const socket of sockets) socket.destroy();
    }
    server.close();
    expect([...owners]).toEqual([['same-user', 900]]);
  });

  it('comes from a table listing the listeners too', async () => {
    const table = await readTcpTable(2, TCP_TABLE_OWNER_PID_LISTENER);
    expect(table?.length).toBeGreaterThanOrEqual(4);
  });
});

describe('a driver of Windows', () => {
  const driver = fileURLToPath(new URL('driver.dll', import.meta.url));
  let place: Workplace;
  let folder: string;
  beforeAll(async () => {
    place = await makeWorkplace();
    folder = await mkdtemp('C:\\drivers-');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await place.remove();
  });

  it('is loaded in a process of its own, and shows its token', async () => {
    const path = join(folder, 'token.dll');
    await copyFile(driver, path);
    // The process of a driver has ten seconds to come up; a busy machine may need several times as long.
    const told = async (...words: readonly string[]): Promise<string> => (await runSinete(place, words)).stdout;
    await expect.poll(async () => told('modules', 'test', path)).toContain('Windows token');
    await expect.poll(async () => told('modules', 'add', path)).toContain('token.dll');
    await expect.poll(async () => told('tokens', 'list')).toContain('Windows token');
    expect(await told('tokens', 'list')).toContain('0123456789ABCDEF');
  });

  it('is told apart from another library', async () => {
    const told = await runSinete(place, ['modules', 'test', 'C:\\windows\\system32\\version.dll']);
    expect(told.code).not.toBe(0);
    expect(told.stdout + told.stderr).toContain('The file is no PKCS#11 driver');
  });

  it('is told apart from a file other than a library', async () => {
    const path = join(folder, 'text.dll');
    await writeFile(path, 'This is no library.');
    const told = await runSinete(place, ['modules', 'test', path]);
    expect(told.code).not.toBe(0);
    expect(told.stdout + told.stderr).toContain('not made for this computer');
  });

  it('in need of a missing library is told with the remedy', async () => {
    const path = join(folder, 'needing.dll');
    await copyFile(fileURLToPath(new URL('needing.dll', import.meta.url)), path);
    const told = await runSinete(place, ['modules', 'test', path]);
    expect(told.code).not.toBe(0);
    expect(told.stdout + told.stderr).toMatch(/another library that it needs is missing|not there/);
  });
});
