import { meaningDigest } from '../../src/http/body-text.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError, SigningError } from '../../src/service/errors/index.ts';
import type { CreateTransaction } from '../../src/service/transactions/index.ts';
import { plainRequest, startTestServer, type PlainAnswer, type TestServer } from '../http/start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server.stop());
beforeEach(() => {
  server.transactions.created.length = 0;
  server.transactions.failure = undefined;
});

async function post(body: unknown, headers: Record<string, string> = {}): Promise<PlainAnswer> {
  return plainRequest(server, {
    method: 'POST',
    path: '/signature-service',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

interface ProblemShape {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly type: string;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly detail: string }[];
}

function problem(answer: PlainAnswer): ProblemShape {
  expect(answer.headers['content-type']).toContain('application/problem+json');
  const body = JSON.parse(answer.body) as ProblemShape;
  expect(body.status).toBe(answer.status);
  return body;
}

const minimal = { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE' };

describe('POST /signature-service', () => {
  it('answers 201 with the transaction, its Location and the headers of every answer', async () => {
    const answer = await post(minimal, { 'User-Agent': 'Portal/3.1' });
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe('/signature-service/abcdefghijklmnopqrstuvwxyz');
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers.vary).toContain('Origin');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(answer.body)).toMatchObject({
      tcn: 'abcdefghijklmnopqrstuvwxyz',
      status: 'WAITING',
      type: 'PAdES',
      hash_algorithm: 'SHA256',
      tsa: false,
      documents_source: 'UPLOAD_REFERENCE',
      documents: [{ id: '0', status: 'WAITING', result: null }],
      created_at: '2026-01-02T03:04:05.000Z',
      finished_at: null,
    });
    const requester = { kind: 'native-program', name: 'Portal/3.1', signsRaw: false };
    expect(server.transactions.created[0]?.requester).toEqual(requester);
  });

  it('fills in the defaults', async () => {
    await post(minimal);
    expect(server.transactions.created[0]?.request).toEqual({
      reach: { kind: 'owner', overNetwork: false },
      type: 'PAdES',
      documentsSource: 'UPLOAD_REFERENCE',
      documents: [],
      mode: 'async',
      digest: 'sha256',
      policy: 'none',
      settings: [{ id: 'default' }],
      destination: 'LOCAL',
      autoFixDocument: false,
      returnSignature: false,
      onKept: expect.any(Function) as () => void,
    } satisfies CreateTransaction);
  });

  it("passes the idempotency key with a digest of the body's meaning", async () => {
    const body = JSON.stringify(minimal);
    await post(body, { 'Idempotency-Key': 'order-7' });
    const bodyDigest = meaningDigest(minimal);
    expect(server.transactions.created[0]?.request.idempotency).toEqual({ key: 'order-7', bodyDigest });
  });

  const forms: readonly (readonly [string, Record<string, unknown>, Partial<CreateTransaction>])[] = [
    ['CMS alone is attached', { type: 'cms' }, { type: 'CMS-attached' }],
    ['CAdES alone is attached, any case', { type: 'CADES' }, { type: 'CAdES-attached' }],
    ['cades-DETACHED in any case', { type: 'cades-DETACHED' }, { type: 'CAdES-detached' }],
    ['pdfsignature in lower case', { type: 'pdfsignature' }, { type: 'PDFSignature' }],
    ['the source in lower case', { documents_source: 'data_url' }, { documentsSource: 'DATA_URL' }],
    ['a hash with a hyphen', { hash_algorithm: 'sha-384' }, { digest: 'sha384' }],
    ['a hash without a hyphen', { hash_algorithm: 'SHA512' }, { digest: 'sha512' }],
    ['the policy in lower case', { policy: 'b-b' }, { policy: 'B-B' }],
    ...['B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA', '2.16.76.1.7.1.12.1.3'].map(
      (policy) =>
        [`the policy ${policy}`, { policy: policy.toLowerCase() }, { policy } as Partial<CreateTransaction>] as const,
    ),
    [
      'a time-stamp server and its hash',
      { tsa_server_id: 'act', tsa_hash_algorithm: 'sha-512' },
      { timestampServer: 'act', timestampDigest: 'sha512' },
    ],
    [
      'a company by its CNPJ',
      { signer_company: '11.222.333/0001-81' },
      { signerCompany: { cnpj: '11.222.333/0001-81' } },
    ],
    ['a signature in lines', { signature: 'MI\nIA' }, { existingSignature: Buffer.from('MIIA', 'base64') }],
    [
      'a stamp in full',
      {
        signature_settings: {
          visible_sign_page: '2',
          visible_sign_x: 10.5,
          visible_sign_y: 20,
          visible_sign_width: 100,
          visible_sign_height: 50,
          visible_sign_img: 'data:image/png;base64,iVBORw==',
          visible_sign_text: '{name}',
          extraInfo: { label: 'CRM', value: '1234' },
          certify: 'Form-Filling',
        },
      },
      {
        settings: [
          {
            id: 'default',
            certify: 'form-filling',
            visible: {
              pages: [2],
              x: 10.5,
              y: 20,
              width: 100,
              height: 50,
              image: 'iVBORw==',
              text: '{name}',
              corner: 'top-left',
              fit: true,
              extraInfo: [{ label: 'CRM', value: '1234' }],
            },
          },
        ],
      },
    ],
    [
      'a stamp at its usual place',
      { signature_settings: { visible_signature: 'true' } },
      {
        settings: [
          {
            id: 'default',
            visible: { pages: [-1], x: 36, y: 36, width: 230, height: 80, corner: 'bottom-left', fit: true },
          },
        ],
      },
    ],
    ...[{ visible_sign_pages: [1, '-1'] }, { visible_sign_page: [1, '-1'] }].map(
      (pages) =>
        [
          `a stamp on several pages as ${JSON.stringify(pages)}`,
          { signature_settings: { ...pages, visible_sign_x: 5, visible_sign_y: 0 } },
          {
            settings: [
              {
                id: 'default',
                visible: { pages: [1, -1], x: 5, y: 0, width: 230, height: 80, corner: 'top-left', fit: true },
              },
            ],
          },
        ] as const,
    ),
    [
      'a stamp from another corner',
      { signature_settings: { visible_sign_x: '5', visible_sign_y: 0, visible_sign_corner: 'Bottom_Right' } },
      {
        settings: [
          {
            id: 'default',
            visible: { pages: [-1], x: 5, y: 0, width: 230, height: 80, corner: 'bottom-right', fit: true },
          },
        ],
      },
    ],
    ['the mode in capitals', { mode: 'SYNC' }, { mode: 'sync' }],
    ['a destination', { documents_destination: 'file_path' }, { destination: 'FILE_PATH' }],
    ['booleans as text', { auto_fix_document: 'True', return_signature: 'false' }, { autoFixDocument: true }],
    ['null and empty fields as absent', { certificate_alias: '', notification_callback: null, signature: '' }, {}],
    ['unknown fields', { colour: 'blue' }, {}],
    ['an alias', { certificate_alias: 'MARIA' }, { certificateAlias: 'MARIA' }],
    ['one string as documents', { documents: 'data:,x' }, { documents: [{ data: 'data:,x' }] }],
    [
      'one object as documents',
      { documents: { id: 7, data: 'data:,x' } },
      { documents: [{ id: '7', data: 'data:,x' }] },
    ],
    ['a list of strings', { documents: ['/a', '/b'] }, { documents: [{ data: '/a' }, { data: '/b' }] }],
    [
      'path for data',
      { documents: [{ path: '/a', original_file_name: 'a.pdf', signature_setting: 's' }] },
      { documents: [{ data: '/a', originalFileName: 'a.pdf', signatureSetting: 's' }] },
    ],
    ['one setting', { signature_settings: { reason: 'Aprovo' } }, { settings: [{ id: 'default', reason: 'Aprovo' }] }],
    [
      'a map of settings',
      { signature_settings: { a: { location: 'Recife' }, b: { field_name: 'Assinatura' } } },
      {
        settings: [
          { id: 'a', location: 'Recife' },
          { id: 'b', fieldName: 'Assinatura' },
        ],
      },
    ],
    ['a list of settings', { signature_settings: [{ id: 1 }, { id: 2 }] }, { settings: [{ id: '1' }, { id: '2' }] }],
    ['certify none', { signature_settings: [{ certify: 'none' }] }, { settings: [{ id: 'default' }] }],
    [
      'a visible signature that is switched off',
      { signature_settings: [{ visible_signature: false, visible_sign_x: 3 }] },
      { settings: [{ id: 'default' }] },
    ],
  ];

  it.each(forms)('takes %s', async (_name, fields, expected) => {
    const answer = await post({ ...minimal, ...fields });
    expect(answer.status, answer.body).toBe(201);
    expect(server.transactions.created[0]?.request).toMatchObject(expected);
  });

  const refusals: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['TYPE_NOT_SUPPORTED', { type: 'XAdES' }, 'type'],
    ['ALGORITHM_NOT_SUPPORTED', { hash_algorithm: 'SHA-1' }, 'hash_algorithm'],
    ['ALGORITHM_NOT_SUPPORTED', { hash_algorithm: 'md5' }, 'hash_algorithm'],
    ['ALGORITHM_NOT_SUPPORTED', { tsa_hash_algorithm: 'SHA1' }, 'tsa_hash_algorithm'],
    ...['nonsense', '1.2.3', '2.16.76.1.7.1'].map((policy) => ['POLICY_NOT_SUPPORTED', { policy }, 'policy'] as const),
    ['REQUEST_INVALID', { notification_callback: ['https://x.example/'] }, 'notification_callback'],
    ['REQUEST_INVALID', { notification_callback: `https://x.example/${'a'.repeat(2000)}` }, 'notification_callback'],
    ['REQUEST_INVALID', { signer_company: { name: 'x' } }, 'signer_company.cnpj'],
    ['REQUEST_INVALID', { signature: 'not base64!' }, 'signature'],
    ['REQUEST_INVALID', { signature_settings: { certify: 'everything' } }, 'signature_settings[0].certify'],
    ['REQUEST_INVALID', { signature_settings: { visible_sign_page: 1.5 } }, 'signature_settings[0].visible_sign_page'],
    ['REQUEST_INVALID', { signature_settings: { visible_sign_page: [] } }, 'signature_settings[0].visible_sign_pages'],
    [
      'REQUEST_INVALID',
      { signature_settings: { visible_sign_page: 1, visible_sign_pages: [2] } },
      'signature_settings[0].visible_sign_pages',
    ],
    [
      'REQUEST_INVALID',
      { signature_settings: { visible_sign_page: [1], visible_sign_pages: [2] } },
      'signature_settings[0].visible_sign_page',
    ],
    ['REQUEST_INVALID', { signature_settings: { visible_sign_x: 'left' } }, 'signature_settings[0].visible_sign_x'],
    ['REQUEST_INVALID', { signature_settings: { visible_sign_width: 0 } }, 'signature_settings[0].visible_sign_width'],
    [
      'REQUEST_INVALID',
      { signature_settings: { visible_sign_img: 'data:image/webp;base64,R0lG' } },
      'signature_settings[0].visible_sign_img',
    ],
    [
      'REQUEST_INVALID',
      { signature_settings: { extra_info: [{ label: 'a' }] } },
      'signature_settings[0].extra_info[0].value',
    ],
    ['REQUEST_INVALID', { type: 'FOO' }, 'type'],
    ['REQUEST_INVALID', { type: undefined }, 'type'],
    ['REQUEST_INVALID', { type: 5 }, 'type'],
    ['REQUEST_INVALID', { documents_source: undefined }, 'documents_source'],
    ['REQUEST_INVALID', { mode: 'later' }, 'mode'],
    ['REQUEST_INVALID', { auto_fix_document: 'perhaps' }, 'auto_fix_document'],
    ['REQUEST_INVALID', { documents: [{ data: 5 }] }, 'documents[0].data'],
    ['REQUEST_INVALID', { documents: [{ id: 'a b' }] }, 'documents[0].id'],
    ['REQUEST_INVALID', { documents: [['x']] }, 'documents[0]'],
    ['REQUEST_INVALID', { signature_settings: 'x' }, 'signature_settings'],
    ['REQUEST_INVALID', { signature_settings: [{ reason: {} }] }, 'signature_settings[0].reason'],
    ['REQUEST_INVALID', { signature_settings: [{ id: 'a' }, { id: 'a' }] }, 'signature_settings[1].id'],
  ];

  it.each(refusals)('answers 422 %s for %j and names %s', async (code, fields, field) => {
    const answer = await post({ ...minimal, ...fields });
    expect(answer.status).toBe(422);
    const body = problem(answer);
    expect(body.code).toBe(code);
    expect(body.errors?.map((one) => one.field)).toContain(field);
    expect(body.detail).toContain(field);
    expect(server.transactions.created).toEqual([]);
  });

  const misuses: readonly (readonly [string, number, string, Record<string, string>, string])[] = [
    ['no JSON', 400, 'REQUEST_MALFORMED', {}, '{"type":'],
    ['a list', 400, 'REQUEST_MALFORMED', {}, '[]'],
    ['a number', 400, 'REQUEST_MALFORMED', {}, '5'],
    ['another content type', 415, 'MEDIA_TYPE_NOT_SUPPORTED', { 'Content-Type': 'text/plain' }, '{}'],
    ['a compressed body', 415, 'MEDIA_TYPE_NOT_SUPPORTED', { 'Content-Encoding': 'gzip' }, '{}'],
    ['a body over the limit', 413, 'REQUEST_TOO_LARGE', {}, JSON.stringify({ type: 'x'.repeat(20_000) })],
    ['a long idempotency key', 422, 'REQUEST_INVALID', { 'Idempotency-Key': 'k'.repeat(256) }, JSON.stringify(minimal)],
    ['Basic credentials', 401, 'CREDENTIALS_INVALID', { Authorization: 'Basic YTpi' }, JSON.stringify(minimal)],
    ['a Bearer token', 401, 'CREDENTIALS_INVALID', { Authorization: 'Bearer t' }, JSON.stringify(minimal)],
    ['a foreign origin', 403, 'CONSENT_UNAVAILABLE', { Origin: 'https://portal.example' }, JSON.stringify(minimal)],
    ['a foreign Host', 421, 'HOST_NOT_OURS', { Host: 'rebind.example' }, JSON.stringify(minimal)],
  ];

  it.each(misuses)('answers %s with %i %s', async (_name, status, code, headers, body) => {
    const answer = await post(body, headers);
    expect(answer.status).toBe(status);
    expect(problem(answer).code).toBe(code);
    if (status === 401) expect(answer.headers['www-authenticate']).toContain('Basic');
    if (status === 413) expect(problem(answer).detail).toContain('10000');
  });

  const failures: readonly (readonly [Error, number, string])[] = [
    [new ServiceError('CERTIFICATE_NOT_FOUND', 'x'), 422, 'CERTIFICATE_NOT_FOUND'],
    [new ServiceError('CERTIFICATE_AMBIGUOUS', 'x'), 409, 'CERTIFICATE_AMBIGUOUS'],
    [new ServiceError('IDEMPOTENCY_CONFLICT', 'x'), 409, 'IDEMPOTENCY_CONFLICT'],
    [new ServiceError('PATH_NOT_ALLOWED', 'x'), 403, 'PATH_NOT_ALLOWED'],
    [new ServiceError('STORAGE_UNAVAILABLE', 'x', { retryAfter: 7 }), 503, 'STORAGE_UNAVAILABLE'],
    [new SigningError('TOKEN_REMOVED', 'x'), 503, 'TOKEN_REMOVED'],
  ];

  it.each(failures)('passes %s on', async (failure, status, code) => {
    server.transactions.failure = failure;
    const answer = await post(minimal);
    expect(answer.status).toBe(status);
    expect(problem(answer)).toMatchObject({ code, detail: 'x' });
    if (status === 503) expect(answer.headers['retry-after']).toMatch(/^[57]$/);
  });

  it('answers 500 without anything of the cause when something unforeseen happens, and logs it', async () => {
    server.transactions.failure = new Error('cannot open /home/maria/.secret');
    const answer = await post(minimal);
    expect(problem(answer)).toMatchObject({ status: 500, code: 'INTERNAL' });
    expect(answer.body).not.toMatch(/maria|secret|at .*\.ts/);
    expect(server.failures).toContain(server.transactions.failure);
  });

  it('answers 405 with Allow for another method', async () => {
    const answer = await plainRequest(server, { method: 'DELETE', path: '/signature-service' });
    expect(problem(answer).code).toBe('METHOD_NOT_ALLOWED');
    expect(answer.headers.allow).toBe('POST, GET, HEAD');
  });
});
