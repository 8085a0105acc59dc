import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { certificateInfoBody } from '../../../src/http/authorization/certificate-info.ts';
import { ana, grantOf, HandlerWorld, portal } from './handler-world.ts';

let world: HandlerWorld;
beforeEach(async () => {
  world = await HandlerWorld.open();
  world.grants.set('t1', grantOf());
  world.grants.set('t2', grantOf({ username: null }));
});
afterEach(async () => world.close());

const read = (headers: Readonly<Record<string, string>>, query = '') => world.get(`/certificate/info${query}`, headers);

describe('GET /certificate/info', () => {
  it.each([
    ['bare in Authentication', { Authentication: 't1' }],
    ['bare in Authentication, with blanks', { Authentication: '  t1  ' }],
    ['behind Bearer in Authentication', { Authentication: 'bEARER   t1' }],
    ['in Authorization', { Authorization: 'Bearer t1' }],
    ['in Authorization, with blanks', { Authorization: ' bearer  t1 ' }],
    ['in both headers', { Authentication: 't1', Authorization: 'Bearer t1' }],
    ['in Authentication, beside another scheme', { Authentication: 't1', Authorization: 'Basic YTpi' }],
    ['in Authorization, beside what is no token', { Authentication: 'no token', Authorization: 'Bearer t1' }],
  ])('answers the certificates of the user whose token comes %s', async (_how, headers) => {
    const answer = await read(headers);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { certificates: world.certificates }]);
    expect(world.callsOf('read')).toEqual([[ana.username, undefined]]);
    expect(world.lastSignal?.aborted).toBe(false);
  });

  it.each(['t=', 't==', 'a.b_c~d+e/f-'])('takes a token of the form %s', async (token) => {
    world.grants.set(token, grantOf());
    expect((await read({ Authentication: token })).status).toBe(200);
    expect((await read({ Authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it.each([
    ['no token', {}, 'Bearer realm="Sinete"'],
    ['the scheme without a token', { Authorization: 'Bearer' }, 'Bearer realm="Sinete"'],
    ['another scheme', { Authorization: 'Basic t1' }, 'Bearer realm="Sinete"'],
    ['a bare token in Authorization', { Authorization: 't1' }, 'Bearer realm="Sinete"'],
    ['something before the scheme', { Authorization: 'x Bearer t1' }, 'Bearer realm="Sinete"'],
    ['something behind the token', { Authorization: 'Bearer t1 x' }, 'Bearer realm="Sinete"'],
    ['something behind the bare token', { Authentication: 't1 x' }, 'Bearer realm="Sinete"'],
    ['something before the bare token', { Authentication: 'x t1' }, 'Bearer realm="Sinete"'],
    ['a scheme that is not parted from the token', { Authorization: 'Bearert1' }, 'Bearer realm="Sinete"'],
    ['a token that is not known', { Authentication: 't3' }, 'Bearer realm="Sinete", error="invalid_token"'],
    ['a token without a person', { Authentication: 't2' }, 'Bearer realm="Sinete", error="invalid_token"'],
    [
      'two different tokens',
      { Authentication: 't1', Authorization: 'Bearer t2' },
      'Bearer realm="Sinete", error="invalid_request"',
    ],
  ])('answers 401 to %s', async (_what, headers, challenge) => {
    const answer = await read(headers);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'CREDENTIALS_INVALID' });
    expect(world.callsOf('read')).toEqual([]);
  });

  it('refuses a token to a page whose origin is none of its application', async () => {
    const fromSite = { Authentication: 't1', 'X-Test-Caller': 'site' };
    expect((await read(fromSite)).status).toBe(401);
    expect(world.callsOf('read')).toEqual([]);
    world.applications[0] = { ...portal, redirectUris: ['https://spa.example/back'] };
    expect((await read(fromSite)).status).toBe(200);
  });

  it.each([
    ['', undefined],
    ['?certificate_alias=', undefined],
    ['?certificate_alias=my%20key', 'my key'],
  ])('asks for the alias of %j', async (query, alias) => {
    expect((await read({ Authentication: 't1' }, query)).status).toBe(200);
    expect(world.callsOf('read')).toEqual([[ana.username, alias]]);
  });

  it.each(['?certificate_alias=a&certificate_alias=b', '?certificate_alias[x]=a&certificate_alias[y]=b'])(
    'answers 422 to %s, naming the parameter',
    async (query) => {
      const answer = await read({ Authentication: 't1' }, query);
      if (query.includes('[')) expect(answer.status).toBe(200);
      else {
        expect(answer.status).toBe(422);
        expect(JSON.parse(answer.body)).toMatchObject({
          errors: [{ field: 'certificate_alias', code: 'INVALID_TYPE' }],
        });
      }
    },
  );
});

describe('the described answer of GET /certificate/info', () => {
  interface Described {
    readonly $ref?: string;
    readonly $defs?: Readonly<Record<string, Described>>;
    readonly properties?: Readonly<Record<string, Described>>;
    readonly required?: readonly string[];
    readonly items?: Described;
    readonly description?: string;
    readonly examples?: readonly string[];
    readonly anyOf?: readonly Described[];
    readonly enum?: readonly string[];
  }
  const schema = z.toJSONSchema(certificateInfoBody) as Described;
  const follow = (described: Described | undefined): Described | undefined =>
    described?.$ref === undefined ? described : schema.$defs?.[described.$ref.replace('#/$defs/', '')];
  /** The schema at a way of names; `[]` is an entry of a list. */
  const at = (way: string): Described | undefined =>
    way
      .split(' ')
      .reduce((outer, name) => follow(name === '[]' ? outer?.items : outer?.properties?.[name]), follow(schema));
  const fieldsOf = (described: Described | undefined): readonly string[] => Object.keys(described?.properties ?? {});

  it.each([
    ['the entry', 'certificates []', 'alias detail certificate'],
    ['the findings', 'certificates [] detail', 'date crl trust'],
    ['a finding', 'certificates [] detail date', 'status code message'],
    ['the finding about trust', 'certificates [] detail trust', 'status code message chain'],
    ['the certificate', 'certificates [] certificate', 'version dn cn basicConstraints validity keyIdentifier fingerprint fingerprint_sha256 keyUsage extKeyUsage serialNumberHex algorithm policy signature publicKey issuer subject hierarchy'], // prettier-ignore
    ['the constraints', 'certificates [] certificate basicConstraints', 'cA'],
    ['the validity', 'certificates [] certificate validity', 'notBefore notAfter'],
    ['the policy', 'certificates [] certificate policy', 'oid dpc name type'],
    ['the key', 'certificates [] certificate publicKey', 'algorithm bits pem'],
    ['the issuer', 'certificates [] certificate issuer', 'crl dn cn aia keyIdentifier fingerprint'],
    ['the subject', 'certificates [] certificate subject', 'email dataNascimento cpf nis rg cei tituloEleitor cnpj razaoSocial responsavel'], // prettier-ignore
    ['the identity card', 'certificates [] certificate subject rg', 'numero emissor uf'],
    ['the voter card', 'certificates [] certificate subject tituloEleitor', 'numero zona secao municipio uf'],
  ])('has the fields of %s, all of them always there', (_what, way, fields) => {
    const described = at(way);
    expect(fieldsOf(described)).toEqual(fields.split(' '));
    expect(described?.required).toEqual(fields.split(' '));
  });

  it.each([
    ['the chain', 'certificates [] detail trust chain', 'upwards'],
    ['times', 'certificates [] certificate validity notBefore', 'YYYY-MM-DDThh:mm:ss+0000'],
    ['the key identifier', 'certificates [] certificate keyIdentifier', 'Base64'],
    ['the fingerprint', 'certificates [] certificate fingerprint', 'lower-case hex'],
    ['the signature', 'certificates [] certificate signature', 'Base64'],
    ['the practice statement', 'certificates [] certificate policy dpc', 'Address'],
    ['the type', 'certificates [] certificate policy type', 'A1 to A4'],
    ["the issuer's key identifier", 'certificates [] certificate issuer keyIdentifier', 'Base64'],
    ["the issuer's fingerprint", 'certificates [] certificate issuer fingerprint', 'SHA-1'],
    ['the day of birth', 'certificates [] certificate subject dataNascimento', 'YYYY-MM-DD'],
    ['the CNPJ', 'certificates [] certificate subject cnpj', '14 characters'],
    ['the certificate', 'certificates [] certificate', 'all zeros is absent'],
  ])('says how %s is written', (_what, way, words) => {
    expect(at(way)?.description).toContain(words);
  });

  it('has an example of a time, and names the hierarchies', () => {
    expect(at('certificates [] certificate validity notAfter')?.examples).toEqual(['2026-01-02T03:04:05+0000']);
    expect(at('certificates [] certificate hierarchy')?.anyOf?.[0]?.enum).toEqual([
      'ICP-Brasil',
      'gov.br',
      'test',
      'other',
    ]);
  });
});
