import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfiguration } from '../../../src/app/config/config.ts';
import type { ConfiguredTracing } from '../../../src/app/config/tracing.ts';
import { MOST_WAITING } from '../../../src/app/tracing/open-telemetry.ts';
import { openTracing } from '../../../src/app/tracing/open-tracing.ts';
import type { Tracing } from '../../../src/app/tracing/tracing.ts';
import { inSpan } from '../../../src/service/monitoring/index.ts';
import { startRealInstance, type RealInstance } from '../../interface/real-instance.ts';
import { freePort } from '../run-sinete.ts';
import { startCollector, type Collector } from './collector.ts';

const network = { allow: [], noProxy: [], certificateAuthorities: [] };
const sampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
let folder: string;
let collector: Collector;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-tracing-'));
  collector = await startCollector();
});
afterEach(async () => {
  await collector.close();
  await rm(folder, { recursive: true });
});

const open = async (changes: Partial<ConfiguredTracing> = {}): Promise<Tracing> =>
  openTracing({ tracing: { ...collector.tracing, ...changes }, network });

const notes = (): { entries: string[]; log: Parameters<Tracing['reportTo']>[0] } => {
  const entries: string[] = [];
  const note = (fields: object, message: string) => void entries.push(`${message} ${JSON.stringify(fields)}`);
  return { entries, log: { info: note, warn: note } };
};

describe('the share of recorded traces', () => {
  it.each([
    [0, 0],
    [1, 20],
  ])('of %d records %d of 20 requests, against any wish of their callers', async (sample, count) => {
    const { tracer, close } = bound(await open({ sample }));
    for (let number = 0; number < 20; number++) {
      tracer.start('GET', { parent: { from: 'caller', traceParent: sampled } }).end();
    }
    await close();
    expect(collector.spans()).toHaveLength(count);
  });

  it('is not circumvented by the trace id of a caller', async () => {
    const { tracer, close } = bound(await open({ sample: 0.5 }));
    const traceParent = '00-00000000000000000000000000000001-b7ad6b7169203331-01';
    for (let number = 0; number < 400; number++) {
      tracer.start('GET', { parent: { from: 'caller', traceParent } }).end();
    }
    await close();
    expect(collector.spans().length).toBeGreaterThan(100);
    expect(collector.spans().length).toBeLessThan(300);
  });

  it('leaves a trace out together with its caller, and follows the decision kept in a row', async () => {
    const { tracer, close } = bound(await open({ sample: 1 }));
    const unsampled = sampled.replace(/01$/, '00');
    for (const from of ['caller', 'record'] as const) {
      tracer.start(from, { parent: { from, traceParent: unsampled } }).run(() => {
        expect(tracer.current()).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
        tracer.start('below').end();
      });
    }
    await close();
    expect(collector.spans()).toEqual([]);
    const never = bound(await open({ sample: 0 }));
    never.tracer.start('job', { parent: { from: 'record', traceParent: sampled } }).end();
    await never.close();
    expect(collector.span('job').parentSpanId).toBe('b7ad6b7169203331');
  });

  it.each([
    '',
    '01',
    `${sampled}-more`,
    sampled.replace('00-', 'ff-'),
    sampled.replace(/-\w{16}-/, `-${'0'.repeat(16)}-`),
  ])('counts an unreadable traceparent as absent: %s', async (traceParent) => {
    const { tracer, close } = bound(await open());
    tracer.start('GET', { parent: { from: 'caller', traceParent } }).end();
    await close();
    expect(collector.span('GET').parentSpanId).toBe('');
  });
});

/** The methods of traces, bound. */
const bound = (tracing: Tracing): Pick<Tracing, 'tracer' | 'close'> => ({
  tracer: tracing.tracer,
  close: async (patience = 10_000) => tracing.close(patience),
});

