import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { SCOPES } from '../../service/authorization/index.ts';
import type { httpProblems, serviceProblems } from '../error-statuses.ts';
import { json, problemBody } from '../openapi-problems.ts';
import { applicationBody, applicationChange, registrationBody, registrationRequest } from '../registry/applications.ts';

type Responses = ZodOpenApiOperationObject['responses'];
type DescribeProblems = (...codes: (keyof typeof httpProblems | keyof typeof serviceProblems)[]) => Responses;

const tags = ['Authorization'];
const html = { 'text/html': { schema: { type: 'string' } } } as const;
const scopes = `Separated by spaces: ${SCOPES.join(', ')}. Default: signature_session.`;
const lifetime = 'Seconds; at most 604,800 for a CPF and 2,592,000 for a CNPJ, 3,600 when absent.';

const authorizeQuery = z.object({
  response_type: z.literal('code').optional().meta({ description: 'Required, unless request_uri is given.' }),
  client_id: z.string(),
  redirect_uri: z
    .string()
    .optional()
    .meta({ description: 'One of the registered addresses, letter by letter; default: the first of them.' }),
  state: z.string().optional().meta({ description: 'Any text; comes back as it was.' }),
  scope: z.string().optional().meta({ description: scopes }),
  lifetime: z.string().optional().meta({ description: lifetime }),
  integration: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'true: first a page with the ways to authorize.' }),
  request_uri: z
    .string()
    .optional()
    .meta({ description: 'From /oauth/par; with it only client_id counts, and response_type may be absent.' }),
  login_hint: z.string().optional().meta({ description: 'CPF or CNPJ of the expected person, for the form.' }),
  code_challenge: z
    .string()
    .optional()
    .meta({ description: 'RFC 7636; required for public applications, enforced for all that send it.' }),
  code_challenge_method: z.literal('S256').optional(),
});

const authorizeForm = z.object({
  request: z.string().meta({ minLength: 1, description: 'From the page: binds the answer to what was shown.' }),
  decision: z.enum(['allow', 'refuse']).optional(),
  way: z.enum(['choose', 'computer', 'password', 'telephone']).optional(),
  username: z.string().optional().meta({ description: 'CPF or CNPJ' }),
  password: z.string().optional().meta({ description: 'One-time password or recovery code' }),
});

const tokenRequest = z.object({
  grant_type: z.enum(['authorization_code', 'refresh_token', 'client_credentials', 'password']),
  client_id: z.string().optional(),
  client_secret: z.string().optional().meta({
    description:
      'Or as Basic credentials, id and secret form-encoded (RFC 6749 §2.3.1); public applications have none.',
  }),
  code: z.string().optional(),
  redirect_uri: z
    .string()
    .optional()
    .meta({ description: 'As in the authorization request, when it was named there.' }),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional().meta({ description: 'refresh_token: the newest one; each works once.' }),
  username: z.string().optional().meta({ description: 'password: CPF or CNPJ' }),
  password: z.string().optional().meta({ description: 'password: one-time password' }),
  scope: z.string().optional().meta({ description: scopes }),
  lifetime: z.string().optional().meta({ description: lifetime }),
});

const tokenBody = z
  .object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.number().int(),
    scope: z.string(),
    authorization: z.string().meta({ description: 'The value to send in the header Authorization.' }),
    refresh_token: z
      .string()
      .optional()
      .meta({ description: 'With the scope offline_access: renews the access token, once.' }),
    refresh_token_expires_in: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Seconds until the permission ends, however often it is renewed.' }),
    user: z
      .object({ name: z.string(), username: z.string(), photo: z.string().nullable() })
      .optional()
      .meta({ description: 'With grant_type password.' }),
  })
  .meta({ id: 'Token' });

