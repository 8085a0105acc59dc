import { describe, expect, it } from 'vitest';
import type { CreateTransaction, GrantedRoot, NewDocument } from '../../../../src/service/transactions/index.ts';
import { createTransaction } from '../../../../src/service/transactions/intake/create.ts';
import {
  namesOtherComputer,
  placeDocuments,
  type PlaceRules,
} from '../../../../src/service/transactions/intake/document-places.ts';
import { createRequest } from '../create-request.ts';
import { IntakeWorld } from './intake-world.ts';

const guest = (...grants: readonly GrantedRoot[]): CreateTransaction['reach'] => ({
  kind: 'guest',
  grants,
  noteUse: async () => Promise.resolve(),
});
const program: CreateTransaction['reach'] = { kind: 'owner', overNetwork: false };
const window: CreateTransaction['reach'] = { kind: 'owner', overNetwork: true };

type Place = Pick<CreateTransaction, 'documentsSource' | 'destination'>;
const paths: Place = { documentsSource: 'FILE_PATH', destination: 'LOCAL' };
const toPaths: Place = { documentsSource: 'UPLOAD_REFERENCE', destination: 'FILE_PATH' };

const placed = async (request: CreateTransaction, rules: Partial<PlaceRules> = {}) =>
  placeDocuments(request, { roots: [], platform: 'linux', ...rules });

