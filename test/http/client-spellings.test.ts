import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readCredentials } from '../../src/http/authorization/credentials.ts';
import {
  allSpellings,
  fieldSpellings,
  knownDifferences,
  pathSpellings,
  policyFamilies,
  providerScheme,
  valueSpellings,
} from '../../src/http/client-spellings.ts';
import { routes } from '../../src/http/routes.ts';
import { readCreateBody } from '../../src/http/signing-service/read-create-request.ts';

const sources = fileURLToPath(new URL('../../src/http', import.meta.url));

/** Operations with several addresses of the product's own, not of other programs. */
const OWN_FAMILIES: Readonly<Record<string, RegExp>> = {
  uploadDocuments: /^\/file-transfer\//,
  readOpenApi: /^\/openapi(?:-3\.0)?\.json$/,
  readClient: /^\/(client|sinete-sign)\./,
  showGuide: /^\/docs\/guide/,
};

const regular = async (body: Readonly<Record<string, unknown>>) => {
  const read = await readCreateBody({ type: 'PAdES', documents_source: 'DATA_URL', ...body }, 10);
  expect(read.ignored.unknown).toEqual([]);
  return read.regular;
};

describe('the table of spellings', () => {
  it('has every further address of every operation', () => {
    const further = routes.flatMap(({ id, paths }) =>
      paths.slice(1).flatMap((path) => (OWN_FAMILIES[id]?.test(path) === true ? [] : [`${id} ${path}`])),
    );
    const rows = Object.entries(pathSpellings).flatMap(([id, list]) => list.map(({ spelling }) => `${id} ${spelling}`));
    expect(further.toSorted()).toEqual(rows.toSorted());
  });

  it('is the only source file with its spellings', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && name !== 'client-spellings.ts')
      .map((name) => ({
        name,
        text: readFileSync(join(sources, name), 'utf8').replaceAll(/^ *(?:\/\*\*|\*|\/\/).*$/gm, ''),
      }));
    const repeated = allSpellings()
      // The word of a field is also the word of other things.
      .filter(({ spelling }) => spelling !== 'path')
      .flatMap(({ spelling }) =>
        files
          .filter(({ text }) => text.replaceAll(`['${spelling}']`, '').includes(`'${spelling}'`))
          .map(({ name }) => `${name}: ${spelling}`),
      );
    expect(repeated).toEqual([]);
  });

  it('has a sender and a meaning for each spelling, and none twice in one place', () => {
    const rows = allSpellings();
    expect(rows.filter(({ means, sentBy }) => means === '' || sentBy === '')).toEqual([]);
    const places = rows.map(({ kind, where, spelling }) => `${kind} ${where} ${spelling}`);
    expect(new Set(places).size).toBe(rows.length);
    expect(knownDifferences.length).toBeGreaterThan(0);
  });
});

describe('a spelling of an existing client', () => {
  it('of the scheme is a token', () => {
    const value = Buffer.from('ANY CLOUD-|opaque.token').toString('base64');
    expect(readCredentials(`${providerScheme.spelling} ${value}`)).toEqual({ kind: 'bearer', token: 'opaque.token' });
  });

  it.each(Object.entries(fieldSpellings).flatMap(([list, rows]) => rows.map((row) => ({ list, ...row }))))(
    'of a field is read in $list: $spelling, but not over the own name',
    async ({ list, spelling, means }) => {
      const value = means === 'extra_info' ? [{ name: 'a', value: 'b' }] : 'x';
      const other = means === 'extra_info' ? [{ name: 'c', value: 'd' }] : 'y';
      const read = async (object: Readonly<Record<string, unknown>>) => {
        const [first] = (await regular({ [list]: [object] }))[list] as readonly Readonly<Record<string, unknown>>[];
        return first?.[means];
      };
      expect(await read({ [spelling]: value })).toEqual(value);
      expect(await read({ [means]: other, [spelling]: value })).toEqual(other);
    },
  );

  it.each(Object.entries(valueSpellings).flatMap(([field, rows]) => rows.map((row) => ({ field, ...row }))))(
    'of a value is read in $field: $spelling',
    async ({ field, spelling, means }) => {
      expect((await regular({ [field]: spelling.toLowerCase() }))[field]).toBe(means);
    },
  );

  it.each(policyFamilies)('of type and policy is read: $spelling', async ({ spelling, family }) => {
    const { type, policy } = await regular({ type: undefined, policy: spelling });
    expect(String(type)).toMatch(new RegExp(`^${family}`));
    expect(spelling).toContain(String(policy).replace('-', '_'));
  });
});