describe('a span', () => {
  it('fails with a code and never with a text, and masks everything resembling a TCN or a taxpayer number', async () => {
    const { tracer, close } = bound(await open());
    const failing = async (): Promise<void> =>
      Promise.reject(Object.assign(new Error('maria.pdf is gone'), { code: 'ENOENT' }));
    const attributes = { 'server.address': 'Ab3456789012345678901234yz', 'sinete.tsa': 'cpf 529.982.247-25' };
    await expect(inSpan(tracer, 'content', { attributes }, failing)).rejects.toThrow();
    await close();
    expect(collector.span('content')).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'ENOENT' } });
    for (const secret of ['maria', '345678', '529.982']) expect(collector.arrivals[0]?.body).not.toContain(secret);
  });

  it('of a job is linked to its starting request', async () => {
    const { tracer, close } = bound(await open());
    const approval = tracer.start('POST');
    approval.run(() => {
      tracer.start('job', { parent: { from: 'record', traceParent: sampled } }).end();
    });
    approval.end();
    await close();
    const { traceId, spanId } = collector.span('POST');
    expect(collector.span('job').links).toEqual([{ traceId, spanId, attributes: {} }]);
  });
});

describe('a collector', () => {
  it('gets the headers of a file, told nowhere else', async () => {
    const headersFile = join(folder, 'headers');
    await writeFile(headersFile, '# token of the team\nAuthorization: Bearer geheim\n\nX-Scope-OrgID: 7\n', {
      mode: 0o600,
    });
    const { tracer, close } = bound(await open({ headersFile }));
    tracer.start('GET').end();
    await close();
    const [{ headers, path, body } = { headers: {}, path: '', body: '' }] = collector.arrivals;
    expect(headers).toMatchObject({ authorization: 'Bearer geheim', 'x-scope-orgid': '7' });
    expect([path, headers['content-type']]).toEqual(['/v1/traces', 'application/json']);
    expect(body).not.toContain('geheim');
  });

  it.each(['Bearer geheim', 'Host: other', 'X-A: a\u0000b'])('gets no wrong header: %s', async (line) => {
    const headersFile = join(folder, 'headers');
    await writeFile(headersFile, line, { mode: 0o600 });
    const error: unknown = await open({ headersFile }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ exitCode: 2 });
    expect(String(error)).not.toContain('geheim');
  });

  it('with a file of headers readable by others gets nothing', async () => {
    const headersFile = join(folder, 'headers');
    await writeFile(headersFile, 'A: b', { mode: 0o644 });
    await expect(open({ headersFile })).rejects.toThrow('chmod 600');
  });

  it('is asked again after 503, and every span arrives once', async () => {
    collector.behave(503, 200);
    const tracing = await open();
    const { tracer } = tracing;
    for (let number = 0; number < 512; number++) tracer.start('GET').end();
    await collector.arrived(2);
    await tracing.close(10_000);
    expect(collector.arrivals[0]?.body).toBe(collector.arrivals[1]?.body);
  });

  it('hanging costs a bounded number of spans, and the end of the process does not wait', async () => {
    collector.behave('hang');
    const tracing = await open();
    const { entries, log } = notes();
    tracing.reportTo(log);
    for (let number = 0; number < MOST_WAITING * 3; number++) tracing.tracer.start('GET').end();
    await collector.arrived(1);
    await tracing.close(1);
    const spans = collector.spans().length;
    expect(spans).toBeGreaterThan(0);
    expect(spans).toBeLessThanOrEqual(MOST_WAITING + 512);
    expect(entries.filter((entry) => entry.startsWith('traces cannot be sent'))).toHaveLength(1);
  });

  it('away is told once in the log, by code', async () => {
    const tracing = await open({ endpoint: `http://127.0.0.1:${await freePort()}/v1/traces` });
    const { entries, log } = notes();
    tracing.reportTo(log);
    tracing.tracer.start('GET').end();
    await tracing.close(10_000);
    expect(entries).toEqual([expect.stringContaining('"code":"NETWORK_UNREACHABLE"')]);
  });

  it("in a private network is reached only by the configuration's name", async () => {
    collector.behave('redirect');
    const tracing = await open();
    const { entries, log } = notes();
    tracing.reportTo(log);
    tracing.tracer.start('GET').end();
    await tracing.close(10_000);
    expect(entries).toEqual([expect.stringContaining('HTTP_302')]);
    expect(collector.arrivals.map(({ path }) => path)).toEqual(['/v1/traces']);
  });
});

