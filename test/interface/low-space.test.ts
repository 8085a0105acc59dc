import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Home } from '../../src/ui-contract/ui-contract.ts';
import { startRealInstance, type RealInstance } from './real-instance.ts';

let free = 1e12;
let instance: RealInstance;

beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' }, { diskSpace: () => Promise.resolve({ total: 2e12, free }) });
  const { handlers } = instance.sinete;
  await handlers['user-interface']['certificates.makeTestIdentity']({ name: 'Maria da Silva', cpf: '52998224725' });
});
afterAll(async () => instance.stop());

const create = async (): ReturnType<RealInstance['send']> =>
  instance.send('POST', '/signature-service', {
    json: { type: 'CAdES-detached', documents_source: 'UPLOAD_REFERENCE', documents: [] },
  });

const send = async (path: string, headers: Record<string, string>, body: string): Promise<Response> =>
  fetch(`${instance.url}${path}`, { method: 'POST', headers, body });

const bytes = { 'Content-Type': 'application/octet-stream' };
const boundary = 'b0undary';
const form = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
const validation = `--${boundary}\r\nContent-Disposition: form-data; name="type"\r\n\r\nCMS\r\n--${boundary}--\r\n`;

/** A measure of the disk is believed for a second. */
async function untilMeasured(state: Home['room']['state']): Promise<void> {
  const read = async () => (await instance.sinete.handlers['user-interface']['home.read']({})).room.state;
  await expect.poll(read, { timeout: 30_000 }).toBe(state);
}

describe('an instance with a disk running low', () => {
  it('answers 503 with a time to come back to requests bringing more, and goes on with the present work', async () => {
    const tcn = String((await create()).content.tcn);
    expect((await send(`/file-transfer/${tcn}/continue`, bytes, 'content')).status).toBe(200);
    expect((await instance.send('GET', '/health-check')).content).toMatchObject({ status: 'OK' });

    free = 1e8;
    await untilMeasured('none');
    const refused = await create();
    expect([refused.status, refused.headers['retry-after'], refused.content.code]).toEqual([503, '60', 'STORAGE_FULL']);
    expect(refused.content.detail).toMatch(/^Less than 200 MiB would stay free on the disk: make room on it, or wait /);
    const answers = [
      await send(`/file-transfer/${tcn}/continue`, bytes, 'more'),
      await send('/validator-service', form, validation),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await answer.json()).toMatchObject({ code: 'STORAGE_FULL' });
    }
    const health = await instance.send('GET', '/health-check');
    expect(health.status).toBe(503);
    expect(String(health.content.messages)).toContain('only 100.0 MB are free. Further documents are refused.');

    expect((await send(`/file-transfer/${tcn}/eot`, bytes, '')).status).toBe(200);
    await instance.send('GET', `/signature-service/${tcn}?wait=30`);
    expect((await instance.send('GET', `/file-transfer/${tcn}/0`)).status).toBe(200);

    free = 4e8;
    await untilMeasured('scarce');
    expect((await create()).status).toBe(201);
    free = 1e12;
    await untilMeasured('enough');
    expect((await instance.send('GET', '/health-check')).status).toBe(200);
  });
});
