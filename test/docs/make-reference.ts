/**
 * `npm run docs`: writes docs/reference and the collection of requests from the tables of the product, to keep them true
 * to the program, and the flows of docs/architecture; then builds the site. `npm run docs -- --reference` stops before the site. A test
 * compares the written files with the tables. `npm run docs -- --routes` prints the table of routes instead.
 */
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command, Option } from 'commander';
import prettier from 'prettier';
import { z } from 'zod';
import { createProgram } from '../../src/app/cli.ts';
import { examples, nameOfCommand } from '../../src/app/cli/examples.ts';
import { keys } from '../../src/app/config/config-keys.ts';
import { allSpellings, knownDifferences } from '../../src/http/client-spellings.ts';
import { httpProblems, serviceProblems } from '../../src/http/problems/error-statuses.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { routes } from '../../src/http/routes.ts';
import { createMetrics } from '../../src/http/signing-service/monitoring.ts';
import { AUDIT_KINDS } from '../../src/service/audit/audit.ts';
import { collectionFiles } from './bruno-collection.ts';
import { callsPage } from './calls-page.ts';
import { clientPage } from './client-reference.ts';
import { publicNames } from './core-reference.ts';
import { flowPages } from './flows.ts';
import { conventionsPage, createRequestPage, eventsPage, objectsPage, operationsPage } from './http-reference.ts';
import { laterChangesPage } from './later-changes-page.ts';
import { testModePage } from './test-mode.ts';

export const docsFolder = fileURLToPath(new URL('../../docs', import.meta.url));

/** The collection of requests for Bruno, below docs/. */
export const collectionFolder = 'examples/bruno';

/** A written file by its path below docs/. */
export interface ReferencePage {
  readonly file: string;
  readonly text: string;
}

type Row = readonly string[];

/** A Markdown table. A bar inside a cell is escaped, code spans included (GitHub Flavored Markdown §4.10). */
function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;

/** The type of a key in words, from its JSON Schema. */
function typeText(schema: z.core.JSONSchema.BaseSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.type === 'array') return `list of ${typeText(schema.items as z.core.JSONSchema.BaseSchema)}`;
  if (schema.type === 'object') return 'table';
  if (schema.type !== 'number' && schema.type !== 'integer') return String(schema.type);
  const low = schema.minimum ?? schema.exclusiveMinimum;
  const high = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  const from = low === undefined ? '' : schema.minimum === undefined ? ` above ${low}` : ` from ${low}`;
  return `${schema.type}${from}${high === undefined ? '' : ` up to ${high}`}`;
}

function defaultText(value: unknown): string {
  if (value === undefined) return '–';
  return code(typeof value === 'string' ? value : JSON.stringify(value));
}

function configurationPage(): string {
  const rows = Object.entries(keys).map(([name, { schema, meaning }]) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const variable = `SINETE_${name.toUpperCase().replaceAll('.', '_')}`;
    return [code(name), typeText(json), defaultText(json.default), meaning, code(variable)];
  });
  return `# Configuration

The configuration is \`sinete.toml\` (or \`sinete.json\`) in the data folder, or the file of \`--config\`; \`a.b\` is the key \`b\` in the table \`[a]\`. Each key is also a variable of the environment. An unknown key ends the start with the nearest known name.

${table(['Key', 'Type', 'Default', 'Meaning', 'Variable'], rows)}`;
}

const optionRow = ({ flags, description, defaultValue }: Option): Row => [
  code(flags),
  `${description}${defaultValue === undefined || defaultValue === false ? '' : ` (default ${defaultText(defaultValue)})`}`,
];

