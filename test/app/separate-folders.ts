import { join } from 'node:path';
import { buildUiCalls } from '../../src/app/calls/ui-calls.ts';
import { openCore, requesters, type Core } from '../../src/app/compose/open-core.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import type { Workplace } from './run-sinete.ts';

/** A data folder of this name below `folder`, with a key file of its own beside it. The test removes `folder`. */
export function separateFolder(folder: string, name: string): Workplace {
  return {
    folder,
    data: join(folder, name),
    environment: {
      SINETE_DATA: join(folder, name),
      SINETE_SECRET_STORE_MODE: 'key-file',
      SINETE_SECRET_STORE_KEY_FILE: join(folder, `${name}-keys`, 'master.key'),
    },
    remove: async () => Promise.resolve(),
  };
}

/** The core of a data folder in this process, with the calls of the command line. */
export async function openFolder({ data, environment }: Workplace): Promise<{ core: Core; calls: CallHandlers }> {
  const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => name !== 'SINETE_DATA'));
  const configuration = await readConfiguration({ dataFolder: data, environment: rest });
  const core = await openCore({ dataFolder: data, configuration });
  return { core, calls: buildUiCalls(core, requesters['command-line'], () => '') };
}
