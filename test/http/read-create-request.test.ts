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

describe('extra_info', () => {
  const NAMED = { name: '2.16.76.1.12.1.1', value: 'Receita' };
  const LINE = { label: 'CRM', value: '1234' };
  const readSetting = async (type: string, setting: object) => {
    const body = { type, documents_source: 'UPLOAD_REFERENCE', signature_settings: { id: 'default', ...setting } };
    const { ignored } = await readCreateBody(body, 10_000);
    const [first] = (await read(body)).settings;
    return {
      information: first?.information,
      lines: first?.visible?.extraInfo,
      hasStamp: first?.visible !== undefined,
      ignored: ignored.misplaced.map(({ field }) => field.replace('signature_settings[0].', '')),
    };
  };

  it.each<[string, string, object, Partial<Awaited<ReturnType<typeof readSetting>>>]>([
    ['an entry with a name is information and no stamp', 'PAdES', { extraInfo: [NAMED] }, { information: [NAMED] }],
    ['an entry alone is a list of one', 'PDFSignature', { extra_info: NAMED }, { information: [NAMED] }],
    ['a value may be absent', 'PAdES', { extraInfo: [{ name: '2.16' }] }, { information: [{ name: '2.16' }] }],
    [
      'a value of null is absent',
      'PAdES',
      { extraInfo: [{ name: '2.16', value: null }] },
      { information: [{ name: '2.16' }] },
    ],
    [
      'an empty value stays',
      'PAdES',
      { extraInfo: [{ name: 'a', value: '' }] },
      { information: [{ name: 'a', value: '' }] },
    ],
    [
      'a number is its text',
      'PAdES',
      { extraInfo: [{ name: 'a', value: 7 }] },
      { information: [{ name: 'a', value: '7' }] },
    ],
    ['an empty list asks for no stamp', 'PAdES', { extraInfo: [] }, {}],
    ['a line asks for a stamp', 'PAdES', { extraInfo: [LINE] }, { lines: [LINE], hasStamp: true }],
    [
      'a name and a label do both',
      'PAdES',
      { extraInfo: [{ ...NAMED, label: 'Tipo' }] },
      { information: [NAMED], lines: [{ label: 'Tipo', value: 'Receita' }], hasStamp: true },
    ],
    [
      'each entry has its kind',
      'PAdES',
      { extraInfo: [LINE, NAMED] },
      { information: [NAMED], lines: [LINE], hasStamp: true },
    ],
    ['information needs no stamp', 'PAdES', { extraInfo: [NAMED], visible_signature: false }, { information: [NAMED] }],
    [
      'lines without a stamp are told',
      'PAdES',
      { extraInfo: [LINE], visible_signature: false },
      { ignored: ['extra_info'] },
    ],
    [
      'a line beside information is told by its place',
      'PAdES',
      { extraInfo: [NAMED, LINE], visible_signature: false },
      { information: [NAMED], ignored: ['extra_info[1]'] },
    ],
    [
      'lines that the text does not show are told',
      'PAdES',
      { extraInfo: [LINE], visible_sign_text: '{name}' },
      { lines: [LINE], hasStamp: true, ignored: ['extra_info'] },
    ],
    [
      'lines that the text shows are not told',
      'PAdES',
      { extraInfo: [LINE], visible_sign_text: '{{ extra_info }}' },
      { lines: [LINE], hasStamp: true },
    ],
    [
      'a date of the PDF is told',
      'PAdES',
      { extraInfo: [{ name: 'ModDate', value: 'x' }] },
      { information: [{ name: 'ModDate', value: 'x' }], ignored: ['extra_info'] },
    ],
    ['a CMS has neither', 'CAdES', { extraInfo: [NAMED, LINE] }, { information: [NAMED], ignored: ['extra_info'] }],
  ])('%s', async (_, type, setting, expected) => {
    const nothing = { information: undefined, lines: undefined, hasStamp: false, ignored: [] };
    expect(await readSetting(type, setting)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    ['neither name nor value', { label: 'CRM' }, 'value'],
    ['a name with a control character', { name: 'a\u0000b' }, 'name'],
    ['a name of more bytes than a PDF takes', { name: 'ã'.repeat(64) }, 'name'],
    ['a value of another kind', { name: 'a', value: {} }, 'value'],
  ])('is refused with %s', async (_, entry, field) => {
    const body = { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE', signature_settings: { extra_info: [entry] } };
    const error: unknown = await read(body).catch((reason: unknown) => reason);
    expect((error as ServiceError).problems).toMatchObject([{ field: `signature_settings[0].extra_info[0].${field}` }]);
  });
});

describe('auto_fix_document', () => {
  it.each([
    [1, true],
    [0, false],
    ['true', true],
    ['', false],
  ])('may be %j', async (sent, expected) => {
    const body = { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE', auto_fix_document: sent };
    expect((await read(body)).autoFixDocument).toBe(expected);
  });
});
