/** An instance's transactions over a data folder of their own, with real stores, real keys and an adjustable clock. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTransactions,
  type IncomingDocument,
  type Requester,
  type ResultFile,
  type TransactionDependencies,
  type Transactions,
  type TransactionView,
} from '../../../src/service/transactions/index.ts';
import { FileKeySource, KeyRing, parseCertificate } from '../../../src/signing/index.ts';
import { MasterKeySealer, SqlKeyVault, type Storage } from '../../../src/storage/index.ts';
import type { StorageOptions } from '../../../src/storage/open-storage.ts';
import { openTestStorage, reopenTestStorage } from '../../storage/engine.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';

export { createRequest, dataUrl } from './create-request.ts';

export const requester: Requester = { kind: 'native-program', name: 'a program' };

export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Overrides of the parts of the transactions, and of parts for a test to reach. */
export interface World {
  readonly folder: string;
  /** A folder of the user, beside the data folder. */
  readonly home: string;
  readonly storage: Storage;
  readonly vault: SqlKeyVault;
  readonly keys: KeyRing;
  readonly transactions: Transactions;
  /** Moves the clock on. */
  advance(milliseconds: number): void;
  addKey(identity: TestIdentity): Promise<void>;
  /** Ends this instance and starts another on the same data folder, like a restart. */
  restart(overrides?: Partial<TransactionDependencies>): Promise<World>;
  /** Ends the instance; its folders stay. */
  stop(): Promise<void>;
  /** Ends the instance and removes its folders. */
  end(): Promise<void>;
}

/** A world approving transactions by itself, unless told otherwise. */
export async function openWorld(
  overrides: Partial<TransactionDependencies> = {},
  root = mkdtempSync(join(tmpdir(), 'sinete-transactions-')),
  replaceStores: (
    storage: Storage,
  ) => Partial<TransactionDependencies> | Promise<Partial<TransactionDependencies>> = () => ({}),
  storageOptions: StorageOptions = {},
): Promise<World> {
  const folder = join(root, 'data');
  const home = join(root, 'home');
  const isNew = mkdirSync(home, { recursive: true }) !== undefined;
  const storage = await (isNew ? openTestStorage : reopenTestStorage)(folder, storageOptions);
  const vault = new SqlKeyVault(storage.database, { getMasterKey: () => Promise.resolve(Buffer.alloc(32, 7)) });
  const sealer = new MasterKeySealer({ getMasterKey: () => Promise.resolve(Buffer.alloc(32, 7)) });
  const keys = new KeyRing((certificate) => parseCertificate(certificate).commonName, [new FileKeySource(vault)]);
  let passed = 0;
  const transactions = createTransactions({
    ...storage,
    keys,
    sealer,
    ...(await replaceStores(storage)),
    approve: 'all',
    now: () => new Date(Date.now() + passed),
    log: silentLog,
    ...overrides,
    limits: { retryDelay: 20, ...overrides.limits },
  });
  const stop = async (): Promise<void> => {
    await transactions.close();
    await keys.close();
    await storage.close();
  };
  return {
    folder,
    home,
    storage,
    vault,
    keys,
    transactions,
    advance: (milliseconds) => void (passed += milliseconds),
    addKey: ({ certificate, chain, privateKey }) =>
      vault.add({ id: randomUUID(), label: '', certificate, chain, privateKey: Buffer.from(privateKey) }),
    stop,
    async restart(later = overrides) {
      await stop();
      return openWorld(later, root);
    },
    async end() {
      await stop();
      rmSync(root, { recursive: true });
    },
  };
}

/** Documents in the form of an upload: names and contents in order. */
export async function* incoming(
  ...documents: readonly [name: string, content: string | Buffer][]
): AsyncGenerator<IncomingDocument> {
  for (const [fileName, content] of documents) {
    await Promise.resolve();
    yield { fileName, mediaType: 'text/plain', content: chunksOf(Buffer.from(content)) };
  }
}

export async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await Promise.resolve();
    yield chunk;
  }
}

/** Limits to let every original and every result rest in a file. */
export const filesOnly = { smallDocumentSize: -1 } as const;

/** Names or keys of the documents in the data folder, in files and in the database. */
export interface Kept {
  readonly incoming: readonly string[];
  readonly originals: readonly string[];
  readonly results: readonly string[];
}

export async function keptIn({ folder, storage: { database } }: World): Promise<Kept> {
  const files = (name: string): string[] => readdirSync(join(folder, name));
  const rows = async (table: 'small_originals' | 'small_results'): Promise<string[]> =>
    (await database.selectFrom(table).select('key').execute()).map(({ key }) => key);
  return {
    incoming: files('incoming'),
    originals: [...files('documents'), ...(await rows('small_originals'))],
    results: [...files('results'), ...(await rows('small_results'))],
  };
}

/** The bytes of a result, at any place of rest. */
export const bytesOf = ({ path, bytes }: ResultFile): Buffer => bytes ?? readFileSync(path);

/** The view as soon as the transaction is finished. */
export async function finished(transactions: Transactions, tcn: string): Promise<TransactionView> {
  return viewWhen(transactions, tcn, ({ finishedAt }) => finishedAt !== null);
}

/** The view as soon as wanted; fails after half a minute. */
export async function viewWhen(
  transactions: Transactions,
  tcn: string,
  wanted: (view: TransactionView) => boolean,
): Promise<TransactionView> {
  const end = Date.now() + 30_000;
  for (;;) {
    const view = await transactions.query(tcn, { waitSeconds: 0.05 });
    if (wanted(view)) return view;
    if (Date.now() > end) throw new Error(`It stays ${view.status}, waiting for ${view.waitingFor ?? 'nothing'}.`);
  }
}
