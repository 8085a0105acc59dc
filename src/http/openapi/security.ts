import { SCOPES } from '../../service/authorization/index.ts';
import type { Credentials } from '../operation.ts';

/** Programs of this computer's owner need no credentials; other computers send an administrator's token. */
export const ofAdministrators: Credentials = [{}, { administratorToken: [] }];

/** The use of a token of each scope. */
const scopeMeanings: Record<(typeof SCOPES)[number], string> = {
  single_signature: 'One document.',
  multi_signature: 'One transaction.',
  signature_session: 'Signatures until the token ends.',
  authentication_session: 'Identification.',
  certificate_info: 'Certificate information.',
  offline_access: 'Refresh tokens, until the permission ends.',
};

/**
 * The kinds of credentials by the names that descriptions use. No schema has such a name: generators make a type of each.
 */
export const securitySchemes = {
  personPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'CPF or CNPJ, and a one-time password. The password approves this transaction.',
  },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and client secret, form-encoded (RFC 6749 §2.3.1).',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of the authorization service, or a session token of an earlier create request.',
  },
  administratorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of an administrator, for requests from other computers: "sinete admin tokens add".',
  },
  applicationSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'Sinete, a space, and the base64 of client id, colon and client secret: the application itself.',
  },
  authenticationHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'Authentication',
    description: 'The access token, with or without "Bearer" before it.',
  },
  oauth2: {
    type: 'oauth2',
    description: 'Where tokens come from. PKCE with S256 is required for public applications.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth',
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, scopeMeanings[scope]])),
      },
    },
  },
};
