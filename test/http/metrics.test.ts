import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../src/http/signing-service/monitoring.ts';
import { plainRequest, startTestServer, type TestServer } from './start-test-server.ts';

let metrics: Metrics;
let server: TestServer;
beforeAll(async () => {
  metrics = createMetrics({
    documents: async () => Promise.resolve({ SIGNED: 3, WAITING: 1, ERROR: 0 }),
    unfinished: async () => Promise.resolve({ upload: 0, approval: 2, pin: 0, signing: 1 }),
    queued: async () => Promise.resolve(7),
    keySources: async () => Promise.resolve({ ok: 1, failing: 0, quarantined: 1 }),
    storage: async () => Promise.resolve({ database: 1, documents: 0 }),
    nodes: async () => Promise.resolve({ alive: 3, jobs: 5 }),
  });
  server = await startTestServer({ metrics });
});
afterAll(async () => server.stop());

describe('GET /metrics', () => {
  it('is nowhere unless switched on', async () => {
    const off = await startTestServer();
    const answer = await plainRequest(off, { path: '/metrics' });
    await off.stop();
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([404, { code: 'ADDRESS_NOT_FOUND' }]);
  });

  it('tells the waiting documents, by state, in the format of Prometheus', async () => {
    const answer = await plainRequest(server, { path: '/metrics' });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining('version=0.0.4')]);
    for (const line of [
      'sinete_documents{status="SIGNED"} 3',
      'sinete_transactions_unfinished{waiting_for="approval"} 2',
      'sinete_documents_queued 7',
      'sinete_key_sources{state="quarantined"} 1',
      'sinete_storage_up{part="documents"} 0',
      'sinete_nodes_alive 3',
      'sinete_jobs 5',
    ]) {
      expect(answer.body.split('\n')).toContain(line);
    }
  });

  it('leaves out values unreadable now, and shows the rest', async () => {
    const lost = async () => Promise.reject(new Error('The database is away.'));
    const storage = async () => Promise.resolve({ database: 0 as const });
    const cut = createMetrics({
      documents: lost,
      unfinished: lost,
      queued: lost,
      keySources: lost,
      nodes: lost,
      storage,
    });
    const { body } = await cut.read();
    expect(body).toContain('sinete_storage_up{part="database"} 0');
    expect(body).toMatch(/^process_cpu_seconds_total /m);
    expect(body).not.toMatch(
      /^sinete_(documents|documents_queued|transactions_unfinished|key_sources|nodes_alive|jobs)[ {]/m,
    );
  });

  it('counts and times requests by operation, and time stamps by server', async () => {
    await plainRequest(server, { path: '/dashboard' });
    await plainRequest(server, { path: '/signature-service/B3Q7C0PXK2MVT9YD5ZS8HRF1WG' });
    metrics.stamp('paid', 'given', 0.2);
    const { body } = await plainRequest(server, { path: '/metrics' });
    expect(body).toContain('sinete_requests_total{operation="readDashboard",method="GET",status="200"} 1');
    expect(body).toContain('sinete_request_duration_seconds_count{operation="readDashboard"} 1');
    expect(body).toContain('sinete_timestamp_duration_seconds_bucket{le="0.25",server="paid",outcome="given"} 1');
    expect(body).not.toContain('B3Q7C0PXK2MVT9YD5ZS8HRF1WG');
  });

  it('counts the work of this node, from zero', async () => {
    const work = async (): Promise<readonly string[]> =>
      (await metrics.read()).body
        .split('\n')
        .filter((line) => /^sinete_(documents_finished|result|jobs_taken)/.test(line));
    expect(await work()).toEqual([
      'sinete_documents_finished_total{status="signed"} 0',
      'sinete_documents_finished_total{status="failed"} 0',
      'sinete_result_bytes_total 0',
      'sinete_jobs_taken_over_total 0',
    ]);
    metrics.signed(1000);
    metrics.signed(500);
    metrics.failed();
    metrics.tookOver();
    expect(await work()).toEqual([
      'sinete_documents_finished_total{status="signed"} 2',
      'sinete_documents_finished_total{status="failed"} 1',
      'sinete_result_bytes_total 1500',
      'sinete_jobs_taken_over_total 1',
    ]);
  });

  it("makes no label of a stranger's words", async () => {
    await plainRequest(server, { path: '/52998224725', method: 'PROPFIND' });
    const { body } = await plainRequest(server, { path: '/metrics' });
    expect(body).toMatch(/operation="none",method="other"/);
    expect(body).not.toMatch(/52998224725|PROPFIND/);
  });

  it('answers no web site and no navigation', async () => {
    const headers = { Origin: 'https://portal.example', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'cross-site' };
    expect((await plainRequest(server, { path: '/metrics', headers })).status).toBe(403);
  });
});
