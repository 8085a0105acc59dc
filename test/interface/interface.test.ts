import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { routes } from '../../src/http/routes.ts';
import { documentEndpoints } from './document-endpoints.ts';

/** `POST /file-transfer/*&#47;*`: a path without the names of its parameters, in any spelling. */
function shape(method: string, path: string): string {
  const plain = path.replaceAll(/\{(:\w+)\}/g, '$1').replaceAll(/<[^>]*>|:\w+|\{\w+\}/g, '*');
  return `${method.toUpperCase()} ${plain}`;
}

const served = documentEndpoints.filter(({ state }) => state === 'served');
const numbered = routes.filter(({ number }) => number !== undefined);

describe('the table of routes and the interface document', () => {
  it('knows all twenty endpoints of the document, once each and in order', () => {
    expect(documentEndpoints.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it.each(served)("serves endpoint $number in the document's spelling: $method $path", ({ number, method, path }) => {
    const route = routes.find((one) => one.number === number);
    expect(route && shape(route.method, route.paths[0])).toBe(shape(method, path));
  });

  it('numbers no route missing in the document, or listed as later', () => {
    const servedNumbers = served.map(({ number }) => number);
    expect(numbered.map(({ number = 0 }) => number).toSorted((a, b) => a - b)).toEqual(servedNumbers);
  });

  it('answers at no address of an endpoint listed as later', () => {
    const shapes = routes.flatMap(({ method, paths }) => paths.map((path) => shape(method, path)));
    const later = documentEndpoints.filter(({ state }) => state === 'later');
    expect(later.filter(({ method, path }) => shapes.includes(shape(method, path)))).toEqual([]);
  });

  it('names each operation once', () => {
    const operations = routes.map(({ id }) => id);
    expect(new Set(operations).size).toBe(operations.length);
  });

  it('describes every served endpoint in the OpenAPI document', () => {
    const paths = Object.entries(buildOpenApi('0.1.0').paths ?? {});
    const described = paths.flatMap(([path, item]) => Object.keys(item).map((method) => shape(method, path)));
    expect(served.filter(({ method, path }) => !described.includes(shape(method, path)))).toEqual([]);
  });
});
