/**
 * The collection of requests for Bruno, an API client: docs/examples/bruno, with a request for each operation and each
 * of its examples, and the four steps of a signature as a folder of their own.
 */
import {
  browserOperations,
  type DocumentedOperation,
  type FormField,
  openApi,
  operations,
  type RequestBody,
  requestOf,
} from './http-requests.ts';

/** A file by its path below the folder of the collection. */
export interface CollectionFile {
  readonly file: string;
  readonly text: string;
}

/** A request of the collection. */
export interface CollectionRequest extends CollectionFile {
  readonly operation: DocumentedOperation;
  /** The value of the example in the request; absent for an operation without examples. */
  readonly example?: unknown;
}

/** Variables with a value in the environment of the collection; the other ones come from the requests before. */
const plainVariables = {
  base: 'http://127.0.0.1:17171',
  tcn: '',
  client_id: '',
  user_id: '1',
  webhook_id: '',
  delivery_id: '',
};

/** Header of each scheme, from a secret variable. */
const authorizations = {
  applicationSecret: 'Sinete {{application}}',
  accessToken: 'Bearer {{access_token}}',
} as const;

/** Variables that an answer sets, by operation. */
const answered: Readonly<Record<string, readonly (readonly [variable: string, value: string])[]>> = {
  createTransaction: [['tcn', 'res.body.tcn']],
  issueToken: [['access_token', 'res.body.access_token']],
  registerApplication: [
    ['client_id', 'res.body.client_id'],
    ['client_secret', 'res.body.client_secret'],
  ],
  addWebhook: [['webhook_id', 'res.body.id']],
};

/** The operations of the four steps, in order. */
const fourSteps = ['createTransaction', 'uploadToOnlySetting', 'queryTransaction', 'downloadDocument'];
const STEPS = 'four-steps';

const variable = (name: string): string => `{{${name}}}`;
const slug = (text: string): string =>
  text
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** A block of Bruno's language: lines inside braces or brackets. */
function block(name: string, lines: readonly string[], [open, close] = ['{', '}']): string {
  return [`${name} ${open}`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), close].join('\n');
}

const dictionary = (name: string, entries: Readonly<Record<string, string>>): string =>
  block(
    name,
    Object.entries(entries).map(([key, value]) => `${key}: ${value}`.trimEnd()),
  );

const fieldValue = (field: FormField): string => ('secret' in field ? variable(field.secret) : field.text);

/** The kind of a body and its block. */
function bodyBlock(body: RequestBody): readonly [kind: string, ...blocks: string[]] {
  switch (body.kind) {
    case 'none':
      return ['none'];
    case 'json':
      return ['json', block('body:json', JSON.stringify(body.value, null, 2).split('\n'))];
    case 'form': {
      const fields = Object.fromEntries(body.fields.map((field) => [field.name, fieldValue(field)]));
      return ['formUrlEncoded', dictionary('body:form-urlencoded', fields)];
    }
    case 'parts': {
      const parts = body.parts.map((part) => [part.name, 'file' in part ? `@file(${part.file})` : fieldValue(part)]);
      return ['multipartForm', dictionary('body:multipart-form', Object.fromEntries(parts) as Record<string, string>)];
    }
  }
}

function requestText(operation: DocumentedOperation, name: string, seq: number, example: unknown): string {
  const { operationId, description, responses } = operation;
  const { method, address, scheme, body } = requestOf(operation, variable, example);
  const [kind, ...bodies] = bodyBlock(body);
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
  const expected = successes.length === 1 ? `eq ${successes.join()}` : `in [${successes.join(', ')}]`;
  return [
    dictionary('meta', { name, type: 'http', seq: String(seq) }),
    dictionary(method.toLowerCase(), { url: `{{base}}${address}`, body: kind, auth: 'none' }),
    ...(scheme === undefined ? [] : [dictionary('headers', { Authorization: authorizations[scheme] })]),
    ...bodies,
    ...(answered[operationId] === undefined
      ? []
      : [dictionary('vars:post-response', Object.fromEntries(answered[operationId]))]),
    dictionary('assert', { 'res.status': expected }),
    block('docs', [...description.split('\n'), '', 'Fields and answers: docs/reference/operations.md']),
  ].join('\n\n');
}

