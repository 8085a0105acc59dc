import { describe, expect, it } from 'vitest';
import { certificateOperation } from '../../../src/http/authorization/certificate-info.ts';
import { authorizationOperations } from '../../../src/http/authorization/operations.ts';
import { buildOpenApi } from '../../../src/http/openapi.ts';
import { registryOperations } from '../../../src/http/registry/operations.ts';
import { routes } from '../../../src/http/routes.ts';

/** The members of a JSON Schema used by the API. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly minLength?: number;
  readonly examples?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content; readonly headers?: object }>
  >;
}

const document = buildOpenApi('0.1.0');
const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
    path,
    method,
    operation,
  })),
);
const table = [...authorizationOperations, ...registryOperations, certificateOperation];
const names = table.map(({ id }) => id);
const own = operations.filter(({ operation }) => names.includes(operation.operationId));

/** A schema in a line: `!` marks a required part, a capital the name of a component. */
function outline({ $ref, type, properties, required = [], items, anyOf, ...rest }: Schema): string {
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (anyOf !== undefined) return anyOf.map(outline).join(' or ');
  if (rest.const !== undefined) return rest.const;
  if (rest.enum !== undefined) return rest.enum.join('|');
  if (items !== undefined) return `[${outline(items)}]`;
  if (properties === undefined) return [type ?? 'anything'].flat().join(' or ');
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '!' : ''}: ${outline(schema)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

const contents = (content: Content | undefined): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => `${type} ${outline(schema)}`)
    .join(' and ');

const html = 'text/html string';
const problem = 'application/problem+json Problem';
const oauthError = 'application/json OAuthError';
const eitherError = `${oauthError} and ${problem}`;
/** Statuses the guard may answer at any address. */
const always = {
  403: problem,
  408: problem,
  417: problem,
  421: problem,
  429: problem,
  431: problem,
  500: problem,
  503: problem,
};
const oauth = {
  ...always,
  400: oauthError,
  401: oauthError,
  415: oauthError,
  429: oauthError,
  500: eitherError,
  503: eitherError,
};

const asForm = (fields: string): string => `application/x-www-form-urlencoded ${fields}`;

const tokenFields =
  '{ grant_type!: authorization_code|refresh_token|client_credentials|password, client_id: string, client_secret: string, ' +
  'code: string, redirect_uri: string, code_verifier: string, refresh_token: string, username: string, ' +
  'password: string, scope: string, lifetime: string }';

const expected: Readonly<
  Record<
    string,
    { readonly takes: readonly string[]; readonly body: string; readonly answers: Readonly<Record<number, string>> }
  >
> = {
  'get /oauth/authorize': {
    takes: [
      'query response_type code',
      'query client_id! string',
      'query redirect_uri string',
      'query state string',
      'query scope string',
      'query lifetime string',
      'query integration true|false',
      'query request_uri string',
      'query login_hint string',
      'query code_challenge string',
      'query code_challenge_method S256',
    ],
    body: '',
    answers: { ...always, 200: html, 303: 'Location', 400: html },
  },
  'post /oauth/authorize': {
    takes: [],
    body:
      'application/x-www-form-urlencoded { request!: string, decision: allow|refuse, ' +
      'way: choose|computer|password|telephone, username: string, password: string }',
    answers: {
      ...always,
      200: html,
      303: 'Location',
      400: problem,
      401: html,
      410: html,
      413: problem,
      415: problem,
      429: html,
      503: html,
    },
  },
  'get /oauth/authorize/waiting': {
    takes: ['query request! string'],
    body: '',
    answers: { ...always, 200: html, 303: 'Location', 400: problem, 410: html },
  },
  'post /oauth/par': {
    takes: [],
    body: asForm('PushedRequest'),
    answers: { ...oauth, 201: 'application/json PushedRequestAnswer' },
  },
  'post /oauth/introspect': {
    takes: [],
    body: asForm('IntrospectionRequest'),
    answers: { ...oauth, 200: 'application/json Introspection' },
  },
  'get /.well-known/oauth-authorization-server': {
    takes: [],
    body: '',
    answers: { ...always, 200: 'application/json AuthorizationServer' },
  },
  'post /oauth': { takes: [], body: asForm(tokenFields), answers: { ...oauth, 200: 'application/json Token' } },
  'post /oauth/revoke': {
    takes: [],
    body: asForm('{ token!: string, token_type_hint: string, client_id: string, client_secret: string }'),
    answers: { ...oauth, 200: '' },
  },
  'post /v0/oauth/application': {
    takes: [],
    body: 'application/json ApplicationRegistration',
    answers: {
      ...always,
      201: 'application/json RegisteredApplication',
      400: problem,
      401: problem,
      409: problem,
      415: problem,
      422: problem,
    },
  },
  'get /applications/{client_id}': {
    takes: ['path client_id! string'],
    body: '',
    answers: { ...always, 200: 'application/json Application', 400: problem, 401: problem, 404: problem },
  },
  'put /applications/{client_id}': {
    takes: ['path client_id! string'],
    body: 'application/json ApplicationChange',
    answers: {
      ...always,
      200: 'application/json Application',
      400: problem,
      401: problem,
      404: problem,
      413: problem,
      415: problem,
      422: problem,
    },
  },
  'get /certificate/info': {
    takes: ['header Authentication string', 'query certificate_alias string'],
    body: '',
    answers: { ...always, 200: 'application/json CertificateInformation', 401: problem, 422: problem },
  },
};

