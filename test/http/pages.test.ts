import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainRequest, startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server.stop());

const navigation = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

describe('GET /.well-known/sinete', () => {
  it('tells name, version and instance, and nothing else', async () => {
    const answer = await plainRequest(server, { path: '/.well-known/sinete' });
    expect(JSON.parse(answer.body)).toEqual({
      name: 'Sinete',
      version: '0.1.0',
      api_versions: ['0'],
      instance: 'test',
    });
  });

  it('is readable by a page of any origin, named and never "*"', async () => {
    const headers = { Origin: 'https://portal.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };
    const answer = await plainRequest(server, { path: '/.well-known/sinete', headers });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, 'https://portal.example']);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('the pages', () => {
  it.each([
    ['/', 'base_url'],
    ['/docs', '/docs/swagger-ui-bundle.js'],
  ])('%s opens under the strict policy', async (path, text) => {
    // prettier-ignore
    const answer = await plainRequest(server, { path, headers: navigation });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain(text);
    const policy = String(answer.headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe/);
    expect(answer.body).not.toMatch(/<script>|https?:\/\/(?!127\.0\.0\.1)/);
  });

  it.each(['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js', 'favicon-32x32.png'])(
    '/docs/%s is served from here',
    async (asset) => {
      // prettier-ignore
      const headers = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' };
      const answer = await plainRequest(server, { path: `/docs/${asset}`, headers });
      expect(answer.status).toBe(200);
      expect(answer.body.length).toBeGreaterThan(50);
    },
  );

  it.each(['/docs/package.json', '/docs/..%2fpackage.json', '/ui/assets/..%2f..%2fpackage.json', '/ui/assets/x.js'])(
    '%s is not served',
    async (path) => {
      const answer = await plainRequest(server, { path });
      expect(answer.status).toBe(404);
    },
  );

  it('/ui/ tells the way to build a missing window', async () => {
    const answer = await plainRequest(server, { path: '/ui/', headers: navigation });
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'PAGE_NOT_BUILT' });
    expect(answer.body).toContain('npm run build');
  });

  it('an unknown address answers 404, and to a foreign page only the refusal', async () => {
    const native = await plainRequest(server, { path: '/nothing' });
    const foreign = await plainRequest(server, { path: '/nothing', headers: { Origin: 'https://portal.example' } });
    expect([native.status, foreign.status]).toEqual([404, 403]);
  });

  it('a malformed path answers 400 or 404 as a problem', async () => {
    const answer = await plainRequest(server, { path: '/signature-service/%E0%A4%A' });
    expect([400, 404]).toContain(answer.status);
    expect(answer.headers['content-type']).toContain('problem+json');
  });

  it('OPTIONS of a native program answers the methods', async () => {
    const answer = await plainRequest(server, { method: 'OPTIONS', path: '/file-transfer/T/0' });
    expect([answer.status, answer.headers.allow]).toEqual([204, 'POST, GET, HEAD']);
  });
});

interface OpenApiShape {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; in: string }[]; responses: object }>>; // prettier-ignore
  readonly components: { readonly schemas: Record<string, object> };
}

describe('GET /openapi.json', () => {
  it('is an OpenAPI 3.1 document with consistent references and path parameters', async () => {
    const answer = await plainRequest(server, { path: '/openapi.json' });
    const document = JSON.parse(answer.body) as OpenApiShape;
    expect(document.openapi).toBe('3.1.0');
    const references = [...answer.body.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((name) => !(String(name) in document.components.schemas))).toEqual([]);
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item).map((operation) => ({ path, operation })),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();
      const described = (operation.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name);
      expect(described.toSorted()).toEqual(named);
      expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
    }
  });

  it('describes the request by the schema of its check, and refusals as problems', async () => {
    const answer = await plainRequest(server, { path: '/openapi.json' });
    const { components, paths } = JSON.parse(answer.body) as OpenApiShape;
    expect(components.schemas.CreateTransaction).toMatchObject({
      required: ['type'],
      properties: { type: { enum: expect.arrayContaining(['PAdES']) as unknown } },
    });
    expect(paths['/signature-service']?.post?.responses).toMatchObject({
      422: { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    });
  });
});
