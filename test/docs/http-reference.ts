/**
 * The reference of the HTTP interface, from its OpenAPI document: the create request, each operation with request and
 * answer in curl, the objects, the events, and headers, paging, limits and repetition.
 */
import { keys } from '../../src/app/config/config-keys.ts';
import {
  summary as exampleSummary,
  transaction as exampleTransaction,
} from '../../src/http/signing-service/examples.ts';
import { WEBHOOK_EVENTS } from '../../src/service/notifications/index.ts';
import {
  browserOperations,
  curlOf,
  type DocumentedOperation,
  firstExample,
  openApi,
  type OperationObject,
  operations,
  type Schema,
} from './http-requests.ts';

const { schemas } = openApi.components;

const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const json = (value: unknown): string => block('json', JSON.stringify(value, null, 2));
const anchorOf = (name: string): string => name.toLowerCase();
const objectLink = (name: string): string => `[${code(name)}](objects.md#${anchorOf(name)})`;

/** Puts placeholders of a description into code: Markdown would read them as markup. */
const plain = (text: string): string =>
  text.replaceAll(/<([\w ]+)>/g, '`<$1>`').replaceAll(/(?<![\w`])(\{\w+\})/g, '`$1`');

/** The type of a value in words, with a link to a named object. */
function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, oneOf, items } = schema;
  if ($ref !== undefined) return objectLink($ref.split('/').at(-1) ?? '');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const).replaceAll('"', ''));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) return alternatives.map(typeOf).join(' or ');
  if (Array.isArray(type)) return type.map((one: string) => typeOf({ ...schema, type: one })).join(' or ');
  if (type === 'array') return `list of ${typeOf(items ?? {})}${bounds(undefined, schema.maxItems)}`;
  if (type === 'object') return typeOfObject(schema);
  if (type === 'string')
    return `${schema.format === undefined ? 'text' : `text (${schema.format})`}${bounds(undefined, schema.maxLength)}`;
  if (type === 'integer' || type === 'number')
    return `${type}${bounds(schema.minimum ?? schema.exclusiveMinimum, schema.maximum)}`;
  return String(type ?? 'any');
}

function typeOfObject({ properties, additionalProperties }: Schema): string {
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([name, one]) => `${code(name)} ${typeOf(one)}`);
    return `object: ${members.join('; ')}`;
  }
  return typeof additionalProperties === 'object' ? `map to ${typeOf(additionalProperties)}` : 'object';
}

function bounds(low: number | undefined, high: number | undefined): string {
  const large = high === undefined || high >= Number.MAX_SAFE_INTEGER ? undefined : high;
  if (low !== undefined && large !== undefined) return `, ${low} to ${large}`;
  if (large !== undefined) return `, at most ${large}`;
  return low === undefined ? '' : `, from ${low}`;
}

/** A row for each property: name, type, required or optional, and meaning. */
function fieldsTable({ properties = {}, required = [] }: Schema, isRequest: boolean): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const need = required.includes(name);
    const mark = isRequest ? (need ? ' (required)' : '') : need ? '' : ' (optional)';
    return [`${code(name)}${mark}`, typeOf(schema), plain(meaningOf(schema))];
  });
  return table(['Field', 'Type', 'Meaning'], rows);
}

function meaningOf(schema: Schema): string {
  if (schema.description !== undefined) return schema.description;
  return schema.items?.description ?? '';
}

const schemaOf = (name: string): Schema => {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`The document has no ${name}.`);
  return schema;
};

const operationOf = (id: string): DocumentedOperation => {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  return operation;
};

function answerText({ responses }: OperationObject): string {
  const parts = Object.entries(responses)
    .filter(([status]) => /^[23]/.test(status))
    .map(([status, { description, content = {} }]) => {
      const types = Object.keys(content)
        .map((type) => code(type))
        .join(', ');
      const [[, media] = []] = Object.entries(content);
      const ref = media?.schema.$ref?.split('/').at(-1);
      const kind = ref === undefined ? types : objectLink(ref);
      const example = firstExample(media);
      const shown =
        example === undefined ? [] : [typeof example === 'string' ? block('text', example.trimEnd()) : json(example)];
      return [`**${status}** ${plain(description)}${kind === '' ? '' : ` ${kind}`}`, ...shown].join('\n\n');
    });
  const refusals = Object.keys(responses).filter((status) => /^[45]/.test(status));
  return `${parts.join('\n\n')}\n\nRefusals: ${refusals.join(', ')}.`;
}

const credentialNames: Readonly<Record<string, string>> = {
  personPassword: 'Basic: a person and a one-time password',
  clientSecret: 'Basic: client id and secret',
  accessToken: 'Bearer: an access token',
  administratorToken: 'Bearer: a token of an administrator, from other computers',
  applicationSecret: 'Sinete: client id and secret',
  authenticationHeader: '`Authentication`: an access token',
  oauth2: '',
};

function credentialsText({ security = [] }: OperationObject): string {
  const names = security.flatMap((one) => Object.keys(one)).filter((name) => credentialNames[name] !== '');
  const accepted = [...new Set(names)].map((name) => credentialNames[name] ?? name);
  const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
  if (accepted.length === 0) return 'Credentials: none.';
  return `Credentials: ${accepted.join('; ')}${isOpen ? '; none on this computer' : ''}.`;
}

function parametersText(operation: OperationObject): readonly string[] {
  const rows = (operation.parameters ?? []).map((one) => [
    `${code(one.name)}${one.required === true ? ' (required)' : ''}`,
    one.in,
    typeOf(one.schema),
    plain(one.description ?? ''),
  ]);
  return rows.length === 0 ? [] : [table(['Parameter', 'In', 'Type', 'Meaning'], rows)];
}

function bodyText({ operationId, requestBody }: OperationObject): readonly string[] {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (media === undefined) return [];
  const ref = media.schema.$ref?.split('/').at(-1);
  const form = [plain(requestBody?.description ?? '')].filter((text) => text !== '');
  if (operationId === 'createTransaction')
    return [...form, `Body: ${code(type ?? '')}, [the create request](create-request.md).`];
  if (ref !== undefined) return [...form, `Body: ${code(type ?? '')}, ${objectLink(ref)}.`];
  return [...form, `Body: ${code(type ?? '')}.`, fieldsTable(media.schema, true)];
}

function requestText(operation: DocumentedOperation): string {
  if (browserOperations.includes(operation.operationId)) return 'A page for the browser of a person.';
  const [[, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  const examples = Object.values(media?.examples ?? {});
  if (operation.operationId === 'createTransaction' || examples.length < 2) return block('sh', curlOf(operation));
  return examples
    .map(({ summary = '', value }) => `${summary}:\n\n${block('sh', curlOf(operation, value))}`)
    .join('\n\n');
}

/** docs/reference/operations.md */
export function operationsPage(): string {
  const part = ({ name, description }: (typeof openApi.tags)[number]): string => {
    const own = operations.filter(({ tags }) => tags[0] === name);
    return [`## ${name}`, description, ...own.map(operationText)].join('\n\n');
  };
  return `# Operations

Each operation with its request and its answer. \`$BASE\` is the address of the instance, \`$TCN\` the \`tcn\` of a transaction. Secrets are in files, so that they are in no argument: \`application.txt\` has the line \`Authorization: Sinete <base64 of client id, colon and secret>\`, \`bearer.txt\` the line \`Authorization: Bearer <access token>\`, and \`client_secret.txt\` and its like have a value without a line end.

[Objects](objects.md) has the fields of the answers, [the create request](create-request.md) those of the first one, [headers, paging, limits and repetition](conventions.md) what all share, and [problem codes](problems.md) the refusals.

${openApi.tags.map(part).join('\n\n')}`;
}

function operationText(operation: DocumentedOperation): string {
  const parts = [
    `### ${code(`${operation.method} ${operation.path}`)}`,
    `${operation.summary} (${code(operation.operationId)}). ${plain(operation.description)}`,
    credentialsText(operation),
    ...parametersText(operation),
    ...bodyText(operation),
    requestText(operation),
    answerText(operation),
  ];
  return parts.join('\n\n');
}

/** docs/reference/objects.md */
export function objectsPage(): string {
  const own = Object.entries(schemas).filter(([, { type }]) => type === 'object');
  const part = ([name, schema]: readonly [string, Schema]): string =>
    [
      `## ${code(name)}`,
      ...(schema.description === undefined ? [] : [plain(schema.description)]),
      fieldsTable(schema, isBody(name)),
    ].join('\n\n');
  return `# Objects

The objects of requests and answers. Answers may get new fields at any time.

${own.map(part).join('\n\n')}`;
}

/** True for the body of a request: fields are optional there by default. */
function isBody(name: string): boolean {
  const used = (schema: Schema | undefined): boolean => schema?.$ref?.endsWith(`/${name}`) === true;
  const inBody = operations.some(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some((media) => used(media.schema)),
  );
  return inBody || name === 'NewDocument' || name === 'SignatureSetting';
}

/** docs/reference/create-request.md */
export function createRequestPage(): string {
  const operation = operationOf('createTransaction');
  const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  const shown = examples.map(({ summary = '', value }) => `${summary}:\n\n${json(value)}`);
  return `# The create request

The body of \`POST /signature-service\`. Letter case of closed values does not matter, an empty text and \`null\` count as absent. [Operations](operations.md) has the request in curl and the answer; [levels and policies](../guide/signing.md#levels-and-policies) explains \`policy\`.

## Fields

${fieldsTable(schemaOf('CreateTransaction'), true)}

## A document

An entry of \`documents\`.

${fieldsTable(schemaOf('NewDocument'), true)}

## A signature setting

An entry of \`signature_settings\`. Documents name theirs by \`signature_setting\`, uploads by the last part of their address. With one setting nothing has to name it.

${fieldsTable(schemaOf('SignatureSetting'), true)}

## Headers

${parametersText(operation).join('')}

## Fields that change nothing

A field that Sinete does not know, and an option that signatures of the requested type do not have, change nothing. The answer names each in \`ignored_fields\`, with the known field that looks like it. With the header \`Prefer: handling=strict\` such a request is refused with 422 instead.

${json({ ignored_fields: [{ field: 'polcy', did_you_mean: 'policy' }] })}

## Examples

${shown.join('\n\n')}`;
}

/** Meanings of the events; the compiler asks for each. */
const eventMeanings: Readonly<Record<(typeof WEBHOOK_EVENTS)[number], string>> = {
  'transaction.waiting': 'The transaction waits for an approval or a PIN. Sent once.',
  'transaction.signed': 'All documents are signed.',
  'transaction.extended':
    'A document that was signed at B-T has reached the requested level: download the result again.',
  'transaction.failed': 'The transaction is finished, and a document failed.',
  'transaction.expired': 'The approval or the end of the upload did not come in time.',
  'transaction.cancelled': 'The transaction was cancelled.',
};

const failedCounts = { SIGNED: 0, WAITING: 0, ERROR: 1 };

/** The state of the transaction in each event, over the state of the example. */
const eventStates: Readonly<Record<(typeof WEBHOOK_EVENTS)[number], object>> = {
  'transaction.waiting': {
    status: 'WAITING',
    waiting_for: 'approval',
    counts: { SIGNED: 0, WAITING: 1, ERROR: 0 },
    finished_at: null,
  },
  'transaction.signed': {},
  'transaction.extended': { policy: 'B-LTA', tsa: true },
  'transaction.failed': { status: 'ERROR', counts: failedCounts },
  'transaction.expired': { status: 'ERROR', counts: failedCounts },
  'transaction.cancelled': { status: 'ERROR', counts: failedCounts },
};

/** The payload of each event, as sent to an endpoint. */
export const eventExamples: readonly { readonly type: string; readonly data: object }[] = WEBHOOK_EVENTS.map(
  (type) => ({ type, timestamp: exampleSummary.finished_at, data: { ...exampleSummary, ...eventStates[type] } }),
);

/** The payload of `webhook.test`. */
export const testEventExample = {
  type: 'webhook.test',
  timestamp: exampleSummary.finished_at,
  data: { webhook_id: 'wh_9hRf1WgZs8d5', client_id: 'portal' },
};

/** docs/reference/events.md */
export function eventsPage(): string {
  const callbackOf = (id: string, name: string): OperationObject => {
    const [item] = Object.values(operationOf(id).callbacks?.[name] ?? {});
    if (item === undefined) throw new Error(`${id} has no callback ${name}.`);
    return item.post;
  };
  const notification = callbackOf('createTransaction', 'notification');
  const webhook = callbackOf('addWebhook', 'event');
  const events = WEBHOOK_EVENTS.map((type, index) =>
    [`### ${code(type)}`, eventMeanings[type], json(eventExamples[index])].join('\n\n'),
  );
  const streams = ['streamOwnTransactions', 'streamTransaction'].map((id) => {
    const { method, path, summary, description, responses } = operationOf(id);
    const example = String(firstExample(responses['200']?.content?.['text/event-stream']));
    const title = `### ${code(`${method} ${path}`)}`;
    return [title, `${summary}. ${plain(description)}`, block('text', example.trimEnd())].join('\n\n');
  });
  return `# Events

Sinete tells a program what happens to a transaction in three ways: a notification to the address of one request, webhooks of an application, and streams of server-sent events. [For integrators](../integrators/README.md#notifications) says which to choose, and how to verify a genuine one.

## Notification

The address in \`notification_callback\` gets one \`POST\` when the transaction is finished, and a second one when a document reached its level later (\`evidence\`). ${plain(notification.description)}

${table(['Header', 'Meaning'], headerRows(notification))}

The body is the transaction with its documents, as \`GET /signature-service/{tcn}\` answers it (${objectLink('Transaction')}). Its \`type\` is the type of the signature.

${json(exampleTransaction)}

## Webhooks

Each endpoint of an application gets the events that it registered for. ${plain(webhook.description)}

${table(['Header', 'Meaning'], headerRows(webhook))}

The body is a ${objectLink('WebhookMessage')}. \`data\` is the transaction without its documents, at the time of the attempt: query the TCN for the documents.

${events.join('\n\n')}

### \`webhook.test\`

Sent on demand by \`POST /applications/{client_id}/webhooks/{webhook_id}/test\`, once, and not in the delivery log. The body is a ${objectLink('WebhookTestMessage')}: \`data\` names the endpoint and no transaction. Answer with a 2xx, and do nothing else.

${json(testEventExample)}

## Server-sent events

Events are named \`transaction\`; \`data\` is a ${objectLink('TransactionSummary')}. A comment every 15 seconds is a sign of life. A client that reconnects sends the \`id\` of its last event as \`Last-Event-ID\`.

${streams.join('\n\n')}`;
}

function headerRows({ parameters = [] }: OperationObject): readonly (readonly string[])[] {
  return parameters
    .filter((one) => one.in === 'header')
    .map(({ name, required, description = '' }) => [
      `${code(name)}${required === true ? '' : ' (optional)'}`,
      plain(description),
    ]);
}

/** Header name → meaning → operations. */
function gather(
  headersOf: (operation: DocumentedOperation) => readonly (readonly [string, string])[],
): readonly (readonly string[])[] {
  const found = new Map<string, { readonly name: string; readonly meaning: string; readonly users: string[] }>();
  for (const operation of operations) {
    for (const [name, meaning] of headersOf(operation)) {
      const key = `${name}\n${meaning}`;
      const entry = found.get(key) ?? { name, meaning, users: [] };
      if (!entry.users.includes(operation.operationId)) entry.users.push(operation.operationId);
      found.set(key, entry);
    }
  }
  return [...found.values()]
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(({ name, meaning, users }) => [
      code(name),
      plain(meaning),
      users.length > 6 ? `${users.length} operations` : users.map(code).join(', '),
    ]);
}

/** docs/reference/conventions.md */
export function conventionsPage(): string {
  const asked = gather(({ parameters = [] }) =>
    parameters.filter((one) => one.in === 'header').map((one) => [one.name, one.description ?? ''] as const),
  );
  const answered = gather(({ responses }) =>
    Object.entries(responses).flatMap(([status, { headers = {} }]) =>
      Object.entries(headers).map(
        ([name, header]) =>
          [name, header.description ?? header.schema?.description ?? statusMeaning(name, status)] as const,
      ),
    ),
  );
  const pages = operations.flatMap(({ operationId, method, path, parameters = [] }) => {
    const after = parameters.find(({ name }) => name === 'after' || name === 'documents_after');
    const limit = parameters.find(({ name }) => name === 'limit' || name === 'documents_limit');
    if (after === undefined || limit === undefined) return [];
    return [
      [
        code(`${method} ${path}`),
        code(operationId),
        code(after.name),
        `${code(limit.name)}: ${typeOf(limit.schema)}. ${limit.description ?? ''}`,
      ],
    ];
  });
  const limits = Object.entries(keys)
    .filter(([name]) => /^(limits|signing|approval)\./.test(name))
    .map(([name, { schema, meaning }]) => [
      code(name),
      code(JSON.stringify(schema.safeParse(undefined).data ?? null)),
      meaning,
    ]);
  return `# Headers, paging, limits and repetition

## Headers of requests

${table(['Header', 'Meaning', 'Operations'], asked)}

\`Accept-Language: pt\` gives the texts of refusals, and of errors of documents, in Portuguese. Codes stay the same. \`Authorization\` is described in [Credentials of the create request](../integrators/README.md#credentials-of-the-create-request).

## Headers of answers

${table(['Header', 'Meaning', 'Operations'], answered)}

## Paging

Lists come newest first, the documents of a transaction in their order. Ask for the next page with the \`next\` of the page before; with documents, with the id of the last document. A value that names no entry is refused with 422.

${table(['Operation', 'Name', 'Next page', 'Size'], pages)}

## Limits

A request beyond a limit is refused with 413 (a size), 422 (a number) or 429 (a quota), and the refusal names the limit. The operator sets them in [the configuration](configuration.md), and for an application in its [limits](../integrators/README.md#limits-of-an-application).

${table(['Key', 'Default', 'Meaning'], limits)}

## Repetition

Send an \`Idempotency-Key\` with a create request, at most 255 characters, a new random one for each transaction. After a broken connection, repeat the request with the same key:

- The same key within 24 hours, with a body of the same meaning, answers the first transaction, with \`Idempotent-Replayed: true\`. The order of keys in the JSON does not matter.
- The same key with another body is refused with 409 \`IDEMPOTENCY_CONFLICT\`.
- Keys belong to the caller: two applications may use the same key.

A document counts once it was received whole: after a broken connection, query the transaction, and upload what is missing. After \`eot\` further uploads are refused with 409. \`GET\`, \`PUT\` and \`DELETE\` may always be repeated. Never repeat the use of a refresh token.

After 429 and 503 wait the seconds of \`Retry-After\`. A \`WAITING\` transaction is asked about with \`?wait=60\`, which holds the answer until the state changes.`;
}

const statusMeaning = (name: string, status: string): string =>
  name === 'Location' ? (status === '303' ? 'Where the browser goes.' : 'Address of the new object.') : '';
