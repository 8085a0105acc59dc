import { beforeEach, describe, expect, it } from 'vitest';
import { noObjectStores, type ObjectStores } from '../../../../src/service/stores/index.ts';
import type { DocumentRecord, TransactionRecord } from '../../../../src/service/transactions/records.ts';
import {
  addToTransaction,
  refuseClosed,
  refuseTooMany,
  type Received,
} from '../../../../src/service/transactions/intake/add-to-batch.ts';
import { takeUpload } from '../../../../src/service/transactions/intake/upload.ts';
import type { UploadRequest } from '../../../../src/service/transactions/index.ts';
import { announced, IntakeWorld, measured, openTransaction } from './intake-world.ts';
import { dropUndefined } from '../../../../src/values/drop-undefined.ts';

let world: IntakeWorld;
beforeEach(() => {
  world = new IntakeWorld();
});

const two = { settings: [{ id: 'a' }, { id: 'b' }] };
const more: UploadRequest = { endOfTransaction: false };
const end: UploadRequest = { endOfTransaction: true };

/** A document brought by an upload. */
const received = (key: string, changes: Partial<Received> = {}): Received => ({
  ...measured(`content of ${key}`),
  key,
  content: { kind: 'small' },
  fileName: `${key}.txt`,
  mediaType: 'text/plain',
  ...changes,
});
const here = (changes: Partial<DocumentRecord> = {}): Partial<DocumentRecord> => ({
  content: { kind: 'small' },
  settingId: 'default',
  ...changes,
});

const add = (tcn: string, request: UploadRequest, ...documents: readonly Received[]) =>
  addToTransaction(world.context, tcn, request, documents);

describe('an upload, before a byte is read', () => {
  const open = (
    transaction: Partial<TransactionRecord>,
    documents: readonly Partial<DocumentRecord>[],
    settingId?: string,
    request = more,
  ): void => {
    const stored = {
      transaction: openTransaction(transaction),
      documents: documents.map((one, position) => announced({ position, ...one })),
    };
    refuseClosed(stored, { ...request, ...dropUndefined({ settingId }) });
  };

  it.each([
    ['is taken under the only setting', {}, [], undefined],
    ['is taken under a setting of several that it names', two, [], 'b'],
    ['is taken without a setting where an announced document brings one', two, [{ settingId: 'a' }], undefined],
    ['is taken under its own setting where an announced document brings another', two, [{ settingId: 'a' }], 'b'],
  ])('%s', (_what, transaction, documents, settingId) => {
    expect(() => {
      open(transaction, documents, settingId);
    }).not.toThrow();
  });

  it('is taken without a setting where documents are here and the request ends the batch', () => {
    expect(() => {
      open(two, [here({ settingId: 'a' })], undefined, end);
    }).not.toThrow();
  });

  it('is refused where the request ends a batch without document yet, and names no setting', () => {
    expect(() => {
      open(two, [{}], undefined, end);
    }).toThrow(expect.objectContaining({ code: 'SIGNATURE_SETTING_REQUIRED' }));
  });

  it.each([
    ['without a setting where there are several', [], undefined, 'SIGNATURE_SETTING_REQUIRED', 'a, b'],
    ['without a setting where announced documents bring none', [{}], undefined, 'SIGNATURE_SETTING_REQUIRED', 'a, b'],
    [
      'without a setting where the documents that bring one are here',
      [here({ settingId: 'a' })],
      undefined,
      'SIGNATURE_SETTING_REQUIRED',
      'a, b',
    ],
    ['with a setting that there is none of', [], 'c', 'SIGNATURE_SETTING_UNKNOWN', 'a, b'],
    [
      'with a setting that there is none of, beside an announced one',
      [{ settingId: 'a' }],
      'c',
      'SIGNATURE_SETTING_UNKNOWN',
      'a, b',
    ],
  ])('is refused %s', (_what, documents, settingId, code, words) => {
    const detail = expect.stringContaining(words) as string;
    expect(() => {
      open(two, documents, settingId);
    }).toThrow(
      expect.objectContaining({ code, message: detail, problems: [{ field: 'signature_setting', code, detail }] }),
    );
  });

  it.each([
    ['whose batch has ended', 'UPLOAD_REFERENCE', 'batch has ended'],
    ['whose documents came along', 'DATA_URL', 'takes no uploads'],
  ] as const)('is refused for a transaction %s', (_what, documentsSource, words) => {
    expect(() => {
      open({ uploadOpen: false, documentsSource }, []);
    }).toThrow(expect.objectContaining({ code: 'UPLOAD_CLOSED', message: expect.stringContaining(words) as string }));
  });

  it('is refused for a missing setting although its documents would come', async () => {
    const tcn = world.store(two);
    const read: string[] = [];
    const documents = (async function* () {
      await Promise.resolve();
      read.push('a document');
      yield* [];
    })();
    await expect(takeUpload(world.context, tcn, { request: end, documents, signal: undefined })).rejects.toMatchObject({
      code: 'SIGNATURE_SETTING_REQUIRED',
    });
    expect(read).toEqual([]);
  });
});

