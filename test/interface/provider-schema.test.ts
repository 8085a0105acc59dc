import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from './real-instance.ts';

/** The service-specific schema and the addresses that existing clients of the interface use. */

let instance: RealInstance;
let token: string;
let client: { readonly client_id: string; readonly client_secret: string };
beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  const { core } = instance.sinete;
  await core.testIdentities.make({ name: 'ANA LIMA', cpf: '11144477735' });
  const redirectUris = ['https://portal.example/back'];
  const registered = await core.applications.register({ name: 'Portal', comments: 'c', email: 'a@b.example', redirectUris }); // prettier-ignore
  client = { client_id: registered.application.clientId, client_secret: registered.clientSecret };
  token = (await core.authorization.issueSession('11144477735', 600)).accessToken;
});
afterAll(async () => instance.stop());

const schema = (text: string): string => `VCSchema ${Buffer.from(text).toString('base64')}`;
const json = { type: 'CMS', documents_source: 'UPLOAD_REFERENCE' };
const create = async (Authorization: string): Promise<number> =>
  (await instance.send('POST', '/signature-service', { json, headers: { Authorization } })).status;

describe('Authorization: VCSchema', () => {
  it.each(['SOLUTI', 'VAULTID', '', 'a provider - with | signs'])(
    'names the token behind the provider %j',
    async (name) => {
      expect(await create(schema(`${name}-|${token}`))).toBe(201);
    },
  );

  it('is read in any letter case', async () => {
    expect(await create(schema(`SOLUTI-|${token}`).replace('VCSchema', 'vcschema'))).toBe(201);
  });

  it.each([
    ['another token', () => schema('SOLUTI-|unknown')],
    ['no separator', () => schema(token)],
    ['no token', () => schema('SOLUTI-|')],
    ['the token without base64', () => `VCSchema SOLUTI-|${token}`],
  ])('is refused with %s', async (_name, header) => {
    expect(await create(header())).toBe(401);
  });
});

describe('an address of existing clients', () => {
  it.each(['/oauth/client_token', '/v0/oauth/client_token'])('gives an application its token: %s', async (path) => {
    const { status, content } = await instance.send('POST', path, {
      fields: { grant_type: 'client_credentials', ...client },
    });
    expect([status, content.token_type]).toEqual([200, 'bearer']);
  });

  it('tells of the certificates of a token', async () => {
    const headers = { Authorization: schema(`SOLUTI-|${token}`) };
    const [known, usual] = [
      await instance.send('GET', '/certificate-service', { headers }),
      await instance.send('GET', '/certificate/info', { headers }),
    ];
    expect([known.status, usual.status]).toEqual([200, 200]);
    expect(known.content).toEqual(usual.content);
    expect((await instance.send('GET', '/certificate-service')).status).toBe(401);
  });

  it('ends a token', async () => {
    const fields = { grant_type: 'client_credentials', ...client };
    const issued = String((await instance.send('POST', '/oauth', { fields })).content.access_token);
    expect((await instance.send('POST', '/v0/oauth/revoke', { fields: { token: issued, ...client } })).status).toBe(
      200,
    );
    expect(await create(`Bearer ${issued}`)).toBe(401);
  });
});
