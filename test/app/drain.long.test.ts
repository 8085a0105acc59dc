import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { plainRequest } from '../http/start-test-server.ts';
import { until } from '../setup/waits.ts';
import { makeWorkplace, runSinete, serve, type Workplace } from './run-sinete.ts';

const json = { 'Content-Type': 'application/json' };
const upload = JSON.stringify({ type: 'CMS-attached', documents_source: 'UPLOAD_REFERENCE', documents: [{}] });

/** Sends the head of a request and waits until the server has asked for its body. */
async function begin(baseUrl: string, path: string): Promise<{ sent: ClientRequest; answer: Promise<number> }> {
  const headers = { 'Content-Type': 'application/octet-stream', Expect: '100-continue' };
  const sent = httpRequest(`${baseUrl}${path}`, { method: 'POST', headers, agent: false });
  const answer = new Promise<number>((resolve, reject) => {
    sent.once('response', (response: IncomingMessage) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject);
  });
  sent.flushHeaders();
  await new Promise((resolve) => sent.once('continue', resolve));
  return { sent, answer };
}

async function createUpload(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/signature-service`, { method: 'POST', headers: json, body: upload });
  return ((await answer.json()) as { tcn: string }).tcn;
}

describe('an instance stopped', () => {
  let instance: RealInstance;

  beforeEach(async () => {
    instance = await startRealInstance();
    const make = instance.sinete.handlers['user-interface']['certificates.makeTestIdentity'];
    await make({ name: 'ANA LIMA', cpf: '11144477735' });
  });

  it('ends event streams and waiting queries, and lets an upload finish', async () => {
    const { url, sinete } = instance;
    const tcn = await createUpload(url);
    const stream = await fetch(`${url}/signature-service/${tcn}/events`);
    const [told, waited] = [stream.text(), fetch(`${url}/signature-service/${tcn}?wait=60`)];
    const { sent, answer } = await begin(url, `/file-transfer/${tcn}/eot`);
    const stopped = instance.stop();
    await until(async () => (await fetch(`${url}/ready`)).status === 503, 'the instance drains');
    expect((await fetch(`${url}/signature-service`, { method: 'POST', headers: json, body: upload })).status).toBe(503);
    expect(await told).toContain('event: transaction');
    expect((await waited).status).toBe(200);
    sent.end('texto');
    expect(await answer).toBe(200);
    await stopped;
    await expect(plainRequest({ port: Number(new URL(sinete.baseUrl).port) }, { path: '/live' })).rejects.toThrow();
  });
});

describe('sinete serve', () => {
  let place: Workplace;

  beforeEach(async () => {
    place = await makeWorkplace();
    const identity = ['certificates', 'test-identity', '--name', 'ANA LIMA', '--cpf', '11144477735'];
    expect((await runSinete(place, identity)).code).toBe(0);
  });
  afterEach(async () => place.remove());

  it('ends with 0 after an upload that was running at the signal, and at once after a second signal', async () => {
    for (const [isPatient, code] of [
      [true, 0],
      [false, 130],
    ] as const) {
      const running = await serve(place);
      const tcn = await createUpload(running.baseUrl);
      const { sent, answer } = await begin(running.baseUrl, `/file-transfer/${tcn}`);
      const outcome = answer.catch(() => 'broken');
      const ended = running.stop('SIGTERM');
      let hasEnded = false;
      void ended.then(() => (hasEnded = true));
      await until(async () => (await fetch(`${running.baseUrl}/ready`)).status === 503, 'the process drains');
      if (isPatient) sent.end('texto');
      // Signals within a second are one request.
      const signalAgain = (): boolean => {
        void running.stop('SIGTERM');
        return hasEnded;
      };
      if (!isPatient) await until(signalAgain, 'the process ends at once');
      expect([await ended, await outcome]).toEqual([code, isPatient ? 200 : 'broken']);
    }
  });
});
