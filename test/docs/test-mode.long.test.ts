/** Every statement of the page about test mode, tried against real instances. */
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Configuration } from '../../src/app/config/config.ts';
import { startReceiver } from '../service/notifications/receiver.ts';
import { until } from '../setup/waits.ts';
import { startRealInstance, type Answer } from '../interface/real-instance.ts';
import { DocumentedWorld } from './documented-world.ts';
import { testMessage } from '../../src/http/webhooks/event-callback.ts';
import { testEventExample } from './http-reference.ts';
import { expiries, stampedRequest, testNumbers, trialRows } from './test-mode.ts';

interface Entry {
  readonly id: string;
  readonly status: string;
  readonly error?: { readonly code: string };
}

const entriesOf = ({ content }: Answer): readonly Entry[] => content['documents'] as readonly Entry[];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('an instance that approves everything', () => {
  let world: DocumentedWorld;
  beforeAll(async () => {
    world = await DocumentedWorld.open({ approve: 'all', testServicesPort: await freePort() });
  });
  afterAll(async () => world.close());

  it.each(trialRows)('answers as the page says: $en', async ({ request, prefer, status, code }) => {
    const pdf = `data:application/pdf;base64,${(await world.read('contract.pdf')).toString('base64')}`;
    const json = JSON.parse(JSON.stringify(request).replace('"PDF"', JSON.stringify(pdf))) as object;
    const headers: Record<string, string> = prefer === undefined ? {} : { Prefer: prefer };
    const answer = await world.instance.send('POST', '/signature-service', { json, headers });
    expect(answer.status, answer.body).toBe(status);
    if (status === 422) expect(answer.content['code']).toBe(code);
    else {
      const failed = entriesOf(answer).flatMap(({ error }) => (error === undefined ? [] : [error.code]));
      expect(failed).toEqual(code === undefined ? [] : [code]);
      expect(answer.content['status']).toBe(code === undefined ? 'SIGNED' : 'ERROR');
      const ignored = answer.content['ignored_fields'] as readonly { readonly field: string }[] | undefined;
      expect(ignored?.map(({ field }) => field)).toEqual('polcy' in request ? ['polcy'] : undefined);
    }
  });

  it('stamps and validates while the test services run, and is undetermined before', async () => {
    await world.prepareSigned();
    const validate = async (): Promise<boolean> => {
      const form = new FormData();
      form.set('type', 'PAdES');
      form.set('signature', new Blob([new Uint8Array(await world.read('contract-signed.pdf'))]), 'signed.pdf');
      const answer = await fetch(`${world.instance.url}/validator-service`, { method: 'POST', body: form });
      const { detail } = (await answer.json()) as { readonly detail: { readonly crl: { readonly status: boolean } } };
      return detail.crl.status;
    };
    expect(await validate()).toBe(false);
    const calls = world.instance.sinete.handlers['user-interface'];
    await calls['testServices.run']({});
    try {
      const answer = await world.instance.send('POST', '/signature-service', { json: stampedRequest });
      expect(answer.content['status'], answer.body).toBe('SIGNED');
      await until(validate, 'the certificate is known as not revoked');
    } finally {
      await calls['testServices.stop']({});
    }
  });

  it('sends webhook.test on demand to a receiver on this computer', async () => {
    const receiver = await startReceiver();
    try {
      const headers = { Authorization: world.applicationCredentials };
      const place = `/applications/${world.variables['CLIENT_ID'] ?? ''}/webhooks`;
      const json = { url: `${receiver.origin}/hook` };
      const { content } = await world.instance.send('POST', place, { json, headers });
      const tested = await world.instance.send('POST', `${place}/${String(content['id'])}/test`, { headers });
      expect(tested.content).toMatchObject({ delivered: true });
      const told = receiver.arrivals.map(({ body }) => JSON.parse(body) as typeof testEventExample);
      expect(told.map((body) => testMessage.safeParse(body).error)).toEqual([undefined]);
      expect(Object.keys(told[0]?.data ?? {})).toEqual(Object.keys(testEventExample.data));
    } finally {
      await receiver.close();
    }
  });
});

describe('test numbers', () => {
  it('are accepted with right digits, and refused with wrong digits', async () => {
    const instance = await startRealInstance({ approve: 'all' });
    try {
      for (const number of testNumbers.good) await instance.enrol('TEST', number);
      for (const number of testNumbers.wrong) await expect(instance.enrol('TEST', number)).rejects.toThrow();
    } finally {
      await instance.stop();
    }
  });
});

describe('an instance that asks', () => {
  let world: DocumentedWorld;
  beforeAll(async () => {
    world = await DocumentedWorld.open({ approve: 'ask' });
  });
  afterAll(async () => world.close());

  const query = async (): Promise<Answer> =>
    world.instance.send('GET', `/signature-service/${world.variables['TCN'] ?? ''}`);

  it('answers ERROR with APPROVAL_REFUSED after a refusal in the window', async () => {
    await world.prepareTransaction();
    await world.upload();
    const decide = world.instance.sinete.handlers['user-interface']['approvals.decide'];
    await decide({ tcn: world.variables['TCN'] ?? '', decision: 'refuse' });
    expect(entriesOf(await query())[0]).toMatchObject({ status: 'ERROR', error: { code: 'APPROVAL_REFUSED' } });
  });

  it('answers ERROR with CANCELLED after DELETE', async () => {
    await world.prepareTransaction();
    await world.upload();
    await world.instance.send('DELETE', `/signature-service/${world.variables['TCN'] ?? ''}`);
    expect(entriesOf(await query())[0]).toMatchObject({ status: 'ERROR', error: { code: 'CANCELLED' } });
  });
});

describe('expiry', () => {
  const signing = { syncTimeout: 30, uploadTimeout: 86_400, lifetime: 43_200, refuseRevoked: false };
  const changes: Readonly<Record<(typeof expiries)[number]['variable'], Partial<Configuration>>> = {
    SINETE_APPROVAL_TIMEOUT: { approve: 'ask', approval: { oneTimePassword: true, session: 300, timeout: 1 } },
    SINETE_SIGNING_UPLOAD_TIMEOUT: { approve: 'all', signing: { ...signing, uploadTimeout: 1 } },
    SINETE_SIGNING_LIFETIME: { approve: 'all', signing: { ...signing, lifetime: 1 } },
  };

  it.each(expiries)('comes with $variable: $code', async ({ variable, code }) => {
    const world = await DocumentedWorld.open(changes[variable]);
    try {
      await world.prepareTransaction();
      await world.upload(variable === 'SINETE_SIGNING_UPLOAD_TIMEOUT' ? 'continue' : 'eot');
      const tcn = world.variables['TCN'] ?? '';
      const outcome = async (): Promise<unknown> => {
        if (variable === 'SINETE_SIGNING_LIFETIME')
          return (await world.instance.send('GET', `/file-transfer/${tcn}/0`)).content['code'];
        // The instance looks once a minute by itself.
        await world.instance.sinete.core.transactions.resume();
        return entriesOf(await world.instance.send('GET', `/signature-service/${tcn}`))[0]?.error?.code;
      };
      await until(async () => (await outcome()) === code, `the code ${code}`);
    } finally {
      await world.close();
    }
  });
});