const codeOf = async (
  place: Partial<Place>,
  reach: CreateTransaction['reach'],
  documents: readonly NewDocument[],
  rules: Partial<PlaceRules> = {},
): Promise<string | undefined> => {
  const request = createRequest({ ...paths, ...place, reach, documents });
  try {
    await placed(request, rules);
    return undefined;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

const read = { root: '/home/u/in', access: 'read' } as const;
const write = { root: '/home/u/out', access: 'write' } as const;
const stores = [
  { root: 's3://bucket/in', access: 'read' },
  { root: 'gs://bucket/out', access: 'write' },
] as const;

describe('a guest', () => {
  const rows: readonly (readonly [
    string,
    Partial<Place>,
    readonly GrantedRoot[],
    NewDocument,
    string | undefined,
    NodeJS.Platform?,
  ])[] = [
    ['brings bytes', { documentsSource: 'DATA_URL' }, [], { data: 'data:,x' }, undefined],
    ['names no path', {}, [], { data: '/home/u/in/a' }, 'SOURCE_NOT_ALLOWED'],
    ['names no path that is none', {}, [], { data: 'x' }, 'SOURCE_NOT_ALLOWED'],
    ['names no object', { documentsSource: 'STORE_A_S3' }, [], { data: 'bucket/in/a' }, 'SOURCE_NOT_ALLOWED'],
    ['names no place for results', toPaths, [], { destinationFileName: '/home/u/out/a' }, 'DESTINATION_NOT_ALLOWED'],
    ['asks for no store of results', { ...toPaths, destination: 'STORE_B_STORAGE' }, [], {}, 'DESTINATION_NOT_ALLOWED'], // prettier-ignore
    ['names no place for results kept here', { ...toPaths, destination: 'LOCAL' }, [write], { destinationFileName: 'x' }, 'DESTINATION_NOT_ALLOWED'], // prettier-ignore
    ['reads below a folder granted for reading', {}, [read], { data: '/home/u/in/a/b' }, undefined],
    ['reads below it by a URL', {}, [read], { data: 'file:///home/u/in/%61' }, undefined],
    ['reads not the folder itself', {}, [read], { data: '/home/u/in' }, 'SOURCE_NOT_ALLOWED'],
    ['reads not the folder above it', {}, [read], { data: '/home/u' }, 'SOURCE_NOT_ALLOWED'],
    ['reads names with characters that only Windows refuses', {}, [read], { data: '/home/u/in/a:b' }, undefined],
    ['reads names with backslashes, which part no folders here', {}, [read], { data: '/home/u/in/a\\..\\..\\..\\x' }, undefined], // prettier-ignore
    ['reads no object below a granted folder', { documentsSource: 'STORE_A_S3' }, [read], { data: 's3://home/u/in/a' }, 'SOURCE_NOT_ALLOWED'], // prettier-ignore
    ['reads no file below a granted prefix', {}, stores, { data: '/bucket/in/a' }, 'SOURCE_NOT_ALLOWED'],
    ['reads objects below a prefix with a slash at its end', { documentsSource: 'STORE_A_S3' }, [{ root: 's3://bucket/in/', access: 'read' }], { data: 'bucket/in/a' }, undefined], // prettier-ignore
    ['writes beside no source that came along', { documentsSource: 'DATA_URL', destination: 'FILE_PATH' }, [{ ...read, access: 'both' }], { data: '/home/u/in/a' }, 'DESTINATION_NOT_ALLOWED'], // prettier-ignore
    ['writes no object of the other kind', { ...toPaths, destination: 'STORE_A_S3' }, stores, { destinationFileName: 'gs://bucket/out/a' }, 'DESTINATION_NOT_ALLOWED'], // prettier-ignore
    ['writes no object without a name', { ...toPaths, destination: 'STORE_B_STORAGE' }, stores, {}, 'DESTINATION_NOT_ALLOWED'], // prettier-ignore
    ['reads not beside it', {}, [read], { data: '/home/u/inside/a' }, 'SOURCE_NOT_ALLOWED'],
    ['reads not above it by dots', {}, [read], { data: '/home/u/in/../.ssh/id' }, 'SOURCE_NOT_ALLOWED'],
    ['reads not above it by dots in a URL', {}, [read], { data: 'file:///home/u/in/%2e%2e/.ssh/id' }, 'SOURCE_NOT_ALLOWED'], // prettier-ignore
    ['reads not below a folder granted for writing', {}, [write], { data: '/home/u/out/a' }, 'SOURCE_NOT_ALLOWED'],
    ['writes beside no source of a folder granted for reading', { destination: 'FILE_PATH' }, [read], { data: '/home/u/in/a' }, 'DESTINATION_NOT_ALLOWED'], // prettier-ignore
    ['writes beside a source of a folder granted for both', { destination: 'FILE_PATH' }, [{ ...read, access: 'both' }], { data: '/home/u/in/a' }, undefined], // prettier-ignore
    ['writes below a folder granted for writing', toPaths, [write], { destinationFileName: '/home/u/out/a' }, undefined], // prettier-ignore
    ['writes not elsewhere', toPaths, [write], { destinationFileName: '/home/u/.bashrc' }, 'DESTINATION_NOT_ALLOWED'],
    ['reads objects below a granted prefix', { documentsSource: 'STORE_A_S3' }, stores, { data: 'bucket/in/a' }, undefined], // prettier-ignore
    ['reads no objects beside it', { documentsSource: 'STORE_A_S3' }, stores, { data: 's3://bucket/inside' }, 'SOURCE_NOT_ALLOWED'], // prettier-ignore
    ['writes objects below a granted prefix', { ...toPaths, destination: 'STORE_B_STORAGE' }, stores, { destinationFileName: 'gs://bucket/out/a' }, undefined], // prettier-ignore
    ['writes objects under no name without a place', { ...toPaths, destination: 'STORE_B_STORAGE' }, stores, { destinationFileName: 'a' }, 'DESTINATION_NOT_ALLOWED'], // prettier-ignore
    ['reads below a granted folder of Windows in any case', {}, [{ root: 'C:\\In', access: 'read' }], { data: 'c:/in/A.pdf' }, undefined, 'win32'], // prettier-ignore
    ['reads no device below it', {}, [{ root: 'C:\\In', access: 'read' }], { data: 'C:\\In\\a\\.. \\..\\x' }, 'SOURCE_NOT_ALLOWED', 'win32'], // prettier-ignore
    ['reads no share', {}, [{ root: 'C:\\In', access: 'read' }], { data: '\\\\host\\C$\\In\\a' }, 'SOURCE_NOT_ALLOWED', 'win32'], // prettier-ignore
    ['reads a granted share', {}, [{ root: '\\\\host\\in', access: 'read' }], { data: '\\\\HOST\\in\\a' }, undefined, 'win32'], // prettier-ignore
  ];
  it.each(rows.map((row) => [row[0], row] as const))(
    '%s',
    async (_what, [, place, grants, document, code, platform = 'linux']) => {
      expect(await codeOf(place, guest(...grants), [document], { platform })).toBe(code);
    },
  );

  it('gets results kept here when any of many documents may not have its result in its folder', async () => {
    const documents = [{ data: '/home/u/in/a' }, { data: '/home/u/shared/b' }];
    const grants = [
      { ...read, access: 'both' },
      { root: '/home/u/shared', access: 'read' },
    ] as const;
    const asked = { ...paths, destination: 'BESIDE_SOURCE', reach: guest(...grants) } as const;
    const kinds = async (some: readonly NewDocument[]) => {
      const { destination, documents: found } = await placed(createRequest({ ...asked, documents: some }));
      return [destination, ...found.map((document) => document.destination.kind)];
    };
    expect(await kinds(documents)).toEqual(['LOCAL', 'here', 'here']);
    expect(await kinds(documents.slice(0, 1))).toEqual(['BESIDE_SOURCE', 'path']);
  });

  it('is refused for a single document of many, by its field', async () => {
    const documents = [{ data: '/home/u/in/a' }, { data: '/etc/passwd' }];
    await expect(placed(createRequest({ ...paths, reach: guest(read), documents }))).rejects.toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ field: 'documents[1].data' }) as unknown] }),
    );
  });

  const fieldOf = async (
    place: Partial<Place>,
    grants: readonly GrantedRoot[],
    document: NewDocument,
  ): Promise<string | undefined> => {
    try {
      await placed(createRequest({ ...paths, ...place, reach: guest(...grants), documents: [document] }));
      return undefined;
    } catch (error) {
      const { problems } = error as { readonly problems: readonly { readonly field: string }[] };
      return problems.map(({ field }) => field).join();
    }
  };
  it.each([
    ['documents_source', {}, [write], { data: '/home/u/in/a' }],
    ['documents[0].data', {}, [read], { data: '/etc/passwd' }],
    ['documents_destination', toPaths, [read], { destinationFileName: '/home/u/out/a' }],
    ['documents[0].destination_file_name', toPaths, [write], { destinationFileName: '/etc/cron.d/a' }],
    ['documents[0].data', { destination: 'FILE_PATH' }, [read, write], { data: '/home/u/in/a' }],
    [undefined, { ...toPaths, destination: 'LOCAL' }, [], {}],
  ] as const)('is refused at the field %s (%#)', async (field, place, grants, document) => {
    expect(await fieldOf(place, grants, document)).toBe(field);
  });

  it.each([
    ['here', [read], 'LOCAL'],
    ['here, where only another folder is open for writing', [read, write], 'LOCAL'],
    ['beside the source', [{ ...read, access: 'both' }], 'BESIDE_SOURCE'],
  ] as const)('naming no destination gets its results %s', async (_where, grants, destination) => {
    const documents = [{ data: '/home/u/in/a' }];
    const request = createRequest({ ...paths, destination: 'BESIDE_SOURCE', reach: guest(...grants), documents });
    expect((await placed(request)).destination).toBe(destination);
    expect((await placed({ ...request, reach: program })).destination).toBe('BESIDE_SOURCE');
  });

  it('uses each grant once for a request, for reading and for writing', async () => {
    const documents = ['a', 'b'].map((name) => ({
      data: `/home/u/in/${name}`,
      destinationFileName: `/home/u/out/${name}`,
    }));
    const request = createRequest({ ...paths, destination: 'FILE_PATH', reach: guest(write, read), documents });
    expect((await placed(request)).grants).toEqual([read, write]);
    const sources = documents.map(({ data }) => ({ data }));
    expect((await placed({ ...request, destination: 'LOCAL', documents: sources })).grants).toEqual([read]);
    const beside = { ...request, destination: 'BESIDE_SOURCE', documents: sources } as const;
    expect((await placed(beside)).grants).toEqual([read]);
    expect((await placed({ ...request, documentsSource: 'DATA_URL' })).grants).toEqual([write]);
    expect((await placed({ ...request, reach: program })).grants).toEqual([]);
  });

  it.each(['package.json', `${process.cwd()}/a\0.pdf`])('has no grant for %j', async (data) => {
    const grant = { root: process.cwd(), access: 'read' } as const;
    expect(await codeOf({}, guest(grant), [{ data }])).toBe('SOURCE_NOT_ALLOWED');
    expect(await codeOf({}, guest(grant), [{ data: `${process.cwd()}/a.pdf` }])).toBeUndefined();
  });

  it('carries the folder of the grant holding the path', async () => {
    const grants = [write, read];
    const { documents } = await placed(
      createRequest({ ...paths, reach: guest(...grants), documents: [{ data: '/home/u/in/a' }] }),
    );
    expect(documents[0]?.source).toEqual({ kind: 'path', path: '/home/u/in/a', below: '/home/u/in' });
  });

  it.each([
    ['a fresh name where it may only write', write, '/home/u/out/a', true],
    ['its own name where it may read too', { ...read, access: 'both' }, '/home/u/in/a', false],
  ] as const)('gets %s', async (_what, grant, path, isFresh) => {
    const request = createRequest({ ...toPaths, reach: guest(grant), documents: [{ destinationFileName: path }] });
    const { documents } = await placed(request);
    const destination = { kind: 'path', path, isNumbered: false, below: grant.root, isFresh };
    expect(documents[0]?.destination).toEqual(destination);
  });

  it('is refused before anything is looked up, read or opened', async () => {
    const world = new IntakeWorld();
    const asked = createRequest({
      reach: guest(),
      documentsSource: 'FILE_PATH',
      documents: [{ data: '/etc/passwd' }],
      idempotency: { key: 'k', bodyDigest: 'd' },
    });
    const caller = { requester: { kind: 'site', name: 'https://portal.example' }, authority: undefined } as const;
    await expect(createTransaction(world.context, asked, caller)).rejects.toMatchObject({ code: 'SOURCE_NOT_ALLOWED' });
    expect(world.calls).toEqual([]);
  });
});

