import { Readable } from 'node:stream';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { authorityFor, type Authority } from '../../../../src/service/authorization/index.ts';
import { noQuotas } from '../../../../src/service/applications/index.ts';
import { ServiceError } from '../../../../src/service/errors/index.ts';
import { onBehalfOf, requestInWork } from '../../../../src/service/monitoring/index.ts';
import { noObjectStores, type ObjectStores } from '../../../../src/service/stores/index.ts';
import type { TransactionContext } from '../../../../src/service/transactions/dependencies.ts';
import type { CreateTransaction, Requester, TransactionView } from '../../../../src/service/transactions/index.ts';
import { callerName, createTransaction } from '../../../../src/service/transactions/intake/create.ts';
import type { GrantedRoot } from '../../../../src/service/transactions/transaction.ts';
import type { StoredTransaction } from '../../../../src/service/transactions/records.ts';
import { JOAO_CPF, MARIA_CPF, personWith } from '../../../pki/identities.ts';
import { createRequest, dataUrl } from '../create-request.ts';
import { IntakeWorld, keyOf, measured, openTransaction } from './intake-world.ts';

const maria = await personWith();
const program: Requester = { kind: 'native-program', name: 'a program' };
const site: Requester = { kind: 'site', name: 'https://portal.example' };
const hello = { documentsSource: 'DATA_URL', documents: [{ data: dataUrl('hello') }] } as const;
const idempotency = { key: 'k1', bodyDigest: 'd1' };
const limits = {
  documentsHeldPerOwner: 2,
  documentsHeld: 5,
  idempotencyLifetime: 60_000,
} as TransactionContext['limits'];

let world: IntakeWorld;
/** A world with other parts than usual. */
function open(changes: Partial<TransactionContext> = {}): void {
  world = new IntakeWorld({ limits, ...changes });
  world.keys = [keyOf(maria)];
}
beforeEach(() => {
  open();
});

const create = (
  request: Partial<CreateTransaction> = {},
  {
    requester = program,
    authority,
    signal,
  }: { readonly requester?: Requester; readonly authority?: Authority; readonly signal?: AbortSignal } = {},
): Promise<TransactionView> =>
  createTransaction(world.context, createRequest(request), { requester, authority }, signal);

/** The transaction inserted. */
const inserted = (): StoredTransaction => world.callsOf('insert')[0]?.[0] as StoredTransaction;

async function refusalOf(created: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await created.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error instanceof Error ? error : new Error('Nothing was refused.');
  return error;
}

/** An authority counting documents; it may refuse. */
function token(changes: Partial<Authority> = {}): Authority & { readonly claimed: number[] } {
  const claimed: number[] = [];
  return {
    username: undefined,
    approvedBy: 'authorize-page',
    documentLimit: undefined,
    claimed,
    turn: ['application portal', 't1'],
    claim: async (documents) => {
      claimed.push(documents);
      return Promise.resolve();
    },
    ...changes,
  };
}

