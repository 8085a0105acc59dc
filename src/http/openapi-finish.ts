import type { createDocument } from 'zod-openapi';
import { SCOPES } from '../service/authorization/index.ts';
import { answerExamples } from './openapi-answers.ts';
import { operationGuides, parameterExamples } from './openapi-guides.ts';
import { routeAccess } from './route-access.ts';
import { signatureTypes, typeAliases } from '../request/signature-types.ts';
import { documentsDestinations, documentsSources } from './signing-service/schemas.ts';
import { storeAliases } from './signing-service/regular-form.ts';

type OpenApiDocument = ReturnType<typeof createDocument>;
type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Accepted credentials by operation. */
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
  'listWebhooks',
  'addWebhook',
  'readWebhook',
  'changeWebhook',
  'removeWebhook',
  'rotateWebhook',
  'testWebhook',
  'listDeliveries',
  'redeliverWebhook',
];

/** Programs of this computer's owner need no credentials; other computers send an administrator's token. */
const ofAdministrators = [{}, { administrator: [] }];

function securityOf(operationId: string): unknown {
  if (webhookOperations.includes(operationId)) return ofApplication;
  const access: Readonly<Record<string, { readonly remote: string }>> = routeAccess;
  if (access[operationId]?.remote === 'administrator') return ofAdministrators;
  return security[operationId] ?? [];
}

/** The use of a token of each scope. */
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
    type: 'http',
    scheme: 'basic',
    description: 'CPF or CNPJ, and a one-time password. The password approves this transaction.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and client secret, form-encoded (RFC 6749 §2.3.1).',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of the authorization service, or a session token of an earlier create request.',
  },
  administrator: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of an administrator, for requests from other computers: "sinete admin tokens add".',
  },
  application: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'Sinete, a space, and the base64 of client id, colon and client secret: the application itself.',
  },
  authentication: {
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

/**
 * Completes the document for generators of clients: security schemes, every accepted value, links, and schemas that
 * generators can read. Answers may get new fields, so no schema of an answer forbids unknown fields.
 */
export function finishOpenApi(document: OpenApiDocument): OpenApiDocument {
  mendSchemas(document);
  const schemas: Json = isJson(document.components?.schemas) ? document.components.schemas : {};
  widen(schemas.CreateTransaction, 'type', [...Object.keys(typeAliases), ...signatureTypes]);
  widen(schemas.CreateTransaction, 'documents_source', [...documentsSources, ...Object.keys(storeAliases)]);
  widen(schemas.CreateTransaction, 'documents_destination', [...documentsDestinations, ...Object.keys(storeAliases)]);
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item as Json)) {
      if (isJson(operation) && typeof operation.operationId === 'string') {
        operation.security = securityOf(operation.operationId);
        guide(operation, operation.operationId);
        addHeaders(operation);
      }
    }
  }
  Object.assign(document.components ?? {}, { securitySchemes });
  return document;
}

/** Adds a description, and an example for each body and each path parameter. */
function guide(operation: Json, operationId: string): void {
  const { description, requests } = operationGuides[operationId] ?? {};
  const answer = answerExamples[operationId];
  if (description !== undefined) operation.description ??= description;
  const body = isJson(operation.requestBody) ? operation.requestBody.content : undefined;
  for (const [type, content] of Object.entries(isJson(body) ? body : {})) {
    const isFields = type === 'application/json' || type === 'application/x-www-form-urlencoded';
    if (requests !== undefined && isFields && isJson(content)) content.examples = requests;
  }
  const responses: Json = isJson(operation.responses) ? operation.responses : {};
  const success = responses['200'] ?? responses['201'];
  const contents = isJson(success) && isJson(success.content) ? success.content : {};
  const answered = contents['application/json'] ?? contents['text/event-stream'] ?? contents['text/plain'];
  if (answer !== undefined && isJson(answered)) answered.examples = { usual: { value: answer } };
  for (const parameter of Array.isArray(operation.parameters) ? (operation.parameters as unknown[]) : []) {
    if (!isJson(parameter) || parameter.in !== 'path' || typeof parameter.name !== 'string') continue;
    const isWord = parameter.name === 'document_id' && operationId === 'uploadToOnlySetting';
    parameter.example = isWord ? 'eot' : parameterExamples[parameter.name];
    if (isJson(parameter.schema)) delete parameter.schema.examples;
  }
}

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const seconds = (description: string): Json => ({ description, schema: { type: 'integer', format: 'int64' } });
const rateLimit = text('What is left, as a structured field: "documents-per-day";r=150;t=3600.');

/** Headers by status; each of them is optional. */
const headersOf: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  401: { 'WWW-Authenticate': text('The schemes that are accepted (RFC 9110 §11.6.1).') },
  403: { 'Retry-After': seconds('Seconds until the hours of the application begin.') },
  409: { 'Retry-After': seconds('Seconds until another try makes sense.') },
  429: { 'Retry-After': seconds('Seconds until another try makes sense.'), RateLimit: rateLimit },
  503: { 'Retry-After': seconds('Seconds until another try makes sense.') },
};

/** Headers of successful answers, by operation. */
const successHeaders: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  queryTransaction: { 'Retry-After': seconds('While the transaction waits.') },
  downloadDocument: {
    ETag: text('Changes when an extended file replaces the result.'),
    Digest: text('SHA-256 of the file (RFC 3230).'),
    'Content-Disposition': text('attachment, with the name of the result.'),
    'Accept-Ranges': text('bytes'),
  },
};
const intake = ['createTransaction', 'uploadDocuments', 'uploadMoreDocuments', 'uploadToOnlySetting'];

/** Names every header that a program may act on. */
function addHeaders(operation: Json): void {
  const { operationId, responses } = operation;
  if (!isJson(responses) || typeof operationId !== 'string') return;
  const policy = text('The limit, as a structured field: "documents-per-day";q=200;w=86400.');
  const quota = intake.includes(operationId) ? { RateLimit: rateLimit, 'RateLimit-Policy': policy } : {};
  for (const [status, response] of Object.entries(responses)) {
    if (!isJson(response)) continue;
    const own = status.startsWith('2') ? { ...quota, ...successHeaders[operationId] } : headersOf[status];
    response.headers = {
      'X-Request-Id': text('Names the request in the log of the instance.'),
      ...own,
      ...(isJson(response.headers) ? response.headers : {}),
    };
  }
}

function widen(schema: unknown, name: string, values: readonly string[]): void {
  const properties = isJson(schema) ? schema.properties : undefined;
  const property = isJson(properties) ? properties[name] : undefined;
  if (isJson(property)) property.enum = values;
}

/**
 * Removes details that generators cannot process: patterns beside a format, bounds of all safe integers, defaults that
 * are not scalars or stand beside alternatives, constants of booleans, and closed objects.
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
