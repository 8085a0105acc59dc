import { describe, expect, it } from 'vitest';
import type { ConnectionEnds } from '../../../src/http/peer/connection-ends.ts';
import {
  AF_INET,
  AF_INET6,
  processesOf,
  processOf,
  readSid,
  windowsOwners,
} from '../../../src/http/peer/windows-peers.ts';

const [established, closing] = [5, 11];
const ends: ConnectionEnds = {
  remoteAddress: '127.0.0.1',
  remotePort: 50_000,
  localAddress: '127.0.0.1',
  localPort: 17_171,
};

/** MIB_TCPROW_OWNER_PID: state, local address and port, remote address and port, process. */
function row4(state: number, [local, remote]: readonly [number, number], process: number): Buffer {
  const row = Buffer.alloc(24);
  row.writeUInt32LE(state, 0);
  row.set([127, 0, 0, 1], 4);
  row.writeUInt16BE(local, 8);
  row.set([127, 0, 0, 1], 12);
  row.writeUInt16BE(remote, 16);
  row.writeUInt32LE(process, 20);
  return row;
}

/** MIB_TCP6ROW_OWNER_PID of ::1. */
function row6(state: number, [local, remote]: readonly [number, number], process: number): Buffer {
  const row = Buffer.alloc(56);
  row[15] = 1;
  row.writeUInt16BE(local, 20);
  row[39] = 1;
  row.writeUInt16BE(remote, 44);
  row.writeUInt32LE(state, 48);
  row.writeUInt32LE(process, 52);
  return row;
}

function table(...rows: readonly Buffer[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(rows.length);
  return Buffer.concat([count, ...rows]);
}

describe('the owners of connections on Windows', () => {
  it('are not told where the functions of Windows cannot be loaded, and programs prove themselves', async () => {
    const find = windowsOwners(async () => Promise.reject(new Error("Cannot find package 'koffi'")));
    expect(await find([ends, ends])).toEqual(['not-told', 'not-told']);
  });
});

describe('the process at the other end of a connection on Windows', () => {
  it.each([
    [
      'is the holder of the peer end, not of our own end',
      [row4(established, [17_171, 50_000], 1), row4(established, [50_000, 17_171], 2)],
      2,
    ],
    ['is not found by a closing connection', [row4(closing, [50_000, 17_171], 2)], undefined],
    ['is not found by one port alone', [row4(established, [50_000, 17_172], 2)], undefined],
  ])('%s', (_name, rows, expected) => {
    expect(processOf(table(...rows), AF_INET, ends)).toBe(expected);
  });

  it('is found in the table of IPv6', () => {
    const six = { ...ends, remoteAddress: '::1', localAddress: '::1' };
    expect(processOf(table(row6(established, [50_000, 17_171], 9)), AF_INET6, six)).toBe(9);
    expect(processOf(table(row6(established, [50_000, 17_171], 9)), AF_INET6, ends)).toBeUndefined();
  });

  it('is not read beyond the end of a too short table', () => {
    const cut = table(row4(established, [50_000, 17_171], 2)).subarray(0, 20);
    expect(processOf(cut, AF_INET, ends)).toBeUndefined();
  });
});

describe('the processes at the other ends of connections on Windows', () => {
  const one = row4(established, [50_000, 17_171], 2);
  const other = row4(established, [50_001, 17_171], 3);
  const connections = [ends, { ...ends, remotePort: 50_001 }];

  /** Answers these tables in sequence, and counts the reads. */
  function reading(...tables: readonly Buffer[]): { reads: number; read: Parameters<typeof processesOf>[1] } {
    const reader = {
      reads: 0,
      read: async () => Promise.resolve([{ family: AF_INET, table: tables[reader.reads++] }] as const),
    };
    return reader;
  }

  it('are found by a single read of a table with all', async () => {
    const reader = reading(table(one, other));
    expect([await processesOf(connections, reader.read), reader.reads]).toEqual([[2, 3], 1]);
  });

  it('are found although each read lacks a connection', async () => {
    const reader = reading(table(one), table(other));
    expect([await processesOf(connections, reader.read), reader.reads]).toEqual([[2, 3], 2]);
  });

  it('stay unknown after three reads', async () => {
    const reader = reading(table(one), table(one), table(one), table(other));
    expect([await processesOf(connections, reader.read), reader.reads]).toEqual([[2, undefined], 3]);
  });
});

describe('the user of a process on Windows', () => {
  const sid = Buffer.from([1, 2, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0, 32, 2, 0, 0]);
  const tokenUser = (pointer: bigint): Buffer => {
    const head = Buffer.alloc(16);
    head.writeBigUInt64LE(pointer);
    return Buffer.concat([head, sid]);
  };

  it('is the SID behind the pointer in the same memory', () => {
    expect(readSid(tokenUser(0x1000n + 16n), 0x1000n)).toEqual(sid);
  });

  it.each([0n, 0x1000n, 0x1000n + 30n])('is not read from outside of that memory (%d)', (pointer) => {
    expect(readSid(tokenUser(pointer), 0x1000n)).toBeUndefined();
  });
});