describe('the number of documents', () => {
  const refuse = (count: number, documentLimit?: number): void => {
    const small = new IntakeWorld({ limits: { documentsPerTransaction: 5 } as never });
    refuseTooMany(small.context, openTransaction({ documentLimit }), count);
  };

  it.each([
    [5, undefined],
    [2, 2],
    [5, 9],
  ])('may be %d with a token for %j', (count, limit) => {
    expect(() => {
      refuse(count, limit);
    }).not.toThrow();
  });

  it.each([
    [6, undefined, 'at most 5'],
    [3, 2, 'at most 2'],
    [6, 9, 'at most 5'],
  ])('may not be %d with a token for %j', (count, limit, words) => {
    expect(() => {
      refuse(count, limit);
    }).toThrow(
      expect.objectContaining({ code: 'TOO_MANY_DOCUMENTS', message: expect.stringContaining(words) as string }),
    );
  });
});

describe('documents of an upload', () => {
  it('become entries of the transaction, in order, in a single commit', async () => {
    const tcn = world.store({}, [here()]);
    const documents = await add(tcn, more, received('x'), received('y', { fileName: undefined, mediaType: undefined }));
    expect(documents).toEqual([
      announced({
        position: 1,
        id: '1',
        key: 'x',
        status: 'WAITING',
        settingId: 'default',
        content: { kind: 'small' },
        originalFileName: 'x.txt',
        mediaType: 'text/plain',
        size: 12,
        checksum: measured('content of x').checksum,
      }),
      announced({
        position: 2,
        id: '2',
        key: 'y',
        status: 'WAITING',
        settingId: 'default',
        content: { kind: 'small' },
        mediaType: 'text/plain',
        size: 12,
        checksum: measured('content of y').checksum,
      }),
    ]);
    expect(world.callsOf('apply')).toEqual([
      [documents.map((document) => ({ kind: 'document-added', document })), world.now],
    ]);
  });

  it('take the places of announced documents first, with the announced settings', async () => {
    const tcn = world.store(two, [{ id: 'p', settingId: 'b', mediaType: 'text/html', key: 'old' }, { id: 'q' }]);
    const documents = await add(tcn, { ...more, settingId: 'a' }, received('x'), received('y'), received('z'));
    expect(
      documents.map(({ id, key, position, settingId, originalFileName, mediaType }) => [
        id,
        key,
        position,
        settingId,
        originalFileName,
        mediaType,
      ]),
    ).toEqual([
      ['p', 'x', 0, 'a', 'x.txt', 'text/html'],
      ['q', 'y', 1, 'a', 'y.txt', 'text/plain'],
      ['2', 'z', 2, 'a', 'z.txt', 'text/plain'],
    ]);
    expect(world.applied.map(({ kind }) => kind)).toEqual(['document-arrived', 'document-arrived', 'document-added']);
  });

  it('take the settings of announced documents where the request names none', async () => {
    const tcn = world.store(two, [{ settingId: 'b' }, { settingId: 'a' }]);
    const documents = await add(tcn, more, received('x'), received('y'));
    expect(documents.map(({ settingId }) => settingId)).toEqual(['b', 'a']);
  });

  it('are refused when any is left without a setting', async () => {
    const tcn = world.store(two, [{ settingId: 'b' }]);
    await expect(add(tcn, more, received('x'), received('y'))).rejects.toMatchObject({
      code: 'SIGNATURE_SETTING_REQUIRED',
    });
    expect(world.applied).toEqual([]);
  });

  it('get unused numbers as ids', async () => {
    const tcn = world.store({}, [here({ id: '1' })]);
    const documents = await add(tcn, more, received('x'), received('y'));
    expect(documents.map(({ id }) => id)).toEqual(['2', '3']);
  });

  it.each([
    ['PAdES', 'no PDF', 'DOCUMENT_NOT_A_PDF'],
    ['PAdES', 'junk %PDF-1.7', undefined],
    ['CAdES-detached', 'no PDF', undefined],
  ] as const)('of type %s fail by themselves or wait, by their content %j', async (type, text, code) => {
    const tcn = world.store({ type });
    const [document] = await add(tcn, more, received('x', measured(text)));
    expect([document?.status, document?.error?.code]).toEqual([code === undefined ? 'WAITING' : 'ERROR', code]);
  });

  it('are refused when too many together with the present documents', async () => {
    const tcn = world.store({ documentLimit: 2 }, [here(), {}]);
    await expect(add(tcn, more, received('x'), received('y'))).rejects.toMatchObject({ code: 'TOO_MANY_DOCUMENTS' });
    expect(await add(tcn, more, received('x'))).toHaveLength(1);
  });

  it.each(['FILE_PATH', 'FREE_PATH'] as const)('are refused for an unannounced %s', async (destination) => {
    const tcn = world.store({ destination }, [{ destinationPath: '/b' }]);
    expect(await add(tcn, more, received('x'))).toMatchObject([{ destinationPath: '/b' }]);
    await expect(add(tcn, more, received('x'), received('y'))).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      problems: [{ field: 'document', code: 'REQUEST_INVALID' }],
    });
  });

  it('are refused after the batch has ended', async () => {
    const tcn = world.store({ uploadOpen: false });
    await expect(add(tcn, more, received('x'))).rejects.toMatchObject({ code: 'UPLOAD_CLOSED' });
  });

  it('change nothing where the request brings none', async () => {
    expect(await add(world.store({}), more)).toEqual([]);
    expect(world.callsOf('apply')).toEqual([]);
  });
});