describe('the OpenAPI document of authorization', () => {
  it('has the operations of the table of routes, at their addresses', () => {
    const told = own.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`);
    const served = table.map(
      ({ id, method, paths }) => `${id} ${method} ${paths[0].replace(':clientId', '{client_id}')}`,
    );
    expect(told.toSorted()).toEqual(served.toSorted());
    expect(Object.keys(expected).toSorted()).toEqual(own.map(({ path, method }) => `${method} ${path}`).toSorted());
  });

  it.each(own)('describes the input and the answers of $method $path', ({ path, method, operation }) => {
    const { parameters = [], requestBody, responses, summary, tags } = operation;
    const row = expected[`${method} ${path}`];
    const takes = parameters.map(
      (one) => `${one.in} ${one.name}${one.required === true ? '!' : ''} ${outline(one.schema)}`,
    );
    expect(takes).toEqual(row?.takes);
    expect(contents(requestBody?.content)).toBe(row?.body);
    expect(requestBody?.required).toBe(row?.body === '' ? undefined : true);
    const answers = Object.entries(responses).map(([status, { content, headers = {} }]) => [
      status,
      'Location' in headers ? 'Location' : contents(content),
    ]);
    expect(Object.fromEntries(answers)).toEqual(row?.answers);
    expect(summary).toMatch(/\w/);
    expect(tags).toEqual([path.includes('application') ? 'Registry' : 'Authorization']);
  });

  it('names the parts of certificate information', () => {
    const names = ['CertificateInformation', 'Finding', 'TrustFinding'];
    expect(names.filter((name) => !(name in schemas))).toEqual([]);
  });

  it.each(own)('tells the meaning of each answer of $method $path', ({ operation }) => {
    const meanings = Object.values(operation.responses).map(({ description }) => description);
    expect(meanings.filter((text) => text.length < 12)).toEqual([]);
  });

  it('leads from a registration to the operations on the application', () => {
    const registration = own.find(({ operation }) => operation.operationId === 'registerApplication')?.operation;
    const links = registration?.responses['201'] as { readonly links?: object } | undefined;
    const withItsId = { parameters: { client_id: '$response.body#/client_id' } };
    expect(links?.links).toEqual({
      readApplication: { operationId: 'readApplication', ...withItsId },
      changeApplication: { operationId: 'changeApplication', ...withItsId },
    });
  });

  it('asks for a nonempty token and a nonempty request', () => {
    const bodyOf = (id: string): Schema | undefined =>
      own.find(({ operation }) => operation.operationId === id)?.operation.requestBody?.content['application/x-www-form-urlencoded']?.schema; // prettier-ignore
    const waiting = own.find(({ operation }) => operation.operationId === 'awaitAuthorization')?.operation;
    expect(bodyOf('revokeToken')?.properties?.['token']?.minLength).toBe(1);
    expect(waiting?.parameters?.[0]?.schema.minLength).toBe(1);
  });

  it('tells server_error beside the earlier problem', () => {
    for (const path of ['/oauth', '/oauth/revoke']) {
      const responses = own.find((one) => one.path === path)?.operation.responses;
      expect(responses?.['500']?.description).toMatch(/^`INTERNAL`.* Or `server_error`/);
      expect(responses?.['503']?.description).toMatch(/^`STORAGE_UNAVAILABLE`.* Or `server_error`/);
    }
  });

  it('names the codes of refused registrations and certificate requests', () => {
    const codesOf = (path: string, status: string) =>
      own.find((one) => one.path === path)?.operation.responses[status]?.description;
    expect(codesOf('/v0/oauth/application', '409')).toContain('APPLICATION_EXISTS');
    expect(codesOf('/v0/oauth/application', '422')).toContain('REQUEST_INVALID');
    expect(codesOf('/certificate/info', '401')).toContain('CREDENTIALS_INVALID');
    expect(codesOf('/certificate/info', '422')).toMatch(/REQUEST_INVALID.*CERTIFICATE_NOT_FOUND/);
  });

  it.each([
    [
      'Token',
      '{ access_token!: string, token_type!: bearer, expires_in!: integer, scope!: string, authorization!: string, ' +
        'refresh_token: string, refresh_token_expires_in: integer, user: { name!: string, username!: string, photo!: string or null } }',
    ],
    ['OAuthError', '{ error!: string, error_description!: string }'],
    [
      'PushedRequest',
      '{ response_type!: code, client_id!: string, redirect_uri: string, state: string, scope: string, ' +
        'lifetime: string, integration: true|false, login_hint: string, code_challenge: string, ' +
        'code_challenge_method: S256, client_secret: string }',
    ],
    ['PushedRequestAnswer', '{ request_uri!: string, expires_in!: integer }'],
    ['IntrospectionRequest', '{ token!: string, token_type_hint: string, client_id: string, client_secret: string }'],
    [
      'Introspection',
      '{ active!: boolean, scope: string, client_id: string, token_type: bearer, iss: string, exp: integer, ' +
        'username: string, sub: string }',
    ],
    ['AuthorizationServer', '{ issuer!: string, authorization_endpoint!: string, token_endpoint!: string }'],
    ['Finding', '{ status!: boolean, code!: integer, message!: string }'],
    ['TrustFinding', '{ status!: boolean, code!: integer, message!: string, chain!: string }'],
    [
      'CertificateInformation',
      '{ certificates!: [{ alias!: string, detail!: { date!: Finding, crl!: Finding, trust!: TrustFinding }, ' +
        'certificate!: CertificateDescription }] }',
    ],
    [
      'CertificateDescription',
      '{ version!: string, dn!: string, cn!: string, basicConstraints!: { cA!: boolean }, ' +
        'validity!: { notBefore!: string, notAfter!: string }, keyIdentifier!: string or null, fingerprint!: string, ' +
        'fingerprint_sha256!: string, keyUsage!: [string], extKeyUsage!: [string], serialNumberHex!: string, ' +
        'algorithm!: string, policy!: { oid!: string or null, dpc!: string or null, name!: string or null, ' +
        'type!: string or null }, signature!: string, publicKey!: { algorithm!: string, bits!: integer or null, ' +
        'pem!: string }, issuer!: { crl!: [string], dn!: string, cn!: string, aia!: string or null, ' +
        'keyIdentifier!: string or null, fingerprint!: string or null }, subject!: { email!: string or null, ' +
        'dataNascimento!: string or null, cpf!: string or null, nis!: string or null, rg!: { numero!: string or null, ' +
        'emissor!: string or null, uf!: string or null }, cei!: string or null, tituloEleitor!: { numero!: string or null, ' +
        'zona!: string or null, secao!: string or null, municipio!: string or null, uf!: string or null }, ' +
        'cnpj!: string or null, razaoSocial!: string or null, responsavel!: string or null }, ' +
        'hierarchy: ICP-Brasil|gov.br|test|other or null }',
    ],
  ])('gives %s its fields', (name, fields) => {
    expect(schemas[name] && outline(schemas[name])).toBe(fields);
  });

  it('explains each parameter and each field without a telling name', () => {
    const explainedBy = ({ operation }: (typeof own)[number]): readonly string[] => [
      ...(operation.parameters ?? []).filter(({ description }) => isText(description)).map(({ name }) => name),
      ...Object.values(operation.requestBody?.content ?? {})
        .slice(0, 1)
        .flatMap(({ schema }) => explained(schema)),
    ];
    const ofOperations = own.map((one) => [one.operation.operationId, explainedBy(one).join(' ')]);
    const names = ['Token', 'PushedRequest', 'IntrospectionRequest', 'Introspection', 'CertificateDescription', 'TrustFinding']; // prettier-ignore
    const ofSchemas = names.map((name) => [name, explained(schemas[name] ?? {}).join(' ')]);
    expect(Object.fromEntries([...ofOperations, ...ofSchemas])).toEqual({
      CertificateDescription:
        'notBefore notAfter keyIdentifier fingerprint dpc type signature keyIdentifier fingerprint dataNascimento cnpj',
      Introspection: 'exp username sub',
      IntrospectionRequest: '',
      PushedRequest: 'redirect_uri state scope lifetime integration login_hint code_challenge client_secret',
      Token: 'authorization refresh_token refresh_token_expires_in user',
      TrustFinding: 'chain',
      answerAuthorization: 'request username password',
      awaitAuthorization: '',
      changeApplication: '',
      describeServer: '',
      introspectToken: '',
      issueToken: 'client_secret redirect_uri refresh_token username password scope lifetime',
      pushRequest: '',
      readApplication: '',
      readCertificateInformation: 'Authentication certificate_alias',
      registerApplication: '',
      revokeToken: '',
      showAuthorization:
        'response_type redirect_uri state scope lifetime integration request_uri login_hint code_challenge',
    });
    expect(schemas['CertificateDescription']?.description).toMatch(/^Null where/);
    expect(schemas['CertificateDescription']?.properties?.['validity']?.properties?.['notAfter']?.examples).toEqual([
      '2026-01-02T03:04:05+0000',
    ]);
  });
});

const isText = (text: string | undefined): boolean => text !== undefined && text !== '';

/** The names of the fields with a description, also inner fields, in order. */
const explained = (schema: Schema): readonly string[] =>
  fieldsOf(schema)
    .filter(([, description]) => isText(description))
    .map(([name]) => name);

/** Names and descriptions of all fields, also inner fields. */
function fieldsOf({ properties = {}, items }: Schema): (readonly [name: string, description: string | undefined])[] {
  const inner = items === undefined ? [] : fieldsOf(items);
  return [
    ...inner,
    ...Object.entries(properties).flatMap(([name, schema]) => [
      [name, schema.description] as const,
      ...fieldsOf(schema),
    ]),
  ];
}

describe('the routes of authorization', () => {
  it('are among the routes of the server, each with its guard and its kind of body', () => {
    const rows = table.map(({ id, number, method, paths, guard, body }) =>
      [id, number, method, paths.join(), guard, body].join(' '),
    );
    expect(rows).toEqual([
      'showAuthorization 8 get /oauth/authorize,/v0/oauth/authorize form none',
      'answerAuthorization  post /oauth/authorize form form',
      'awaitAuthorization  get /oauth/authorize/waiting page none',
      'issueToken 9 post /oauth,/oauth/token,/v0/oauth/token,/oauth/pwd_authorize,/v0/oauth/pwd_authorize,/oauth/client_token,/v0/oauth/client_token token stream',
      'revokeToken  post /oauth/revoke,/v0/oauth/revoke token stream',
      'pushRequest  post /oauth/par token stream',
      'introspectToken  post /oauth/introspect api stream',
      'describeServer  get /.well-known/oauth-authorization-server discovery none',
      'registerApplication 11 post /v0/oauth/application api json',
      'readApplication  get /applications/:clientId api none',
      'changeApplication  put /applications/:clientId api json',
      'readCertificateInformation 10 get /certificate/info,/certificate-service token none',
    ]);
    expect(names.filter((name) => !routes.some(({ id }) => id === name))).toEqual([]);
  });
});
