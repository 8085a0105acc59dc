import { z } from 'zod';
import type { Applications } from '../../service/applications/index.ts';
import type { HashCalls } from '../../service/hash-calls/index.ts';
import type { CertificateInformation } from '../../service/certificates/index.ts';
import { pathsWithSpellings } from '../client-spellings.ts';
import { json, problemBody, problems } from '../openapi/problems.ts';
import { forEverybody, oneExample, type Description, type Operation } from '../operation.ts';
import { answerAuthorization, awaitAuthorization, showAuthorization, type AuthorizeServices } from './authorize.ts';
import {
  authorizeForm,
  authorizeQuery,
  errorBody,
  introspectionBody,
  introspectionRequest,
  pushedBody,
  pushedRequest,
  revocationRequest,
  serverMetadata,
  tokenBody,
  tokenRequest,
} from './oauth-schemas.ts';
import { pushRequest } from './push-request.ts';
import { describeServer, introspectToken, issueToken, revokeToken } from './token.ts';

/** Services of endpoints 8 to 11. */
export interface AuthorizationServices extends AuthorizeServices {
  readonly applications: Applications;
  readonly certificates: CertificateInformation;
  /** Signatures of hashes for the interfaces of other protocols. */
  readonly hashCalls: HashCalls;
  readonly now: () => Date;
  /** True if a one-time password that comes with a create request approves its transaction. */
  readonly oneTimePasswordApproves: boolean;
}

/** Services of the operations of authorization. */
export interface AuthorizationParts {
  readonly identity: AuthorizationServices;
}

const tag = 'Authorization';
const access = forEverybody('authorization');
const html = { 'text/html': { schema: { type: 'string' } } } as const;
const page = { description: 'A page for the person.', content: html };
const redirect = {
  description: 'Back to the application, with `code` and `state`, or with `error`, `error_description` and `state`.',
  headers: z.object({ Location: z.string() }),
};
const client = { client_id: 'portal', client_secret: 'shown-once-at-registration' };
const optionalClient = [{}, { clientSecret: [] }];

const tokenExamples = {
  authorization_code: {
    summary: 'After the authorize page',
    value: {
      ...client,
      grant_type: 'authorization_code',
      code: 'code-of-the-redirect',
      redirect_uri: 'https://portal.example/back',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
  },
  client_credentials: { summary: 'The application itself', value: { grant_type: 'client_credentials', ...client } },
  password: {
    summary: 'A person with a one-time password',
    value: { grant_type: 'password', username: '52998224725', password: '123456' },
  },
  refresh_token: {
    summary: 'The next access token; each refresh token works once',
    value: { grant_type: 'refresh_token', refresh_token: 'newest-refresh-token', ...client },
  },
};

/** The page of authorization. */
const pageOperations: readonly Operation<AuthorizationParts>[] = [
  {
    id: 'showAuthorization',
    number: 8,
    method: 'get',
    paths: pathsWithSpellings('/oauth/authorize', 'showAuthorization'),
    guard: 'form',
    access,
    body: 'none',
    handle: ({ identity }) => showAuthorization(identity),
    describe: () => ({
      tag,
      summary: 'Ask a person for their authorization',
      description:
        'For a browser. A client or an address that is not registered is told to the person, and never followed.',
      parameters: { query: authorizeQuery },
      answers: { 200: page, 303: redirect, 400: page },
    }),
  },
  {
    id: 'answerAuthorization',
    method: 'post',
    paths: ['/oauth/authorize'],
    guard: 'form',
    access,
    body: 'form',
    handle: ({ identity }) => answerAuthorization(identity),
    describe: () => ({
      tag,
      summary: "The page's own form",
      description: 'A browser gets a page that leads back to the application by itself; a program gets a redirect.',
      body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: authorizeForm } } },
      examples: oneExample('The person refuses', { request: 'value-of-the-page', decision: 'refuse' }),
      answers: { 200: page, 303: redirect, 401: page, 410: page, 429: page, 503: page },
      problems: ['REQUEST_MALFORMED', 'BODY_NOT_UTF8', 'MEDIA_TYPE_NOT_SUPPORTED', 'REQUEST_TOO_LARGE'],
    }),
  },
  {
    id: 'awaitAuthorization',
    method: 'get',
    paths: ['/oauth/authorize/waiting'],
    guard: 'page',
    access,
    body: 'none',
    handle: ({ identity }) => awaitAuthorization(identity),
    describe: () => ({
      tag,
      summary: 'Wait for the decision in the window of Sinete',
      description: 'The page reloads itself until the person has answered in the window.',
      parameters: { query: z.object({ request: z.string().meta({ minLength: 1 }) }) },
      answers: { 200: page, 303: redirect, 410: page },
      problems: ['REQUEST_MALFORMED'],
    }),
  },
];

