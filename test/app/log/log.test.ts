import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from '../../../src/app/log/log.ts';
import { onBehalfOf } from '../../../src/service/monitoring/index.ts';
import { startRealInstance, type RealInstance } from '../../interface/real-instance.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lines = (data: string): Record<string, unknown>[] =>
  readFileSync(join(data, 'sinete.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the log', () => {
  it('takes the allowed fields and no others', async () => {
    const { service } = await openLog(folder, 'info');
    service.info(
      { transaction: 'ABCDEF…', documents: 2, fileName: 'contract.pdf', person: { name: 'Maria' } },
      'created',
    );
    expect(lines(folder)).toEqual([expect.objectContaining({ transaction: 'ABCDEF…', documents: 2, msg: 'created' })]);
    expect(readFileSync(join(folder, 'sinete.log'), 'utf8')).not.toMatch(/contract|Maria/);
  });

  it('masks taxpayer numbers and TCNs in errors and their causes', async () => {
    const log = await openLog(folder, 'info');
    const cause = new Error('no /results/0123456789ABCDEFGHJKMNPQRS');
    log.failure('broken', new Error('MARIA SILVA:52998224725 and 529.982.247-25', { cause }));
    const text = readFileSync(join(folder, 'sinete.log'), 'utf8');
    expect(text).toContain('***.982.247-**');
    expect(text).not.toMatch(/52998224725|529\.982|0123456789ABCDEFGHJKMNPQRS/);
  });

  it('is set aside when long enough, and three at most are kept', async () => {
    const { service } = await openLog(folder, 'info', { limits: { size: 1000, count: 2 } });
    for (let n = 0; n < 60; n++) service.info({ documents: n }, 'x'.repeat(100));
    expect(readdirSync(folder).sort()).toEqual(['sinete.log', 'sinete.log.1', 'sinete.log.2']);
    for (const name of readdirSync(folder)) {
      const { size, mode } = statSync(join(folder, name));
      expect([size <= 1000, (mode & 0o777).toString(8)]).toEqual([true, '600']);
    }
    expect(lines(folder).at(-1)).toMatchObject({ documents: 59 });
  });

  it('names its file and the remedy where a folder has its name', async () => {
    mkdirSync(join(folder, 'sinete.log'));
    await expect(openLog(folder, 'info')).rejects.toMatchObject({
      exitCode: 3,
      message: `The log cannot be opened (EISDIR). Move away what has the name "${join(folder, 'sinete.log')}", or give its rights to this user.`,
    });
  });

  it('names the caller behind an act', async () => {
    const { service } = await openLog(folder, 'info');
    await onBehalfOf('order-4711', async () => {
      await Promise.resolve();
      service.info({}, 'within');
    });
    service.info({}, 'without');
    expect(lines(folder).map(({ requestId }) => requestId)).toEqual(['order-4711', undefined]);
  });
});

describe('the id of a request', () => {
  let instance: RealInstance;
  beforeAll(async () => {
    instance = await startRealInstance({ approve: 'all' });
    const handlers = instance.sinete.handlers['user-interface'];
    await handlers['certificates.makeTestIdentity']({ name: 'Maria Silva', cpf: '52998224725' });
  });
  afterAll(async () => instance.stop());

  it.each([
    ['order-4711-a', true],
    ['short', false],
    ['with space in it', false],
    ['529.982.247-25', false],
    ['0123456789ABCDEFGHJKMNPQRS', false],
  ])('%s of the caller is taken: %s', async (id, taken) => {
    const answer = await instance.send('GET', '/dashboard', { headers: { 'X-Request-Id': id } });
    expect(answer.headers['x-request-id'] === id).toBe(taken);
  });

  it('stands at every line from the request to the signature, and in the audit log', async () => {
    const json = {
      type: 'CAdES-attached',
      hash_algorithm: 'SHA256',
      mode: 'sync',
      documents_source: 'DATA_URL',
      documents: [{ id: 'a', data: `data:text/plain;base64,${Buffer.from('contract').toString('base64')}` }],
    };
    const answer = await instance.send('POST', '/signature-service', {
      json,
      headers: { 'X-Request-Id': 'order-4711-b' },
    });
    expect([answer.status, answer.body.slice(0, 300)]).toMatchObject([201, expect.any(String)]);
    const own = lines(instance.sinete.core.dataFolder).filter(({ requestId }) => requestId === 'order-4711-b');
    expect(own.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['created', 'signing ended', 'request']));
    const [row] = await instance.sinete.core.audit
      .page({ after: 0, limit: 100 })
      .then((rows) => rows.filter(({ kind }) => kind === 'transaction-created'));
    expect(JSON.parse(row?.detail ?? '{}')).toMatchObject({ request: 'order-4711-b' });
  });
});
