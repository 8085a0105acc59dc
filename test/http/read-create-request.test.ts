import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../src/http/http-error.ts';
import { problemOf } from '../../src/http/problems/send-error.ts';
import { readCreateBody, readCreateRequest } from '../../src/http/signing-service/read-create-request.ts';
import { ServiceError } from '../../src/service/errors/index.ts';
import { countATurn } from '../setup/count-a-turn.ts';

const notify = { baseUrl: 'http://127.0.0.1:17171', clientId: null, fromLoopback: true };
const headers = {
  reach: { kind: 'owner', overNetwork: false } as const,
  idempotencyKey: undefined,
  principal: undefined,
  bodyDigest: '',
  notify,
};
const read = async (body: unknown) => readCreateRequest(await readCreateBody(body, 10_000), headers);
const ignoredFields = async (body: unknown) => (await readCreateBody(body, 10_000)).ignored.unknown;

const names = [
  'type',
  'documents_source',
  'documents',
  'certificate_alias',
  'mode',
  'hash_algorithm',
  'policy',
  'tsa_server_id',
  'tsa_hash_algorithm',
  'signature_settings',
  'auto_fix_document',
  'documents_destination',
  'notification_callback',
  'signer_company',
  'signature',
  'return_signature',
  '__proto__',
  'constructor',
];
const text = fc.constantFrom(
  'PAdES',
  'cms',
  'UPLOAD_REFERENCE',
  'FILE_PATH',
  'SHA-256',
  'sha1',
  'B-T',
  '',
  'true',
  '[x]',
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 4 }));
const body = fc.dictionary(fc.constantFrom(...names), value).map((fields) => ({ ...fields }));

describe('a policy in the spelling of other programs', () => {
  const of = async (fields: object) => {
    const { type, policy } = await read({ documents_source: 'UPLOAD_REFERENCE', ...fields });
    return `${type} ${policy}`;
  };
  it.each([
    [{ type: 'CAdES', policy: 'AD_RB' }, 'CAdES-attached AD-RB'],
    [{ type: 'PAdES', policy: 'ad_rt' }, 'PAdES AD-RT'],
    [{ policy: 'CAdES_AD_RB' }, 'CAdES-attached AD-RB'],
    [{ policy: 'PAdES_AD_RT' }, 'PAdES AD-RT'],
    [{ policy: 'PAdES AD_RB' }, 'PAdES AD-RB'],
    [{ policy: 'pades-b-lta', type: '' }, 'PAdES B-LTA'],
    [{ type: 'CAdES-detached', policy: 'CAdES_AD_RB' }, 'CAdES-detached AD-RB'],
    [{ type: 'PAdES_AD_RT' }, 'PAdES AD-RT'],
    [{ type: 'CAdES_AD_RB', policy: 'AD-RT' }, 'CAdES-attached AD-RT'],
  ])('%j is read as %s', async (fields, meant) => {
    expect(await of(fields)).toBe(meant);
  });

  it.each(['CAdES', 'PDFSignature', 'CMS'])('PAdES_AD_RB with the type %s is refused by both names', async (type) => {
    await expect(of({ type, policy: 'PAdES_AD_RB' })).rejects.toMatchObject({
      code: 'POLICY_NOT_SUPPORTED',
      message: expect.stringMatching(
        /^policy: PAdES_AD_RB is a policy of PAdES, and the type is .+: send AD-RB/,
      ) as string,
    });
  });

  it.each(['PAdES_AD_RX', 'CAdES_', 'XAdES_AD_RB'])('%s is no policy', async (policy) => {
    await expect(of({ type: 'PAdES', policy })).rejects.toMatchObject({ code: 'POLICY_NOT_SUPPORTED' });
  });
});

describe('reading a create request', () => {
  it('answers or refuses any JSON whatever, and names a field whenever it refuses one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(body, fc.jsonValue()), async (json) => {
        try {
          expect(await read(json)).toHaveProperty('type');
        } catch (error) {
          if (!(error instanceof HttpError || error instanceof ServiceError)) throw error;
          const { kind, problems } = problemOf(error);
          expect([400, 422]).toContain(kind.status);
          if (kind.status === 422) expect(problems.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('takes any letter case of a closed value for the same request', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.mixedCase(fc.constantFrom('PAdES', 'CAdES-detached', 'CMS', 'PDFSignature')),
        async (type) => {
          const asked = await read({ type, documents_source: 'upload_reference' });
          expect(asked.type.toLowerCase().startsWith(type.toLowerCase())).toBe(true);
        },
      ),
    );
  });

  it('reads a long list in turns of at most 500 documents', async () => {
    const documents = Array.from({ length: 1_600 }, (_one, index) => ({ id: index, path: `/a/${index}`, name: 'x' }));
    const long = { type: 'CMS', documents_source: 'FILE_PATH', documents };
    const { most, all } = await countATurn(async () => {
      expect((await read(long)).documents[1_599]).toEqual({ id: '1599', data: '/a/1599' });
      expect((await ignoredFields(long))[49]).toEqual({ field: 'documents[49].name' });
    });
    for (const name of ['newDocument', 'textIds']) {
      expect(all.get(name)).toBeGreaterThanOrEqual(1_600);
      expect(most.get(name)).toBeLessThanOrEqual(510);
    }
  });

  it('names the wrong fields of all parts of a long list, and those outside the list', async () => {
    const documents: unknown[] = Array.from({ length: 1_600 }, () => ({ data: '/a' }));
    documents[2] = { data: 5 };
    documents[1_234] = { data: 5 };
    const refused = read({ type: 5, documents_source: 'FILE_PATH', documents });
    await expect(refused).rejects.toMatchObject({
      problems: [{ field: 'type' }, { field: 'documents[2].data' }, { field: 'documents[1234].data' }],
    });
  });

  it('names a wrong document of a long list by its place in the whole list', async () => {
    const documents: unknown[] = Array.from({ length: 1_600 }, () => ({ data: '/a' }));
    documents[1_234] = { data: 5 };
    const long = { type: 'CMS', documents_source: 'FILE_PATH', documents };
    const refused = await read(long).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'REQUEST_INVALID', problems: [{ field: 'documents[1234].data' }] });
    documents[1_234] = { data: '/a', nmae: 'x' };
    expect(await ignoredFields(long)).toMatchObject([{ field: 'documents[1234].nmae' }]);
  });
});