const revocationRequest = z.object({
  token: z.string().meta({ minLength: 1 }),
  token_type_hint: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

const pushedRequest = authorizeQuery
  .omit({ request_uri: true })
  .extend({
    response_type: z.literal('code'),
    client_secret: z
      .string()
      .optional()
      .meta({ description: 'Or as Basic credentials; public applications have none.' }),
  })
  .meta({ id: 'PushedRequest' });

const pushedBody = z
  .object({ request_uri: z.string(), expires_in: z.number().int() })
  .meta({ id: 'PushedRequestAnswer' });

const introspectionRequest = z
  .object({
    token: z.string(),
    token_type_hint: z.string().optional(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  })
  .meta({ id: 'IntrospectionRequest' });

const introspectionBody = z
  .object({
    active: z.boolean(),
    scope: z.string().optional(),
    client_id: z.string().optional(),
    token_type: z.literal('bearer').optional(),
    iss: z.string().optional(),
    exp: z.number().int().optional().meta({ description: 'Seconds since 1970.' }),
    username: z.string().optional().meta({ description: 'CPF or CNPJ' }),
    sub: z.string().optional().meta({ description: 'The same as username.' }),
  })
  .meta({ id: 'Introspection' });

const serverMetadata = z
  .looseObject({ issuer: z.string(), authorization_endpoint: z.string(), token_endpoint: z.string() })
  .meta({ id: 'AuthorizationServer' });

const errorBody = z.object({ error: z.string(), error_description: z.string() }).meta({ id: 'OAuthError' });

/** Endpoints 8, 9 and 11 and their companions, for the OpenAPI document. */
export function authorizationPaths(problems: DescribeProblems): ZodOpenApiPathsObject {
  const page = { description: 'A page for the person.', content: html };
  const redirect = {
    description: 'Back to the application, with `code` and `state`, or with `error`, `error_description` and `state`.',
    headers: z.object({ Location: z.string() }),
  };
  return {
    '/oauth/authorize': {
      get: {
        operationId: 'showAuthorization',
        tags,
        summary: 'Ask a person for their authorization',
        description:
          'For a browser. A client or an address that is not registered is told to the person, and never followed.',
        requestParams: { query: authorizeQuery },
        responses: { ...problems(), 200: page, 303: redirect, 400: page },
      },
      post: {
        operationId: 'answerAuthorization',
        tags,
        summary: "The page's own form",
        requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: authorizeForm } } },
        description: 'A browser gets a page that leads back to the application by itself; a program gets a redirect.',
        responses: {
          ...problems('REQUEST_MALFORMED', 'BODY_NOT_UTF8', 'MEDIA_TYPE_NOT_SUPPORTED', 'REQUEST_TOO_LARGE'),
          200: page,
          303: redirect,
          401: page,
          410: page,
          429: page,
          503: page,
        },
      },
    },
    '/oauth/authorize/waiting': {
      get: {
        operationId: 'awaitAuthorization',
        tags,
        summary: 'Wait for the decision in the window of Sinete',
        requestParams: { query: z.object({ request: z.string().meta({ minLength: 1 }) }) },
        responses: { ...problems('REQUEST_MALFORMED'), 200: page, 303: redirect, 410: page },
      },
    },
    '/oauth': { post: tokenOperation(problems) },
    '/oauth/revoke': {
      post: {
        operationId: 'revokeToken',
        tags,
        summary: 'End a token (RFC 7009)',
        requestBody: { required: true, content: formOrJson(revocationRequest) },
        responses: { ...oauthResponses(problems), 200: { description: 'The token is over, or never was one.' } },
      },
    },
    ...companionPaths(problems),
    '/v0/oauth/application': { post: registrationOperation(problems) },
    '/applications/{client_id}': applicationOperations(problems),
  };
}

/** Pushed requests, introspection and metadata. */
function companionPaths(problems: DescribeProblems): ZodOpenApiPathsObject {
  return {
    '/oauth/par': {
      post: {
        operationId: 'pushRequest',
        tags,
        summary: 'Send an authorization request beforehand (RFC 9126)',
        description:
          'Takes the parameters of the authorize page. The address of the page then needs client_id and request_uri.',
        requestBody: { required: true, content: formOrJson(pushedRequest) },
        responses: {
          ...oauthResponses(problems),
          201: { description: 'The reference, for 90 seconds.', content: json(pushedBody) },
        },
      },
    },
    '/oauth/introspect': {
      post: {
        operationId: 'introspectToken',
        tags,
        summary: 'Learn about a token of the application (RFC 7662)',
        requestBody: { required: true, content: formOrJson(introspectionRequest) },
        responses: {
          ...oauthResponses(problems),
          200: { description: 'The token; only `active: false` for any other.', content: json(introspectionBody) },
        },
      },
    },
    '/.well-known/oauth-authorization-server': {
      get: {
        operationId: 'describeServer',
        tags,
        summary: 'Endpoints and abilities of this server (RFC 8414)',
        responses: { ...problems(), 200: { description: 'The metadata.', content: json(serverMetadata) } },
      },
    },
  };
}

