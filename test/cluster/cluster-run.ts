/** Clients sign while nodes are killed and the database restarts; then everything is counted. */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { letTimePass, until } from '../setup/waits.ts';
import { askOnce, ClusterClient, type TransactionAnswer, type Work } from './cluster-client.ts';
import { startCluster, type Cluster, type DocumentsPlace } from './start-cluster.ts';

/** The size of a run. */
export interface ClusterPlan {
  readonly nodes: number;
  /** Documents of all transactions: 85 % CMS, 13 % PAdES, 2 % uploads of 5 MB. */
  readonly documents: number;
  readonly kills: number;
  readonly databaseRestarts: number;
  readonly clients: number;
  /** Where the nodes keep their documents: a folder, or OpenStack Swift through its S3 layer. */
  readonly store: DocumentsPlace;
}

/** The counts of a run. Every number of a fault is to be 0. */
export interface ClusterOutcome {
  readonly signed: number;
  /** Documents that did not become SIGNED. */
  readonly failed: number;
  /** Transactions in the database that no client was told of, and the other way round. */
  readonly lost: number;
  /** Documents with other than one signature in the audit log. */
  readonly doubled: number;
  /** Transactions whose callback never came. */
  readonly callbacksMissing: number;
  /** Answers and results that differ between two nodes. */
  readonly differing: number;
  readonly audit: string;
  /** Requests that clients had to send again. */
  readonly repeated: number;
  /** Seconds until each job of a killed node was at another node or finished, in order. */
  readonly takeovers: readonly number[];
}

/** Documents of a transaction of each kind, and the share of all documents. */
const kinds: Readonly<Record<Work, { readonly together: number; readonly share: number }>> = {
  cms: { together: 5, share: 0.85 },
  pades: { together: 3, share: 0.13 },
  upload: { together: 1, share: 0.02 },
};
/** Milliseconds between two looks at the jobs of a killed node. */
const BETWEEN_LOOKS = 100;

/** Runs the plan; `tell` gets a line about each fault. */
export async function runCluster(plan: ClusterPlan, tell: (line: string) => void): Promise<ClusterOutcome> {
  const notified: string[] = [];
  const receiver = createServer((request, response) => {
    notified.push(new URL(request.url ?? '', 'http://localhost').searchParams.get('tcn') ?? '');
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const callbacks = portOf(receiver);
  try {
    const cluster = await startCluster(plan.nodes, callbacks, plan.store);
    try {
      tell(`${plan.nodes} nodes run behind nginx.`);
      const faults = new Faults(cluster, plan, tell);
      const work = transactionsOf(plan.documents);
      const signed = await signAll({ cluster, plan, work, callbacks }, faults);
      tell(`${signed.finished.length} transactions are finished.`);
      await cameOf(notified, signed.finished);
      await cluster.isReady();
      return await count(cluster, { ...signed, takeovers: faults.takeovers, notified, tell });
    } finally {
      await cluster.stop();
    }
  } finally {
    await new Promise((resolve) => receiver.close(resolve));
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** The transactions of a run, mixed. */
export function transactionsOf(documents: number): readonly { readonly work: Work; readonly count: number }[] {
  const all = (['cms', 'pades', 'upload'] as const).flatMap((work) => {
    const { together, share } = kinds[work];
    const wanted = Math.round(documents * share);
    return Array.from({ length: Math.ceil(wanted / together) }, (_one, index) => ({
      work,
      count: Math.min(together, wanted - index * together),
      place: Math.random(),
    }));
  });
  return all.sort((one, other) => one.place - other.place);
}

interface Signing {
  readonly cluster: Cluster;
  readonly plan: ClusterPlan;
  readonly work: ReturnType<typeof transactionsOf>;
  readonly callbacks: number;
}

/** Signs all transactions with several clients, while `faults` go on. */
async function signAll(
  { cluster, plan, work, callbacks }: Signing,
  faults: Faults,
): Promise<{ readonly finished: readonly TransactionAnswer[]; readonly repeated: number }> {
  const finished: TransactionAnswer[] = [];
  const left = [...work];
  const clients = Array.from({ length: plan.clients }, () => {
    return new ClusterClient(cluster, `http://127.0.0.1:${callbacks}/?tcn=`);
  });
  for (const client of clients) await client.begin();
  const run = async (client: ClusterClient): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      finished.push(await client.sign(next.work, next.count));
    }
  };
  const running = Promise.all(clients.map(run));
  await Promise.all([running, faults.run(() => finished.length / work.length)]);
  return { finished, repeated: clients.reduce((sum, { repeated }) => sum + repeated, 0) };
}

/** The callback of each transaction comes at last. */
async function cameOf(notified: readonly string[], finished: readonly TransactionAnswer[]): Promise<void> {
  await until(() => new Set(notified).size >= finished.length, 'every callback has come').catch(() => undefined);
}

/** Kills of nodes, and restarts of the database, spread over the run. */
class Faults {
  readonly takeovers: number[] = [];
  readonly #cluster: Cluster;
  readonly #plan: ClusterPlan;
  readonly #tell: (line: string) => void;

  constructor(cluster: Cluster, plan: ClusterPlan, tell: (line: string) => void) {
    this.#cluster = cluster;
    this.#plan = plan;
    this.#tell = tell;
  }

  /** @param progress the share of finished transactions */
  async run(progress: () => number): Promise<void> {
    const { kills, databaseRestarts } = this.#plan;
    const total = kills + databaseRestarts;
    for (let number = 0; number < total; number++) {
      await until(() => progress() >= (0.9 * (number + 1)) / (total + 1), `fault ${number + 1} is due`);
      const isDatabase =
        Math.floor(((number + 1) * databaseRestarts) / total) > Math.floor((number * databaseRestarts) / total);
      if (isDatabase) await this.#restartDatabase();
      else await this.#killNode(Math.floor(Math.random() * this.#plan.nodes));
    }
  }

  async #killNode(number: number): Promise<void> {
    const killed = await this.#cluster.kill(number);
    const at = performance.now();
    const jobs = await this.#jobsOf(killed);
    this.#tell(`Node ${number + 1} was killed with ${jobs.length} jobs.`);
    let left = jobs;
    while (left.length > 0) {
      await letTimePass(BETWEEN_LOOKS);
      const still = await this.#jobsOf(killed);
      const seconds = (performance.now() - at) / 1000;
      for (const tcn of left) if (!still.includes(tcn)) this.takeovers.push(seconds);
      left = left.filter((tcn) => still.includes(tcn));
    }
    await this.#cluster.restart(number);
  }

  /** Unfinished transactions that a node has claimed. */
  async #jobsOf(node: string): Promise<readonly string[]> {
    const statement = `select tcn from transactions where claimed_by = '${node}' and finished_at is null`;
    return (await this.#cluster.query<{ tcn: string }>(statement)).map(({ tcn }) => tcn);
  }

  async #restartDatabase(): Promise<void> {
    this.#tell('The database was killed, and starts again.');
    await this.#cluster.database.kill();
    await this.#cluster.database.resume();
  }
}

