import { z } from 'zod';
import { SCOPES } from '../../service/authorization/index.ts';

/** Bodies and parameters of the authorization service. Their readers check them; these describe them to programs. */

const scopes = `Separated by spaces: ${SCOPES.join(', ')}. Default: signature_session.`;
const lifetime = 'Seconds; at most 604,800 for a CPF and 2,592,000 for a CNPJ, 3,600 when absent.';

export const authorizeQuery = z.object({
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

export const authorizeForm = z.object({
  request: z.string().meta({ minLength: 1, description: 'From the page: binds the answer to what was shown.' }),
  decision: z.enum(['allow', 'refuse']).optional(),
  way: z.enum(['choose', 'computer', 'password', 'telephone']).optional(),
  username: z.string().optional().meta({ description: 'CPF or CNPJ' }),
  password: z.string().optional().meta({ description: 'One-time password or recovery code' }),
});

export const tokenRequest = z.object({
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

export const tokenBody = z
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

export const revocationRequest = z.object({
  token: z.string().meta({ minLength: 1 }),
  token_type_hint: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

export const pushedRequest = authorizeQuery
  .omit({ request_uri: true })
  .extend({
    response_type: z.literal('code'),
    client_secret: z
      .string()
      .optional()
      .meta({ description: 'Or as Basic credentials; public applications have none.' }),
  })
  .meta({ id: 'PushedRequest' });

export const pushedBody = z
  .object({ request_uri: z.string(), expires_in: z.number().int() })
  .meta({ id: 'PushedRequestAnswer' });

export const introspectionRequest = z
  .object({
    token: z.string(),
    token_type_hint: z.string().optional(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  })
  .meta({ id: 'IntrospectionRequest' });

export const introspectionBody = z
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

export const serverMetadata = z
  .looseObject({ issuer: z.string(), authorization_endpoint: z.string(), token_endpoint: z.string() })
  .meta({ id: 'AuthorizationServer' });

export const errorBody = z.object({ error: z.string(), error_description: z.string() }).meta({ id: 'OAuthError' });
