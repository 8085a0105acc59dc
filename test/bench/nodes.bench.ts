/**
 * Nodes on PostgreSQL behind nginx beside one instance on SQLite: the cost of a document for each part, the waits of
 * nodes, and the consequences for larger machines. Clients do the work of `npm run cluster`, without faults.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitsOf, orderSeconds, type DocumentCost } from '../cluster/capacity-model.ts';
import { ClusterClient } from '../cluster/cluster-client.ts';
import { transactionsOf } from '../cluster/cluster-run.ts';
import { DatabaseLoad, measuredSettings, type SessionLoad } from '../cluster/database-load.ts';
import { inspectedWords, profileMainThread } from '../cluster/node-profile.ts';
import { processorSeconds, threadSeconds, type ThreadKind } from '../cluster/processor-time.ts';
import { startCluster, type Service } from '../cluster/start-cluster.ts';
import { startSingle } from '../cluster/start-single.ts';
import type { ServingProcess } from '../app/run-sinete.ts';
import { letTimePass } from '../setup/waits.ts';
import { interleave, median, compared, type Benchmark, type BenchLine, type Rounds } from './harness.ts';

const names = ['sqlite', 'one', 'two', 'four'] as const;
type Name = (typeof names)[number];
const numberOfNodes = { one: 1, two: 2, four: 4 } as const;
type Clustered = keyof typeof numberOfNodes;
const clustered = ['one', 'two', 'four'] as const;

/** Clients for each node, to give more nodes more work. */
const CLIENTS = 4;
/** Seconds from a node to the database and back, and for a flush of its disk, in a data centre: for the model. */
const [ROUND_TRIP, FLUSH] = [0.000_3, 0.001] as const;
/** Milliseconds of watching nodes without work. */
const IDLE = 4000;
/** The machines of the model. */
const large = { nodes: 10, coresOfNode: 8, coresOfDatabase: 8, coresOfProxy: 8 } as const;

/** A service measured. */
interface Contender {
  readonly service: Service;
  readonly nodes: readonly ServingProcess[];
  readonly proxyPid: number;
  readonly database: DatabaseLoad | undefined;
  readonly stop: () => Promise<void>;
}

/** The cost of a number of documents. */
interface Figures {
  readonly documents: number;
  readonly seconds: number;
  readonly nodes: number;
  readonly database: number;
  readonly proxy: number;
  readonly threads: Readonly<Record<ThreadKind, number>>;
  readonly statements: number;
  readonly commits: number;
  readonly journalBytes: number;
  readonly sessions: SessionLoad | undefined;
}

const threadKinds = ['main', 'pool', 'worker', 'engine'] as const;

async function startContender(name: Name, callbacks: number): Promise<Contender> {
  if (name === 'sqlite') {
    const single = await startSingle(callbacks, inspectedWords);
    const { process, proxy } = single;
    return { service: single, nodes: [process], proxyPid: proxy.pid, database: undefined, stop: () => single.stop() };
  }
  const options = { databaseSettings: measuredSettings, nodeWords: inspectedWords };
  const cluster = await startCluster(numberOfNodes[name], callbacks, 'folder', options);
  const database = await DatabaseLoad.open(cluster.database, 'cluster');
  return {
    service: cluster,
    nodes: cluster.processes,
    proxyPid: cluster.proxy.pid,
    database,
    async stop() {
      await database.close();
      await cluster.stop();
    },
  };
}

/** Signs the mix of documents of `npm run cluster`. */
async function signWith(clients: readonly ClusterClient[], documents: number): Promise<void> {
  const left = [...transactionsOf(documents)];
  const run = async (client: ClusterClient): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { status } = await client.sign(next.work, next.count);
      if (status !== 'SIGNED') throw new Error(`A transaction ended with ${status}.`);
    }
  };
  await Promise.all(clients.map(run));
}

/** Measures an action that signs `documents`. */
async function measure(contender: Contender, documents: number, action: () => Promise<void>): Promise<Figures> {
  const { nodes, proxyPid, database } = contender;
  const pids = nodes.map(({ pid }) => pid);
  const now = () => ({
    nodes: processorSeconds(pids),
    proxy: processorSeconds([proxyPid]),
    threads: pids.map(threadSeconds),
    at: performance.now(),
  });
  const before = now();
  let load: Awaited<ReturnType<DatabaseLoad['during']>> | undefined;
  if (database === undefined) await action();
  else load = await database.during(action);
  const after = now();
  const ofThreads = (kind: ThreadKind): number =>
    after.threads.reduce((sum, one, index) => sum + one[kind] - (before.threads[index]?.[kind] ?? 0), 0);
  return {
    documents,
    seconds: (after.at - before.at) / 1000,
    nodes: after.nodes - before.nodes,
    proxy: after.proxy - before.proxy,
    threads: {
      main: ofThreads('main'),
      pool: ofThreads('pool'),
      worker: ofThreads('worker'),
      engine: ofThreads('engine'),
    },
    database: load?.processorSeconds ?? 0,
    statements: load?.statements ?? 0,
    commits: load?.commits ?? 0,
    journalBytes: load?.journalBytes ?? 0,
    sessions: load?.sessions,
  };
}

