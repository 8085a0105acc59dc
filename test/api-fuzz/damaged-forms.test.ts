import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { exchange, type RawAnswer } from './raw-exchange.ts';

/** Forms that the fuzzer found to end the process: an unheard `error` event. */

let instance: RealInstance;
beforeAll(async () => {
  instance = await startRealInstance();
});
afterAll(async () => instance.stop());

const part = (name: string): string =>
  `--b\r\nno colon here\r\n\0\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\ncontent\r\n`;

async function post(target: string, body: string): Promise<RawAnswer> {
  const headers = [['Content-Type', 'multipart/form-data; boundary=b']] as const;
  return exchange(instance.port, { method: 'POST', target, headers, body: Buffer.from(body) });
}

describe('a form with several damaged part headers', () => {
  it.each([['/validator-service'], ['/file-transfer/AAAAAAAAAAAAAAAAAAAAAAAAAA']])(
    'is refused at %s, and the instance goes on',
    async (target) => {
      const body = `${part('signature')}${part('document')}${part('other')}--b--\r\n`;
      const { status } = await post(target, body);
      expect([400, 404]).toContain(status);
      expect((await instance.send('GET', '/dashboard')).status).toBe(200);
    },
  );
});
