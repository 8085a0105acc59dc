import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endsOf, isLoopback, type SocketEnds } from '../../../src/http/peer/connection-ends.ts';
import { linuxOwners, ownersInTables, readTable, type ReadTable } from '../../../src/http/peer/linux-peers.ts';
import { endsFrom } from './ends-from.ts';

const recorded = new Map(
  readFileSync(new URL('recorded-tcp-tables.txt', import.meta.url), 'utf8')
    .split('## ')
    .slice(1)
    .map((part): [string, string] => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
);
const readRecorded: ReadTable = async (path, take) => {
  take(recorded.get(path) ?? '');
  return Promise.resolve();
};
/** The row of an established connection of this user. */
const row = (user = '0', inode = '1233167'): string =>
  `  53: 0100007F:AED2 0100007F:9887 01 00000000:00000000 00:00000000 00000000 ${user} 0 ${inode} 2 0 20 0 0 10 -1\n`;

describe('the tables of connections on Linux', () => {
  it.each([
    ['an established connection of the owner', endsFrom(0xaed2), 'same-user'],
    ['an established connection of another user', endsFrom(0xaed6), 'other-user'],
    ['an IPv6 socket with an IPv4 address', endsFrom(0xaef4), 'other-user'],
    [
      'the IPv4-mapped form of our own address',
      endsFrom(0xaed2, { remoteAddress: '::ffff:127.0.0.1', localAddress: '::ffff:127.0.0.1' }),
      'same-user',
    ],
    ['a socket in FIN-WAIT-2, listed with uid 0 and no inode', endsFrom(0xaee2), 'not-identified'],
    ['a socket in FIN-WAIT-1 without an inode', endsFrom(0xaee6), 'not-identified'],
    ['a socket in TIME-WAIT, listed with uid 0', endsFrom(0xaee8), 'not-identified'],
    ['a connection that is not listed', endsFrom(0x1111), 'not-identified'],
    ['the loopback address of IPv6', endsFrom(0xaed2, { remoteAddress: '::1', localAddress: '::1' }), 'not-identified'],
    ['the same ports on another loopback address', endsFrom(0xaed2, { remoteAddress: '127.0.0.2' }), 'not-identified'],
    ['our own listening socket', endsFrom(0, { remoteAddress: '0.0.0.0' }), 'not-identified'],
  ])('of %s is told by the recorded tables', async (_name, ends, expected) => {
    expect(await ownersInTables(0, readRecorded)([ends])).toEqual([expected]);
  });

  it('is not identified by an established row without an inode', async () => {
    const [table = ''] = [recorded.get('/proc/net/tcp')];
    const read: ReadTable = async (_path, take) => {
      take(table.replace(' 1233167 ', ' 0 '));
      return Promise.resolve();
    };
    expect(await ownersInTables(0, read)([endsFrom(0xaed2)])).toEqual(['not-identified']);
  });

  it('that cannot be opened for want of descriptors fail the lookup, and missing ones do not', async () => {
    const failing = async (code: string) =>
      readTable(
        '/proc/net/tcp',
        () => undefined,
        1,
        async () => Promise.reject(Object.assign(new Error(code), { code })),
      );
    await expect(failing('EMFILE')).rejects.toThrow('EMFILE');
    await failing('ENOENT');
  });

  it('are read no further than needed, and each once for all connections', async () => {
    const read: string[] = [];
    const noting: ReadTable = async (path, take) => {
      read.push(path);
      await readRecorded(path, take);
    };
    expect(await ownersInTables(0, noting)([endsFrom(0xaed2), endsFrom(0xaed6)])).toEqual(['same-user', 'other-user']);
    expect(read).toEqual(['/proc/net/tcp']);
    await ownersInTables(0, noting)([endsFrom(0xaed2), endsFrom(0xaef4)]);
    expect(read).toEqual(['/proc/net/tcp', '/proc/net/tcp', '/proc/net/tcp6']);
  });

  it('are read in chunks that end at the end of a line, whatever their length', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sinete-table-')), 'tcp');
    const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${'x'.repeat(index % 200)}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    const parts: string[] = [];
    await readTable(file, (part) => parts.push(part));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every((part) => part.endsWith('\n'))).toBe(true);
    expect(parts.join('')).toBe(`${lines.join('\n')}\n`);
    const first = parts[0] ?? '';
    parts.length = 0;
    await readTable(file, (part) => parts.push(part), 1);
    expect(parts).toEqual([first]);
    rmSync(dirname(file), { recursive: true });
    await expect(readTable(file, (part) => parts.push(part))).resolves.toBeUndefined();
  });

  it('name the IPv6 loopback address in words of the processor', async () => {
    const six = '00000000000000000000000001000000';
    const table = row().replaceAll('0100007F', six);
    const read: ReadTable = async (_path, take) => {
      take(table);
      return Promise.resolve();
    };
    const ends = endsFrom(0xaed2, { remoteAddress: '::1', localAddress: '::1' });
    expect(await ownersInTables(0, read)([ends])).toEqual(['same-user']);
  });

  it.each([
    ['a user id that is no number', row('x'), 'not-identified'],
    ['a row that is cut off', '0: 0100007F:AED2 0100007F:9887 01 \n', 'not-identified'],
    ['an inode that is no number', row('0', 'x1'), 'not-identified'],
    ['an inode of several digits that ends with 0', row('0', '10'), 'same-user'],
  ])('with %s', async (_name, table, expected) => {
    const read: ReadTable = async (_path, take) => {
      take(table);
      return Promise.resolve();
    };
    expect(await ownersInTables(0, read)([endsFrom(0xaed2)])).toEqual([expected]);
  });
});

describe('sock_diag before the tables', () => {
  const connections = [endsFrom(0xaed2), endsFrom(0xaed6)];

  it.each([
    ['answers alone', [7, undefined], ['same-user', 'not-identified'], 0],
    [
      'leaves all to the tables when the kernel does not answer',
      [7, 'no-answer'],
      ['not-identified', 'not-identified'],
      2,
    ],
    ['leaves all to the tables where it is missing', undefined, ['not-identified', 'not-identified'], 2],
  ] as const)('%s', async (_name, users, expected, reads) => {
    const waiting = [...(users ?? [])];
    const opened = Promise.resolve(users === undefined ? undefined : { userOf: () => waiting.shift() });
    let count = 0;
    const find = linuxOwners(
      7,
      async () => opened,
      async () => {
        count += 1;
        return Promise.resolve();
      },
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(await find(connections)).toEqual(expected);
    expect(count).toBe(reads);
  });
});

describe('the ends of a socket', () => {
  const ends = endsFrom(0xaed2);
  it.each(['remoteAddress', 'remotePort', 'localAddress', 'localPort'] as const)('are none without %s', (part) => {
    expect(endsOf({ ...ends, [part]: undefined })).toBeUndefined();
  });

  it('are its four parts', () => {
    expect(endsOf({ ...ends, bytesRead: 1 } as SocketEnds)).toEqual(ends);
  });
});

describe('an address', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['192.168.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['fe80::1', false],
    ['x::ffff:127.0.0.1', false],
  ])('%s is loopback: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});
