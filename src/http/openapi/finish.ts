import type { createDocument } from 'zod-openapi';
import type { Credentials, Description, Operation } from '../operation.ts';
import { headersOf, requestIdHeader } from './headers.ts';
import { SCOPES } from '../../service/authorization/index.ts';

/** Programs of this computer's owner need no credentials; other computers send an administrator's token. */
const ofAdministrators: Credentials = [{}, { administratorToken: [] }];

/** The use of a token of each scope. */
const scopeMeanings: Record<(typeof SCOPES)[number], string> = {
  single_signature: 'One document.',
  multi_signature: 'One transaction.',
  signature_session: 'Signatures until the token ends.',
  authentication_session: 'Identification.',
  certificate_info: 'Certificate information.',
  service: 'The interface of the Cloud Signature Consortium.',
  credential: 'Hashes, as many as the page said.',
  offline_access: 'Refresh tokens, until the permission ends.',
};

/**
 * The kinds of credentials by the names that descriptions use. No schema has such a name: generators make a type of each.
 */
const securitySchemes = {
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

type OpenApiDocument = ReturnType<typeof createDocument>;
type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An operation with one of its descriptions. */
export interface Described {
  readonly operation: Operation;
  readonly description: Description;
}

/**
 * Completes the document for generators of clients: security schemes, every accepted value, examples, headers, and
 * schemas that generators can read. Answers may get new fields, so no schema of an answer forbids unknown fields.
 */
export function finishOpenApi(made: OpenApiDocument, described: ReadonlyMap<string, Described>): OpenApiDocument {
  // Operations share parts of the made document, and each part gets examples and headers of its own.
  const document = JSON.parse(JSON.stringify(made)) as OpenApiDocument;
  mendSchemas(document);
  const schemas: Json = isJson(document.components?.schemas) ? document.components.schemas : {};
  for (const { description } of described.values()) {
    for (const [schema, fields] of Object.entries(description.accepts ?? {})) {
      for (const [name, values] of Object.entries(fields)) widen(schemas[schema], name, values);
    }
  }
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item as Json)) {
      const found = isJson(operation) ? described.get(String(operation.operationId)) : undefined;
      if (isJson(operation) && found !== undefined) finishOperation(operation, found);
    }
  }
  Object.assign(document.components ?? {}, { securitySchemes });
  return withoutTwins(document);
}

/**
 * The document without the second schema of those that are sent and received: they differ in closed objects only, which
 * no schema here has. Generators would make two types of them.
 */
function withoutTwins(document: OpenApiDocument): OpenApiDocument {
  const schemas: Json = isJson(document.components?.schemas) ? document.components.schemas : {};
  const twins = Object.keys(schemas).filter((name) => name.endsWith('Output'));
  const single = (text: string): string =>
    twins.reduce((told, twin) => told.replaceAll(`schemas/${twin}"`, `schemas/${twin.replace(/Output$/, '')}"`), text);
  for (const twin of twins) {
    const name = twin.replace(/Output$/, '');
    if (single(JSON.stringify(schemas[twin])) !== single(JSON.stringify(schemas[name]))) {
      throw new Error(`The schema ${name} of requests and answers differs: give them two names.`);
    }
  }
  const named = Object.entries(schemas).filter(([name]) => !twins.includes(name));
  if (document.components !== undefined) Object.assign(document.components, { schemas: Object.fromEntries(named) });
  return JSON.parse(single(JSON.stringify(document))) as OpenApiDocument;
}

/** Adds the credentials, an example for each body and each path parameter, and the headers. */
function finishOperation(operation: Json, { operation: { access }, description }: Described): void {
  const { credentials = access.remote === 'administrator' ? ofAdministrators : [] } = description;
  operation.security = credentials;
  addExamples(operation, description);
  addHeaders(operation, description);
}

function addExamples(operation: Json, { examples, example }: Description): void {
  const body = isJson(operation.requestBody) ? operation.requestBody.content : undefined;
  for (const [type, content] of Object.entries(isJson(body) ? body : {})) {
    const isFields = type === 'application/json' || type === 'application/x-www-form-urlencoded';
    if (examples !== undefined && isFields && isJson(content)) content.examples = examples;
  }
  const responses: Json = isJson(operation.responses) ? operation.responses : {};
  const success = responses['200'] ?? responses['201'];
  const contents = isJson(success) && isJson(success.content) ? success.content : {};
  const answered = contents['application/json'] ?? contents['text/event-stream'] ?? contents['text/plain'];
  if (example !== undefined && isJson(answered)) answered.examples = { usual: { value: example } };
  for (const parameter of Array.isArray(operation.parameters) ? (operation.parameters as unknown[]) : []) {
    if (!isJson(parameter) || parameter.in !== 'path' || !isJson(parameter.schema)) continue;
    const { examples: found } = parameter.schema;
    parameter.example = Array.isArray(found) ? (found as readonly unknown[])[0] : undefined;
    delete parameter.schema.examples;
  }
}

