import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { certificateInfoBody } from '../../src/http/authorization/certificate-info.ts';
import { JOAO_CPF, MARIA_CPF } from '../pki/identities.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** Endpoint 10, with everything real behind it: tokens, keys, trust, revocation by the test services. */

let instance: RealInstance;
let token: string;
let alias: string;
let second: string;

beforeAll(async () => {
  instance = await startRealInstance({ testServicesPort: await freePort() });
  const { core, handlers } = instance.sinete;
  const make = async (name: string, cpf: string): Promise<string> => {
    const made = await handlers['command-line']['certificates.makeTestIdentity']({ name, cpf });
    return made.alias;
  };
  alias = await make('Maria de Teste', MARIA_CPF);
  second = await make('Maria Renovada', MARIA_CPF);
  await make('Joao de Teste', JOAO_CPF);
  token = (await core.authorization.issueSession(MARIA_CPF, 600)).accessToken;
  await handlers['command-line']['testServices.run']({});
});
afterAll(async () => instance.stop());

const ask = async (headers: Readonly<Record<string, string>>, query = ''): Promise<Answer> =>
  instance.send('GET', `/certificate/info${query}`, { headers });

const aliasesOf = ({ content }: Answer): unknown[] =>
  (content.certificates as readonly { readonly alias: string }[]).map((one) => one.alias);

describe('GET /certificate/info › the token', () => {
  it.each<[string, (token: string) => Record<string, string>]>([
    ['Authentication with Bearer', (value) => ({ Authentication: `Bearer ${value}` })],
    ['Authentication with the bare token', (value) => ({ Authentication: value })],
    ['Authorization with Bearer', (value) => ({ Authorization: `bearer ${value}` })],
    ['both, with the same token', (value) => ({ Authentication: value, Authorization: `Bearer ${value}` })],
  ])('comes in %s', async (_name, headers) => {
    const answer = await ask(headers(token));
    expect(answer.status).toBe(200);
    expect(aliasesOf(answer).toSorted()).toEqual([alias, second].toSorted());
  });

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['an unknown one', { Authentication: 'Bearer abcdef' }],
    ['a bare one in Authorization', { Authorization: 'abcdef' }],
    ['a malformed one', { Authentication: 'Bearer a b' }],
    ['two different ones', { Authentication: 'abc', Authorization: 'Bearer def' }],
  ])('answers 401 with a challenge to %s', async (_name, headers) => {
    const answer = await ask(headers);
    expect([answer.status, answer.content.code]).toEqual([401, 'CREDENTIALS_INVALID']);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="Sinete"/);
  });

  it('answers 401 once the token was revoked', async () => {
    const { authorization } = instance.sinete.core;
    const { accessToken } = await authorization.issueSession(MARIA_CPF, 600);
    await authorization.revoke(accessToken);
    expect((await ask({ Authentication: accessToken })).status).toBe(401);
  });
});

describe('GET /certificate/info › the certificates', () => {
  it('are described and judged as documented', async () => {
    const answer = await ask({ Authentication: token }, `?certificate_alias=${encodeURIComponent(alias)}`);
    expect(answer.status).toBe(200);
    expect(certificateInfoBody.strict().parse(answer.content)).toEqual(answer.content);
    expect(answer.content.certificates).toMatchObject([
      {
        alias,
        detail: {
          date: { status: true, code: 1187, message: 'Date of certificate is valid' },
          crl: { status: true, code: 1191, message: 'CRL is valid' },
          trust: {
            status: true,
            code: 1189,
            chain: expect.stringMatching(/^Maria de Teste:\*{3}\.982\.247-\*{2} > AC Emissora .* > AC Raiz/) as string,
          },
        },
        certificate: {
          version: 'v3',
          cn: `Maria de Teste:${MARIA_CPF}`,
          subject: { cpf: MARIA_CPF },
          policy: { type: 'A1' },
          hierarchy: 'test',
          validity: { notAfter: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/) as string },
          issuer: { fingerprint: expect.stringMatching(/^[0-9a-f]{40}$/) as string },
        },
      },
    ]);
  });

  it('are not those of somebody else', async () => {
    const answer = await ask(
      { Authentication: token },
      `?certificate_alias=Joao de Teste:${JOAO_CPF}`.replaceAll(' ', '%20'),
    );
    expect([answer.status, answer.content.code]).toEqual([422, 'CERTIFICATE_NOT_FOUND']);
  });

  it('are none for a user without a key here', async () => {
    const { accessToken } = await instance.sinete.core.authorization.issueSession('11222333000181', 600);
    expect((await ask({ Authentication: accessToken })).content).toEqual({ certificates: [] });
  });

  it('are 422 for an alias given twice', async () => {
    const answer = await ask({ Authentication: token }, '?certificate_alias=a&certificate_alias=b');
    expect([answer.status, answer.content.code]).toEqual([422, 'REQUEST_INVALID']);
  });
});