describe('a transaction created', () => {
  it('is kept with its documents, key and settings, and waits for approval', async () => {
    const view = await create(hello);
    const { transaction, documents } = inserted();
    const { tcn, certificateFingerprint, ...rest } = transaction;
    expect(tcn).toMatch(/^[0-9A-Z]{26}$/);
    expect(certificateFingerprint).toBe(keyOf(maria).fingerprint);
    expect(rest).toEqual({
      type: 'CAdES-detached',
      digest: 'sha256',
      policy: 'none',
      documentsSource: 'DATA_URL',
      destination: 'LOCAL',
      mode: 'async',
      autoFixDocument: false,
      returnSignature: false,
      settings: [{ id: 'default' }],
      requester: program,
      certificateAlias: keyOf(maria).alias,
      keySource: 'file',
      approval: 'required',
      uploadOpen: false,
      waitingFor: 'approval',
      createdAt: world.now,
      finishedAt: null,
      caller: 'programs',
    });
    expect(documents).toMatchObject([{ tcn, position: 0, id: '0', status: 'WAITING', size: 5 }]);
    expect(view).toMatchObject({ tcn, status: 'WAITING', waitingFor: 'approval', documents: [{ id: '0' }] });
    expect(world.callsOf('announced')).toEqual([[tcn]]);
    expect(world.callsOf('log.info')).toEqual([
      [{ transaction: `${tcn.slice(0, 6)}…`, documents: 1, type: 'CAdES-detached' }, 'created'],
    ]);
    expect(world.callsOf('start')).toEqual([]);
    expect(world.callsOf('removeOriginals')).toEqual([]);
  });

  it('keeps all further settings of the request, and nothing else', async () => {
    const servers = { ...world.context.evidence, timestampServers: async () => Promise.resolve(['one']) };
    open({ evidence: servers });
    const callback = { url: 'https://portal.example/done' };
    await create({
      ...hello,
      timestampServer: 'one',
      timestampDigest: 'sha512',
      callback: callback as never,
      autoFixDocument: true,
      returnSignature: true,
      digest: 'sha512',
    });
    expect(inserted().transaction).toMatchObject({
      timestampServer: 'one',
      timestampDigest: 'sha512',
      callback,
      autoFixDocument: true,
      returnSignature: true,
      digest: 'sha512',
    });
    expect(inserted().transaction.signerCompany).toBeUndefined();
    expect(inserted().transaction.existingSignature).toBeUndefined();
  });

  it('tells the caller of the kept documents', async () => {
    const order: string[] = [];
    await create({ ...hello, onKept: () => order.push(`after ${world.callsOf('insert').length} insert`) });
    expect(order).toEqual(['after 1 insert']);
  });

  it.each([
    [
      'an upload waits for its documents',
      {},
      'ask',
      { uploadOpen: true, waitingFor: 'upload', finishedAt: null, approval: 'required' },
    ],
    [
      'an upload that is approved waits for its documents',
      {},
      'all',
      { uploadOpen: true, waitingFor: 'upload', finishedAt: null, approval: 'given' },
    ],
    [
      'documents that are approved wait for nothing',
      hello,
      'all',
      { uploadOpen: false, waitingFor: null, finishedAt: null, approval: 'given' },
    ],
  ] as const)('%s', async (_what, request, approve, expected) => {
    open({ approve });
    const { tcn } = await create(request);
    expect(inserted().transaction).toMatchObject(expected);
    expect(world.callsOf('start')).toEqual(expected.waitingFor === null ? [[tcn]] : []);
  });

  it('is finished when none of its documents can be signed', async () => {
    open({ documents: { ...world.context.documents, receive: async () => Promise.resolve(measured('no PDF')) } });
    const view = await create({ ...hello, type: 'PAdES' });
    expect(inserted().transaction).toMatchObject({ waitingFor: null, finishedAt: world.now });
    expect(view).toMatchObject({ status: 'ERROR', documents: [{ error: { code: 'DOCUMENT_NOT_A_PDF' } }] });
  });

  it('waits for approval of the signable documents', async () => {
    open({ documents: { ...world.context.documents, receive: async () => Promise.resolve(measured('%PDF-1.7')) } });
    await create({ ...hello, type: 'PAdES' });
    expect(inserted().transaction).toMatchObject({ waitingFor: 'approval', finishedAt: null });
  });

  it('holds the passwords of encrypted PDFs in memory only', async () => {
    const recipient = { certificate: 'x' } as never;
    for (const opening of [{ password: 'secret' }, { recipient }, { password: 'secret', recipient }]) {
      const { tcn } = await create({ ...hello, ...opening });
      expect(world.context.openings.get(tcn)).toEqual(opening);
    }
    expect(JSON.stringify(world.callsOf('insert'))).not.toContain('secret');
    const { tcn } = await create(hello);
    expect(world.context.openings.has(tcn)).toBe(false);
  });
});

describe('approval', () => {
  it.each([
    ['ask', ['https://portal.example'], site, undefined, 'required'],
    ['listed', ['https://portal.example'], site, undefined, 'given'],
    ['listed', ['https://portal.example'], { ...site, name: 'https://other.example' }, undefined, 'required'],
    ['listed', ['portal'], program, authorityFor(undefined, { clientId: 'portal' }), 'given'],
    ['listed', [], site, undefined, 'required'],
    ['all', [], site, undefined, 'given'],
    ['ask', [], site, token(), 'given'],
    ['ask', [], site, token({ approvedBy: undefined }), 'required'],
  ] as const)('with --approve %s and %j listed', async (approve, approved, requester, authority, expected) => {
    open({ approve, approved });
    await create(hello, { requester, authority });
    expect(inserted().transaction.approval).toBe(expected);
  });
});

