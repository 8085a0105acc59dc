import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Readiness } from '../../src/http/life.ts';
import { plainRequest, startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;
let readiness: Readiness;

beforeAll(async () => {
  server = await startTestServer({ life: { readiness: () => readiness, onEnd: () => () => undefined } });
});
beforeEach(() => {
  readiness = 'READY';
});
afterAll(async () => server.stop());

const create = { method: 'POST', path: '/signature-service', headers: { 'Content-Type': 'application/json' } };
const statusOf = async (request: Parameters<typeof plainRequest>[1]): Promise<number> =>
  (await plainRequest(server, request)).status;

describe('GET /ready', () => {
  it.each([
    ['READY', 200],
    ['PAUSED', 503],
    ['READ_ONLY', 503],
    ['DRAINING', 503],
  ] as const)('of an instance in the state %s answers %d', async (state, status) => {
    readiness = state;
    const answer = await plainRequest(server, { path: '/ready' });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { status: state }]);
    expect(answer.headers['retry-after']).toBe(status === 200 ? undefined : '5');
    const live = await plainRequest(server, { path: '/live' });
    expect([live.status, JSON.parse(live.body)]).toEqual([200, { status: 'LIVE' }]);
  });
});

describe('an ending instance', () => {
  it('takes no new work, answers questions, and closes each connection', async () => {
    readiness = 'DRAINING';
    const refused = await plainRequest(server, { ...create, body: '{}' });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'BUSY' });
    expect(await statusOf({ method: 'POST', path: '/validator-service' })).toBe(503);
    expect(await statusOf({ method: 'PUT', path: '/selected-user' })).toBe(503);
    const read = await fetch(`${server.url}/dashboard`);
    expect([read.status, read.headers.get('connection')]).toEqual([200, 'close']);
    readiness = 'READY';
    expect((await fetch(`${server.url}/dashboard`)).headers.get('connection')).toBe('keep-alive');
    expect(await statusOf({ ...create, body: '{}' })).not.toBe(503);
  });
});

describe('an instance paused by its owner', () => {
  it('answers no program, and the probes', async () => {
    readiness = 'PAUSED';
    expect(await statusOf({ path: '/dashboard' })).toBe(503);
    expect(await statusOf({ path: '/live' })).toBe(200);
  });
});
