import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { until } from '../../setup/waits.ts';
import { startRealInstance, type RealInstance } from '../../interface/real-instance.ts';
import { startReceiver, type Receiver } from '../../service/notifications/receiver.ts';
import { freePort } from '../run-sinete.ts';
import { startCollector, type Collector, type ReceivedSpan } from './collector.ts';

/** A PDF signed over HTTP with a time stamp and revocation data, and what its trace tells. */

const caller = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
/** Values that a request carries, and that no trace may tell. */
const secrets = {
  name: 'MARIA JOAQUINA',
  cpf: '52998224725',
  maskedCpf: '529.982.247-25',
  file: 'contrato-da-maria',
  credentials: 'c2VncmVkbzpzZWdyZWRv',
  requestId: 'maria.joaquina.52998224725',
  query: 'senha-na-consulta',
  address: 'dona-maria',
};

let collector: Collector;
let callbacks: Receiver;
let tcn: string;
let logLines: readonly Record<string, unknown>[];

async function sign(instance: RealInstance): Promise<string> {
  const pdf = writeTextPdf({ title: secrets.name, paragraphs: [secrets.cpf], footer: 'x' }, new Date());
  const { status, content, body } = await instance.send('POST', `/signature-service?pin=${secrets.query}`, {
    json: {
      type: 'PAdES',
      policy: 'B-LT',
      documents_source: 'DATA_URL',
      documents: [`data:application/pdf;name=${secrets.file}.pdf;base64,${pdf.toString('base64')}`],
      notification_callback: `${callbacks.origin}/${secrets.address}?cpf=${secrets.cpf}&tcn=`,
    },
    headers: {
      traceparent: `00-${caller.trace}-${caller.span}-01`,
      tracestate: `vendor=${secrets.cpf}`,
      baggage: `name=${secrets.address}`,
      'X-Request-Id': secrets.requestId,
      'User-Agent': secrets.name,
    },
  });
  expect(status, body).toBe(201);
  const created = String(content.tcn);
  const { testServices, transactions } = instance.sinete.core;
  await until(async () => {
    // Extends the time for which the services run.
    await testServices.run();
    return (await transactions.query(created)).finishedAt !== null;
  }, 'the document is signed');
  expect(await transactions.query(created)).toMatchObject({ documents: [{ status: 'SIGNED' }] });
  return created;
}

beforeAll(async () => {
  [collector, callbacks] = [await startCollector(), await startReceiver()];
  const settings = { approve: 'all', testServicesPort: await freePort(), tracing: collector.tracing } as const;
  const instance = await startRealInstance(settings);
  const calls = instance.sinete.handlers['user-interface'];
  await calls['certificates.makeTestIdentity']({ name: secrets.name, cpf: secrets.cpf });
  await instance.sinete.core.testServices.run();
  tcn = await sign(instance);
  const refused = { headers: { Authorization: `Basic ${secrets.credentials}` } };
  expect((await instance.send('GET', `/signature-service/${tcn}?cpf=${secrets.cpf}`)).status).toBe(200);
  expect((await instance.send('GET', '/signature-service/0000000000aaaaaaaaaabbbbbb')).status).toBe(404);
  expect((await instance.send('GET', `/assistant/${secrets.cpf}`, refused)).status).toBe(404);
  await callbacks.arrived(1);
  const entries = async () => {
    const text = await readFile(join(instance.sinete.core.dataFolder, 'sinete.log'), 'utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  };
  await until(async () => {
    const messages = new Set((await entries()).map(({ msg }) => msg));
    return messages.has('notified') && messages.has('signing ended');
  }, 'the job and the callback are settled');
  logLines = await entries();
  await instance.stop();
});
afterAll(async () => {
  await Promise.all([collector.close(), callbacks.close()]);
});

const created = (): ReceivedSpan => collector.span('POST /signature-service');
const job = (): ReceivedSpan => collector.span('job', created());
const signature = (): ReceivedSpan => collector.span('signature', job());

describe('the trace of a signature', () => {
  it('begins with the request, below the span of its caller', () => {
    expect(created()).toMatchObject({
      traceId: caller.trace,
      parentSpanId: caller.span,
      flags: 0x301,
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/signature-service',
        'http.response.status_code': 201,
        'sinete.operation': 'createTransaction',
      },
    });
  });

  it('goes on in the job and in the signature of the document', () => {
    expect(job().attributes).toMatchObject({ 'sinete.documents': 1, 'sinete.job.outcome': 'done' });
    expect(signature().attributes).toMatchObject({
      'sinete.signature.type': 'PAdES',
      'sinete.signature.policy': 'B-LT',
      'sinete.key.source': 'file',
    });
    const key = collector.span('key', signature());
    expect(key.attributes['sinete.key.mechanism']).toMatch(/^rsa\S* sha256$/);
    expect(collector.span('commit', job()).status).toEqual({ code: 0 });
  });

  it('has the time stamp and the OCSP requests below the signature, with host and status', () => {
    const stamp = collector.span('time stamp', signature());
    const exchange = collector.span('POST time-stamp', stamp);
    expect(exchange).toMatchObject({ kind: 3, attributes: { 'server.address': '127.0.0.1' } });
    expect(exchange.attributes['http.response.status_code']).toBe(200);
    const collections = collector.spans().filter(({ name }) => name === 'evidence');
    expect(collections.length).toBeGreaterThan(0);
    for (const { parentSpanId } of collections) expect(parentSpanId).toBe(signature().spanId);
    const questions = collector.spans().filter(({ name }) => name === 'POST ocsp');
    expect(questions.length).toBeGreaterThan(0);
    const places = new Set(collections.map(({ spanId }) => spanId));
    for (const { parentSpanId } of questions) expect(places).toContain(parentSpanId);
  });

  it('ends with the notification of the callback', () => {
    const notification = collector.span('notification', created());
    expect(collector.span('POST', notification).attributes).toMatchObject({ 'http.response.status_code': 200 });
    expect(callbacks.arrivals[0]?.headers).not.toHaveProperty('traceparent');
  });

  it('names the instance by a random id', () => {
    expect(collector.resource()).toMatchObject({ 'service.name': 'sinete' });
    expect(collector.resource()['service.version']).toMatch(/^\d+\.\d+/);
    expect(collector.resource()['service.instance.id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('tells no TCN, taxpayer number, name, file, query, header or address of a client', () => {
    const sent = collector.arrivals.map(({ body }) => body).join('\n');
    expect(sent.length).toBeGreaterThan(1000);
    for (const secret of [...Object.values(secrets), tcn, '0000000000aaaaaaaaaabbbbbb', '/v1/traces']) {
      expect(sent.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  it('has refused requests too, by the pattern of their route', () => {
    const statuses = collector
      .spans()
      .filter(({ name }) => name === 'GET /signature-service/:tcn')
      .map(({ attributes }) => attributes['http.response.status_code']);
    expect(new Set(statuses)).toEqual(new Set([200, 404]));
  });

  it('is found by the lines of the log', () => {
    const request = logLines.find(({ msg, route }) => msg === 'request' && route === 'createTransaction');
    expect(request).toMatchObject({ trace_id: caller.trace, span_id: created().spanId });
    expect(logLines.find(({ msg }) => msg === 'signing ended')).toMatchObject({ span_id: job().spanId });
  });
});
