import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/service/errors/index.ts';
import {
  checkRequest,
  nextFreeId,
  type CheckedRequest,
} from '../../../../src/service/transactions/intake/check-request.ts';
import { pathOfDocument, placeDocuments } from '../../../../src/service/transactions/intake/document-places.ts';
import { defaultLimits } from '../../../../src/service/transactions/limits.ts';
import type { CreateTransaction, NewDocument } from '../../../../src/service/transactions/index.ts';
import { createRequest, dataUrl } from '../create-request.ts';

const hello = dataUrl('hello');
const counterSigned = [{ id: 'a', counterSign: 0 as const }];
const stamp = { pages: [1], x: 1, y: 1, width: 1, height: 1 };

const check = async (
  changes: Partial<CreateTransaction>,
  platform: NodeJS.Platform = 'linux',
): Promise<CheckedRequest> =>
  checkRequest(await placeDocuments(createRequest(changes), { roots: [], platform }), {
    ...defaultLimits,
    documentsPerTransaction: 3,
  });

/** The problems of a request, a line each; empty without problems. */
async function problemsOf(
  changes: Partial<CreateTransaction>,
  platform: NodeJS.Platform = 'linux',
): Promise<readonly string[]> {
  try {
    await check(changes, platform);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.problems.map(({ field, code }) => `${field} ${code}`);
  }
}

/** The texts of the problems. */
async function detailsOf(changes: Partial<CreateTransaction>): Promise<string> {
  try {
    await check(changes);
    return '';
  } catch (error) {
    return (error as ServiceError).problems.map(({ detail }) => detail).join(' ');
  }
}

const byData = (...documents: readonly NewDocument[]): Partial<CreateTransaction> => ({
  documentsSource: 'DATA_URL',
  documents,
});
const byPath = (...documents: readonly NewDocument[]): Partial<CreateTransaction> => ({
  documentsSource: 'FILE_PATH',
  documents,
});
const byUpload = (...documents: readonly NewDocument[]): Partial<CreateTransaction> => ({ documents });
const inFiles: Partial<CreateTransaction> = { ...byPath({ data: '/a' }), destination: 'FILE_PATH' };
const toStore: Partial<CreateTransaction> = { ...byData({ data: hello }), destination: 'STORE_A_S3' };

interface Row {
  readonly says: string;
  readonly request: Partial<CreateTransaction>;
  readonly problems?: readonly string[];
}

const policyProblem = ['policy POLICY_NOT_SUPPORTED'];
const typeProblem = ['type FEATURE_NOT_SUPPORTED'];
const roleProblem = ['claimed_role FEATURE_NOT_SUPPORTED'];
const dataProblem = ['documents[0].data REQUEST_INVALID'];
const nameProblem = ['documents[0].destination_file_name REQUEST_INVALID'];

