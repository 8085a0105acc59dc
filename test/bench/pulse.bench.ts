import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { copyWhenDue } from '../../src/storage/backup/daily-copies.ts';
import { letTimePass } from '../setup/waits.ts';
import { RealCore } from '../renderer/real-core.ts';
import { signFiles } from '../renderer/worlds.ts';
import type { Benchmark, BenchLine } from './harness.ts';
import { lengthenHistory, type HistorySize } from './long-history.ts';

const whole: HistorySize = { transactions: 200_000, documents: 5, auditRows: 3_000_000 };
const short: HistorySize = { transactions: 10_000, documents: 5, auditRows: 150_000 };

/** Milliseconds for which a request may wait until the thread takes the request up. */
const LIMIT = 50;
/** Milliseconds of an idle instance that are compared with. */
const IDLE = 3000;

/** The longest turn of the event loop during an action, in milliseconds. */
async function longestTurn(action: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  // The histogram counts from its first tick on.
  await letTimePass(20);
  delay.reset();
  await action();
  await letTimePass(20);
  delay.disable();
  return delay.max / 1e6;
}

const page = { offset: 0, limit: 50 } as const;

/** The actions that a person, a command or the background begins while others sign. */
function actionsOf(core: RealCore): Readonly<Record<string, () => Promise<unknown>>> {
  const { calls } = core;
  const { storage } = core.sinete.core;
  const database = join(core.folder, 'data', 'sinete.db');
  const newest = async (): Promise<unknown> => calls['history.documents'](page);
  return {
    History: newest,
    'History, signed': async () => calls['history.documents']({ ...page, status: 'SIGNED' }),
    'History, failed': async () => calls['history.documents']({ ...page, status: 'ERROR' }),
    'History, its last page': async () => calls['history.documents']({ ...page, offset: 49_000 }),
    'History, a word': async () => calls['history.documents']({ ...page, text: 'Contrato 777' }),
    'History, the chart': async () => calls['history.summary']({ minutesAhead: 0 }),
    Home: async () => calls['home.read']({}),
    'the list of transactions': async () => calls['transactions.list'](page),
    'audit verify': async () => calls['audit.verify']({}),
    'the audit log': async () => calls['audit.list']({ limit: 50 }),
    Doctor: async () => calls['doctor.read']({}),
    'a signature': async () => core.sign('a.txt', Buffer.from('um'), 'CAdES-detached'),
    'the daily copy': async () => copyWhenDue(database, { kept: 1, interval: 1 }, new Date()),
    'the check of kept results': async () => storage.transactions.keptResults('', 50),
    'the numbers of the dashboard': async () => storage.transactions.countByStatus(),
  };
}

export const benchmark: Benchmark = {
  name: `The pulse: the longest turn of the thread that serves requests, in relation to ${LIMIT} ms and an idle instance`,
  async run({ isShort }) {
    const core = await RealCore.start();
    try {
      await signFiles(core, ['Contrato.pdf']);
      await core.restart(async (dataFolder) => {
        lengthenHistory(join(dataFolder, 'sinete.db'), isShort ? short : whole);
        await Promise.resolve();
      });
      const lines: BenchLine[] = [];
      for (const [what, action] of Object.entries(actionsOf(core))) {
        const idle = await longestTurn(async () => letTimePass(IDLE));
        const longest = await longestTurn(action);
        lines.push({
          what,
          ratio: longest / (LIMIT + idle),
          bound: { atMost: 1 },
          detail: `${longest.toFixed(1)} ms, idle ${idle.toFixed(1)} ms`,
        });
      }
      return lines;
    } finally {
      await core.stop();
    }
  },
};