/** A command with its options, and its own commands afterwards. */
function commandText(command: Command, before: string): readonly string[] {
  const name = `${before} ${command.name()}`;
  const parameters = command.registeredArguments.map((argument) => {
    const word = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  const options = command.options.filter(({ hidden }) => !hidden).map(optionRow);
  const aliases = command.aliases().map((alias) => code(`${before} ${alias}`));
  const shown = (examples[nameOfCommand(command)] ?? []).map(([words, about]) => `sinete ${words}   # ${about}`);
  const own = [
    `## ${code([name, ...parameters].join(' '))}`,
    command.description(),
    ...(aliases.length === 0 ? [] : [`Also: ${aliases.join(', ')}.`]),
    ...(options.length === 0 ? [] : [table(['Option', 'Meaning'], options)]),
    ...(shown.length === 0 ? [] : [`\`\`\`sh\n${shown.join('\n')}\n\`\`\``]),
  ];
  // A command merely holding others has no page of its own.
  const isGroup = command.commands.length > 0 && options.length === 0 && parameters.length === 0;
  return [...(isGroup ? [] : own), ...command.commands.flatMap((child) => commandText(child, name))];
}

async function commandPage(): Promise<string> {
  const program = await createProgram();
  const commands = program.commands.flatMap((command) => commandText(command, 'sinete'));
  return `# Command line

In a checkout, write \`npx sinete\`. \`sinete completion bash\` (or zsh, fish) prints completions for your shell, and \`man sinete\` shows the manual of the installed package.\n\nExit codes: 0 done, 1 a verdict is negative or some file failed, 2 wrong use and nothing was done, 3 something is out of reach. \`--json\` answers with the names of [the HTTP interface](http.md), such as \`client_id\`; a failure is \`{ "error": { "code", "detail", "exit_code" } }\` on standard output. A file \`-\` is standard input, and \`-o -\` is standard output.\n\n${commands.join('\n\n')}`;
}

interface OperationFacts {
  readonly summary?: string;
  readonly operationId?: string;
  readonly responses?: Readonly<Record<string, unknown>>;
}

function httpPage(): string {
  const { paths = {} } = buildOpenApi('');
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, unknown>>).flatMap(([method, value]): Row[] => {
      if (!['get', 'put', 'post', 'delete'].includes(method)) return [];
      const { summary = '', responses = {} } = value as OperationFacts;
      return [[code(`${method.toUpperCase()} ${path}`), summary, Object.keys(responses).join(', ')]];
    }),
  );
  return `# HTTP

\`/openapi.json\` of a running instance is the OpenAPI 3.1 document with every field, and \`/docs\` shows it. \`/openapi-3.0.json\` is the same document for generators that read no 3.1. [Operations](operations.md) has each request and answer in curl.

${table(['Operation', 'Does', 'Answers'], rows)}`;
}

/** The table of all routes, for a reader of the sources. */
function routesTable(): string {
  const rows = routes.map(({ id, method, paths, guard, access, body }) => {
    const { service, remote, scope = remote } = access;
    return [method.toUpperCase(), paths.join(' '), id, guard, `${service}: ${scope}`, body];
  });
  return table(['Method', 'Paths', 'Operation', 'Guard', 'Other computers', 'Body'], rows);
}

/** Spellings and missing abilities of existing clients. */
function spellingPage(): string {
  const rows = allSpellings().map(({ kind, where, spelling, means, sentBy }) => {
    const place = kind === 'path' ? `address of \`${where}\`` : `${kind}, ${where}`;
    return [code(spelling), place, means, sentBy];
  });
  const differences = knownDifferences.map(({ difference, clients, remedy }) => [difference, clients, remedy]);
  return `# Spellings of existing clients

Programs for other services with this interface, or for certificate clouds, spell some things otherwise. Sinete reads these spellings everywhere; new programs use the names of [the HTTP reference](http.md).

${table(['Spelling', 'Where', 'Meaning', 'Sent by'], rows)}

Besides: letter case, outer spaces, hyphens and underscores do not matter in names of a closed set (\`sha-256\`, \`AD_RB\`); a number, true and false may be texts; null and an empty text count as absent; a single value stands for a list with one member; a single file of a form may have any field name. Answers have the names of the interface: a request with \`AWS_S3\` and type \`CMS\` is answered with \`STORE_A_S3\` and \`CMS-attached\`.

## Known differences

${table(['Difference', 'Clients', 'What to do'], differences)}`;
}

function problemPage(): string {
  const problems = Object.entries({ ...httpProblems, ...serviceProblems });
  const rows = problems
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, { status, title }]) => [code(name), String(status), title]);
  return `# Problem codes

A refused request is answered with \`application/problem+json\` (RFC 9457). \`code\` is one of this closed list, \`detail\` says what to do.

${table(['Code', 'Status', 'Title'], rows)}`;
}

