/**
 * Failures on demand below our own code: statements of SQLite, calls of the file system, and parts wrapped by a test
 * itself (keys, HTTP). `installFaults` puts itself between the product and these for the rest of the process; only an
 * armed plan makes anything fail, and only below its folder.
 */
import SqliteDatabase from 'better-sqlite3';
import fs from 'node:fs';
import filePromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpClient, KeySource, Signer } from '../../src/signing/index.ts';
import { SigningError } from '../../src/signing/index.ts';

/** Operations that can fail. `database`: a writing statement, or a commit. `token`: opening a key, or a signature. */
export const faultKinds = ['database', 'write', 'flush', 'rename', 'token', 'http'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The errors of failing file-system calls. */
export type SystemFault = 'EIO' | 'ENOSPC';

export interface FaultPlan {
  /** `disk`: calls of the kinds `database`, `write`, `flush` and `rename` together, and removals. */
  readonly kind: FaultKind | 'disk';
  /** The first failing call, from 1. */
  readonly n: number;
  /** Whether all later calls of the kind fail too. */
  readonly lasting: boolean;
  /** Only files and databases below this folder are concerned. */
  readonly folder: string;
  /** `KILL`: the process ends right before the call, as by `kill -9`. */
  readonly fault?: SystemFault | 'KILL';
}

interface Armed extends FaultPlan {
  calls: number;
  failed: string | undefined;
}

let armed: Armed | undefined;

/** From now on the plan holds; the answer ends the plan and names the first failed call, undefined without any. */
export function arm(plan: FaultPlan): () => string | undefined {
  const mine: Armed = { ...plan, calls: 0, failed: undefined };
  armed = mine;
  return () => {
    armed = undefined;
    return mine.failed;
  };
}

/** Whether the armed plan has made something fail. */
export const hasFailed = (): boolean => armed?.failed !== undefined;

/** The path behind a folder held open by the product: `/proc/self/fd/7/name`. */
function withoutDescriptor(path: string): string {
  return path.replace(/^\/proc\/self\/fd\/\d+(?=\/)/, (descriptor) => fs.readlinkSync(descriptor));
}

const diskKinds: ReadonlySet<string> = new Set(['database', 'write', 'flush', 'rename', 'remove']);

/** Throws at the turn of this call. */
function meet(
  kind: FaultKind | 'remove',
  name: string,
  path: string | undefined,
  failure: (fault: SystemFault) => Error,
): void {
  if (armed === undefined || !(armed.kind === kind || (armed.kind === 'disk' && diskKinds.has(kind)))) return;
  if (path !== undefined && !withoutDescriptor(path).startsWith(armed.folder)) return;
  armed.calls++;
  if (armed.lasting ? armed.calls < armed.n : armed.calls !== armed.n) return;
  armed.failed ??= name;
  const { fault = 'EIO' } = armed;
  if (fault !== 'KILL') throw failure(fault);
  process.kill(process.pid, 'SIGKILL');
}

const systemFailure =
  (syscall: string) =>
  (code: SystemFault): Error =>
    Object.assign(new Error(`${code}: a fault of the test, ${syscall}`), { code, syscall });

const databaseFailure = (fault: SystemFault): Error =>
  fault === 'ENOSPC'
    ? new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL')
    : new SqliteDatabase.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE');

/** A key source with keys failing like a token pulled out or broken. */
export function faultyKeys(source: KeySource): KeySource {
  const failure = (): Error => new SigningError('TOKEN_ERROR', 'The token answered CKR_DEVICE_ERROR.');
  const watch = (signer: Signer): Signer => ({
    ...signer,
    sign: async (...parameters) => {
      meet('token', 'sign', undefined, failure);
      return signer.sign(...parameters);
    },
  });
  return {
    id: source.id,
    rank: source.rank,
    asksDriver: source.asksDriver,
    list: async () => source.list(),
    open: async (keyId) => {
      meet('token', 'open', undefined, failure);
      return watch(await source.open(keyId));
    },
    unlock: async (...parameters) => source.unlock(...parameters),
    lock: async (keyId) => source.lock(keyId),
    health: async () => source.health(),
    close: async () => source.close(),
  };
}

/** Throws a failure of the network at the turn of this exchange; for ways out other than `HttpClient`. */
export function meetHttp(name: string): void {
  meet('http', name, undefined, () => new SigningError('NETWORK_UNREACHABLE', 'The connection was reset.'));
}

export function faultyHttp(client: HttpClient): HttpClient {
  return {
    send: async (request) => {
      meetHttp(`${request.method} ${new URL(request.url).pathname}`);
      return client.send(request);
    },
  };
}

type Call = (this: unknown, ...parameters: never[]) => unknown;

/** Puts a check in front of a method; the check throws, or does nothing. */
function guard(holder: object, name: string, check: (self: unknown, parameters: readonly unknown[]) => void): void {
  const original = Reflect.get(holder, name) as Call;
  const guarded = function (this: unknown, ...parameters: never[]): unknown {
    check(this, parameters);
    return Reflect.apply(original, this, parameters);
  };
  Object.defineProperty(holder, name, { value: guarded, writable: true, configurable: true, enumerable: true });
}

/** The same for a method answering a promise: its failure is a rejection. */
function guardAsync(
  holder: object,
  name: string,
  check: (self: unknown, parameters: readonly unknown[]) => void,
): void {
  const original = Reflect.get(holder, name) as Call;
  const guarded = async function (this: unknown, ...parameters: never[]): Promise<unknown> {
    check(this, parameters);
    return await Reflect.apply(original, this, parameters);
  };
  Object.defineProperty(holder, name, { value: guarded, writable: true, configurable: true, enumerable: true });
}

function installInSqlite(): void {
  const connection = new SqliteDatabase(':memory:');
  const prototype = Object.getPrototypeOf(connection.prepare('SELECT 1')) as object;
  connection.close();
  for (const method of ['run', 'all', 'get']) {
    guard(prototype, method, (self) => {
      const { readonly, source, database } = self as SqliteDatabase.Statement & { readonly readonly: boolean };
      // SQLite calls the beginning and the end of transactions read-only. A commit impossible to take back is beyond
      // any program.
      const isCommit = /^\s*commit/i.test(source);
      if (!isCommit && (readonly || /^\s*rollback/i.test(source))) return;
      meet('database', isCommit ? 'commit' : source.slice(0, 40), database.name, databaseFailure);
    });
  }
}

const paths = new WeakMap<object, string>();

async function installInFiles(): Promise<void> {
  const path = join(tmpdir(), `sinete-faults-${process.pid}`);
  const file = await filePromises.open(path, 'w');
  const handle = Object.getPrototypeOf(file) as object;
  await file.close();
  await filePromises.rm(path);
  const pathOf = (self: unknown): string => paths.get(self as object) ?? '';
  for (const method of ['write', 'writeFile', 'writev', 'appendFile']) {
    guardAsync(handle, method, (self) => meet('write', method, pathOf(self), systemFailure('write')));
  }
  for (const method of ['sync', 'datasync']) {
    guardAsync(handle, method, (self) => meet('flush', method, pathOf(self), systemFailure('fsync')));
  }
  const open = filePromises.open.bind(filePromises);
  const opening: typeof filePromises.open = async (target, ...rest) => {
    const opened = await open(target, ...rest);
    paths.set(opened, String(target));
    return opened;
  };
  Reflect.set(filePromises, 'open', opening);
  const onTarget =
    (kind: FaultKind | 'remove', name: string, parameter: number) => (_: unknown, parameters: readonly unknown[]) => {
      const target = parameters[parameter];
      if (typeof target === 'string') meet(kind, name, target, systemFailure(name));
    };
  for (const name of ['rename', 'link']) guardAsync(filePromises, name, onTarget('rename', name, 1));
  guardAsync(filePromises, 'writeFile', onTarget('write', 'writeFile', 0));
  for (const name of ['rm', 'unlink']) guardAsync(filePromises, name, onTarget('remove', name, 0));
  guard(fs, 'renameSync', onTarget('rename', 'renameSync', 1));
  guard(fs, 'copyFileSync', onTarget('write', 'copyFileSync', 1));
  guard(fs, 'fsyncSync', () => meet('flush', 'fsyncSync', undefined, systemFailure('fsync')));
  syncBuiltinESMExports();
}

let installing: Promise<void> | undefined;

/** Puts the faults in place; once for each process. */
export async function installFaults(): Promise<void> {
  installing ??= (async () => {
    installInSqlite();
    await installInFiles();
  })();
  return installing;
}