/** The body of a request with an answer after the signature. */
const oneDocument = {
  type: 'CMS-detached',
  mode: 'sync',
  documents_source: 'DATA_URL',
  documents: ['data:text/plain,one'],
};

async function makeIdentity({ sinete }: RealInstance): Promise<void> {
  await sinete.handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA', cpf: '11144477735' });
}

describe('an instance with its collector away', () => {
  it('answers, signs and ends', async () => {
    const tracing = { ...collector.tracing, endpoint: `http://127.0.0.1:${await freePort()}/v1/traces` };
    const instance = await startRealInstance({ approve: 'all', tracing });
    await makeIdentity(instance);
    const { content } = await instance.send('POST', '/signature-service', { json: oneDocument });
    expect(content).toMatchObject({ documents: [{ status: 'SIGNED' }] });
    await instance.stop();
  });
});

describe('an instance without a collector', () => {
  it('keeps no trace in its rows, and its requests have no span', async () => {
    const instance = await startRealInstance({ approve: 'all' });
    const { core } = instance.sinete;
    expect(core.tracing.tracer.isOn).toBe(false);
    await makeIdentity(instance);
    const { content } = await instance.send('POST', '/signature-service', {
      json: oneDocument,
      headers: { traceparent: sampled },
    });
    const stored = await core.storage.transactions.read(String(content.tcn));
    expect(stored?.transaction.traceParent).toBeUndefined();
    await instance.stop();
    await letOthersRun();
    expect(collector.arrivals).toEqual([]);
  });
});

describe('the configuration', () => {
  const read = async (environment: Readonly<Record<string, string>>) =>
    (await readConfiguration({ dataFolder: join(folder, 'data'), environment })).tracing;

  it('has no traces by default, and none where OpenTelemetry is disabled', async () => {
    expect(await read({})).toBeUndefined();
    expect(await read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).toBeUndefined();
    const SINETE_TRACING_ENDPOINT = 'http://127.0.0.1:4318';
    expect(await read({ SINETE_TRACING_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  it.each([
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
    ['https://otel.example/in/traces', 'https://otel.example/in/traces'],
  ])('adds the path of OTLP to an address without one: %s', async (address, endpoint) => {
    expect(await read({ SINETE_TRACING_ENDPOINT: address })).toEqual({ endpoint, sample: 1, callers: 'loopback' });
  });

  it.each<Readonly<Record<string, string>>>([
    { SINETE_TRACING_ENDPOINT: 'ftp://otel.example' },
    { SINETE_TRACING_ENDPOINT: 'https://user:word@otel.example' },
    { SINETE_TRACING_ENDPOINT: 'https://otel.example/?key=7' },
    { SINETE_TRACING_ENDPOINT: 'https://otel.example', SINETE_TRACING_SAMPLE: '1.5' },
    { SINETE_TRACING_HEADERS_FILE: '/etc/sinete/headers' },
  ])('refuses %o', async (environment) => {
    await expect(read(environment)).rejects.toMatchObject({ exitCode: 2 });
  });

  it('names service and node, before the variables of OpenTelemetry', async () => {
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=staging');
    vi.stubEnv('OTEL_SERVICE_NAME', 'other');
    const { tracer, close } = bound(await open({ service: 'sign', node: 'node-1' }));
    tracer.start('GET').end();
    await close();
    expect(collector.resource()).toMatchObject({
      'service.name': 'sign',
      'service.instance.id': 'node-1',
      'deployment.environment.name': 'staging',
    });
  });
});