describe('the caller of a transaction', () => {
  it('signs with certificates of their own only', async () => {
    await create(hello, { authority: token({ username: MARIA_CPF }) });
    expect(inserted().transaction.certificateFingerprint).toBe(keyOf(maria).fingerprint);
    expect(await refusalOf(create(hello, { authority: token({ username: JOAO_CPF }) }))).toMatchObject({
      code: 'CERTIFICATE_NOT_FOUND',
    });
  });

  it('takes the right to sign for the number of documents, right before storing them', async () => {
    const authority = token({ documentLimit: 1 });
    await create(hello, { authority });
    expect(authority.claimed).toEqual([1]);
    expect(inserted().transaction).toMatchObject({ documentLimit: 1 });
    await create(hello, { authority: token() });
    expect((world.callsOf('insert')[1]?.[0] as StoredTransaction).transaction.documentLimit).toBeUndefined();
  });

  it('leaves nothing behind when the right to sign is refused', async () => {
    const refused = new ServiceError('SCOPE_NOT_ALLOWED', 'One document only.');
    const authority = token({ claim: async () => Promise.reject(refused) });
    await expect(create({ ...hello, digest: 'sha512' }, { authority })).rejects.toBe(refused);
    expect(world.callsOf('insert')).toEqual([]);
    expect(world.callsOf('keepOriginals')).toHaveLength(1);
    expect(world.callsOf('removeOriginals')).toEqual(world.callsOf('keepOriginals'));
  });

  it('chooses the certificate by its alias', async () => {
    expect(await refusalOf(create({ ...hello, certificateAlias: 'nobody' }))).toMatchObject({
      code: 'CERTIFICATE_NOT_FOUND',
    });
    await create({ ...hello, certificateAlias: keyOf(maria).alias });
    expect(world.callsOf('insert')).toHaveLength(1);
  });
});

describe('a caller with many documents in the queue', () => {
  /** Puts endless tasks into the queue of an owner. */
  const fill = (owner: string, count: number): void => {
    for (let n = 0; n < count; n++)
      void world.context.queues.files.run([owner, '', `t${n}`], () => new Promise(() => undefined));
  };
  const ownerOf = (authority: Authority): string => world.context.turnNames.of(authority)?.[0] ?? '';

  it.each([
    [
      'an application, whatever token it uses',
      program,
      token(),
      token({ turn: ['application portal', 't2'] }),
      program,
    ],
    ['an application, whatever it calls itself', program, token(), token(), site],
  ])('is asked to come back: %s', async (_who, requester, first, authority, other) => {
    fill(ownerOf(first), 2);
    expect(await refusalOf(create(hello, { requester: other, authority }))).toMatchObject({
      code: 'BUSY',
      retryAfter: 10,
    });
    expect(world.callsOf('insert')).toEqual([]);
    expect((await create(hello, { requester })).status).toBe('WAITING');
  });

  it('is a site or the programs of this computer where there are no credentials', async () => {
    fill('native-program', 2);
    expect(await refusalOf(create(hello))).toMatchObject({ code: 'BUSY' });
    expect((await create(hello, { requester: site })).status).toBe('WAITING');
    expect((await create(hello, { authority: token() })).status).toBe('WAITING');
    fill('site https://portal.example', 2);
    expect(await refusalOf(create(hello, { requester: site }))).toMatchObject({ code: 'BUSY' });
  });

  it('is refused by the limit for all together, too, and let in below this limit', async () => {
    fill('somebody', 4);
    expect((await create(hello)).status).toBe('WAITING');
    fill('somebody', 1);
    expect(await refusalOf(create(hello))).toMatchObject({ code: 'BUSY' });
  });

  it('takes turns under the kept name of its credentials', async () => {
    const authority = token();
    await create(hello, { authority });
    expect(inserted().transaction.turn).toEqual(world.context.turnNames.of(authority));
    await create(hello);
    expect((world.callsOf('insert')[1]?.[0] as StoredTransaction).transaction.turn).toBeUndefined();
  });
});