type Series = Readonly<Record<Name, Figures[]>>;

/** The median over rounds of a figure. */
const middle = (rounds: readonly Figures[], figure: (one: Figures) => number): number => median(rounds.map(figure));
const processors = ({ nodes, database, proxy }: Figures): number => nodes + database + proxy;

/** The share of waits for locks in the busy time of sessions. */
function lockShare({ sessions }: Figures): number {
  if (sessions === undefined) return 0;
  const { working, onLocks, onDisk, onNode, other } = sessions;
  const all = working + onLocks + onDisk + onNode + other;
  return all === 0 ? 0 : onLocks / all;
}

/** The share of time with the busiest order of commits held. */
const heldShare = ({ sessions }: Figures): number => Math.max(0, ...Object.values(sessions?.held ?? {}));

const milli = (seconds: number): string => `${(seconds * 1000).toFixed(2)} ms`;
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
const nodesOf = (name: Name): string => (name === 'sqlite' ? 'SQLite' : `${numberOfNodes[name]} on PostgreSQL`);

function rateLines(rates: Rounds<Name>): readonly BenchLine[] {
  const rate = (name: Name): string => `${median(rates[name]).toFixed(0)} documents a CPU-second`;
  return [
    {
      what: 'one node against SQLite',
      ...compared(rates, 'one', 'sqlite'),
      detail: `${rate('one')} against ${rate('sqlite')}`,
    },
    {
      what: 'two nodes against one',
      ...compared(rates, 'two', 'one'),
      bound: { atLeast: 0.6 },
      detail: rate('two'),
    },
    {
      what: 'four nodes against one',
      ...compared(rates, 'four', 'one'),
      bound: { atLeast: 0.5 },
      detail: rate('four'),
    },
  ];
}

/** The work of database sessions while documents were signed. */
function waitLines(series: Series): readonly BenchLine[] {
  return clustered.map((name) => {
    const rounds = series[name];
    const mean = (kind: 'working' | 'onLocks' | 'onDisk' | 'onNode'): string =>
      milli(middle(rounds, ({ sessions, seconds, documents }) => ((sessions?.[kind] ?? 0) * seconds) / documents));
    return {
      what: `waits for locks in the time of sessions, ${nodesOf(name)}`,
      ratio: middle(rounds, lockShare),
      detail:
        `a document: locks ${mean('onLocks')}, disk ${mean('onDisk')}, node ${mean('onNode')}, working ${mean('working')}; ` +
        `the busiest order is held for ${percent(middle(rounds, heldShare))} of the time`,
    };
  });
}

/** The processor time of a document by process and thread. */
function partLines(series: Series): readonly BenchLine[] {
  return names.map((name) => {
    const rounds = series[name];
    const of = (figure: (one: Figures) => number): string =>
      milli(middle(rounds, (one) => figure(one) / one.documents));
    const threads = threadKinds.map((kind) => `${kind} ${of((one) => one.threads[kind])}`).join(', ');
    return {
      what: `nodes in the CPU time of a document, ${nodesOf(name)}`,
      ratio: middle(rounds, (one) => one.nodes / processors(one)),
      detail: `nodes ${of((one) => one.nodes)} (threads: ${threads}), PostgreSQL ${of((one) => one.database)}, nginx ${of((one) => one.proxy)}`,
    };
  });
}

function costLines(series: Series, idle: Readonly<Record<Clustered, Figures>>): readonly BenchLine[] {
  return clustered.map((name) => {
    const rounds = series[name];
    const of = (figure: (one: Figures) => number): number => middle(rounds, (one) => figure(one) / one.documents);
    const { statements, commits, seconds } = idle[name];
    const perSecond = (count: number): string => (count / seconds / numberOfNodes[name]).toFixed(1);
    return {
      what: `statements for a document, ${nodesOf(name)}`,
      ratio: of((one) => one.statements),
      detail:
        `${of((one) => one.commits).toFixed(1)} commits, ${(of((one) => one.journalBytes) / 1000).toFixed(0)} kB of WAL; ` +
        `an idle node: ${perSecond(statements)} statements and ${perSecond(commits)} commits a second`,
    };
  });
}

