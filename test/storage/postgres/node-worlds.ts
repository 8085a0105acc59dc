/** Several nodes in the process of a test, on one PostgreSQL database, each with a data folder of its own. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { TransactionDependencies } from '../../../src/service/transactions/index.ts';
import { openStorage, type Storage } from '../../../src/storage/index.ts';
import type { OpenNodes } from '../../../src/storage/nodes/open-nodes.ts';
import type { StorageOptions } from '../../../src/storage/open-storage.ts';
import { openWorld, type World } from '../../service/transactions/transaction-world.ts';
import { DatabaseForTests } from './database-for-tests.ts';

/** The storage of a node. */
export type NodeStorage = Storage & { readonly sharedWith: OpenNodes };

/** The master key of all nodes. */
const key = Buffer.alloc(32, 9);

/** Registers the hooks of a test file: server, database and folders; nodes are stopped after each test. */
export class NodeWorlds {
  readonly database: DatabaseForTests;
  /** The folder of the running test; the nodes have their data folders inside. */
  root!: string;
  readonly #closing: { close(): Promise<void> }[] = [];

  constructor() {
    this.database = new DatabaseForTests();
    beforeEach(() => {
      this.root = mkdtempSync(join(tmpdir(), 'sinete-nodes-'));
      mkdirSync(this.sharedFolder);
    });
    afterEach(async () => {
      for (let one = this.#closing.pop(); one !== undefined; one = this.#closing.pop()) await one.close();
      rmSync(this.root, { recursive: true });
    });
  }

  /** The folder of documents shared by nodes without a bucket. */
  get sharedFolder(): string {
    return join(this.root, 'shared');
  }

  /** Closes things after the test, the last first. */
  closeLater(...things: readonly { close(): Promise<void> }[]): void {
    this.#closing.push(...things);
  }

  /** Starts a node; its jobs begin when the test calls `transactions.resume`. */
  async open(
    name: string,
    overrides: Partial<TransactionDependencies> = {},
    place: StorageOptions = { sharedFolder: this.sharedFolder },
  ): Promise<World> {
    const asNode = (storage: Storage): Partial<TransactionDependencies> => ({
      nodes: { ...joined(storage).sharedWith, key },
    });
    const world = await openWorld(overrides, this.#folder(name), asNode, { databaseUrl: this.database.url, ...place });
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => (stopped ??= world.stop());
    this.closeLater({ close: stop });
    return { ...world, stop };
  }

  /** Opens only the storage of a node. */
  async openStorage(name: string): Promise<NodeStorage> {
    const options = { databaseUrl: this.database.url, sharedFolder: this.sharedFolder };
    const storage = await openStorage(this.#folder(name), options);
    this.closeLater(storage);
    return joined(storage);
  }

  #folder(name: string): string {
    const folder = join(this.root, name);
    mkdirSync(folder);
    return folder;
  }
}

/** Gives a node's messages their key. */
function joined(storage: Storage): NodeStorage {
  const { sharedWith } = storage;
  if (sharedWith === undefined) throw new Error('The storage is not that of a node.');
  sharedWith.signals.useKey(key);
  return { ...storage, sharedWith };
}