const rows: readonly Row[] = [
  { says: 'an upload without documents', request: {} },
  { says: 'a data URL', request: byData({ data: hello }) },

  { says: 'plain CMS without a policy', request: { type: 'CMS-detached' } },
  { says: 'plain CMS under B-B', request: { type: 'CMS-detached', policy: 'B-B' }, problems: policyProblem },
  { says: 'CAdES under AD-RB', request: { type: 'CAdES-attached', policy: 'AD-RB' } },
  { says: 'PAdES under AD-RB', request: { type: 'PAdES', policy: 'AD-RB' } },
  { says: 'a plain PDF signature under B-T', request: { type: 'PDFSignature', policy: 'B-T' } },
  {
    says: 'a plain PDF signature under AD-RB',
    request: { type: 'PDFSignature', policy: 'AD-RB' },
    problems: policyProblem,
  },
  { says: 'plain CMS under AD-RB', request: { type: 'CMS-attached', policy: 'AD-RB' }, problems: policyProblem },

  { says: 'a callback over https', request: { callback: { url: 'https://a.example/done' } as never } },
  {
    says: 'a callback that is no address',
    request: { callback: { url: 'nowhere' } as never },
    problems: ['notification_callback REQUEST_INVALID'],
  },

  { says: 'an id of a setting with all that it may have', request: { settings: [{ id: 'aZ09._-' }] } },
  { says: 'an id of a setting of 64 letters', request: { settings: [{ id: 'a'.repeat(64) }] } },
  {
    says: 'an id of a setting of 65 letters',
    request: { settings: [{ id: 'a'.repeat(65) }] },
    problems: ['signature_settings[0].id REQUEST_INVALID'],
  },
  {
    says: 'ids of settings with a blank at either end, and none',
    request: { settings: [{ id: ' a' }, { id: 'a ' }, { id: '' }] },
    problems: [0, 1, 2].map((index) => `signature_settings[${index}].id REQUEST_INVALID`),
  },
  {
    says: 'two settings of one id',
    request: { settings: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] },
    problems: ['signature_settings[2].id REQUEST_INVALID'],
  },

  {
    says: 'a visible PDF signature that certifies',
    request: { type: 'PAdES', settings: [{ id: 'a', visible: stamp, certify: 'no-changes' }] },
  },
  {
    says: 'a visible CAdES signature',
    request: { settings: [{ id: 'a' }, { id: 'b', visible: stamp }] },
    problems: ['signature_settings[1].visible_signature FEATURE_NOT_SUPPORTED'],
  },
  {
    says: 'a CAdES signature that certifies',
    request: { settings: [{ id: 'a', certify: 'no-changes' }] },
    problems: ['signature_settings[0].certify FEATURE_NOT_SUPPORTED'],
  },

  { says: 'a counter-signature in a file', request: { ...inFiles, settings: counterSigned } },
  { says: 'a counter-signature under B-B', request: { ...inFiles, settings: counterSigned, policy: 'B-B' } },
  {
    says: 'a counter-signature of one setting of two',
    request: {
      ...inFiles,
      documents: [{ data: '/a', signatureSetting: 'b' }],
      settings: [...counterSigned, { id: 'b' }],
      policy: 'B-T',
    },
    problems: policyProblem,
  },
  {
    says: 'a counter-signature under B-T',
    request: { ...inFiles, settings: counterSigned, policy: 'B-T' },
    problems: policyProblem,
  },
  {
    says: 'a counter-signature in a PDF',
    request: { ...inFiles, type: 'PAdES', settings: counterSigned },
    problems: ['signature_settings[0].counterSign FEATURE_NOT_SUPPORTED'],
  },
  {
    says: 'a counter-signature that is kept here',
    request: { ...byPath({ data: '/a' }), settings: counterSigned },
    problems: typeProblem,
  },
  {
    says: 'a counter-signature beside another signer',
    request: { ...inFiles, settings: counterSigned, existingSignature: Buffer.from('x') },
    problems: typeProblem,
  },

  { says: 'a claimed role of a CAdES signature', request: { claimedRole: 'Notary' } },
  { says: 'a claimed role of a PAdES signature', request: { type: 'PAdES', claimedRole: 'Notary' } },
  {
    says: 'a claimed role of plain CMS',
    request: { type: 'CMS-detached', claimedRole: 'Notary' },
    problems: roleProblem,
  },
  {
    says: 'a claimed role of a plain PDF signature',
    request: { type: 'PDFSignature', claimedRole: 'Notary' },
    problems: roleProblem,
  },
  {
    says: 'a claimed role where one of two settings counter-signs',
    request: {
      ...inFiles,
      documents: [{ data: '/a', signatureSetting: 'b' }],
      settings: [...counterSigned, { id: 'b' }],
      claimedRole: 'Notary',
    },
    problems: roleProblem,
  },

  { says: 'as many documents as are allowed', request: byUpload({}, {}, {}) },
  {
    says: 'more documents than are allowed',
    request: byUpload({}, {}, {}, {}),
    problems: ['documents TOO_MANY_DOCUMENTS'],
  },
  { says: 'no document that comes along', request: byData(), problems: ['documents NO_DOCUMENTS'] },

  { says: 'ids of documents', request: byUpload({ id: 'a' }, { id: 'b' }, {}) },
  {
    says: 'an id of a document with a slash',
    request: byUpload({ id: 'a/b' }),
    problems: ['documents[0].id REQUEST_INVALID'],
  },
  {
    says: 'two documents of one id',
    request: byUpload({ id: 'a' }, {}, { id: 'a' }),
    problems: ['documents[2].id REQUEST_INVALID'],
  },

  {
    says: 'the setting of a document',
    request: { ...byData({ data: hello, signatureSetting: 'b' }), settings: [{ id: 'a' }, { id: 'b' }] },
  },
  { says: 'the usual setting of a document, by name', request: byData({ data: hello, signatureSetting: 'default' }) },
  {
    says: 'a setting that there is none of',
    request: { ...byData({ data: hello, signatureSetting: 'c' }), settings: [{ id: 'a' }, { id: 'b' }] },
    problems: ['documents[0].signature_setting SIGNATURE_SETTING_UNKNOWN'],
  },
  {
    says: 'no setting where there are two',
    request: { ...byData({ data: hello }), settings: [{ id: 'a' }, { id: 'b' }] },
    problems: ['documents[0].signature_setting SIGNATURE_SETTING_REQUIRED'],
  },
  {
    says: 'no setting yet for an upload where there are two',
    request: { ...byUpload({}), settings: [{ id: 'a' }, { id: 'b' }] },
  },

  { says: 'data of a document to be uploaded', request: byUpload({ data: hello }), problems: dataProblem },
  { says: 'a path', request: byPath({ data: '/home/a.txt' }) },
  { says: 'a path that is not absolute', request: byPath({ data: 'a.txt' }), problems: dataProblem },
  { says: 'no path', request: byPath({}), problems: dataProblem },
  { says: 'a data URL in capitals', request: byData({ data: 'DATA:,x' }) },
  { says: 'a data URL without a comma', request: byData({ data: 'data:text/plain' }), problems: dataProblem },
  { says: 'a data URL behind something else', request: byData({ data: 'x data:,x' }), problems: dataProblem },
  { says: 'no data URL', request: byData({}), problems: dataProblem },
  { says: 'an object of S3', request: { documentsSource: 'STORE_A_S3', documents: [{ data: 's3://bucket/key' }] } },
  {
    says: 'an object of another store than S3',
    request: { documentsSource: 'STORE_A_S3', documents: [{ data: 'gs://bucket/key' }] },
    problems: dataProblem,
  },
  {
    says: 'an object of Google',
    request: { documentsSource: 'STORE_B_STORAGE', documents: [{ data: 'gs://bucket/key' }] },
  },
  {
    says: 'an object of another store than Google',
    request: { documentsSource: 'STORE_B_STORAGE', documents: [{ data: 's3://bucket/key' }] },
    problems: dataProblem,
  },

  { says: 'a result beside its document', request: inFiles },
  {
    says: 'a result at a path of its own',
    request: { ...inFiles, documents: [{ data: '/a', destinationFileName: '/b' }] },
  },
  {
    says: 'a result at a file: URL',
    request: { ...inFiles, documents: [{ data: '/a', destinationFileName: 'file:///b' }] },
  },
  {
    says: 'a result at a path that is not absolute',
    request: { ...inFiles, documents: [{ data: '/a', destinationFileName: 'b' }] },
    problems: nameProblem,
  },
  {
    says: 'a result that is kept here, with a name',
    request: byData({ data: hello, destinationFileName: '/b' }),
    problems: nameProblem,
  },
  {
    says: 'a result for a path, of a document without one',
    request: { ...byData({ data: hello }), destination: 'FILE_PATH' },
    problems: nameProblem,
  },
  {
    says: 'a result for a path, of an announced document',
    request: { ...byUpload({ destinationFileName: '/b' }), destination: 'FILE_PATH' },
  },
  { says: 'a result for a store, without a name', request: toStore },
  {
    says: 'a result for a store, with a key',
    request: { ...toStore, documents: [{ data: hello, destinationFileName: 'a/b.p7s' }] },
  },
  {
    says: 'a result for a store, at an address of it',
    request: { ...toStore, documents: [{ data: hello, destinationFileName: 's3://bucket/b' }] },
  },
  {
    says: 'a result for a store, at an address of another one',
    request: { ...toStore, documents: [{ data: hello, destinationFileName: 'gs://bucket/b' }] },
    problems: nameProblem,
  },
];

