import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../src/http/http-error.ts';
import { problemOf } from '../../src/http/send-error.ts';
import { readCreateRequest } from '../../src/http/signing-service/read-create-request.ts';
import { ServiceError } from '../../src/service/errors/index.ts';

const notify = { baseUrl: 'http://127.0.0.1:17171', clientId: null, fromLoopback: true };
const headers = {
  reach: { kind: 'owner', overNetwork: false } as const,
  idempotencyKey: undefined,
  principal: undefined,
  bodyDigest: '',
  notify,
};
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

describe('reading a create request', () => {
  it('answers or refuses any JSON whatever, and names a field whenever it refuses one', () => {
    fc.assert(
      fc.property(fc.oneof(body, fc.jsonValue()), (json) => {
        try {
          expect(readCreateRequest(json, headers)).toHaveProperty('type');
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

  it('takes any letter case of a closed value for the same request', () => {
    fc.assert(
      fc.property(fc.mixedCase(fc.constantFrom('PAdES', 'CAdES-detached', 'CMS', 'PDFSignature')), (type) => {
        const read = readCreateRequest({ type, documents_source: 'upload_reference' }, headers);
        expect(read.type.toLowerCase().startsWith(type.toLowerCase())).toBe(true);
      }),
    );
  });
});
