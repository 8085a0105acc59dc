/**
 * `npm run cluster -- --nodes 3`: nodes behind nginx on one PostgreSQL, killed at random while clients sign. `--short` is
 * the form of `npm run test:all`. `--documents`, `--kills` and `--restarts` change the size. The documents lie in
 * OpenStack Swift (`--store s3`), and with `--short` in a shared folder (`--store folder`).
 */
import { parseArgs } from 'node:util';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { describeTakeovers, runCluster, type ClusterPlan } from './cluster-run.ts';
import type { DocumentsPlace } from './start-cluster.ts';
import { fullPlan, shortPlan } from './plans.ts';

function readStore(word: string | undefined): DocumentsPlace | undefined {
  if (word === undefined || word === 'folder' || word === 's3') return word;
  throw new Error(`--store is folder or s3, not ${word}.`);
}

async function run(): Promise<number> {
  if (!ensureSystemPackages('cluster')) return 1;
  const number = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ nodes: number, documents: number, kills: number, restarts: number },
      ...{ store: { type: 'string' }, short: { type: 'boolean' } },
    },
  });
  const base = values.short === true ? shortPlan : fullPlan;
  const plan: ClusterPlan = {
    ...base,
    nodes: Number(values.nodes ?? base.nodes),
    documents: Number(values.documents ?? base.documents),
    kills: Number(values.kills ?? base.kills),
    databaseRestarts: Number(values.restarts ?? base.databaseRestarts),
    store: readStore(values.store) ?? base.store,
  };
  const started = performance.now();
  const { takeovers, audit, signed, repeated, ...faults } = await runCluster(plan, (line) => {
    console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  });
  console.log(`Signed: ${signed} of ${plan.documents}. Requests sent again: ${repeated}. Audit log: ${audit}.`);
  console.log(`Faults: ${JSON.stringify(faults)}`);
  console.log(describeTakeovers(takeovers));
  const isRight = Object.values(faults).every((one) => one === 0) && audit === 'intact' && signed === plan.documents;
  return isRight ? 0 : 1;
}

process.exitCode = await run();
