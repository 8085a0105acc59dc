/** Callers with the TCN of a foreign transaction. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRemoteInstance, type Heard, type RemoteInstance } from './remote-instance.ts';

let server: RemoteInstance;
let portal: string;
let evil: string;
let codesOfMaria: string[];
let codesOfAna: string[];
let tcn: string;

beforeAll(async () => {
  server = await startRemoteInstance();
  const handlers = server.sinete.handlers['user-interface'];
  await handlers['certificates.makeTestIdentity']({ name: 'MARIA TESTE', cpf: '52998224725' });
  await handlers['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
  portal = await server.register('Portal');
  evil = await server.register('Evil');
  codesOfMaria = await server.enrol('MARIA TESTE', '52998224725');
  codesOfAna = await server.enrol('ANA LIMA', '11144477735');
});
afterAll(async () => server.stop());

beforeEach(async () => {
  const body = { type: 'CMS-attached', documents_source: 'UPLOAD_REFERENCE', certificate_alias: '52998224725' };
  const begun = await server.ask('POST', '/signature-service', portal, body);
  expect(begun.status).toBe(201);
  tcn = /"tcn":"([^"]*)"/.exec(begun.text)?.[1] ?? '';
});

const basic = (username: string, code: string | undefined): string =>
  `Basic ${Buffer.from(`${username}:${code ?? ''}`).toString('base64')}`;
const maria = (): string => basic('52998224725', codesOfMaria.shift());
const ana = (): string => basic('11144477735', codesOfAna.shift());
const cancelAs = async (authorization: string, which = tcn): Promise<Heard> =>
  server.ask('DELETE', `/signature-service/${which}`, authorization);
const waitingFor = async (): Promise<unknown> => (await server.sinete.core.transactions.query(tcn)).waitingFor;

describe('the transaction of an application', () => {
  it.each([
    ['another application', () => evil],
    ['a person with another certificate', ana],
  ])('is not there for a cancellation by %s, as if its TCN were unknown', async (_who, authorization) => {
    const before = await waitingFor();
    const refused = await cancelAs(authorization());
    const unknown = await cancelAs(evil, 'A'.repeat(26));
    expect([refused.status, unknown.status]).toEqual([404, 404]);
    const withoutIds = ({ text }: Heard): string => text.replaceAll(/"(instance|request_id|trace_id)":"[^"]*"/g, '');
    expect(withoutIds(refused)).toBe(withoutIds(unknown));
    expect(await waitingFor()).toBe(before);
  });

  it('is not there for a cancellation by a web site of the same computer', async () => {
    const origin = 'https://evil.example';
    await server.sinete.handlers['user-interface']['sites.change']({ origin, scopes: ['sign'], days: 1 });
    const headers = { Origin: origin, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }; // prettier-ignore
    expect((await server.send('DELETE', `/signature-service/${tcn}`, { headers })).status).toBe(404);
  });

  it.each([
    ['the application that began it', () => portal],
    ['the person of its certificate', maria],
  ])('is cancelled by %s', async (_who, authorization) => {
    const answer = await cancelAs(authorization());
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"status":"ERROR"');
  });

  it('is cancelled by a program of the owner of the computer', async () => {
    expect((await server.send('DELETE', `/signature-service/${tcn}`)).status).toBe(200);
  });

  it('is cancelled by the token of its person for that application, and by no token for another one', async () => {
    const tokenFor = async (credentials: string): Promise<string> => {
      const [clientId = ''] = Buffer.from(credentials.split(' ')[1] ?? '', 'base64')
        .toString()
        .split(':');
      const scopes = ['signature_session'] as const;
      const asked = { username: '52998224725', clientId, scopes, lifetime: undefined };
      return `Bearer ${(await server.sinete.core.authorization.issueToken(asked)).accessToken}`;
    };
    expect((await cancelAs(await tokenFor(evil))).status).toBe(404);
    expect((await cancelAs(await tokenFor(portal))).status).toBe(200);
  });
});