describe('a refused request', () => {
  it.each([
    ['what it means', { ...hello, policy: 'AD-RB', type: 'CMS-detached' } as const, 'POLICY_NOT_SUPPORTED'],
    ['a store that is not there', { ...hello, destination: 'STORE_A_S3' } as const, 'STORE_NOT_CONFIGURED'],
    ['what the signer cannot do', { ...hello, policy: 'B-T' } as const, 'TSA_NOT_CONFIGURED'],
    [
      'a document that cannot be read',
      { documentsSource: 'DATA_URL', documents: [{ data: 'data:x;base64,***' }] } as const,
      'REQUEST_INVALID',
    ],
  ])('for %s leaves nothing behind', async (_what, request, code) => {
    expect(await refusalOf(create(request))).toMatchObject({ code });
    expect(world.callsOf('insert')).toEqual([]);
    expect(world.callsOf('announced')).toEqual([]);
  });

  it('for its callback names the field', async () => {
    open({ callbackRefusal: () => 'This address is private.' });
    const callback = { url: 'https://10.0.0.1/' } as never;
    await expect(create({ ...hello, callback })).rejects.toBeInstanceOf(ServiceError);
    expect(world.callsOf('insert')).toEqual([]);
    expect((await create(hello)).status).toBe('WAITING');
  });

  it('by the store removes the accepted documents', async () => {
    const full = new ServiceError('STORAGE_FULL', 'No space.');
    world.failures.set('insert', full);
    await expect(create({ ...hello, digest: 'sha512' })).rejects.toBe(full);
    expect(world.callsOf('removeOriginals')).toEqual(world.callsOf('keepOriginals'));
    expect(world.callsOf('announced')).toEqual([]);
  });
});

