/** Owners of connections on Windows, found by the TCP tables and the user of the process that holds the connection. */
import { addressBytes, mappedBytes, type ConnectionEnds, type FindOwners, type Owner } from './connection-ends.ts';

/** Families and kinds of tables (iprtrmib.h), and the state of an established connection (tcpmib.h). */
export const AF_INET = 2;
export const AF_INET6 = 23;
export const TCP_TABLE_OWNER_PID_LISTENER = 3;
export const TCP_TABLE_OWNER_PID_CONNECTIONS = 4;
const MIB_TCP_STATE_ESTAB = 5;
const ERROR_INSUFFICIENT_BUFFER = 122;

/** Rights to a process and a token, and the class of information (winnt.h). */
const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;
const TOKEN_QUERY = 8;
const TOKEN_USER = 1;
/** The pseudo handle of this process (GetCurrentProcess). */
const THIS_PROCESS = 0xffff_ffff_ffff_ffffn;
/** SECURITY_MAX_SID_SIZE plus the structure before the SID. */
const LONGEST_TOKEN_USER = 16 + 68;

/** MIB_TCPROW_OWNER_PID and MIB_TCP6ROW_OWNER_PID (tcpmib.h): length of a row in bytes, and offsets of the fields. */
export const tcpRows = {
  [AF_INET]: { length: 24, state: 0, local: 4, port: 8, remote: 12, remotePort: 16, process: 20, address: 4 },
  [AF_INET6]: { length: 56, state: 48, local: 0, port: 20, remote: 24, remotePort: 44, process: 52, address: 16 },
} as const;

/** Maximum number of attempts to read a table that grows between the request for its length and the read. */
const MAX_TRIES = 8;

/** Maximum number of times that the tables are read to find a connection. */
const MAX_LOOKS = 3;

/** The functions, with their types as the Windows headers declare them. koffi is loaded on Windows only. */
async function loadFunctions() {
  const { default: koffi } = await import('koffi');
  const network = koffi.load('iphlpapi.dll');
  const kernel = koffi.load('kernel32.dll');
  const security = koffi.load('advapi32.dll');
  return {
    // Keeps a reference: koffi unloads an unreferenced library, and its functions then become unusable.
    libraries: [network, kernel, security],
    address: koffi.address,
    GetExtendedTcpTable: network.func('__stdcall', 'GetExtendedTcpTable', 'uint32', [
      'void *',
      'void *',
      'bool',
      'uint32',
      'uint32',
      'uint32',
    ]),
    OpenProcess: kernel.func('__stdcall', 'OpenProcess', 'uintptr_t', ['uint32', 'bool', 'uint32']),
    CloseHandle: kernel.func('__stdcall', 'CloseHandle', 'bool', ['uintptr_t']),
    OpenProcessToken: security.func('__stdcall', 'OpenProcessToken', 'bool', ['uintptr_t', 'uint32', 'void *']),
    GetTokenInformation: security.func('__stdcall', 'GetTokenInformation', 'bool', [
      'uintptr_t',
      'uint32',
      'void *',
      'uint32',
      'void *',
    ]),
  };
}

type Functions = Awaited<ReturnType<typeof loadFunctions>>;

let loaded: Promise<Functions> | undefined;
const functions = async (): Promise<Functions> => (loaded ??= loadFunctions());

/** A TCP table as GetExtendedTcpTable fills it; undefined if Windows does not answer. */
export async function readTcpTable(family: 2 | 23, kind: 3 | 4): Promise<Buffer | undefined> {
  const { GetExtendedTcpTable } = await functions();
  const length = Buffer.alloc(4);
  let table: Buffer | null = null;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const outcome: unknown = GetExtendedTcpTable(table, length, false, family, kind, 0);
    if (outcome === 0 && table !== null) return table;
    if (outcome !== ERROR_INSUFFICIENT_BUFFER) break;
    table = Buffer.alloc(length.readUInt32LE());
  }
  return undefined;
}

/** The offset of each row of the table. */
export function rowStarts(table: Buffer, family: 2 | 23): readonly number[] {
  const { length } = tcpRows[family];
  const count = table.length < 4 ? 0 : Math.min(table.readUInt32LE(), Math.floor((table.length - 4) / length));
  return Array.from({ length: count }, (_, index) => 4 + index * length);
}

/**
 * Finds out whether the processes at the other ends run as the user of this process. Every owner is `not-told` if the
 * functions cannot be loaded, as without koffi.
 */
