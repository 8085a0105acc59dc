import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { HttpError } from '../http-error.ts';
import type { HttpLog, RequestEntry } from '../request-log.ts';
import type { Transactions } from '../../service/transactions/index.ts';
import { invalidFields } from '../read-body.ts';
import type { DashboardBody, HealthBody } from './schemas.ts';

/** Values that are counted when the metrics are read. */
export interface MetricSources {
  /** Documents by status. */
  readonly documents: () => Promise<Readonly<Record<string, number>>>;
  /** Unfinished transactions by the reason of waiting; `signing` waits for nothing. */
  readonly unfinished: () => Promise<Readonly<Record<'upload' | 'approval' | 'pin' | 'signing', number>>>;
  /** Approved documents before their signature. */
  readonly queued: () => Promise<number>;
  /** Key sources by state. */
  readonly keySources: () => Promise<Readonly<Record<'ok' | 'failing' | 'quarantined', number>>>;
  /** 1 for each part of the storage that answers, 0 for one that does not: `database`, and `documents` in a bucket. */
  readonly storage: () => Promise<Readonly<Record<string, 0 | 1>>>;
  /** Living nodes on the database, and transactions whose job this node has; a single instance is one node. */
  readonly nodes: () => Promise<{ readonly alive: number; readonly jobs: number }>;
}

