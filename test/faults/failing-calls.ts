import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve, type Workplace } from '../app/run-sinete.ts';
import { runTool } from '../oracles/run-program.ts';
import { systemFile } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';
import { workplaceWithKey } from './kills.ts';
import type { Tally } from './run-faults.ts';
import { healthOf, judge, newRequest, send, type Acknowledged, type Sent } from './signed-documents.ts';

const SOURCE = fileURLToPath(new URL('./fail-calls.c', import.meta.url));
/** Bytes of a plan, and where the library counts (`fail-calls.c`). */
const PLAN_SIZE = 4096;
const COUNTER = PLAN_SIZE / 2;
/** In place of an errno: the first half of the bytes is written. */
const SHORT = -1;
const { EIO, ENOSPC, EMFILE } = constants.errno;

/** Call, errno, how often (-1: each time), and a part of the path. */
type Plan = readonly [call: string, error: number, count: number, path: string];

/** `data/` is in every path of the instance. */
const plans: readonly Plan[] = [
  ['write', ENOSPC, 1, 'sinete.db-wal'],
  ['write', ENOSPC, -1, 'sinete.db-wal'],
  ['write', EIO, 1, 'sinete.db-wal'],
  ['write', SHORT, -1, 'sinete.db-wal'],
  ['flush', EIO, 1, 'sinete.db-wal'],
  ['flush', EIO, -1, 'sinete.db-wal'],
  ['write', EIO, -1, '.mark'],
  ['flush', EIO, 1, '.mark'],
  ['write', SHORT, -1, 'data/results'],
  ['write', ENOSPC, 1, 'data/incoming'],
  ['flush', EIO, -1, 'data/results'],
  ['flush', EIO, -1, 'data/documents'],
  ['rename', EIO, 1, 'data/'],
  ['open', EMFILE, -1, 'data/results'],
  ['open', EMFILE, 3, 'data/'],
  ['write', ENOSPC, -1, 'sinete.log'],
  ['write', ENOSPC, -1, 'data/'],
];

/** Two plans for a short run: a disk that flushes no more, and one without room. */
export const fewPlans: readonly Plan[] = [
  ['flush', EIO, -1, 'sinete.db-wal'],
  ['write', ENOSPC, -1, 'data/'],
];

/** Each plan below one running instance while eight requests are under way; then a kill, and a look at all of them. */
export async function failCalls(wanted: readonly Plan[] = plans): Promise<Tally> {
  const workplace = await workplaceWithKey();
  const acknowledged: Acknowledged[] = [];
  const refused: Sent[] = [];
  const unmet: string[] = [];
  try {
    const file = join(workplace.folder, 'plan');
    const instance = await serve(await withLibrary(workplace, file));
    for (const plan of wanted) {
      writePlan(file, plan.join(' '));
      const requests = Array.from({ length: 8 }, (_one, index) => newRequest(index));
      const answers = await Promise.all(
        requests.map(async (request) => send(instance.baseUrl, request).catch(() => undefined)),
      );
      if (readFileSync(file).readInt32LE(COUNTER) === 0) unmet.push(plan.join(' '));
      writePlan(file, 'none');
      acknowledged.push(...answers.filter((one) => one !== undefined));
      refused.push(...requests.filter((_request, index) => answers[index] === undefined));
      // The fault is over: the same instance signs again.
      await until(
        async () => {
          const one = await send(instance.baseUrl, newRequest(0)).catch(() => undefined);
          if (one !== undefined) acknowledged.push(one);
          return one !== undefined;
        },
        `documents are signed after ${plan.join(' ')}`,
      );
    }
    await instance.stop('SIGKILL');
    return { ...(await look(workplace, acknowledged, refused, unmet)), cases: wanted.length };
  } finally {
    await workplace.remove();
  }
}

async function look(
  workplace: Workplace,
  acknowledged: Acknowledged[],
  refused: readonly Sent[],
  unmet: readonly string[],
): Promise<Omit<Tally, 'cases'>> {
  const next = await serve(workplace);
  let doubled = 0;
  for (const request of refused) {
    const [first, second] = [await send(next.baseUrl, request), await send(next.baseUrl, request)];
    if (first?.tcn !== second?.tcn) doubled++;
    if (first !== undefined) acknowledged.push(first);
  }
  const fates = await judge(next.baseUrl, acknowledged);
  const { ok, text } = await healthOf(next.baseUrl);
  if (!ok) console.log(text);
  for (const plan of unmet) console.log(`never met: ${plan}`);
  await next.stop();
  const hidden = unmet.length + (ok ? 0 : 1);
  return { name: 'failing calls', acknowledged: acknowledged.length, doubled, hidden, ...fates };
}

function writePlan(file: string, text: string): void {
  const plan = Buffer.alloc(PLAN_SIZE);
  plan.write(`${text}\n`);
  // In place: the instance has mapped the file.
  writeFileSync(file, plan, { flag: 'r+' });
}

/** The workplace with the compiled library below its instance. */
async function withLibrary(workplace: Workplace, plan: string): Promise<Workplace> {
  systemFile('C headers');
  const library = join(workplace.folder, 'fail-calls.so');
  await runTool('gcc', ['-shared', '-fPIC', '-O1', '-Wall', '-o', library, SOURCE, '-ldl']);
  writeFileSync(plan, Buffer.alloc(PLAN_SIZE));
  writePlan(plan, 'none');
  return { ...workplace, environment: { ...workplace.environment, LD_PRELOAD: library, FAULT_PLAN: plan } };
}
