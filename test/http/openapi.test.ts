import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asVersion30 } from '../../src/http/openapi/version-3-0.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { routes, type Route } from '../../src/http/routes.ts';
import { httpProblems, serviceProblems, signingProblems } from '../../src/http/problems/error-statuses.ts';

/** Rules for generators of clients; each detail here has stopped a generator. */

type Json = Record<string, unknown>;
const document = JSON.parse(JSON.stringify(buildOpenApi('0.1.0'))) as {
  readonly paths: Record<string, Record<string, Json>>;
  readonly components: { readonly schemas: Record<string, Json>; readonly securitySchemes: Json };
};

/** The same schemas, for a reader knowing definitions of a single schema only. */
const localRefs = (schemas: Json): Json =>
  JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/')) as Json;

/** Every object of the document with its path. */
function* objects(value: unknown, path = '#'): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Json];
  for (const [name, inner] of Object.entries(value)) yield* objects(inner, `${path}/${name}`);
}
const all = [...objects(document)];
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const pathsOf = (isWrong: (schema: Json) => boolean): string[] =>
  all.filter(([, one]) => isWrong(one)).map(([path]) => path);

describe('the OpenAPI document', () => {
  it('has every route but the pages and the window', () => {
    const isDescribed = ({ guard }: Route): boolean => !['page', 'asset', 'ui', 'bridge'].includes(guard);
    const addressOf = (method: string, path: string): string => `${method} ${path.replaceAll(/\{\w+\}|:\w+/g, '*')}`;
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => addressOf(method, path)),
    );
    const missing = routes
      .filter(isDescribed)
      .map(({ method, paths: [path] }) => addressOf(method, path.replaceAll(/\{(:\w+)\}/g, '$1')))
      .filter((address) => !described.includes(address));
    expect(missing, 'give the definition of the operation its `describe`').toEqual([]);
  });

  it('has no pattern beside a date, no bound of all integers, no closed object, no constant of a boolean', () => {
    expect(all.length).toBeGreaterThan(1000);
    expect(pathsOf(({ format, pattern }) => format === 'date-time' && pattern !== undefined)).toEqual([]);
    expect(pathsOf(({ maximum }) => maximum === Number.MAX_SAFE_INTEGER)).toEqual([]);
    expect(pathsOf(({ additionalProperties }) => additionalProperties === false)).toEqual([]);
    expect(pathsOf(({ type, const: constant }) => type === 'boolean' && constant !== undefined)).toEqual([]);
  });

  it('has no default (a default makes a property required in some languages), and a size for every integer', () => {
    expect(pathsOf((one) => 'default' in one && ('type' in one || 'anyOf' in one || '$ref' in one))).toEqual([]);
    expect(pathsOf(({ type, format }) => type === 'integer' && format === undefined)).toEqual([]);
    const { CreateTransaction: create } = document.components.schemas;
    expect((create?.properties as Record<string, Json>).mode?.description).toContain('async by default');
  });

  it('demands no closed set with null: a client for Java refuses null there', () => {
    const isNullableSet = ({ anyOf = [] }: { readonly anyOf?: readonly Json[] }): boolean =>
      anyOf.some(({ type }) => type === 'null') && anyOf.some((form) => 'enum' in form);
    const demanded = pathsOf(({ properties = {}, required = [] }) =>
      [required].flat().some((name) => isNullableSet((properties as Record<string, Json>)[String(name)] ?? {})),
    );
    expect(demanded).toEqual([]);
    expect(pathsOf(isNullableSet)).not.toEqual([]);
  });

  it('has one media type for each body of a request, and one type for each value, or null besides', () => {
    const bodies = all.filter(([path]) => path.endsWith('/requestBody'));
    expect(bodies.length).toBeGreaterThan(15);
    expect(bodies.filter(([, { content }]) => Object.keys(content as Json).length !== 1).map(([path]) => path)).toEqual(
      [],
    );
    const isMixed = ({ type }: Json): boolean =>
      Array.isArray(type) && type.filter((one) => one !== 'null').length !== 1;
    expect(pathsOf(isMixed)).toEqual([]);
  });

  it('has no two names read as one by a language: of properties, of schemas, of kinds of credentials', () => {
    const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
    const twice = (names: readonly string[]): string[] =>
      names.filter((name, at) => names.findIndex((other) => plain(other) === plain(name)) !== at);
    const { schemas, securitySchemes } = document.components;
    expect(twice([...Object.keys(schemas), ...Object.keys(securitySchemes)])).toEqual([]);
    const properties = all.filter(([path]) => path.endsWith('/properties'));
    expect(properties.length).toBeGreaterThan(50);
    expect(properties.flatMap(([path, one]) => twice(Object.keys(one)).map((name) => `${path}: ${name}`))).toEqual([]);
    expect(twice(operations.map(({ operationId }) => String(operationId)))).toEqual([]);
    expect(twice(['media_type', 'mediatype'])).toEqual(['mediatype']);
  });

  it('names the credentials of every operation, each by an existing scheme', () => {
    const schemes = Object.keys(document.components.securitySchemes);
    for (const { operationId, security } of operations) {
      const used = (security as readonly Json[] | undefined)?.flatMap((one) => Object.keys(one));
      expect(used, String(operationId)).toBeDefined();
      expect(schemes).toEqual(expect.arrayContaining(used ?? []));
    }
    const create = operations.find(({ operationId }) => operationId === 'createTransaction');
    expect(create?.security).toEqual(
      expect.arrayContaining([{}, { personPassword: [] }, { accessToken: [] }, { applicationSecret: [] }]),
    );
  });

  it('lists every accepted value of a create request, and every code of a problem', () => {
    const { CreateTransaction: create, Problem: problem } = document.components.schemas;
    const enumOf = (schema: Json | undefined, name: string): unknown =>
      (schema?.properties as Record<string, Json> | undefined)?.[name]?.enum;
    expect(enumOf(create, 'type')).toEqual(expect.arrayContaining(['CMS', 'CAdES', 'PAdES']));
    expect(enumOf(create, 'documents_source')).toEqual(expect.arrayContaining(['AWS_S3', 'GCP_STORAGE', 'STORE_A_S3']));
    const codes = Object.keys({ ...httpProblems, ...serviceProblems, ...signingProblems });
    expect(new Set(enumOf(problem, 'code') as string[])).toEqual(new Set(codes));
  });

  it('leads from the created transaction to the following steps', () => {
    const ids = new Set(operations.map(({ operationId }) => operationId));
    const links = all.filter(([path]) => /\/links\/\w+$/.test(path)).map(([, link]) => link.operationId);
    expect(links.slice(0, 6)).toEqual([
      'queryTransaction',
      'uploadMoreDocuments',
      'uploadToOnlySetting',
      'uploadDocuments',
      'cancelTransaction',
      'downloadDocument',
    ]);
    expect(links.every((id) => ids.has(id))).toBe(true);
  });

  it('has an example for each answer but pages and documents, in agreement with the schema of the answer', () => {
    const told = operations.flatMap(
      (operation) =>
      Object.entries(operation.responses as Record<string, Json>)
        .filter(([status]) => status === '200' || status === '201')
        .flatMap(([, { content = {} }]) => Object.entries(content as Record<string, Json>))
        .filter(([type]) => /json|event-stream|text\/plain/.test(type))
        .map(([, content]) => ({ id: operation.operationId, ...content }) as { id: string; schema: Json; examples?: Record<string, { value: unknown }> }), // prettier-ignore
    );
    expect(told.length).toBeGreaterThan(40);
    for (const { id, schema, examples = {} } of told) {
      expect([id, Object.keys(examples).length > 0], '`example` of the description').toEqual([id, true]);
      const read = z.fromJSONSchema({ ...localRefs(schema), $defs: localRefs(document.components.schemas) } as never);
      for (const { value } of Object.values(examples)) {
        const { success, error } = read.safeParse(value);
        expect([id, success ? '' : error.message]).toEqual([id, '']);
      }
    }
  });

  it('describes each operation, with an example of each body, each source of documents and each place in a path', () => {
    expect(
      operations.filter(({ description }) => description === undefined).map(({ operationId }) => operationId),
      '`description` of the operation',
    ).toEqual([]);
    const isFields = (path: string): boolean =>
      /\/requestBody\/content\/application\/(json|x-www-form-urlencoded)$/.test(path) && !path.includes('/callbacks/');
    const bodies = all.filter(([path]) => isFields(path));
    expect(bodies.length).toBeGreaterThan(15);
    expect(bodies.filter(([, { examples }]) => examples === undefined).map(([path]) => path)).toEqual([]);
    const create = bodies.find(([path]) => path.startsWith('#/paths//signature-service/post'))?.[1];
    const sources = document.components.schemas.CreateTransaction?.properties as Record<string, { enum?: string[] }>;
    const names = sources.documents_source?.enum?.filter((name) => !['AWS_S3', 'GCP_STORAGE'].includes(name)) ?? [];
    expect(names).toHaveLength(5);
    expect(Object.keys(create?.examples as object)).toEqual(expect.arrayContaining(names));
    const places = all.filter(([path, one]) => /\/parameters\/\d+$/.test(path) && one.in === 'path');
    expect(places.filter(([, { example }]) => example === undefined).map(([path]) => path)).toEqual([]);
  });

  it('names the headers important to programs', () => {
    const headersOf = (operationId: string, status: string): string[] => {
      const found = operations.find((one) => one.operationId === operationId)?.responses as Record<string, Json>;
      return Object.keys(found[status]?.headers ?? {});
    };
    const created = ['Location', 'X-Session-Token', 'VCSchemaData', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'];
    expect(headersOf('createTransaction', '201')).toEqual(expect.arrayContaining(created));
    expect(headersOf('createTransaction', '401')).toContain('WWW-Authenticate');
    expect(headersOf('createTransaction', '429')).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit']));
    expect(headersOf('createTransaction', '503')).toContain('Retry-After');
    expect(headersOf('downloadDocument', '200')).toEqual(expect.arrayContaining(['ETag', 'Content-Disposition']));
  });

  it('gives each JSON body of a request a name of its own', () => {
    const inline = all.filter(
      ([path, { schema }]) =>
        /\/requestBody\/content\/application\/json$/.test(path) && !Object.hasOwn(schema as Json, '$ref'),
    );
    expect(inline.map(([path]) => path)).toEqual([]);
  });
});