describe('a path of another computer', () => {
  const network = [
    '\\\\host\\share\\a',
    '//host/share/a',
    '/\\host\\share\\a',
    '\\\\?\\UNC\\host\\share\\a',
    '\\\\.\\UNC\\host\\share\\a',
    '\\\\?\\GLOBALROOT\\Device\\Mup\\host\\share\\a',
    '\\??\\UNC\\host\\share\\a',
    'file://host/share/a',
    'FILE://host/share/a',
    'file:\\\\host\\share\\a',
    'file:////host/share/a',
    'file:///%2Fhost/share/a',
    ' //host/share/a',
    ' file://host/share/a',
    'file://[',
    '\\\\host\\share\\\\?\\C:\\a',
  ];
  it.each(network)('is recognised: %s', (text) => {
    expect(namesOtherComputer(text)).toBe(true);
  });

  it.each([
    '/home//u/a',
    '/home/file://host/a',
    'C:\\a\\\\b',
    '\\\\?\\C:',
    '/home/u/a',
    'C:\\a',
    '\\\\?\\C:\\a',
    '\\??\\C:\\a',
    'file:///home/u/a',
    'file://localhost/a',
    'file:///C:/a',
  ])(
    // prettier-ignore
    'is not recognised in %s',
    (text) => {
      expect(namesOtherComputer(text)).toBe(false);
    },
  );

  it.each(network.flatMap((text) => [[text, 'linux'] as const, [text, 'win32'] as const]))(
    'is refused as source and destination of a program: %s on %s',
    async (text, platform) => {
      expect(await codeOf({}, program, [{ data: text }], { platform })).toBe('SOURCE_NOT_ALLOWED');
      expect(await codeOf(toPaths, program, [{ destinationFileName: text }], { platform })).toBe(
        'DESTINATION_NOT_ALLOWED',
      );
    },
  );

  it('is opened for programs below a configured folder, and for the window', async () => {
    const rules = { roots: ['\\\\host\\share'], platform: 'win32' } as const;
    expect(await codeOf({}, program, [{ data: '\\\\HOST\\Share\\a' }], rules)).toBeUndefined();
    expect(await codeOf({}, program, [{ data: '\\\\other\\share\\a' }], rules)).toBe('SOURCE_NOT_ALLOWED');
    expect(await codeOf({}, window, [{ data: '\\\\other\\share\\a' }], rules)).toBeUndefined();
  });

  it('is refused below a configured folder when leading out of the folder', async () => {
    const rules = { roots: ['\\\\host\\share'], platform: 'win32' } as const;
    expect(await codeOf({}, program, [{ data: '\\\\host\\share\\..\\..\\other\\a' }], rules)).toBeUndefined();
    expect(await codeOf({}, program, [{ data: '//host/other/a' }], rules)).toBe('SOURCE_NOT_ALLOWED');
  });
});

