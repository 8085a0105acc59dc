/** Callers in search of the holders' names and numbers, which need the right to read certificates. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { startRemoteInstance, type Heard, type RemoteInstance } from './remote-instance.ts';

const holders = [
  { name: 'MARIA TESTE', cpf: '52998224725' },
  { name: 'ANA LIMA', cpf: '11144477735' },
];
const [maria, ana] = ['MARIA TESTE:52998224725', 'ANA LIMA:11144477735'];
const maskedAna = 'ANA LIMA:***.444.777-**';

let local: RealInstance;
let server: RemoteInstance;
let application: string;
let codes: string[];

beforeAll(async () => {
  local = await startRealInstance();
  server = await startRemoteInstance();
  for (const { sinete } of [local, server]) {
    for (const one of holders) await sinete.handlers['user-interface']['certificates.makeTestIdentity'](one);
  }
  application = await server.register('Portal');
  codes = await server.enrol('ANA LIMA', '11144477735');
});
afterAll(async () => {
  await local.stop();
  await server.stop();
});

const body = (alias?: string): object => ({
  type: 'CMS-attached',
  documents_source: 'UPLOAD_REFERENCE',
  ...(alias === undefined ? {} : { certificate_alias: alias }),
});

const person = (): string => `Basic ${Buffer.from(`11144477735:${codes.shift() ?? ''}`).toString('base64')}`;

type Caller =
  'a program of the owner' | 'a site that may sign' | 'a site that may read certificates' | 'an application';

/** A request of a caller, after a grant to a site. */
async function ask(caller: Caller, method: string, path: string, json?: object): Promise<Heard> {
  if (caller === 'an application') return server.ask(method, path, application, json);
  const origin = caller === 'a site that may sign' ? 'https://sign.site.example' : 'https://read.site.example';
  if (caller !== 'a program of the owner') {
    const more = caller === 'a site that may sign' ? [] : (['certificates:read'] as const);
    const scopes = ['sign' as const, ...more];
    await local.sinete.handlers['user-interface']['sites.change']({ origin, scopes, days: 1 });
  }
  const site = { Origin: origin, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
  const headers = caller === 'a program of the owner' ? {} : site;
  const { status, body: text } = await local.send(method, path, { headers, ...(json === undefined ? {} : { json }) });
  return { status, text };
}

const readers = ['a program of the owner', 'a site that may read certificates'] as const;
const others = ['a site that may sign', 'an application'] as const;
/** Names and numbers of the holders. */
const names = /MARIA|ANA LIMA|52998224725|11144477735|982\.247|444\.777/;

describe('a wrong alias, and no alias among several certificates', () => {
  it.each(others)('tell no name to %s', async (caller) => {
    const wrong = await ask(caller, 'POST', '/signature-service', body('x'));
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('CERTIFICATE_NOT_FOUND');
    expect(wrong.text).not.toMatch(names);
    const none = await ask(caller, 'POST', '/signature-service', body());
    expect(none.status).toBe(409);
    expect(none.text).toContain('CERTIFICATE_AMBIGUOUS');
    expect(none.text).not.toMatch(names);
  });

  it.each(readers)('list the aliases for %s', async (caller) => {
    for (const alias of ['x', undefined]) {
      const { text } = await ask(caller, 'POST', '/signature-service', body(alias));
      expect(text).toContain(maria);
      expect(text).toContain(ana);
    }
  });

  it("tell a person of the person's own certificates only", async () => {
    const { status, text } = await server.ask('POST', '/signature-service', person(), body('x'));
    expect(status).toBe(422);
    expect(text).toContain(ana);
    expect(text).not.toMatch(/MARIA|52998224725/);
  });
});

describe('the answers about a transaction', () => {
  const aliasIn = ({ text }: Heard): string[] =>
    [...text.matchAll(/"certificate_alias":"([^"]*)"/g)].map(([, one = '']) => one);
  const tcnIn = ({ text }: Heard): string => /"tcn":"([^"]*)"/.exec(text)?.[1] ?? '';

  it.each([
    ['a program of the owner', '11144477735', ana, ana],
    ['a site that may read certificates', '11144477735', ana, ana],
    ['a site that may sign', '11144477735', maskedAna, maskedAna],
    ['a site that may sign', ana, ana, maskedAna],
    ['a site that may sign', maskedAna, maskedAna, maskedAna],
    ['an application', '11144477735', maskedAna, maskedAna],
    ['an application', maskedAna, maskedAna, maskedAna],
  ] as const)('give %s, after naming %s, the alias %s, and later %s', async (caller, sent, created, later) => {
    const begun = await ask(caller, 'POST', '/signature-service', body(sent));
    expect(begun.status).toBe(201);
    expect(aliasIn(begun)).toEqual([created]);
    const tcn = tcnIn(begun);
    expect(aliasIn(await ask(caller, 'GET', `/signature-service/${tcn}`))).toEqual([later]);
    const states = await ask(caller, 'POST', '/signature-service/status', { tcns: [tcn] });
    expect(aliasIn(states)).toEqual([later]);
    const listed = await ask(caller, 'GET', '/signature-service?limit=1');
    expect(aliasIn(listed)).toEqual([later]);
    const cancelled = await ask(caller, 'DELETE', `/signature-service/${tcn}`);
    expect(aliasIn(cancelled)).toEqual([later]);
  });

  it('refuse a masked alias of a reader of certificates', async () => {
    expect((await ask('a program of the owner', 'POST', '/signature-service', body(maskedAna))).status).toBe(422);
  });
});
