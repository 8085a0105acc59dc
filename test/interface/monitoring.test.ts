import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/service/errors/index.ts';
import { plainRequest, startTestServer, type TestServer } from '../http/start-test-server.ts';

let server: TestServer;
let healthy = true;
const asked: boolean[] = [];

beforeAll(async () => {
  server = await startTestServer({
    readHealth: async (full) => {
      asked.push(full);
      return Promise.resolve({ status: healthy ? 'OK' : 'ERROR', messages: [healthy ? 'Well.' : 'The disk is full.'] });
    },
  });
});
afterAll(async () => server.stop());

describe('GET /dashboard', () => {
  it('answers the documented body', async () => {
    const answer = await plainRequest(server, { path: '/dashboard', headers: { 'Content-Type': 'application/json' } });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ time: '1767323045', status: { SIGNED: 3, WAITING: 1, ERROR: 0 } });
  });

  it('answers 503 when the store does not', async () => {
    server.transactions.failure = new ServiceError('STORAGE_UNAVAILABLE', 'x');
    const answer = await plainRequest(server, { path: '/dashboard' });
    server.transactions.failure = undefined;
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  });
});

describe('GET /health-check', () => {
  it.each([
    ['', false],
    ['?full=true', true],
    ['?full=TRUE', true],
    ['?full=1', true],
    ['?full', true],
    ['?full=false', false],
    ['?full=0', false],
  ])('with %s asks for details: %s', async (query, full) => {
    asked.length = 0;
    const answer = await plainRequest(server, { path: `/health-check${query}` });
    expect([answer.status, asked]).toEqual([200, [full]]);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'OK', messages: ['Well.'] });
  });

  it('answers 503 with the same body when something is wrong', async () => {
    healthy = false;
    const answer = await plainRequest(server, { path: '/health-check' });
    healthy = true;
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toEqual({ status: 'ERROR', messages: ['The disk is full.'] });
  });

  it('refuses a full that is neither true nor false', async () => {
    const answer = await plainRequest(server, { path: '/health-check?full=maybe' });
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ field: 'full' }] });
  });
});