async function metricsPage(): Promise<string> {
  const metrics = createMetrics({
    documents: async () => Promise.resolve({ WAITING: 0, SIGNED: 0, ERROR: 0 }),
    keySources: async () => Promise.resolve({ failing: 0, ok: 0, quarantined: 0 }),
    storage: async () => Promise.resolve({ database: 1, documents: 0 }),
    nodes: async () => Promise.resolve({ alive: 3, jobs: 5 }),
    unfinished: async () => Promise.resolve({ approval: 0, pin: 0, signing: 0, upload: 0 }),
    queued: async () => Promise.resolve(0),
  });
  const { body } = await metrics.read();
  const types = new Map([...body.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => [name, type]));
  const rows = [...body.matchAll(/^# HELP (sinete_\S+) (.+)$/gm)].map(([, name = '', help = '']) => [
    code(name),
    types.get(name) ?? '',
    help,
  ]);
  return `# Metrics

\`metrics = true\` enables \`GET /metrics\` in Prometheus format. The metrics of the process (\`process_*\`, \`nodejs_*\`) are there as well.

${table(['Metric', 'Type', 'Meaning'], rows)}`;
}

function auditPage(): string {
  return `# Audit events

The kinds of rows in the audit log. Each is a change of state, a use of a key, or a change of trust; a name never changes its meaning.

${AUDIT_KINDS.map((kind) => `- ${code(kind)}`).join('\n')}`;
}

function signingPage(): string {
  const names = publicNames();
  const folders = [...new Set(names.map(({ folder }) => folder))].sort();
  const part = (folder: string): string => {
    const rows = names.filter((one) => one.folder === folder).map(({ name, kind, about }) => [code(name), kind, about]);
    return `## ${folder === '' ? 'Shared' : code(folder)}\n\n${table(['Name', 'Kind', 'Meaning'], rows)}`;
  };
  return `# The signing core

The ${names.length} public names of \`sinete-signing\` (in the package of the whole product: \`sinete/signing\`), by the folder that declares them. The declarations in the package have parameters, shapes and errors; [the core's README](../../src/signing/README.md) has a first example.

${folders.map(part).join('\n\n')}`;
}

/** All written files; pages are formatted by prettier. */
export async function referencePages(): Promise<readonly ReferencePage[]> {
  const pages = {
    'reference/configuration.md': configurationPage(),
    'reference/command-line.md': await commandPage(),
    'reference/http.md': httpPage(),
    'reference/client-spellings.md': spellingPage(),
    'reference/create-request.md': createRequestPage(),
    'reference/operations.md': operationsPage(),
    'reference/objects.md': objectsPage(),
    'reference/events.md': eventsPage(),
    'reference/conventions.md': conventionsPage(),
    'integrators/calls.md': callsPage('en'),
    'pt-BR/chamadas.md': callsPage('pt'),
    'integrators/test-mode.md': testModePage('en'),
    'pt-BR/modo-de-teste.md': testModePage('pt'),
    'reference/problems.md': problemPage(),
    'reference/metrics.md': await metricsPage(),
    'reference/audit-events.md': auditPage(),
    'reference/signing.md': signingPage(),
    'reference/client.md': clientPage(),
    'reference/later-changes.md': laterChangesPage(),
  };
  const drawn = flowPages().map(({ file, text }) => [`architecture/${file}`, text] as const);
  const collection = collectionFiles().map(({ file, text }) => [`${collectionFolder}/${file}`, text] as const);
  return Promise.all([...Object.entries(pages), ...drawn, ...collection].map(format));
}

async function format([file, text]: readonly [string, string]): Promise<ReferencePage> {
  const parser = file.endsWith('.md') ? 'markdown' : file.endsWith('.json') ? 'json' : undefined;
  if (parser === undefined) return { file, text };
  return { file, text: await prettier.format(text, { parser, printWidth: 120, singleQuote: true }) };
}

/** Writes all files. Requests of the collection that are no longer made are removed. */
async function writeReference(): Promise<void> {
  const pages = await referencePages();
  for (const { file, text } of pages) {
    mkdirSync(dirname(join(docsFolder, file)), { recursive: true });
    writeFileSync(join(docsFolder, file), text);
  }
  const made = new Set(pages.map(({ file }) => file));
  for (const name of globSync(`${collectionFolder}/**/*.*`, { cwd: docsFolder })) {
    if (!made.has(name.replaceAll('\\', '/'))) rmSync(join(docsFolder, name));
  }
}

if (import.meta.main && process.argv.includes('--routes')) {
  process.stdout.write(await prettier.format(routesTable(), { parser: 'markdown' }));
} else if (import.meta.main) {
  await writeReference();
  if (!process.argv.includes('--reference')) {
    const { buildSite } = await import('./build-site.ts');
    buildSite();
  }
}