/** Tokens. The handlers read their bodies themselves, because errors of a body have the form of RFC 6749 §5.2. */
const tokenOperations: readonly Operation<AuthorizationParts>[] = [
  {
    id: 'issueToken',
    number: 9,
    method: 'post',
    paths: pathsWithSpellings('/oauth', 'issueToken'),
    guard: 'token',
    access,
    body: 'stream',
    handle: ({ identity }) => issueToken(identity, identity.now, identity.onFault),
    describe: () => ({
      tag,
      summary: 'Get an access token',
      description:
        'A code works once, within 60 seconds; using it again ends the tokens of its first use. A refresh token works once; using it again ends all tokens of its permission.',
      credentials: optionalClient,
      body: formOf(tokenRequest),
      examples: tokenExamples,
      answers: { 200: { description: 'The token, which is told this once.', content: json(tokenBody) } },
      example: {
        access_token: 'opaque',
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'signature_session',
        authorization: 'Bearer opaque',
      },
      refusals: oauthRefusals(),
    }),
  },
  {
    id: 'revokeToken',
    method: 'post',
    paths: pathsWithSpellings('/oauth/revoke', 'revokeToken'),
    guard: 'token',
    access,
    body: 'stream',
    handle: ({ identity }) => revokeToken(identity, identity.onFault),
    describe: () => ({
      tag,
      summary: 'End a token (RFC 7009)',
      description: 'RFC 7009: 200 for unknown tokens too.',
      credentials: optionalClient,
      body: formOf(revocationRequest),
      examples: oneExample('An access or refresh token', { token: 'opaque', ...client }),
      answers: { 200: { description: 'The token is over, or never was one.' } },
      refusals: oauthRefusals(),
    }),
  },
  {
    id: 'pushRequest',
    method: 'post',
    paths: ['/oauth/par'],
    guard: 'token',
    access,
    body: 'stream',
    handle: ({ identity }) => pushRequest(identity, identity.onFault),
    describe: () => ({
      tag,
      summary: 'Send an authorization request beforehand (RFC 9126)',
      description:
        'Takes the parameters of the authorize page. The address of the page then needs client_id and request_uri.',
      credentials: optionalClient,
      body: formOf(pushedRequest),
      examples: oneExample('What the authorize page will show', {
        response_type: 'code',
        ...client,
        redirect_uri: 'https://portal.example/back',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }),
      answers: { 201: { description: 'The reference, for 90 seconds.', content: json(pushedBody) } },
      example: { request_uri: 'urn:ietf:params:oauth:request_uri:k2mVt9Yd5Zs8hRf1WgQ', expires_in: 90 },
      refusals: oauthRefusals(),
    }),
  },
  {
    id: 'introspectToken',
    method: 'post',
    paths: ['/oauth/introspect'],
    guard: 'api',
    access,
    body: 'stream',
    handle: ({ identity }) => introspectToken(identity, identity.onFault),
    describe: () => ({
      tag,
      summary: 'Learn about a token of the application (RFC 7662)',
      description: 'RFC 7662: an application asks about its own tokens; every other token is inactive.',
      credentials: [{ clientSecret: [] }, {}],
      body: formOf(introspectionRequest),
      examples: oneExample('A token of the application', { token: 'opaque', ...client }),
      answers: {
        200: { description: 'The token; only `active: false` for any other.', content: json(introspectionBody) },
      },
      example: { active: false },
      refusals: oauthRefusals(),
    }),
  },
];

const serverOperation: Operation<AuthorizationParts> = {
  id: 'describeServer',
  method: 'get',
  paths: ['/.well-known/oauth-authorization-server'],
  guard: 'discovery',
  access,
  body: 'none',
  handle: () => describeServer,
  describe: () => ({
    tag,
    summary: 'Endpoints and abilities of this server (RFC 8414)',
    description: 'Metadata of RFC 8414: the endpoints and what they support.',
    answers: { 200: { description: 'The metadata.', content: json(serverMetadata) } },
    example: {
      issuer: 'http://127.0.0.1:17171',
      authorization_endpoint: 'http://127.0.0.1:17171/oauth/authorize',
      token_endpoint: 'http://127.0.0.1:17171/oauth',
    },
  }),
};

/** Endpoints 8 and 9 and their companions. */
export const authorizationOperations: readonly Operation<AuthorizationParts>[] = [
  ...pageOperations,
  ...tokenOperations,
  serverOperation,
];

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
function oauthRefusals(): Description['answers'] {
  const before = problems();
  const content = { ...json(errorBody), 'application/problem+json': { schema: problemBody } };
  const fault = (status: '500' | '503') => ({
    description: `${before[status]?.description ?? ''} Or \`server_error\`, when the request was read.`,
    content,
  });
  return { ...before, ...oauthErrors, 500: fault('500'), 503: fault('503') };
}

/** The documented body of an endpoint that takes a form or JSON: generators make one type of one media type. */
export function formOf(schema: z.ZodType): Description['body'] {
  const description = 'JSON with the same members is accepted too.';
  return { required: true, description, content: { 'application/x-www-form-urlencoded': { schema } } };
}
