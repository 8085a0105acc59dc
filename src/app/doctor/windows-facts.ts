/**
 * Facts that only functions of Windows provide: card readers, and the programs at ports. The functions are called
 * through koffi.
 */
import { win32 } from 'node:path';
import {
  AF_INET,
  AF_INET6,
  readTcpTable,
  rowStarts,
  TCP_TABLE_OWNER_PID_LISTENER,
  tcpRows,
} from '../../http/peer/windows-peers.ts';
import type { CardFacts } from '../../service/checks/index.ts';

/** Return values and states of WinSCard (winscard.h). */
const SCARD_SUCCESS = 0;
const SCARD_E_NO_SERVICE = 0x8010001d;
const SCARD_E_SERVICE_STOPPED = 0x8010001e;
const SCARD_E_NO_READERS_AVAILABLE = 0x8010002e;
const SCARD_SCOPE_USER = 0;
const SCARD_STATE_PRESENT = 0x20;

/** SCARD_READERSTATEW on 64 bits: length in bytes, and offset of `dwEventState`. */
const readerState = { length: 64, found: 20 } as const;

/** A right to a process (winnt.h). */
const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;

/** Characters of the longest path. */
const longestPath = 32_768;

/** The functions, with their types as the Windows headers declare them. koffi is loaded on Windows only. */
async function loadFunctions() {
  const { default: koffi } = await import('koffi');
  const card = koffi.load('winscard.dll');
  const kernel = koffi.load('kernel32.dll');
  return {
    // Keeps a reference: koffi unloads an unreferenced library, and its functions then become unusable.
    libraries: [card, kernel],
    address: koffi.address,
    SCardEstablishContext: card.func('__stdcall', 'SCardEstablishContext', 'uint32', [
      'uint32',
      'void *',
      'void *',
      'void *',
    ]),
    SCardReleaseContext: card.func('__stdcall', 'SCardReleaseContext', 'uint32', ['uintptr_t']),
    SCardListReaders: card.func('__stdcall', 'SCardListReadersW', 'uint32', [
      'uintptr_t',
      'void *',
      'void *',
      'void *',
    ]),
    SCardGetStatusChange: card.func('__stdcall', 'SCardGetStatusChangeW', 'uint32', [
      'uintptr_t',
      'uint32',
      'void *',
      'uint32',
    ]),
    OpenProcess: kernel.func('__stdcall', 'OpenProcess', 'uintptr_t', ['uint32', 'bool', 'uint32']),
    CloseHandle: kernel.func('__stdcall', 'CloseHandle', 'bool', ['uintptr_t']),
    QueryFullProcessImageName: kernel.func('__stdcall', 'QueryFullProcessImageNameW', 'bool', [
      'uintptr_t',
      'uint32',
      'void *',
      'void *',
    ]),
  };
}

type Functions = Awaited<ReturnType<typeof loadFunctions>>;

let loaded: Promise<Functions> | undefined;
const functions = async (): Promise<Functions> => (loaded ??= loadFunctions());

/**
 * The readers known to the smart card service of Windows. Windows starts the service when a reader is plugged in, so
 * `stopped` is usual without a reader. `unknown`: Windows does not answer, or koffi cannot be loaded.
 */
export async function readWindowsCards(): Promise<CardFacts> {
  try {
    const calls = await functions();
    const context = Buffer.alloc(8);
    const outcome = calls.SCardEstablishContext(SCARD_SCOPE_USER, null, null, context) as number;
    if (outcome !== SCARD_SUCCESS) return withoutReaders(outcome);
    const handle = context.readBigUInt64LE();
    try {
      return listReaders(calls, handle);
    } finally {
      calls.SCardReleaseContext(handle);
    }
  } catch {
    return { service: 'unknown', readers: [], devices: undefined };
  }
}

/** The meaning of a return value other than success. */
function withoutReaders(outcome: number): CardFacts {
  if (outcome === SCARD_E_NO_READERS_AVAILABLE) return { service: 'running', readers: [], devices: undefined };
  const isStopped = outcome === SCARD_E_NO_SERVICE || outcome === SCARD_E_SERVICE_STOPPED;
  return { service: isStopped ? 'stopped' : 'unknown', readers: [], devices: undefined };
}

function listReaders(calls: Functions, context: bigint): CardFacts {
  const length = Buffer.alloc(4);
  const asked = calls.SCardListReaders(context, null, null, length) as number;
  if (asked !== SCARD_SUCCESS) return withoutReaders(asked);
  const text = Buffer.alloc(length.readUInt32LE() * 2);
  const told = calls.SCardListReaders(context, null, text, length) as number;
  if (told !== SCARD_SUCCESS) return withoutReaders(told);
  const readers = readNames(text).map((name) => ({ name, hasCard: hasCard(calls, context, name) }));
  return { service: 'running', readers, devices: undefined };
}

/** True if a card is in a reader; false if the state is unknown, as for a reader that was just unplugged. */
function hasCard(calls: Functions, context: bigint, name: string): boolean {
  const text = Buffer.from(`${name}\0`, 'utf16le');
  const state = Buffer.alloc(readerState.length);
  state.writeBigUInt64LE(calls.address(text));
  // A timeout of 0 ms returns the present state.
  const outcome = calls.SCardGetStatusChange(context, 0, state, 1) as number;
  return outcome === SCARD_SUCCESS && (state.readUInt32LE(readerState.found) & SCARD_STATE_PRESENT) !== 0;
}

/** Reads a multi-string: UTF-16 names, each ended by a zero, with an empty name at the end. */
export function readNames(text: Buffer): readonly string[] {
  return text
    .toString('utf16le')
    .split('\0')
    .filter((name) => name !== '');
}

/**
 * The ports among these that are taken, and by which program (undefined if unknown), by the TCP tables. Empty if
 * Windows does not answer.
 */
export async function findWindowsPortOwners(
  ports: readonly number[],
): Promise<readonly { readonly port: number; readonly program: string | undefined }[]> {
  try {
    const calls = await functions();
    const listeners = new Map([...(await listenersOf(AF_INET6)), ...(await listenersOf(AF_INET))]);
    return ports.flatMap((port) => {
      const id = listeners.get(port);
      return id === undefined ? [] : [{ port, program: programName(calls, id) }];
    });
  } catch {
    return [];
  }
}

async function listenersOf(family: 2 | 23): Promise<ReadonlyMap<number, number>> {
  const table = await readTcpTable(family, TCP_TABLE_OWNER_PID_LISTENER);
  return table === undefined ? new Map() : readListeners(table, family);
}

/** Port → process id, from a table of IPv4 (2) or IPv6 (23) as GetExtendedTcpTable fills it. */
export function readListeners(table: Buffer, family: 2 | 23): ReadonlyMap<number, number> {
  const { port, process } = tcpRows[family];
  return new Map(
    // The first two of four bytes hold the port, in network byte order.
    rowStarts(table, family).map((row) => [table.readUInt16BE(row + port), table.readUInt32LE(row + process)] as const),
  );
}

/** `node.exe`; undefined for a process that this user may not inspect. */
function programName(calls: Functions, id: number): string | undefined {
  const handle = calls.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, false, id) as number | bigint;
  if (BigInt(handle) === 0n) return undefined;
  try {
    const text = Buffer.alloc(longestPath * 2);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(longestPath);
    if (calls.QueryFullProcessImageName(handle, 0, text, length) !== true) return undefined;
    return win32.basename(text.toString('utf16le', 0, length.readUInt32LE() * 2)) || undefined;
  } finally {
    calls.CloseHandle(handle);
  }
}
