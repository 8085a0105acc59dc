/** Backups of an instance of the proofs, and data folders made from them. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeBackup, restoreBackup, type RestoredBackup } from '../../src/storage/index.ts';
import type { ProofWorld } from './proof-world.ts';

const passphrase = 'a passphrase of some length';

const folderOf = (proof: ProofWorld): string => join(proof.world.home, 'backups');

/** Makes a backup of this name beside the user's files. */
export async function backUp(proof: ProofWorld, name: string): Promise<void> {
  await makeBackup({
    dataFolder: proof.world.folder,
    path: join(folderOf(proof), name),
    seal: { passphrase },
    version: '0',
    now: new Date(),
    masterKey: Buffer.alloc(32, 7),
    documents: proof.world.storage.documents,
  });
}

/** The files at the place of backups: complete backups, and remains of failed backups. */
export const backupsOf = (proof: ProofWorld): string[] => readdirSync(folderOf(proof)).sort();

/** Puts a backup in the place of an unused data folder. */
export async function restore(
  path: string,
  dataFolder: string,
  beforeNames: () => void = () => undefined,
): Promise<RestoredBackup> {
  return restoreBackup({
    path,
    key: { passphrase },
    dataFolder,
    replace: true,
    now: new Date(),
    adopt: async () => {
      beforeNames();
      return Promise.resolve();
    },
  });
}

/** A backup is whole: a data folder can be made of it, with an audit log fitting together. */
export async function expectRestorable(proof: ProofWorld, name: string): Promise<void> {
  const target = join(folderOf(proof), '..', `restored-${name}`);
  const { audit } = await restore(join(folderOf(proof), name), target);
  assert.equal(audit.state, 'intact');
  assert.ok(existsSync(join(target, 'sinete.db')));
}