describe('a request with an Idempotency-Key', () => {
  const owner = { tcn: openTransaction().tcn, bodyDigest: 'd1' };
  const since = (): Date => new Date(world.now.getTime() - 60_000);

  it('is kept with its key for a lifetime', async () => {
    await create({ ...hello, idempotency });
    expect(world.callsOf('findIdempotent')).toEqual([['k1', since()]]);
    expect(world.callsOf('insert')[0]?.[1]).toEqual({ claim: idempotency, keysSince: since() });
  });

  it('has no claim without a key', async () => {
    await create(hello);
    expect(world.callsOf('findIdempotent')).toEqual([]);
    expect(world.callsOf('insert')[0]?.[1]).toBeUndefined();
  });

  it('is answered by the earlier transaction, and nothing is taken', async () => {
    world.idempotent.set('k1', owner);
    world.store({});
    const kept: string[] = [];
    const view = await create({ ...hello, idempotency, onKept: () => kept.push('told') });
    expect(view).toMatchObject({ tcn: owner.tcn, waitingFor: 'upload' });
    expect(kept).toEqual(['told']);
    expect(world.callsOf('insert')).toEqual([]);
  });

  it('is refused when another body came with the key', async () => {
    world.idempotent.set('k1', { ...owner, bodyDigest: 'd2' });
    world.store({});
    expect(await refusalOf(create({ ...hello, idempotency }))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('removes its own documents when a twin was faster, and answers the transaction of the twin', async () => {
    world.store({});
    world.faster = owner;
    const view = await create({ ...hello, digest: 'sha512', password: 'secret', idempotency });
    expect(view.tcn).toBe(owner.tcn);
    expect(world.callsOf('keepOriginals')).toHaveLength(1);
    expect(world.callsOf('removeOriginals')).toEqual(world.callsOf('keepOriginals'));
    expect(world.callsOf('announced')).toEqual([]);
    expect(world.context.openings.size).toBe(0);
  });

  it('is refused when a faster twin had another body', async () => {
    world.store({});
    world.faster = { ...owner, bodyDigest: 'd2' };
    expect(await refusalOf(create({ ...hello, idempotency }))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });
});

describe('a request in sync mode', () => {
  const approveAll = (): void => {
    open({ approve: 'all', limits: { ...limits, syncTimeout: 3_600_000 } });
  };

  it('is answered as soon as its documents are final', async () => {
    approveAll();
    const looked = world.called('readState');
    const answer = create({ ...hello, mode: 'sync' });
    await looked;
    const stored = inserted();
    const [document] = stored.documents;
    const done = {
      ...stored,
      transaction: { ...stored.transaction, finishedAt: world.now },
      documents: [{ ...document, status: 'SIGNED' }],
      counts: { WAITING: 0, SIGNED: 1, ERROR: 0 },
    };
    world.stored.set(stored.transaction.tcn, done as StoredTransaction);
    world.context.changes.announce(stored.transaction.tcn);
    expect(await answer).toMatchObject({ status: 'SIGNED' });
  });

  it('is answered at once while taking uploads', async () => {
    expect((await create({ mode: 'sync' })).waitingFor).toBe('upload');
    expect(world.callsOf('readState')).toEqual([]);
  });

  it('is answered from memory when the store fails during the wait', async () => {
    approveAll();
    const fault = new Error('no disk');
    world.failures.set('readState', fault);
    const { tcn, status } = await create({ ...hello, mode: 'sync' });
    expect(status).toBe('WAITING');
    expect(world.callsOf('log.warn')).toEqual([
      [{ transaction: `${tcn.slice(0, 6)}…`, error: fault }, 'answered before the signatures were made'],
    ]);
  });
});

describe('a caller hanging up', () => {
  it('takes the transaction along while the user is still to decide', async () => {
    const left = new AbortController();
    left.abort();
    await create(hello, { signal: left.signal });
    await expect.poll(() => world.applied.length).toBeGreaterThan(0);
  });

  it('ends the fetch of a document from a store, but where an idempotency key promises a return', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const read: ObjectStores['read'] = async (_address, _consume, signal) => {
      signals.push(signal);
      return Promise.reject(new ServiceError('STORE_UNAVAILABLE', 'Gone.'));
    };
    open({ objects: { ...noObjectStores, expectConfigured: async () => Promise.resolve(), read } });
    const { signal } = new AbortController();
    const stored = { documentsSource: 'STORE_A_S3', documents: [{ data: 's3://bucket/key' }] } as const;
    for (const request of [stored, { ...stored, idempotency }]) {
      await expect(create(request, { signal })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    }
    expect(signals).toEqual([signal, undefined]);
  });

  it('leaves the transaction where an idempotency key promises a return', async () => {
    const left = new AbortController();
    left.abort();
    await create({ ...hello, idempotency }, { signal: left.signal });
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.applied).toEqual([]);
  });
});

describe('a result beside its source', () => {
  it('keeps the name found free, although another result takes the name meanwhile', async () => {
    const looks = new Map<string, number>();
    const checkDestination = async (path: string): Promise<string> => {
      looks.set(path, (looks.get(path) ?? 0) + 1);
      if (looks.get(path) === 1) return Promise.resolve(path);
      throw new ServiceError('DESTINATION_EXISTS', 'Something is already at the destination.');
    };
    const inspect = async (path: string): Promise<object> =>
      Promise.resolve({
        path,
        size: 5,
        checksum: 'ab'.repeat(32),
        head: Buffer.from('hello'),
        kind: { kind: 'text', form: 'none' },
      });
    open({ files: { inspect, checkDestination } as unknown as TransactionContext['files'] });
    const documents = [{ data: '/home/u/carta.txt' }];
    await create({ type: 'CMS-detached', documentsSource: 'FILE_PATH', destination: 'BESIDE_SOURCE', documents });
    expect(inserted().documents.map(({ destinationPath }) => destinationPath)).toEqual([
      join('/home/u', 'carta.txt.p7s'),
    ]);
  });
});

describe('a file impossible to open, among others', () => {
  const failures: Readonly<Record<string, ServiceError>> = {
    '/home/u/gone.txt': new ServiceError('DOCUMENT_UNREADABLE', 'The document is not there: check the path.'),
    '/home/u/large.txt': new ServiceError('DOCUMENT_TOO_LARGE', 'A document may have at most 2 GiB.'),
    '/home/u/locked.txt': new ServiceError('PATH_NOT_ALLOWED', 'The operating system does not allow reading.', {
      cause: Object.assign(new Error('no'), { code: 'EACCES' }),
    }),
    '/etc/passwd': new ServiceError('PATH_NOT_ALLOWED', 'This folder is not open for documents.'),
  };
  const inspect = async (path: string): Promise<object> => {
    const failure = failures[path];
    return failure === undefined ? Promise.resolve({ path, ...measured('hello') }) : Promise.reject(failure);
  };
  const checkDestination = async (path: string): Promise<string> => {
    if (path.includes('full')) throw new ServiceError('DESTINATION_EXISTS', 'Something is already at the destination.');
    return Promise.resolve(path);
  };
  const sign = async (...paths: readonly string[]) => {
    open({ files: { inspect, checkDestination } as unknown as TransactionContext['files'] });
    return create({
      type: 'CMS-detached',
      documentsSource: 'FILE_PATH',
      destination: 'FILE_PATH',
      documents: paths.map((data) => ({ data })),
    });
  };

  it.each(['/home/u/gone.txt', '/home/u/large.txt', '/home/u/locked.txt', '/home/u/full.txt'])(
    '%s fails, and the others are signed',
    async (path) => {
      const { counts } = await sign('/home/u/a.txt', path, '/home/u/b.txt');
      expect(counts).toMatchObject({ WAITING: 2, ERROR: 1 });
      const found = inserted().documents.map(({ status, position, originalFileName }) => [
        position,
        status,
        originalFileName,
      ]);
      expect(found).toEqual([
        [0, 'WAITING', 'a.txt'],
        [1, 'ERROR', path.split('/').at(-1)],
        [2, 'WAITING', 'b.txt'],
      ]);
    },
  );

  it('refuses the request where no file can be signed, or where a path may not be named', async () => {
    expect(await refusalOf(sign('/home/u/gone.txt'))).toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
    expect(await refusalOf(sign('/home/u/a.txt', '/etc/passwd'))).toMatchObject({ code: 'PATH_NOT_ALLOWED' });
    expect(world.callsOf('insert')).toEqual([]);
  });
});

/** A site with folders opened by the owner; each use of a folder is noted. */
function guestWith(...grants: readonly GrantedRoot[]): {
  readonly reach: CreateTransaction['reach'];
  readonly used: string[];
} {
  const used: string[] = [];
  const noteUse = async ({ root }: GrantedRoot): Promise<void> => {
    used.push(root);
    return root === '/broken' ? Promise.reject(new Error('no disk')) : Promise.resolve();
  };
  return { reach: { kind: 'guest', grants, noteUse }, used };
}

describe('a guest naming files', () => {
  const fromFiles = (...paths: readonly string[]): Partial<CreateTransaction> => ({
    documentsSource: 'FILE_PATH',
    documents: paths.map((data) => ({ data })),
  });
  const openBelow = async (): Promise<object> =>
    Promise.resolve({ content: Readable.from([Buffer.from('hello')]), close: async () => Promise.resolve() });
  const openFiles = (): void => open({ files: { openBelow } as unknown as TransactionContext['files'] });

  it('uses each of its folders once, and no other', async () => {
    openFiles();
    const grants = (['/one', '/two', '/other'] as const).map((root) => ({ root, access: 'read' as const }));
    const { reach, used } = guestWith(...grants);
    await create({ ...fromFiles('/one/a', '/one/b', '/two/a'), reach }, { requester: site });
    expect(used).toEqual(['/one', '/two']);
  });

  it('has its transaction although a use cannot be counted', async () => {
    openFiles();
    const { reach } = guestWith({ root: '/broken', access: 'read' });
    expect(await create({ ...fromFiles('/broken/a'), reach }, { requester: site })).toMatchObject({
      status: 'WAITING',
    });
    expect(world.callsOf('log.warn')).toEqual([
      [{ error: expect.objectContaining({ message: 'no disk' }) as Error }, 'the use of a grant was not counted'],
    ]);
  });

  it('uses none where it brings its documents itself', async () => {
    const { reach, used } = guestWith({ root: '/one', access: 'both' });
    await create({ ...hello, reach }, { requester: site });
    expect(used).toEqual([]);
  });

  it('uses none where a twin was faster', async () => {
    openFiles();
    world.store({});
    world.faster = { tcn: openTransaction().tcn, bodyDigest: 'd1' };
    const { reach, used } = guestWith({ root: '/one', access: 'read' });
    await create({ ...fromFiles('/one/a'), reach, idempotency }, { requester: site });
    expect(used).toEqual([]);
  });
});

describe('a file on another computer', () => {
  const inspect = async (path: string): Promise<object> => Promise.resolve({ path, ...measured('hello') });
  const request = { documentsSource: 'FILE_PATH', documents: [{ data: '//nas/docs/a.txt' }] } as const;

  it.each([
    ['a folder of the configuration', ['//nas/docs'], undefined],
    ['no folder of the configuration', ['//nas/other'], 'SOURCE_NOT_ALLOWED'],
  ])('in %s', async (_where, fileRoots, code) => {
    open({ files: { inspect } as unknown as TransactionContext['files'], fileRoots });
    if (code === undefined) expect((await create(request)).status).toBe('WAITING');
    else expect(await refusalOf(create(request))).toMatchObject({ code });
  });
});

describe('the data kept with a transaction', () => {
  it('is the signer, for lists', async () => {
    await create(hello);
    expect(inserted().signer).toMatchObject({ number: '***.982.247-**' });
  });

  it('waits for approval where only one of two documents can be signed', async () => {
    const texts = ['%PDF-1.7', 'no PDF'];
    const receive = async () => Promise.resolve(measured(texts.shift() ?? ''));
    open({ documents: { ...world.context.documents, receive } });
    await create({ type: 'PAdES', documentsSource: 'DATA_URL', documents: [hello.documents[0], hello.documents[0]] });
    expect(inserted().documents.map(({ status }) => status)).toEqual(['WAITING', 'ERROR']);
    expect(inserted().transaction).toMatchObject({ waitingFor: 'approval', finishedAt: null });
  });

  it('is answered a page at a time', async () => {
    open({ limits: { ...limits, documentsPerTransaction: 2000 } });
    const { documents } = await create({ documents: Array.from({ length: 1001 }, () => ({})) });
    expect([documents.length, inserted().documents.length]).toEqual([1000, 1001]);
  });

  it('is told under its first request', async () => {
    const { tcn } = await onBehalfOf('request 7', () => create(hello));
    expect(world.context.correlation.run(tcn, requestInWork)).toBe('request 7');
  });

  it('is confirmed to the store of files, before the answer', async () => {
    const confirmed: (readonly string[])[] = [];
    const confirm = async (keys: readonly string[]): Promise<void> => {
      confirmed.push(keys);
      return Promise.resolve();
    };
    const receive = async () => Promise.resolve(measured('%PDF-1.7'));
    open({ documents: { ...world.context.documents, receive, confirm } });
    await create({ ...hello, type: 'PAdES' });
    expect(confirmed).toEqual([inserted().documents.map(({ key }) => key)]);
  });

  it('is begun, and its documents stay, where nobody knows the fate of its storing', async () => {
    open({ approve: 'all' });
    const unknown = new ServiceError('STORAGE_UNAVAILABLE', 'Gone.', { outcomeUnknown: true });
    world.failures.set('insert', unknown);
    await expect(create({ ...hello, digest: 'sha512' })).rejects.toBe(unknown);
    expect(world.callsOf('keepOriginals')).toHaveLength(1);
    expect(world.callsOf('removeOriginals')).toEqual([]);
    expect(world.callsOf('start')).toEqual([[inserted().transaction.tcn]]);
  });

  it('is not begun where known not to be stored', async () => {
    open({ approve: 'all' });
    world.failures.set('insert', new ServiceError('STORAGE_FULL', 'No space.'));
    await expect(create(hello)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(world.callsOf('start')).toEqual([]);
  });
});

describe('the documents of an application', () => {
  const portal = (): Authority => token({ clientId: 'portal' });
  let counted: unknown[][];
  /** A world with quotas noting each question. */
  beforeEach(() => {
    counted = [];
    const note = (name: string) => async (clientId: string, documents?: number) => {
      counted.push([name, clientId, ...(documents === undefined ? [] : [documents])]);
      return Promise.resolve(undefined as never);
    };
    const quotas = { ...noQuotas, take: note('take'), giveBack: note('giveBack') };
    open({ quotas });
  });

  it('are counted on arrival, and not on announcement', async () => {
    await create({ documentsSource: 'DATA_URL', documents: [hello.documents[0], hello.documents[0]] }, { authority: portal() }); // prettier-ignore
    await create({ documents: [{}, {}] }, { authority: portal() });
    expect(counted).toEqual([
      ['take', 'portal', 2],
      ['take', 'portal', 0],
    ]);
  });

  it('are not counted without an application', async () => {
    world.faster = { tcn: openTransaction().tcn, bodyDigest: 'd1' };
    world.store({});
    await create({ ...hello, idempotency }, { authority: token() });
    expect(counted).toEqual([]);
  });

  it('are given back when the commit fails that would have stored the transaction with its signatures', async () => {
    const quotas = world.context.quotas;
    open({ quotas, approve: 'all' });
    world.holdsBegun = true;
    world.failures.set('readState', new ServiceError('STORAGE_FULL', 'No space.'));
    world.failures.set('settle', new ServiceError('STORAGE_FULL', 'No space.'));
    const request = { ...hello, type: 'CAdES-attached', mode: 'sync' } as const;
    await expect(create(request, { authority: portal() })).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(counted).toEqual([
      ['take', 'portal', 1],
      ['giveBack', 'portal', 1],
    ]);
    expect(world.callsOf('insert')).toEqual([]);
    expect(world.callsOf('removeOriginals')).toEqual([[[expect.stringMatching(/^[0-9a-f]{32}$/)]]]);
  });

  it('are given back when a twin was faster', async () => {
    world.faster = { tcn: openTransaction().tcn, bodyDigest: 'd1' };
    world.store({});
    await create({ ...hello, idempotency }, { authority: portal() });
    expect(counted).toEqual([
      ['take', 'portal', 1],
      ['giveBack', 'portal', 1],
    ]);
  });
});

describe('a transaction among several nodes', () => {
  const kept: (readonly string[])[] = [];
  beforeEach(() => {
    kept.length = 0;
    const passwords = { keep: async (...words: string[]) => Promise.resolve(void kept.push(words)) };
    const files = {
      inspect: async (path: string) => Promise.resolve({ path, ...measured('hello') }),
      checkDestination: async (path: string) => Promise.resolve(path),
    };
    open({
      nodes: { home: 'node 1' } as unknown as NonNullable<TransactionContext['nodes']>,
      passwords: passwords as unknown as TransactionContext['passwords'],
      files: files as unknown as TransactionContext['files'],
    });
  });

  it.each([
    ['documents that came along', hello, undefined],
    ['a document in a file of this computer', { documentsSource: 'FILE_PATH', documents: [{ data: '/a' }] }, 'node 1'],
    [
      'a result in a file of this computer',
      { destination: 'FILE_PATH', documents: [{ destinationFileName: '/b' }] },
      'node 1',
    ],
    ['a key that is in memory only', { ...hello, recipient: { certificate: 'x' } as never }, 'node 1'],
  ] as const)('with %s', async (_what, request, homeNode) => {
    await create(request);
    expect(inserted().transaction.homeNode).toBe(homeNode);
  });

  it('keeps the password of its documents for the signing node, and no other', async () => {
    await create(hello);
    const { tcn } = await create({ ...hello, password: 'secret' });
    expect(kept).toEqual([[tcn, 'secret']]);
  });

  it('is bound to no node where one is alone', async () => {
    open({ files: world.context.files });
    await create({ documentsSource: 'FILE_PATH', documents: [{ data: '/a' }] });
    expect(inserted().transaction.homeNode).toBeUndefined();
  });
});

describe('the name of a caller', () => {
  it.each([
    ['of an application', site, token({ caller: 'application portal' }), 'application portal'],
    ['of a site', site, undefined, 'site https://portal.example'],
    ['of a program', program, undefined, 'programs'],
    ['of the window', { kind: 'user-interface', name: 'Sinete' }, undefined, undefined],
  ] as const)('%s', (_whose, requester, authority, name) => {
    expect(callerName({ requester, authority })).toBe(name);
  });
});