export function windowsOwners(load = functions): FindOwners {
  return async (connections) => {
    const calls = await load().catch(() => undefined);
    if (calls === undefined) return connections.map(() => 'not-told');
    const processes = await processesOf(connections);
    const own = userOfProcess(calls, THIS_PROCESS);
    const owners = new Map<number, Owner>();
    return processes.map((process) => {
      if (process === undefined || own === undefined) return 'not-identified';
      const known = owners.get(process) ?? ownerOfProcess(calls, process, own);
      owners.set(process, known);
      return known;
    });
  };
}

/** A TCP table with the connections of one address family. */
interface FamilyTable {
  readonly family: 2 | 23;
  /** Undefined if Windows does not answer. */
  readonly table: Buffer | undefined;
}

const readTables = async (): Promise<readonly FamilyTable[]> => [
  { family: AF_INET, table: await readTcpTable(AF_INET, TCP_TABLE_OWNER_PID_CONNECTIONS) },
  { family: AF_INET6, table: await readTcpTable(AF_INET6, TCP_TABLE_OWNER_PID_CONNECTIONS) },
];

/**
 * The ids of the processes that hold the sockets of the peers, in the order of the connections. A table that is made in
 * pieces, as by Wine, may lack a connection while others end: it is read again, so that no honest program is refused.
 */
export async function processesOf(
  connections: readonly ConnectionEnds[],
  read = readTables,
): Promise<readonly (number | undefined)[]> {
  let found: readonly (number | undefined)[] = connections.map(() => undefined);
  for (let looks = 0; looks < MAX_LOOKS && found.includes(undefined); looks++) {
    const tables = await read();
    found = connections.map((ends, index) => {
      if (found[index] !== undefined) return found[index];
      const processes = tables.map(({ family, table }) => table && processOf(table, family, ends));
      return processes.find((one) => one !== undefined);
    });
  }
  return found;
}

/** The id of the process that holds the established socket of the peer, from the table of one address family. */
export function processOf(table: Buffer, family: 2 | 23, ends: ConnectionEnds): number | undefined {
  const fields = tcpRows[family];
  const [from, to] = [ends.remoteAddress, ends.localAddress].map((text) => {
    const bytes = addressBytes(text);
    return bytes.length < fields.address ? mappedBytes(bytes) : bytes;
  });
  if (from?.length !== fields.address || to?.length !== fields.address) return undefined;
  const start = rowStarts(table, family).find(
    (row) =>
      table.readUInt32LE(row + fields.state) === MIB_TCP_STATE_ESTAB &&
      // The first two of four bytes hold the port, in network byte order.
      table.readUInt16BE(row + fields.port) === ends.remotePort &&
      table.readUInt16BE(row + fields.remotePort) === ends.localPort &&
      from.equals(table.subarray(row + fields.local, row + fields.local + fields.address)) &&
      to.equals(table.subarray(row + fields.remote, row + fields.remote + fields.address)),
  );
  return start === undefined ? undefined : table.readUInt32LE(start + fields.process);
}

/** A process that this user may not inspect is `not-identified`. */
function ownerOfProcess(calls: Functions, id: number, own: Buffer): Owner {
  const handle = BigInt(calls.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, false, id) as number | bigint);
  if (handle === 0n) return 'not-identified';
  try {
    const user = userOfProcess(calls, handle);
    if (user === undefined) return 'not-identified';
    return user.equals(own) ? 'same-user' : 'other-user';
  } finally {
    calls.CloseHandle(handle);
  }
}

/** The SID of the user of a process; undefined if Windows does not report the user. */
function userOfProcess(calls: Functions, process: bigint): Buffer | undefined {
  const token = Buffer.alloc(8);
  if (calls.OpenProcessToken(process, TOKEN_QUERY, token) !== true) return undefined;
  try {
    const user = Buffer.alloc(LONGEST_TOKEN_USER);
    const length = Buffer.alloc(4);
    const handle = token.readBigUInt64LE();
    if (calls.GetTokenInformation(handle, TOKEN_USER, user, user.length, length) !== true) return undefined;
    return readSid(user, calls.address(user));
  } finally {
    calls.CloseHandle(token.readBigUInt64LE());
  }
}

/**
 * The SID in a TOKEN_USER (winnt.h) at `address`: a pointer to the SID, which lies in the same memory. Byte 1 of a SID
 * is the number of its parts of four bytes after the first eight bytes.
 */
export function readSid(tokenUser: Buffer, address: bigint): Buffer | undefined {
  const start = Number(tokenUser.readBigUInt64LE() - address);
  if (start < 16 || start + 8 > tokenUser.length) return undefined;
  const end = start + 8 + 4 * (tokenUser[start + 1] ?? 0);
  return end > tokenUser.length ? undefined : Buffer.from(tokenUser.subarray(start, end));
}