function tokenOperation(problems: DescribeProblems): ZodOpenApiOperationObject {
  return {
    operationId: 'issueToken',
    tags,
    summary: 'Get an access token',
    description:
      'A code works once, within 60 seconds; using it again ends the tokens of its first use. A refresh token works once; using it again ends all tokens of its permission.',
    requestBody: { required: true, content: formOrJson(tokenRequest) },
    responses: {
      ...oauthResponses(problems),
      200: { description: 'The token, which is told this once.', content: json(tokenBody) },
    },
  };
}

/** Refusals of requests from other computers. */
const ofAdministrators = ['ADMINISTRATOR_REQUIRED', 'ADMINISTRATOR_SCOPE_MISSING'] as const;

/** Links from a registered application to its settings. */
const applicationLinks = Object.fromEntries(
  ['readApplication', 'changeApplication'].map((operationId) => [
    operationId,
    { operationId, parameters: { client_id: '$response.body#/client_id' } },
  ]),
);

/** Reading and changing a registered application. */
function applicationOperations(problems: DescribeProblems): ZodOpenApiPathsObject[string] {
  const requestParams = { path: z.object({ client_id: z.string() }) };
  const answered = {
    200: { description: 'The application, without secrets.', content: json(applicationBody) },
  };
  const refusals = [...ofAdministrators, 'REQUEST_MALFORMED', 'APPLICATION_NOT_FOUND'] as const;
  return {
    get: {
      operationId: 'readApplication',
      tags: ['Registry'],
      summary: 'Read a registered application and its limits',
      requestParams,
      responses: { ...problems(...refusals), ...answered },
    },
    put: {
      operationId: 'changeApplication',
      tags: ['Registry'],
      summary: 'Change a registered application or its limits',
      requestParams,
      requestBody: { required: true, content: json(applicationChange) },
      responses: {
        ...problems(...refusals, 'BODY_NOT_UTF8', 'MEDIA_TYPE_NOT_SUPPORTED', 'REQUEST_TOO_LARGE', 'REQUEST_INVALID'),
        ...answered,
      },
    },
  };
}

function registrationOperation(problems: DescribeProblems): ZodOpenApiOperationObject {
  return {
    operationId: 'registerApplication',
    tags: ['Registry'],
    summary: 'Register an application',
    requestBody: { required: true, content: json(registrationRequest) },
    responses: {
      201: {
        description: 'The application with its secrets, which are told this once.',
        links: applicationLinks,
        content: json(registrationBody),
      },
      ...problems(
        ...ofAdministrators,
        'REQUEST_MALFORMED',
        'BODY_NOT_UTF8',
        'APPLICATION_EXISTS',
        'MEDIA_TYPE_NOT_SUPPORTED',
        'REQUEST_INVALID',
      ),
    },
  };
}

const oauthErrors = {
  400: { description: 'RFC 6749 §5.2.', content: json(errorBody) },
  401: { description: '`invalid_client`.', content: json(errorBody) },
  415: { description: 'Neither a form nor JSON.', content: json(errorBody) },
  429: { description: '`temporarily_unavailable`: too many attempts; see `Retry-After`.', content: json(errorBody) },
} as const;

/**
 * The responses of OAuth endpoints. Internal faults have the form of RFC 6749 too, except faults before the request is
 * read.
 */
function oauthResponses(problems: DescribeProblems): Responses {
  const before = problems();
  const content = { ...json(errorBody), 'application/problem+json': { schema: problemBody } };
  const fault = (status: '500' | '503') => ({
    description: `${before[status]?.description ?? ''} Or \`server_error\`, when the request was read.`,
    content,
  });
  return { ...before, ...oauthErrors, 500: fault('500'), 503: fault('503') };
}

function formOrJson(schema: z.ZodType) {
  return { ...json(schema), 'application/x-www-form-urlencoded': { schema } };
}
