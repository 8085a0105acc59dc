import { isAbsolute } from 'node:path';
import { ServiceError } from '../../service/index.ts';
import { makeBackup } from '../../storage/index.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../open-core.ts';
import { product } from '../product.ts';

/** The call that makes a backup while the instance runs. */
export function backupCalls(core: Core): Pick<CallHandlers, 'backup.make'> {
  const { dataFolder, storage, secrets, audit, now } = core;
  return {
    'backup.make': async ({ path, passphrase }) => {
      if (!isAbsolute(path)) throw new ServiceError('REQUEST_INVALID', 'Give the absolute path of the backup.');
      const masterKey = await secrets.getMasterKey();
      try {
        const made = await makeBackup({
          ...{ dataFolder, path, passphrase, masterKey, documents: storage.documents },
          ...{ version: product.version, now: now() },
        });
        await audit.record({ kind: 'backup-made', subject: null, detail: { ...made } });
        return made;
      } finally {
        masterKey.fill(0);
      }
    },
  };
}