const folderText = (name: string, seq: number): string => dictionary('meta', { name, seq: String(seq) });

/** The requests of an operation: one for each example. */
function requestsOf(operation: DocumentedOperation, folder: string, begin: number): readonly CollectionRequest[] {
  const [media] = Object.values(operation.requestBody?.content ?? {});
  const examples = Object.values(media?.examples ?? {});
  const shown = examples.length > 1 ? examples : [{ summary: undefined, value: examples[0]?.value }];
  return shown.map(({ summary, value }, index) => {
    const name = summary === undefined ? operation.summary : `${operation.summary}: ${summary}`;
    const ending = summary === undefined ? '' : `-${slug(summary.toLowerCase())}`;
    return {
      file: `${folder}/${slug(operation.operationId)}${ending}.bru`,
      text: requestText(operation, name, begin + index, value),
      operation,
      example: value,
    };
  });
}

/** The requests of all operations but the pages of a browser, in the order of the reference. */
export const collectionRequests: readonly CollectionRequest[] = openApi.tags.flatMap(({ name }) => {
  const own = operations.filter((one) => one.tags[0] === name && !browserOperations.includes(one.operationId));
  const found: CollectionRequest[] = [];
  for (const one of own) found.push(...requestsOf(one, slug(name.toLowerCase()), found.length + 1));
  return found;
});

/** The four steps: each takes the transaction of the first one. */
export const stepRequests: readonly CollectionRequest[] = fourSteps.map((id, index) => {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  const name = operation.summary;
  const [media] = Object.values(operation.requestBody?.content ?? {});
  const example: unknown = Object.values(media?.examples ?? {})[0]?.value;
  const text = requestText(operation, name, index + 1, example);
  return { file: `${STEPS}/${index + 1}-${slug(id)}.bru`, text, operation, example };
});

/** Names of the variables with a secret. */
const secretVariables: readonly string[] = [
  ...new Set(
    collectionRequests.flatMap(({ text }) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)),
  ),
]
  .filter((name) => !(name in plainVariables))
  .sort();

/** An environment of the collection, with the values of secrets where they are given. */
export function environmentText(
  values: Readonly<Record<string, string>>,
  secrets?: Readonly<Record<string, string>>,
): string {
  if (secrets !== undefined) return `${dictionary('vars', { ...values, ...secrets })}\n`;
  const names = secretVariables.map((name, index) => `${name}${index + 1 < secretVariables.length ? ',' : ''}`);
  return `${dictionary('vars', values)}\n\n${block('vars:secret', names, ['[', ']'])}\n`;
}

const overview = `
Every operation of Sinete with a request to try. Choose the environment Local, put a contract.pdf into the folder of the collection, and run the folder "Four steps" from top to bottom: it signs the file.

\`tcn\`, \`client_id\`, \`webhook_id\` and \`access_token\` come from the answers of the requests before. The environment keeps the secrets: \`application\` is the base64 of client id, colon and secret.
`.trim();

/** All files of the collection, sorted by path. */
export function collectionFiles(): readonly CollectionFile[] {
  const folders = openApi.tags.map(({ name }, index): CollectionFile => {
    return { file: `${slug(name.toLowerCase())}/folder.bru`, text: `${folderText(name, index + 2)}\n` };
  });
  const description = { version: '1', name: 'Sinete', type: 'collection', ignore: ['node_modules', '.git'] };
  const files: readonly CollectionFile[] = [
    { file: 'bruno.json', text: `${JSON.stringify(description, null, 2)}\n` },
    { file: 'collection.bru', text: `${block('docs', overview.split('\n'))}\n` },
    { file: 'environments/Local.bru', text: environmentText(plainVariables) },
    { file: `${STEPS}/folder.bru`, text: `${folderText('Four steps', 1)}\n` },
    ...folders,
    ...[...stepRequests, ...collectionRequests].map(({ file, text }) => ({ file, text: `${text}\n` })),
  ];
  return files.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}