describe('a program of the owner', () => {
  const share = '//host/share/a';
  it.each([
    ['as a source of bytes', { documentsSource: 'DATA_URL' }, { data: share }, undefined],
    ['as a name of a result that is kept here', {}, { data: '/a', destinationFileName: share }, undefined],
    ['as a destination beside the source', { destination: 'BESIDE_SOURCE' }, { data: '/a', destinationFileName: share }, 'DESTINATION_NOT_ALLOWED'], // prettier-ignore
    ['as a name in a store', { destination: 'STORE_A_S3' }, { data: '/a', destinationFileName: share }, undefined],
  ] as const)('has a path of another computer judged %s', async (_what, place, document, code) => {
    expect(await codeOf(place, program, [document])).toBe(code);
  });

  it('is told each field with such a path, and no other', async () => {
    const documents = [{ data: '/a' }, { data: share, destinationFileName: share }];
    const request = createRequest({ ...paths, destination: 'FILE_PATH', reach: program, documents });
    await expect(placed(request)).rejects.toThrow(
      expect.objectContaining({
        problems: ['data', 'destination_file_name'].map(
          (name) => expect.objectContaining({ field: `documents[1].${name}` }) as unknown,
        ),
      }),
    );
  });

  it('names its paths and stores', async () => {
    expect(await codeOf({ destination: 'FILE_PATH' }, program, [{ data: '/home/u/a' }])).toBeUndefined();
    expect(await codeOf({ documentsSource: 'STORE_A_S3' }, program, [{ data: 'b/k' }])).toBeUndefined();
  });
});