async function count(
  cluster: Cluster,
  run: {
    readonly finished: readonly TransactionAnswer[];
    readonly repeated: number;
    readonly takeovers: readonly number[];
    readonly notified: readonly string[];
    readonly tell: (line: string) => void;
  },
): Promise<ClusterOutcome> {
  const { finished, repeated, takeovers, notified, tell } = run;
  const documents = finished.flatMap((transaction) => transaction.documents);
  const told = new Set(finished.map(({ tcn }) => tcn));
  const stored = new Set((await cluster.query<{ tcn: string }>('select tcn from transactions')).map(({ tcn }) => tcn));
  const [rows] = await cluster.query<{ signed: string; logged: string; finished: string }>(`
    select (select count(*) from documents where status = 'SIGNED') as signed,
      (select coalesce(sum(jsonb_array_length(detail::jsonb -> 'documents')), 0)
        from audit_log where kind = 'documents-signed') as logged`);
  return {
    signed: documents.filter(({ status }) => status === 'SIGNED').length,
    failed: documents.filter(({ status }) => status !== 'SIGNED').length,
    lost: [...told].filter((tcn) => !stored.has(tcn)).length + [...stored].filter((tcn) => !told.has(tcn)).length,
    doubled: Math.abs(Number(rows?.logged) - Number(rows?.signed)),
    callbacksMissing: [...told].filter((tcn) => !notified.includes(tcn)).length,
    differing: await countDiffering(cluster, finished, tell),
    audit: (await cluster.verifyAudit()).state,
    repeated,
    takeovers: [...takeovers].sort((one, other) => one - other),
  };
}

/** Different answers that are told; the others are only counted. */
const TOLD = 3;
const isLong = ({ length }: Buffer): boolean => length > 2000;

/** A query without `lifetime`, the seconds until the result is removed, which differ from answer to answer. */
const withoutCountdown = (body: Buffer): Buffer =>
  Buffer.from(
    JSON.stringify(JSON.parse(body.toString()), (name, value: unknown) => (name === 'lifetime' ? undefined : value)),
  );

/** Asks every node for each transaction and its first result. */
async function countDiffering(
  cluster: Cluster,
  finished: readonly TransactionAnswer[],
  tell: (line: string) => void,
): Promise<number> {
  let differing = 0;
  for (const { tcn, documents } of finished) {
    const paths = [`/signature-service/${tcn}`, new URL(documents[0]?.result ?? '', 'http://none/').pathname];
    for (const path of paths) {
      const answers = await Promise.all(
        cluster.nodePorts.map(async (port) => {
          const { status, body } = await askOnce(port, path);
          const told = path.startsWith('/signature-service/') ? withoutCountdown(body) : body;
          return `${path} ${status} ${isLong(told) ? createHash('sha256').update(told).digest('hex') : told.toString()}`;
        }),
      );
      if (new Set(answers).size === 1 && answers[0]?.startsWith(`${path} 200 `) === true) continue;
      differing++;
      if (differing <= TOLD) tell(`Nodes answer differently: ${answers.join(' | ').replaceAll(tcn, '<tcn>')}`);
    }
  }
  return differing;
}

/** The takeovers in a single line: count, and seconds of the first, the middle, the last but a tenth, and the last. */
export function describeTakeovers(takeovers: readonly number[]): string {
  if (takeovers.length === 0) return 'No killed node had a job.';
  const at = (share: number): string => (takeovers[Math.floor(share * (takeovers.length - 1))] ?? 0).toFixed(1);
  return `${takeovers.length} jobs were taken over: first ${at(0)} s, half ${at(0.5)} s, 90 % ${at(0.9)} s, last ${at(1)} s.`;
}