describe('documents of an upload for an object store', () => {
  const objects: ObjectStores = {
    ...noObjectStores,
    defaultPlace: async () => Promise.resolve({ kind: 's3', bucket: 'bucket', prefix: 'signed/' } as never),
  };
  beforeEach(() => {
    world = new IntakeWorld({ objects });
  });
  const inStore = (documents: readonly Partial<DocumentRecord>[] = []): string =>
    world.store({ destination: 'STORE_A_S3' }, documents);

  it('get their place by their names', async () => {
    const documents = await add(inStore(), more, received('x'), received('y'));
    expect(documents.map(({ destinationUrl }) => destinationUrl)).toEqual([
      's3://bucket/signed/x.txt.p7s',
      's3://bucket/signed/y.txt.p7s',
    ]);
  });

  it.each([
    ['each other', [], [received('x', { fileName: 'same' }), received('y', { fileName: 'same' })]],
    [
      'one that is here',
      [here({ destinationUrl: 's3://bucket/signed/same.p7s' })],
      [received('x', { fileName: 'same' })],
    ],
  ])('are refused when their results would meet %s', async (_what, documents, files) => {
    await expect(add(inStore(documents), more, ...files)).rejects.toMatchObject({
      code: 'DESTINATION_EXISTS',
      problems: [{ field: 'document', code: 'DESTINATION_EXISTS' }],
    });
    expect(world.applied).toEqual([]);
  });

  it('may take the place of an announced document, and becomes this document', async () => {
    const tcn = inStore([{ destinationUrl: 's3://bucket/signed/same.p7s', destinationFileName: 'same.p7s' }]);
    expect(await add(tcn, more, received('x'))).toMatchObject([{ destinationUrl: 's3://bucket/signed/same.p7s' }]);
  });

  it('are not checked against results without address', async () => {
    expect(await add(world.store({}, [here(), here()]), more, received('x'))).toHaveLength(1);
  });
});

describe('the end of a batch', () => {
  it('comes with the last documents, in the same commit', async () => {
    const tcn = world.store({});
    await add(tcn, end, received('x'));
    expect(world.applied).toMatchObject([{ kind: 'document-added' }, { kind: 'upload-ended', tcn }]);
    expect(world.callsOf('apply')).toHaveLength(1);
  });

  it('comes without any document, after the present documents', async () => {
    const tcn = world.store({}, [here()]);
    expect(await add(tcn, end)).toEqual([]);
    expect(world.applied).toMatchObject([{ kind: 'upload-ended', tcn }]);
  });

  it('fails only the announced documents that never came', async () => {
    const tcn = world.store({}, [here({ key: 'h' }), { key: 'p' }, { key: 'q' }]);
    await add(tcn, end, received('x'));
    expect(world.applied).toMatchObject([
      { kind: 'document-arrived', document: { key: 'x' } },
      { kind: 'document-failed', key: 'q', error: { code: 'UPLOAD_INCOMPLETE' } },
      { kind: 'upload-ended', tcn },
    ]);
    await add(tcn, end);
    expect(world.callsOf('apply')[1]?.[0]).toMatchObject([
      { kind: 'document-failed', key: 'p' },
      { kind: 'document-failed', key: 'q' },
      { kind: 'upload-ended' },
    ]);
  });

  it.each([[[]], [[{}, {}]]])('is refused where no document ever came (%#)', async (documents) => {
    const tcn = world.store({}, documents);
    await expect(add(tcn, end)).rejects.toMatchObject({ code: 'NO_DOCUMENTS' });
    expect(world.applied).toEqual([]);
  });
});