/** The metrics of this instance. Labels name operations, states and configured servers, and never people. */
export interface Metrics {
  request(entry: RequestEntry): void;
  /** Records a request for a time stamp, with its duration in seconds. */
  stamp(server: string, outcome: 'given' | 'refused', seconds: number): void;
  /** Records that this node has stored a result of this size in bytes. */
  signed(bytes: number): void;
  /** Records that a document of this node ended with an error. */
  failed(): void;
  /** Records that this node has taken over the job of a node that is not alive any more. */
  tookOver(): void;
  /** In the text format of Prometheus. */
  read(): Promise<{ readonly contentType: string; readonly body: string }>;
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'sinete_requests_total',
    help: 'Requests by operation and status',
    registers,
    labelNames: ['operation', 'method', 'status'],
  });
  const durations = new Histogram({
    name: 'sinete_request_duration_seconds',
    help: 'Time to answer by operation',
    registers,
    labelNames: ['operation'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
  });
  const stamps = new Histogram({
    name: 'sinete_timestamp_duration_seconds',
    help: 'Time to get a time stamp by server',
    registers,
    labelNames: ['server', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  const work = addWorkCounters(registers);
  addGauges(registers, sources);
  return {
    request({ route, method, status, milliseconds }) {
      requests.inc({ operation: route, method: knownMethods.has(method) ? method : 'other', status });
      durations.observe({ operation: route }, milliseconds / 1000);
    },
    stamp(server, outcome, seconds) {
      stamps.observe({ server, outcome }, seconds);
    },
    ...work,
    read: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** The counters of the work of this node, since its start; the sum over all nodes is that of the service. */
function addWorkCounters(registers: Registry[]): Pick<Metrics, 'signed' | 'failed' | 'tookOver'> {
  const finished = new Counter({
    name: 'sinete_documents_finished_total',
    help: 'Documents that this node has signed, or that failed here',
    registers,
    labelNames: ['status'],
  });
  // A rate needs the counter from the start.
  for (const status of ['signed', 'failed']) finished.inc({ status }, 0);
  const bytes = new Counter({
    name: 'sinete_result_bytes_total',
    help: 'Bytes of the results that this node has signed',
    registers,
  });
  const takenOver = new Counter({
    name: 'sinete_jobs_taken_over_total',
    help: 'Jobs that this node took over from nodes that ended',
    registers,
  });
  return {
    signed(size) {
      finished.inc({ status: 'signed' });
      bytes.inc(size);
    },
    failed: () => finished.inc({ status: 'failed' }),
    tookOver: () => takenOver.inc(),
  };
}

/** Methods allowed as labels: other methods would be label values chosen by strangers. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

function addGauges(registers: Registry[], sources: MetricSources): void {
  const byLabel = (
    name: string,
    help: string,
    label: string,
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void => {
    const gauge = new Gauge({
      name,
      help,
      registers,
      labelNames: [label],
      async collect() {
        gauge.reset();
        for (const [value, count] of Object.entries((await readSoon(read)) ?? {})) gauge.set({ [label]: value }, count);
      },
    });
  };
  byLabel('sinete_documents', 'Documents by status', 'status', sources.documents);
  byLabel(
    'sinete_transactions_unfinished',
    'Unfinished transactions by what they wait for',
    'waiting_for',
    sources.unfinished,
  );
  byLabel('sinete_key_sources', 'Tokens, drivers and key files by state', 'state', sources.keySources);
  byLabel('sinete_storage_up', 'Parts of the storage: 1 answers, 0 does not', 'part', sources.storage);
  const single = (name: string, help: string, read: () => Promise<number>): void => {
    const gauge = new Gauge({
      name,
      help,
      registers,
      async collect() {
        // Without a label a gauge shows 0 from the start, so one without a value is taken out.
        gauge.remove();
        const count = await readSoon(read);
        if (count !== undefined) gauge.set(count);
      },
    });
  };
  single('sinete_documents_queued', 'Documents that may be signed and are not yet', sources.queued);
  single('sinete_nodes_alive', 'Nodes on the database that are alive', async () => (await sources.nodes()).alive);
  single('sinete_jobs', 'Transactions whose job this node has', async () => (await sources.nodes()).jobs);
}

/** Milliseconds for a value. Prometheus waits for ten seconds. */
const PATIENCE = 4000;

/**
 * Undefined for a value that cannot be read, or not soon. The other metrics are shown all the same, so that a lost
 * database is visible and not only a silent instance.
 */
async function readSoon<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const impatient = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE);
  });
  try {
    return await Promise.race([read().catch(() => undefined), impatient]);
  } finally {
    clearTimeout(timer);
  }
}

/** A log of requests that also counts them in the metrics. */
export function countingLog(log: HttpLog, metrics: Pick<Metrics, 'request'> | undefined): HttpLog {
  if (metrics === undefined) return log;
  return {
    request: (entry) => {
      metrics.request(entry);
      log.request(entry);
    },
    failure: (requestId, error) => {
      log.failure(requestId, error);
    },
  };
}

/** `GET /metrics`, when enabled by the configuration; otherwise 404. */
export function readMetrics(metrics: Pick<Metrics, 'read'> | undefined): RequestHandler {
  return async (_request, response) => {
    if (metrics === undefined) {
      throw new HttpError('ADDRESS_NOT_FOUND', 'Metrics are switched off: the key "metrics" of the configuration.');
    }
    const { contentType, body } = await metrics.read();
    response.set('Content-Type', contentType);
    response.send(body);
  };
}

/** Computes the health body of endpoint 7; with `full`, its details too. */
export type ReadHealth = (full: boolean) => Promise<HealthBody>;

/** Endpoint 6: `GET /dashboard` counts documents by status. */
export function readDashboard(transactions: Transactions, now: () => Date): RequestHandler {
  return async (_request, response) => {
    response.json(await dashboardBody(transactions, now));
  };
}

/** Endpoint 7: `GET /health-check?full=`; computed at request time, 200 when all is well and 503 otherwise. */
export function checkHealth(readHealth: ReadHealth): RequestHandler {
  return async (request, response) => {
    const health = await readHealth(readFull(request.query.full));
    response.status(health.status === 'OK' ? 200 : 503);
    response.json(health);
  };
}

/** The counts, with the second in which they were read. */
export async function dashboardBody(transactions: Transactions, now: () => Date): Promise<DashboardBody> {
  const { SIGNED, WAITING, ERROR } = await transactions.countByStatus();
  return { time: String(Math.floor(now().getTime() / 1000)), status: { SIGNED, WAITING, ERROR } };
}

function readFull(full: unknown): boolean {
  if (full === undefined) return false;
  const text = typeof full === 'string' ? full.toLowerCase() : 'several';
  switch (text) {
    case '':
    case '1':
    case 'true':
      return true;
    case '0':
    case 'false':
      return false;
    default:
      throw invalidFields([{ field: 'full', code: 'INVALID_TYPE', detail: 'Give true or false.' }]);
  }
}
