import type { createDocument } from 'zod-openapi';
import { SCOPES } from '../service/authorization/index.ts';
import { signatureTypes } from '../request/signature-request.ts';
import { documentsDestinations, documentsSources } from './signing-service/schemas.ts';
import { storeAliases } from './signing-service/regular-form.ts';

type OpenApiDocument = ReturnType<typeof createDocument>;
type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Credentials by operation; every other operation needs none from programs of this computer's user. */
const security: Readonly<Record<string, readonly Readonly<Record<string, readonly string[]>>[]>> = {
  createTransaction: [{}, { person: [] }, { token: [] }, { application: [] }, { oauth2: ['signature_session'] }],
  authorizeTransaction: [{ token: [] }],
  listTransactions: [{}, { token: [] }, { application: [] }, { client: [] }],
  streamOwnTransactions: [{}, { token: [] }, { application: [] }, { client: [] }],
  issueToken: [{}, { client: [] }],
  revokeToken: [{}, { client: [] }],
  pushRequest: [{}, { client: [] }],
  introspectToken: [{ client: [] }, {}],
  readCertificateInformation: [{ token: [] }, { authentication: [] }],
};

const ofApplication = [{}, { application: [] }, { client: [] }, { token: [] }];
const webhookOperations = [
  ...['listWebhooks', 'addWebhook', 'readWebhook', 'changeWebhook', 'removeWebhook'],
  ...['rotateWebhook', 'testWebhook', 'listDeliveries', 'redeliverWebhook'],
];

/** What a token of each scope may do. */
const scopeMeanings: Record<(typeof SCOPES)[number], string> = {
  single_signature: 'One document.',
  multi_signature: 'One transaction.',
  signature_session: 'Signatures until the token ends.',
  authentication_session: 'Identification.',
  certificate_info: 'Certificate information.',
  offline_access: 'Refresh tokens, until the permission ends.',
};

const securitySchemes = {
  person: {
    ...{ type: 'http', scheme: 'basic' },
    description: 'CPF or CNPJ, and a one-time password. The password approves this transaction.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and client secret, form-encoded (RFC 6749 §2.3.1).',
  },
  token: {
    ...{ type: 'http', scheme: 'bearer' },
    description: 'An access token of the authorization service, or a session token of an earlier create request.',
  },
  application: {
    ...{ type: 'apiKey', in: 'header', name: 'Authorization' },
    description: 'Sinete, a space, and the base64 of client id, colon and client secret: the application itself.',
  },
  authentication: {
    ...{ type: 'apiKey', in: 'header', name: 'Authentication' },
    description: 'The access token, with or without "Bearer" before it.',
  },
  oauth2: {
    type: 'oauth2',
    description: 'Where tokens come from. PKCE with S256 is required for public applications.',
    flows: {
      authorizationCode: {
        ...{ authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth' },
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, scopeMeanings[scope]])),
      },
    },
  },
};

/**
 * Completes the document for programs that generate clients: security schemes, every accepted value, links, and schemas
 * that generators can read. Answers are additive, so no schema of an answer forbids other fields.
 */
export function finishOpenApi(document: OpenApiDocument): OpenApiDocument {
  mendSchemas(document);
  const schemas: Json = isJson(document.components?.schemas) ? document.components.schemas : {};
  widen(schemas.CreateTransaction, 'type', ['CMS', 'CAdES', ...signatureTypes]);
  widen(schemas.CreateTransaction, 'documents_source', [...documentsSources, ...Object.keys(storeAliases)]);
  widen(schemas.CreateTransaction, 'documents_destination', [...documentsDestinations, ...Object.keys(storeAliases)]);
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item as Json)) {
      if (isJson(operation) && typeof operation.operationId === 'string') {
        const isOfApplication = webhookOperations.includes(operation.operationId);
        operation.security = isOfApplication ? ofApplication : (security[operation.operationId] ?? []);
      }
    }
  }
  Object.assign(document.components ?? {}, { securitySchemes });
  return document;
}

function widen(schema: unknown, name: string, values: readonly string[]): void {
  const properties = isJson(schema) ? schema.properties : undefined;
  const property = isJson(properties) ? properties[name] : undefined;
  if (isJson(property)) property.enum = values;
}

/**
 * Removes the details that stop generators: patterns beside a format, bounds of all safe integers, defaults that are no
 * scalars or stand beside alternatives, constants of booleans, and closed objects.
 */
function mendSchemas(value: unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) mendSchemas(one);
    return;
  }
  if (!isJson(value)) return;
  if (value.format === 'date-time') delete value.pattern;
  if (value.type === 'integer') mendInteger(value);
  if (value.type === 'boolean') delete value.const;
  if (typeof value.default === 'object' || value.anyOf !== undefined) delete value.default;
  if (value.additionalProperties === false) delete value.additionalProperties;
  for (const inner of Object.values(value)) mendSchemas(inner);
}

function mendInteger(schema: Json): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  schema.format ??= 'int64';
}