describe('a create request', () => {
  it.each(rows.filter(({ problems }) => problems === undefined))('may have $says', async ({ request }) => {
    expect(await problemsOf(request)).toEqual([]);
  });

  it.each(rows.filter(({ problems }) => problems !== undefined))(
    'is refused with $says',
    async ({ request, problems }) => {
      expect(await problemsOf(request)).toEqual(problems);
    },
  );

  it('is refused for all its faults at once', async () => {
    expect(
      await problemsOf({
        ...byData({ id: 'a b', signatureSetting: 'x', destinationFileName: '/b' }),
        policy: 'AD-RB',
        type: 'CMS-attached',
      }),
    ).toEqual([
      'policy POLICY_NOT_SUPPORTED',
      'documents[0].id REQUEST_INVALID',
      'documents[0].signature_setting SIGNATURE_SETTING_UNKNOWN',
      'documents[0].data REQUEST_INVALID',
      'documents[0].destination_file_name REQUEST_INVALID',
    ]);
  });

  it.each([
    [{ type: 'CMS-attached', policy: 'B-T' }, 'CAdES or PAdES, or PDFSignature.'],
    [{ type: 'CMS-attached', policy: 'AD-RB' }, 'needs the type CAdES or PAdES.'],
    [{ ...byData({ data: hello, signatureSetting: 'x' }), settings: [{ id: 'a' }, { id: 'b' }] }, 'there are: a, b.'],
    [{ ...byData({ data: hello }), settings: [{ id: 'a' }, { id: 'b' }] }, 'settings: a, b.'],
    [byUpload({}, {}, {}, {}), 'at most 3 documents'],
    [{ documentsSource: 'STORE_A_S3', documents: [{ data: 'x' }] }, 's3://bucket/key'],
    [{ documentsSource: 'STORE_B_STORAGE', documents: [{ data: 'x' }] }, 'gs://bucket/key'],
  ] as const)('is told the remedy: %#', async (request, words) => {
    expect(await detailsOf(request)).toContain(words);
  });

  it('gets a setting, and ids and settings for its documents', async () => {
    const { settings, documents, policy } = await check(byData({ data: hello }, { data: hello, id: '0' }));
    expect(settings).toEqual([{ id: 'default' }]);
    expect(documents.map(({ id, announcedId, settingId }) => [id, announcedId, settingId])).toEqual([
      ['1', false, 'default'],
      ['0', true, 'default'],
    ]);
    expect(policy).toBe('none');
  });

  it('keeps its own settings, and leaves the setting of an upload open where there are several', async () => {
    const settings = [{ id: 'a' }, { id: 'b' }];
    const checked = await check({ ...byUpload({ signatureSetting: 'b', id: 'x' }, {}), settings });
    expect(checked.settings).toEqual(settings);
    expect(checked.documents.map(({ id, settingId }) => [id, settingId])).toEqual([
      ['x', 'b'],
      ['1', undefined],
    ]);
  });

  it('is held to the file names of Windows, on Windows only', async () => {
    const named = (destinationFileName: string): Partial<CreateTransaction> => ({
      ...byUpload({ destinationFileName }),
      destination: 'FILE_PATH',
    });
    expect(await problemsOf(named('C:\\folder\\nul.txt'), 'win32')).toEqual(nameProblem);
    expect(await problemsOf(named('C:\\folder\\a.txt'), 'win32')).toEqual([]);
    expect(await problemsOf(named('/folder/nul.txt'), 'linux')).toEqual([]);
  });

  it('names documents by the rules of its platform', async () => {
    expect(await problemsOf(byPath({ data: 'C:\\a.txt' }), 'win32')).toEqual([]);
    expect(await problemsOf(byPath({ data: 'C:\\a.txt' }), 'linux')).toEqual(dataProblem);
  });
});

describe('the path of a document', () => {
  it.each([
    ['linux', '/a/b', '/a/b'],
    ['linux', 'file:///a%20b', '/a b'],
    ['linux', 'FILE:///a', '/a'],
    ['linux', 'file://elsewhere/a', undefined],
    ['linux', '/a\0b', undefined],
    ['linux', 'xfile:///a', undefined],
    ['linux', '/a/file:b', '/a/file:b'],
    ['linux', undefined, undefined],
    ['win32', 'C:\\a', 'C:\\a'],
    ['win32', 'file:///C:/a', 'C:\\a'],
    ['win32', 'a', undefined],
  ] as const)('on %s is read from %j', (platform, data, path) => {
    expect(pathOfDocument(data, platform)).toBe(path);
  });

  it('is read by the rules of this computer unless told otherwise', () => {
    expect(pathOfDocument('/a')).toBe('/a');
  });
});

describe('the next free id', () => {
  it('is the first free number from its position on, and is taken then', () => {
    const taken = new Set(['1', '2', 'x']);
    expect([nextFreeId(1, taken), nextFreeId(1, taken), nextFreeId(0, taken)]).toEqual(['3', '4', '0']);
    expect([...taken]).toEqual(['1', '2', 'x', '3', '4', '0']);
  });
});
