import type { RequestHandler } from 'express';
import type { Transactions } from '../../service/transactions/index.ts';
import { invalidFields } from '../read-json.ts';
import type { DashboardBody, HealthBody } from './schemas.ts';

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

/** The counters, with the second of their reading. */
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
