import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleDocument, exampleTransaction } from '../http/fake-transactions.ts';
import { plainRequest, startTestServer, type TestServer } from '../http/start-test-server.ts';
import { until } from '../setup/waits.ts';

let server: TestServer;
const tcn = exampleTransaction().tcn;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server.stop());
beforeEach(() => {
  server.transactions.view = exampleTransaction();
  server.transactions.waits.length = 0;
});

describe('GET /signature-service/<tcn>', () => {
  it('answers a waiting transaction with Retry-After', async () => {
    const answer = await plainRequest(server, {
      path: `/signature-service/${tcn}`,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['retry-after']).toBe('1');
    expect(JSON.parse(answer.body)).toMatchObject({ tcn, status: 'WAITING', waiting_for: 'upload' });
  });

  it('says the algorithm of the checksums, whether there is a stamp, and whether the upload has ended', async () => {
    const told = async () => {
      const answer = await plainRequest(server, { path: `/signature-service/${tcn}` });
      const { checksum_algorithm, visible_signature, eot } = JSON.parse(answer.body) as Record<string, unknown>;
      return [checksum_algorithm, visible_signature, eot];
    };
    expect(await told()).toEqual(['SHA256', false, false]);
    const visible = { pages: [-1], x: 0, y: 0, width: 100, height: 50, text: 'x' };
    const settings = [{ id: 'default' }, { id: 'seen', visible }];
    server.transactions.view = exampleTransaction({ digest: 'sha512', settings, uploadOpen: false });
    expect(await told()).toEqual(['SHA256', true, true]);
  });

  it('names the download of what is kept here and the path of what was delivered, and why something failed', async () => {
    server.transactions.view = exampleTransaction({
      status: 'ERROR',
      waitingFor: null,
      finishedAt: new Date('2026-01-02T03:04:06Z'),
      documents: [
        exampleDocument({ id: 'a b', status: 'SIGNED', lifetime: 43200, signature: 'TUlJ' }),
        exampleDocument({ id: '1', status: 'SIGNED', resultPath: '/home/m/contract-signed.pdf' }),
        exampleDocument({ id: '2', status: 'ERROR', error: { code: 'DOCUMENT_NOT_A_PDF', detail: 'Send a PDF.' } }),
      ],
    });
    const answer = await plainRequest(server, { path: `/signature-service/${tcn}` });
    const { documents } = JSON.parse(answer.body) as { documents: readonly Record<string, unknown>[] };
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(documents[0]).toMatchObject({
      result: `${server.url}/file-transfer/${tcn}/a%20b`,
      lifetime: 43200,
      signature: 'TUlJ',
    });
    expect(documents[1]).toMatchObject({ result: '/home/m/contract-signed.pdf' });
    expect(documents[2]).toMatchObject({ result: null, error: { code: 'DOCUMENT_NOT_A_PDF', detail: 'Send a PDF.' } });
    expect(documents.map((document) => 'error' in document)).toEqual([false, false, true]);
    expect(documents.some((document) => 'destination_file_name' in document)).toBe(false);
  });

  it.each([
    ['', 0],
    ['?wait=', 0],
    ['?wait=0', 0],
    ['?wait=5', 5],
    ['?wait=1.5', 1.5],
  ])('with %s waits %d seconds', async (query, seconds) => {
    await plainRequest(server, { path: `/signature-service/${tcn}${query}` });
    expect(server.transactions.waits).toEqual([seconds]);
  });

  it.each(['61', '-1', 'x', '1&wait=2', '1e1'])('refuses wait=%s and names it', async (wait) => {
    const answer = await plainRequest(server, { path: `/signature-service/${tcn}?wait=${wait}` });
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'REQUEST_INVALID', errors: [{ field: 'wait' }] });
  });

  it('stops waiting when the client goes away', async () => {
    const before = server.transactions.abandoned;
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(`GET /signature-service/${tcn}?wait=60 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
        void until(() => server.transactions.waits.at(-1) === 60, 'a client that waits').then(() => socket.destroy());
      });
      socket.once('close', () => resolve());
    });
    await until(() => server.transactions.abandoned > before, 'a client that was given up');
    expect(server.transactions.abandoned).toBe(before + 1);
  });

  it('answers 404 for an unknown TCN', async () => {
    const answer = await plainRequest(server, { path: '/signature-service/unknown' });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
  });

  it('answers 405 with all methods of the address', async () => {
    const answer = await plainRequest(server, { method: 'PUT', path: `/signature-service/${tcn}` });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, DELETE']);
  });

  it('never logs the TCN', async () => {
    await plainRequest(server, { path: `/signature-service/${tcn}` });
    expect(JSON.stringify(server.requests)).not.toContain(tcn);
    expect(server.requests.at(-1)).toMatchObject({ method: 'GET', route: 'queryTransaction', status: 200 });
  });
});
