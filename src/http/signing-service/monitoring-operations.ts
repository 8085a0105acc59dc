import { z } from 'zod';
import type { Transactions } from '../../service/transactions/index.ts';
import { checkLiveness as answerLiveness, checkReadiness as answerReadiness, type Life } from '../life.ts';
import { json } from '../openapi/problems.ts';
import { forAdministrators, forEverybody, type Operation } from '../operation.ts';
import {
  checkHealth as answerHealth,
  readDashboard as answerDashboard,
  readMetrics as answerMetrics,
  type Metrics,
  type ReadHealth,
} from './monitoring.ts';
import { dashboardBody, healthBody, lifeBody } from './schemas.ts';

/** Services of counters, metrics and probes. */
export interface MonitoringParts {
  readonly transactions: Transactions;
  readonly readHealth: ReadHealth;
  /** Absent: not switched on. */
  readonly metrics?: Pick<Metrics, 'read'> | undefined;
  readonly life: Life;
  readonly now: () => Date;
}

const tag = 'Monitoring';
const ofMonitors = forAdministrators('common', 'monitor');

/** True for a request that asks for the details of the health. */
const wantsDetails = (full: unknown): boolean => full !== undefined && full !== '0' && full !== 'false';

/** Counters, metrics and probes. */
export const monitoringOperations: readonly Operation<MonitoringParts>[] = [
  {
    id: 'readDashboard',
    number: 6,
    method: 'get',
    paths: ['/dashboard'],
    guard: 'api',
    access: ofMonitors,
    body: 'none',
    handle: ({ transactions, now }) => answerDashboard(transactions, now),
    describe: () => ({
      tag,
      summary: 'Count documents by status',
      description: 'Counts of documents since the installation.',
      answers: { 200: { description: 'The counters.', content: json(dashboardBody) } },
      example: { time: '1767323045', status: { SIGNED: 120, WAITING: 2, ERROR: 1 } },
    }),
  },
  {
    id: 'readMetrics',
    method: 'get',
    paths: ['/metrics'],
    guard: 'api',
    access: ofMonitors,
    body: 'none',
    isProbe: true,
    answersWithoutDatabase: true,
    handle: ({ metrics }) => answerMetrics(metrics),
    describe: () => ({
      tag,
      summary: 'Metrics for Prometheus, if the configuration enables them',
      description: '404 unless the configuration has metrics = true.',
      answers: {
        200: {
          description: 'The metrics, in the text format of Prometheus.',
          content: { 'text/plain': { schema: z.string() } },
        },
      },
      example: '# TYPE sinete_documents gauge\nsinete_documents{status="SIGNED"} 120\n',
      problems: ['ADDRESS_NOT_FOUND'],
    }),
  },
  {
    id: 'checkHealth',
    number: 7,
    method: 'get',
    paths: ['/health-check'],
    guard: 'api',
    access: forEverybody('common'),
    accessFor: ({ full }) => (wantsDetails(full) ? ofMonitors : forEverybody('common')),
    body: 'none',
    isProbe: true,
    handle: ({ readHealth }) => answerHealth(readHealth),
    describe: () => ({
      tag,
      summary: 'Check this instance now',
      description:
        'Database, disk, key sources, time-stamp servers, clock and secret store. A try to write that succeeded counts for a second. full=true tells details.',
      parameters: { query: z.object({ full: z.boolean().optional() }) },
      answers: {
        200: { description: 'Everything is well.', content: json(healthBody) },
        503: { description: 'Something is wrong; messages tell what.', content: json(healthBody) },
      },
      example: { status: 'OK', messages: [] },
      problems: ['REQUEST_INVALID'],
    }),
  },
  {
    id: 'checkLiveness',
    method: 'get',
    paths: ['/live'],
    guard: 'api',
    access: forEverybody('common'),
    body: 'none',
    isProbe: true,
    answersWhilePaused: true,
    answersWithoutDatabase: true,
    handle: () => answerLiveness,
    describe: () => ({
      tag,
      summary: 'Tell that this process answers',
      description: 'For a supervisor: a process that does not answer this is started again.',
      answers: { 200: { description: 'It answers.', content: json(z.object({ status: z.literal('LIVE') })) } },
      example: { status: 'LIVE' },
    }),
  },
  {
    id: 'checkReadiness',
    method: 'get',
    paths: ['/ready'],
    guard: 'api',
    access: forEverybody('common'),
    body: 'none',
    isProbe: true,
    answersWhilePaused: true,
    answersWithoutDatabase: true,
    handle: ({ life }) => answerReadiness(life),
    describe: () => ({
      tag,
      summary: 'Tell whether this instance takes new work',
      description:
        'For a load balancer. READ_ONLY waits for sinete recover, PAUSED for the owner, and DRAINING ends when its running work is done.',
      answers: {
        200: { description: 'New work is taken.', content: json(lifeBody) },
        503: { description: 'New work is not taken now; status tells why.', content: json(lifeBody) },
      },
      example: { status: 'READY' },
    }),
  },
];
