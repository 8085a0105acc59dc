/** The OpenAPI document of the reference, and the first request of each operation: in curl and in the collection of Bruno. */
import { buildOpenApi } from '../../src/http/openapi.ts';

/** A JSON Schema, as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly format?: string;
}

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string | number;
}

/** A body in one media type. */
export interface Media {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema?: Schema }>>;
}

/** An operation as the document has it. */
export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, { readonly post: OperationObject }>>>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

/** An operation with method and path. */
export interface DocumentedOperation extends OperationObject {
  readonly method: string;
  readonly path: string;
}

/** The document at `/openapi.json`. */
export const openApi = buildOpenApi('') as unknown as Document;
const METHODS = ['get', 'put', 'post', 'delete'];

/** All operations, in the order of the document. */
export const operations: readonly DocumentedOperation[] = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    METHODS.includes(method) ? [{ ...operation, method: method.toUpperCase(), path }] : [],
  ),
);

/** Operations of a browser: a person's pages. */
export const browserOperations: readonly string[] = ['showAuthorization', 'answerAuthorization', 'awaitAuthorization'];

/** Fields of forms with a secret: no argument of a program has a secret. */
const secretFields = ['client_secret', 'password', 'code', 'refresh_token', 'token', 'code_verifier'];

/** Variables in the place of path parameters, by the name of the parameter. */
const pathVariables: Readonly<Record<string, string>> = {
  tcn: 'tcn',
  client_id: 'client_id',
  id: 'user_id',
  webhook_id: 'webhook_id',
  delivery_id: 'delivery_id',
};

/** Operations with an example that works without credentials. */
const ownersOperations: readonly string[] = ['createTransaction', 'listTransactions', 'streamOwnTransactions'];

/** Query parameters of a first request. */
const shownQueries: Readonly<Record<string, string>> = { queryTransaction: 'wait=60', checkHealth: 'full=true' };

/** A field of a form: its text, or a variable with a secret. */
export type FormField =
  { readonly name: string; readonly text: string } | { readonly name: string; readonly secret: string };

/** The body of a request. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: readonly FormField[] }
  | {
      readonly kind: 'parts';
      readonly parts: readonly (FormField | { readonly name: string; readonly file: string })[];
    };

/** The request of an operation, before a notation. */
export interface DocumentedRequest {
  readonly method: string;
  /** Path and query, with variables in the requested notation. */
  readonly address: string;
  readonly scheme: 'applicationSecret' | 'accessToken' | undefined;
  readonly body: RequestBody;
  readonly isStream: boolean;
  /** The file for the answer of a download. */
  readonly result: string | undefined;
}

/** The request of an operation. `variable` writes the name of a variable in a notation. */
export function requestOf(
  operation: DocumentedOperation,
  variable: (name: string) => string,
  example?: unknown,
): DocumentedRequest {
  const { operationId, method, security } = operation;
  const query = shownQueries[operationId];
  const scheme = ownersOperations.includes(operationId)
    ? undefined
    : (['applicationSecret', 'accessToken'] as const).find((name) => security?.some((one) => name in one));
  return {
    method,
    address: `${pathOf(operation, variable)}${query === undefined ? '' : `?${query}`}`,
    scheme,
    body: bodyOf(operation, variable, example),
    isStream: operationId.startsWith('stream'),
    result: operationId === 'downloadDocument' ? 'contract-signed.pdf' : undefined,
  };
}

function pathOf({ operationId, path, parameters }: DocumentedOperation, variable: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    if (operationId === 'uploadToOnlySetting' && name === 'document_id') return 'eot';
    const known = pathVariables[name];
    if (known !== undefined) return variable(known);
    const parameter = parameters?.find((one) => one.in === 'path' && one.name === name);
    return String(parameter?.example ?? name);
  });
}

function bodyOf(
  { operationId, requestBody }: DocumentedOperation,
  variable: (name: string) => string,
  example: unknown,
): RequestBody {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return { kind: 'none' };
  if (operationId === 'validateSignatures') {
    const parts = [{ name: 'type', text: 'PAdES' }, { name: 'signature', file: 'contract-signed.pdf' }]; // prettier-ignore
    return { kind: 'parts', parts };
  }
  if (type === 'multipart/form-data') return { kind: 'parts', parts: [{ name: 'document', file: 'contract.pdf' }] };
  const value = example ?? firstExample(media);
  if (type === 'application/json') return { kind: 'json', value: withVariable(value, variable('tcn')) };
  const fields = Object.entries(value as Readonly<Record<string, string>>).map(([name, text]): FormField => {
    if (secretFields.includes(name)) return { name, secret: name };
    return { name, text: name === 'client_id' ? variable('client_id') : text };
  });
  return { kind: 'form', fields };
}

/** The value of the first example. */
export const firstExample = (media: Media | undefined): unknown => Object.values(media?.examples ?? {})[0]?.value;

/** Replaces a list that begins with the TCN of the examples by a list with the variable. */
function withVariable(value: unknown, tcn: string): unknown {
  return JSON.parse(JSON.stringify(value), (_name, one: unknown) =>
    Array.isArray(one) && one[0] === 'b3Q7c0pXk2mVt9Yd5Zs8hRf1Wg' ? [tcn] : one,
  );
}

/** Names of files with a line for the header `Authorization`: no argument of a program has a secret. */
const credentialFiles = { applicationSecret: 'application.txt', accessToken: 'bearer.txt' } as const;

/** The request of an operation as a command for a POSIX shell. */
export function curlOf(operation: DocumentedOperation, example?: unknown): string {
  const { method, address, scheme, body, isStream, result } = requestOf(
    operation,
    (name) => `$${name.toUpperCase()}`,
    example,
  );
  const isUsual = method === 'GET' || (method === 'POST' && body.kind !== 'none');
  const words = [`curl -s${isStream ? 'N' : ''}${isUsual ? '' : ` -X ${method}`} "$BASE${address}"`];
  if (scheme !== undefined) words.push(`-H @${credentialFiles[scheme]}`);
  words.push(...bodyWords(body));
  if (result !== undefined) words.push(`-o ${result}`);
  return words.join(' \\\n  ');
}

function bodyWords(body: RequestBody): readonly string[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'json': {
      const text = JSON.stringify(body.value, null, 1).replaceAll(/\n\s*/g, ' ');
      return [`-H 'Content-Type: application/json'`, `-d ${shellText(text)}`];
    }
    case 'parts':
      return body.parts.map((part) => `-F ${part.name}=${'file' in part ? `@${part.file}` : textOf(part)}`);
    case 'form':
      return body.fields.map((field) => `--data-urlencode ${formWord(field)}`);
  }
}

function formWord(field: FormField): string {
  if ('secret' in field) return `${field.name}@${field.secret}.txt`;
  const word = `${field.name}=${field.text}`;
  return /^[\w./:-]*$/.test(field.text) ? word : shellText(word);
}

const textOf = (field: FormField): string => ('text' in field ? field.text : field.secret);
const shellText = (text: string): string => (text.includes('$') ? `"${text.replaceAll('"', '\\"')}"` : `'${text}'`);
