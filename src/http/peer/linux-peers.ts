import { open, type FileHandle } from 'node:fs/promises';
import {
  addressBytes,
  mappedBytes,
  ownerOf,
  type ConnectionEnds,
  type FindOwners,
  type Owner,
} from './connection-ends.ts';
import { openSocketDiagnosis, type SocketDiagnosis } from './socket-diagnosis.ts';

/** The tables of TCP sockets (proc_net_tcp(5)). */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'] as const;

/** Maximum number of bytes read of a table: about 400,000 sockets. Connections beyond are not identified. */
const LONGEST_TABLE = 64 * 2 ** 20;
const CHUNK = 64 * 1024;

/**
 * Asks the kernel whether peers belong to `owner`. With sock_diag each connection takes about 10 µs, whatever the
 * number of sockets. The tables in /proc are read if sock_diag is not available, and until it is loaded.
 */
export function linuxOwners(
  owner: number,
  openDiagnosis = openSocketDiagnosis,
  read: ReadTable = readTable,
): FindOwners {
  let diagnosis: SocketDiagnosis | undefined;
  void openDiagnosis().then((opened) => (diagnosis = opened));
  const inTables = ownersInTables(owner, read);
  const atOnce = (ends: ConnectionEnds): Owner | undefined => {
    const user = diagnosis === undefined ? 'no-answer' : diagnosis.userOf(ends);
    return user === 'no-answer' ? undefined : ownerOf(user, owner);
  };
  const find = async (connections: readonly ConnectionEnds[]): Promise<readonly Owner[]> => {
    const owners = connections.map(atOnce);
    // The tables are read when the kernel refuses to answer.
    return owners.every((found) => found !== undefined) ? owners : inTables(connections);
  };
  return Object.assign(find, { atOnce });
}

/** Passes the text of a table to `take` in parts that end at a line end. */
export type ReadTable = (path: string, take: (lines: string) => void) => Promise<void>;

/** Answers from the tables, each read at most once. */
export function ownersInTables(owner: number, read: ReadTable): FindOwners {
  return async (connections) => {
    const users = new Map<string, number>();
    const wanted = new Set(connections.map(({ localPort }) => portOf(localPort)));
    for (const path of tables) {
      await read(path, (lines) => {
        for (const port of wanted) collectUsers(lines, port, users);
      });
      if (connections.every((ends) => userOf(ends, users) !== undefined)) break;
    }
    return connections.map((ends) => ownerOf(userOf(ends, users), owner));
  };
}

/** Number, both ends, state 01, queues, timers, retransmissions, user, timeout, and an inode other than 0. */
const ESTABLISHED_ROW = /^ *\d+: ([0-9A-F:]+) ([0-9A-F:]+) 01 \S+ \S+ \S+ +(\d+) +\d+ ([1-9]\d*) /;

/**
 * Adds the user id of each established socket whose remote port is `ourPort` to `users`, by its two ends. A closing
 * socket has no inode and the user id 0 (`get_timewait4_sock` of the kernel), whoever owned it: such a row never
 * identifies anybody.
 */
export function collectUsers(lines: string, ourPort: string, users: Map<string, number>): void {
  const mark = `:${ourPort} 01 `;
  for (let at = lines.indexOf(mark); at !== -1; at = lines.indexOf(mark, at + 1)) {
    const row = lines.slice(lines.lastIndexOf('\n', at) + 1);
    const [, local, remote, user] = ESTABLISHED_ROW.exec(row) ?? [];
    if (user !== undefined) users.set(`${local} ${remote}`, Number(user));
  }
}

/** Compares addresses as well as ports: another user may own the same ports on another loopback address. */
function userOf(ends: ConnectionEnds, users: ReadonlyMap<string, number>): number | undefined {
  for (const local of endpointForms(ends.remoteAddress, ends.remotePort)) {
    for (const remote of endpointForms(ends.localAddress, ends.localPort)) {
      const user = users.get(`${local} ${remote}`);
      if (user !== undefined) return user;
    }
  }
  return undefined;
}

/** An endpoint in the tables' notation: 32-bit words of the processor (little-endian), also in the IPv4-mapped form. */
function endpointForms(address: string, port: number): readonly string[] {
  const bytes = addressBytes(address);
  const forms = bytes.length === 4 ? [bytes, mappedBytes(bytes)] : [bytes];
  return forms.map((form) => `${Buffer.from(form).swap32().toString('hex').toUpperCase()}:${portOf(port)}`);
}

function portOf(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** Temporary errors of `open`: the process or the computer has too many open files (open(2)). */
const passing: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * Reads a table in chunks, so that a computer with many sockets costs no memory; a missing table has no lines. Rejects
 * when too many files are open.
 */
export async function readTable(
  path: string,
  take: (lines: string) => void,
  longest = LONGEST_TABLE,
  openTable: (path: string) => Promise<FileHandle> = open,
): Promise<void> {
  const file = await openTable(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && passing.has(error.code)) throw error;
    return undefined;
  });
  if (file === undefined) return;
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let rest = '';
    for (let total = 0; total < longest;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK, null);
      if (bytesRead === 0) break;
      total += bytesRead;
      const text = rest + chunk.toString('latin1', 0, bytesRead);
      const end = text.lastIndexOf('\n') + 1;
      take(text.slice(0, end));
      rest = text.slice(end);
    }
  } finally {
    await file.close();
  }
}