describe('the document in OpenAPI 3.0', () => {
  const older = JSON.parse(JSON.stringify(asVersion30(buildOpenApi('0.1.0')))) as typeof document;
  const parts = [...objects(older)];
  const isExample = (path: string): boolean => /\/(example|examples|value)(\/|$)/.test(path);
  const wrong = (isWrong: (one: Json) => boolean): string[] =>
    parts.filter(([path, one]) => !isExample(path) && isWrong(one)).map(([path]) => path);

  it('has the operations, schemas and credentials of the newer version', () => {
    expect(Object.keys(older.paths)).toEqual(Object.keys(document.paths));
    expect(Object.keys(older.components.schemas)).toEqual(Object.keys(document.components.schemas));
    expect(older.components.securitySchemes).toEqual(document.components.securitySchemes);
    const idsOf = (one: typeof document): unknown[] =>
      Object.values(one.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    expect(idsOf(older)).toEqual(idsOf(document));
  });

  it('has no keyword unknown to 3.0', () => {
    expect(parts.length).toBeGreaterThan(1000);
    expect(wrong(({ type }) => Array.isArray(type) || type === 'null')).toEqual([]);
    const isSchema = (one: Json): boolean => typeof one.type === 'string' || 'anyOf' in one;
    for (const keyword of ['const', 'contentEncoding', 'propertyNames', 'identifier']) {
      expect([keyword, wrong((one) => keyword in one && (isSchema(one) || keyword === 'identifier'))]).toEqual([
        keyword,
        [],
      ]);
    }
    expect(wrong(({ exclusiveMinimum }) => typeof exclusiveMinimum === 'number')).toEqual([]);
  });

  it('says null, constants and examples of schemas in the words of 3.0', () => {
    const { DocumentEntry: entry, Token: token } = older.components.schemas;
    expect((entry?.properties as Json).checksum).toMatchObject({ type: 'string', nullable: true });
    expect((token?.properties as Json).token_type).toMatchObject({ type: 'string', enum: ['bearer'] });
  });
});