/**
 * The model's forecast for large machines, from the costs with four nodes: more nodes do not make a document cheaper.
 */
function modelLines(rounds: readonly Figures[]): readonly BenchLine[] {
  const of = (figure: (one: Figures) => number): number => middle(rounds, (one) => figure(one) / one.documents);
  const cost: DocumentCost = {
    mainThread: of((one) => one.threads.main),
    node: of((one) => one.nodes),
    database: of((one) => one.database),
    proxy: of((one) => one.proxy),
    order: orderSeconds({
      statements: of((one) => one.statements),
      commits: of((one) => one.commits),
      roundTrip: ROUND_TRIP,
      flush: FLUSH,
    }),
  };
  const limits = limitsOf(cost, large);
  const [, first = NaN] = limits[0] ?? [];
  return limits.map(([limit, rate], index) => ({
    what: `model, ten nodes with eight cores: ${index + 1}. ${limit}`,
    ratio: rate / first,
    detail: `${rate.toFixed(0)} documents a second`,
  }));
}

export const benchmark: Benchmark = {
  name: 'Nodes on PostgreSQL, beside one instance on SQLite',
  async run({ isShort }) {
    const documents = isShort ? 10 : 60;
    const receiver = createServer((request, response) => {
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port: callbacks } = receiver.address() as AddressInfo;
    const contenders = new Map<Name, Contender>();
    try {
      for (const name of names) contenders.set(name, await startContender(name, callbacks));
      return await compare(contenders, { documents, callbacks });
    } finally {
      for (const contender of contenders.values()) await contender.stop();
      await new Promise((resolve) => receiver.close(resolve));
    }
  },
};

async function compare(
  contenders: ReadonlyMap<Name, Contender>,
  { documents, callbacks }: { readonly documents: number; readonly callbacks: number },
): Promise<readonly BenchLine[]> {
  const clients = new Map<Name, readonly ClusterClient[]>();
  const contender = (name: Name): Contender => {
    const found = contenders.get(name);
    if (found === undefined) throw new Error(`${name} does not run.`);
    return found;
  };
  const sign = async (name: Name): Promise<void> => signWith(clients.get(name) ?? [], documents);
  for (const name of names) {
    const { service, nodes } = contender(name);
    const own = Array.from(
      { length: CLIENTS * nodes.length },
      () => new ClusterClient(service, `http://127.0.0.1:${callbacks}/?tcn=`),
    );
    for (const client of own) await client.begin();
    clients.set(name, own);
  }
  // Freshly loaded code is slower: each node signs before the measurement.
  for (const name of names) for (let turn = 0; turn < contender(name).nodes.length; turn++) await sign(name);
  const series: Series = { sqlite: [], one: [], two: [], four: [] };
  const round = (name: Name) => async (): Promise<number> => {
    const figures = await measure(contender(name), documents, () => sign(name));
    series[name].push(figures);
    return documents / processors(figures);
  };
  const rates = await interleave({
    sqlite: round('sqlite'),
    one: round('one'),
    two: round('two'),
    four: round('four'),
  });
  // The first round does not count.
  for (const name of names) series[name].shift();
  const idle = async (name: Clustered): Promise<Figures> => measure(contender(name), 0, () => letTimePass(IDLE));
  const idleFigures = { one: await idle('one'), two: await idle('two'), four: await idle('four') };
  const profiles: BenchLine[] = [];
  for (const name of ['sqlite', 'one', 'four'] as const)
    profiles.push(await profileLine(name, contender(name), () => sign(name)));
  return [
    ...rateLines(rates),
    ...waitLines(series),
    ...partLines(series),
    ...profiles,
    ...costLines(series, idleFigures),
    ...modelLines(series.four),
  ];
}

async function profileLine(name: Name, { nodes }: Contender, sign: () => Promise<void>): Promise<BenchLine> {
  const { idle, outside, ...parts } = await profileMainThread(nodes[0]?.output() ?? '', sign);
  const byShare = Object.entries(parts).sort(([, one], [, other]) => other - one);
  return {
    what: `idle main thread of a node, ${nodesOf(name)}`,
    ratio: idle,
    detail: `outside of JavaScript ${percent(outside)}; of the JavaScript: ${byShare
      .map(([part, share]) => `${part} ${percent(share / (1 - idle - outside))}`)
      .join(', ')}`,
  };
}