/** Names every header that a program may act on; each of them is optional. */
function addHeaders({ responses }: Json, { headers }: Description): void {
  if (!isJson(responses)) return;
  for (const [status, response] of Object.entries(responses)) {
    if (!isJson(response)) continue;
    const own = status.startsWith('2') ? headers : headersOf[status];
    response.headers = { ...requestIdHeader, ...own, ...(isJson(response.headers) ? response.headers : {}) };
  }
}

function widen(schema: unknown, name: string, values: readonly string[]): void {
  const properties = isJson(schema) ? schema.properties : undefined;
  const property = isJson(properties) ? properties[name] : undefined;
  if (isJson(property)) property.enum = values;
}

/**
 * Removes details that generators cannot process: alternatives of texts, patterns beside a format, bounds of all safe
 * integers, defaults, which make a property required in some languages, constants of booleans, closed objects, and the
 * demand for closed sets that may be null.
 */
function mendSchemas(value: unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) mendSchemas(one);
    return;
  }
  if (!isJson(value)) return;
  if (value.format === 'date-time') delete value.pattern;
  mendTexts(value);
  if (value.type === 'integer') mendInteger(value);
  if (value.type === 'boolean') delete value.const;
  if (value.default !== undefined && isSchema(value)) tellDefault(value);
  if (value.additionalProperties === false) delete value.additionalProperties;
  if (isJson(value.properties)) demandNoNull(value, value.properties);
  for (const inner of Object.values(value)) mendSchemas(inner);
}

/** A client for Java refuses null for a required property with a closed set, though the set has null. */
function demandNoNull(schema: Json, properties: Json): void {
  const { required } = schema;
  if (!Array.isArray(required)) return;
  const left = (required as string[]).filter((name) => !isNullableSet(properties[name]));
  if (left.length > 0) schema.required = left;
  else delete schema.required;
}

function isNullableSet(schema: unknown): boolean {
  if (!isJson(schema)) return false;
  const forms = [schema, ...(Array.isArray(schema.anyOf) ? (schema.anyOf as unknown[]) : [])].filter(isJson);
  const hasNull = forms.some(({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null')));
  return hasNull && forms.some(({ enum: values }) => Array.isArray(values));
}

/** Makes one text of alternatives that are texts, or texts and numbers: some generators know no alternatives of texts. */
function mendTexts(schema: Json): void {
  const { anyOf } = schema;
  const alternatives = (Array.isArray(anyOf) ? (anyOf as unknown[]) : []).filter(isJson);
  if (alternatives.length < 2 || !alternatives.every(({ type }) => type === 'string' || type === 'number')) return;
  const patterns = alternatives.map(({ enum: values, pattern }) => {
    if (Array.isArray(values)) return (values as string[]).map((one) => one.replaceAll('.', '\\.')).join('|');
    return typeof pattern === 'string' ? pattern.replace(/^\^/, '').replace(/\$$/, '') : undefined;
  });
  delete schema.anyOf;
  schema.type = 'string';
  if (patterns.every((pattern) => pattern !== undefined)) schema.pattern = `^(${patterns.join('|')})$`;
}

/** A property may have the name `default` too. */
const isSchema = (value: Json): boolean => 'type' in value || 'anyOf' in value || '$ref' in value;

/** Moves a default into the description, unless this one tells it already. */
function tellDefault(schema: Json): void {
  const { description, default: usual } = schema;
  // Then it is the schema of a property with this name.
  if (isJson(usual)) return;
  delete schema.default;
  const told = typeof description === 'string' ? `${description} ` : '';
  if (typeof usual === 'object' || usual === '' || /default/i.test(told)) return;
  schema.description = `${told}${typeof usual === 'string' ? usual : JSON.stringify(usual)} by default.`;
}

function mendInteger(schema: Json): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  schema.format ??= 'int64';
}
