import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../app-error.ts';
import type { Values } from './values.ts';

const OTHERS_WRITE = 0o022;

/**
 * Checks the keys of an instance that starts as one node of several. Throws `AppError` (exit code 2) with the key to
 * change: no PostgreSQL, no master key available to every node, or a shared folder that is this node's data folder.
 * Absent `store`: the documents are in a bucket. Exit code 3 for a shared folder that other users may write to.
 */
export function checkNode(
  values: Pick<Values, 'database.url' | 'secret_store.mode'>,
  { dataFolder, store }: { readonly dataFolder: string; readonly store?: string },
): void {
  if (values['database.url'] === undefined) {
    throw new AppError(
      2,
      'The key "documents.store" needs PostgreSQL: name the database of all nodes in "database.url". SQLite has one instance.',
    );
  }
  const secrets = values['secret_store.mode'];
  if (secrets !== 'key-file' && secrets !== 'passphrase') {
    throw new AppError(
      2,
      'The key "documents.store" needs one master key on every node: set "secret_store.mode" to "key-file" or "passphrase", and give each node a copy of the file.',
    );
  }
  if (store === undefined) return;
  if (resolve(store) === resolve(dataFolder)) {
    throw new AppError(
      2,
      'The key "documents.store" names the data folder of this node: name a folder of its own, which all nodes share.',
    );
  }
  const mode = process.platform === 'win32' ? undefined : statSync(store, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & OTHERS_WRITE) !== 0) {
    throw new AppError(3, `Other users may write to the shared folder of documents: run "chmod 700 ${store}".`);
  }
}
