import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import {
  cancelPendingRestore,
  listDatabaseCopies,
  listSetAside,
  makeBackup,
  noteBackup,
  prepareRestore,
  readPendingRestore,
  SqlSettingsStore,
  StorageError,
} from '../../storage/index.ts';
import type { BackupView, RestoreQuestion } from '../../ui-contract/settings-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import { dropReach, reachNotAccepted, readReach } from '../compose/reach-of-backup.ts';
import { adoptMasterKey } from '../compose/open-secrets.ts';
import type { Core } from '../compose/open-core.ts';
import { product } from '../product.ts';

/** The calls for backups and restores during operation. */
export function backupCalls(core: Core): Pick<CallHandlers, Extract<keyof CallHandlers, `backup.${string}`>> {
  const { dataFolder, storage, secrets, audit, now } = core;
  return {
    'backup.read': async () => backupForUi(dataFolder),
    'backup.make': async ({ path, ...seal }) => {
      refuseRelative(path);
      const masterKey = await secrets.getMasterKey();
      try {
        const made = await makeBackup({
          dataFolder,
          path,
          seal,
          masterKey,
          documents: storage.documents,
          version: product.version,
          now: now(),
        });
        // A failed note only means that a restore is not suggested after damage.
        await noteBackup(dataFolder, { path, createdAt: now().toISOString() }).catch(() => undefined);
        await audit.record({ kind: 'backup-made', subject: null, detail: { ...made } });
        return made;
      } finally {
        masterKey.fill(0);
      }
    },
    'backup.restore': async ({ path, passphrase, keep }) => {
      refuseRelative(path);
      let asks: RestoreQuestion | null = null;
      const preparing = prepareRestore({
        path,
        key: { passphrase },
        dataFolder,
        now: now(),
        adopt: async ({ folder, database, masterKey, isOwn }) => {
          const reach = await readReach({ folder, database });
          if (keep === undefined && reach.length > 0) {
            asks = { isOwn, kinds: reach.map(({ group, lines }) => ({ group, lines: [...lines] })) };
            throw reachNotAccepted();
          }
          const dropped = reach.map(({ group }) => group).filter((group) => keep?.includes(group) !== true);
          await dropReach({ folder, database }, new Set(dropped), now());
          const settings = new SqlSettingsStore(database);
          await adoptMasterKey(core.configuration.secretStore, settings, masterKey, askNobody);
        },
      });
      await preparing.catch((error: unknown) => {
        if (asks === null) throw error;
      });
      return { backup: await backupForUi(dataFolder), asks };
    },
    'backup.cancelRestore': async () => {
      await cancelPendingRestore(dataFolder);
      return backupForUi(dataFolder);
    },
  };
}

/** The window never asks for the instance's passphrase; it is entered at the start. */
async function askNobody(): Promise<string> {
  return Promise.reject(
    new StorageError('PASSPHRASE_REQUIRED', 'This instance keeps its key under a passphrase.', {
      remedy: 'Nothing was changed. End Sinete, then restore with "sinete restore".',
    }),
  );
}

async function backupForUi(dataFolder: string): Promise<BackupView> {
  const [copies, aside, pending] = await Promise.all([
    listDatabaseCopies(dataFolder),
    listSetAside(dataFolder),
    readPendingRestore(dataFolder),
  ]);
  return {
    folder: proposedFolder(),
    copies: copies.map((one) => ({ ...one, time: one.time.toISOString() })),
    aside: aside.map((one) => ({ ...one, time: one.time.toISOString() })),
    pending: pending ?? null,
  };
}

function proposedFolder(): string {
  const documents = join(homedir(), 'Documents');
  return existsSync(documents) ? documents : homedir();
}

function refuseRelative(path: string): void {
  if (!isAbsolute(path)) throw new ServiceError('REQUEST_INVALID', 'Give the absolute path of the backup.');
}
