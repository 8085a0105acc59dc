import { noQuotas } from '../../../../src/service/applications/index.ts';
import { createHash } from 'node:crypto';
import { Correlation, noTracing } from '../../../../src/service/monitoring/index.ts';
import { Contents } from '../../../../src/service/transactions/content/contents.ts';
import { FairScheduler } from '../../../../src/service/scheduling/index.ts';
import { boundlessRoom } from '../../../../src/service/space/index.ts';
import { noObjectStores } from '../../../../src/service/stores/index.ts';
import { noEvidence } from '../../../../src/service/transactions/choices/choose-policy.ts';
import { countDocuments } from '../../../../src/service/transactions/answers/views.ts';
import type { TransactionContext } from '../../../../src/service/transactions/dependencies.ts';
import { defaultLimits } from '../../../../src/service/transactions/limits.ts';
import type {
  DocumentRecord,
  StoredTransaction,
  TransactionChange,
  TransactionRecord,
} from '../../../../src/service/transactions/records.ts';
import { ChangeHub, NamedLocks } from '../../../../src/service/transactions/schedule/job-runner.ts';
import { TurnNames } from '../../../../src/service/transactions/schedule/turns.ts';
import type { IdempotencyOwner, ReceivedFile } from '../../../../src/service/transactions/stores.ts';
import { parseCertificate, SigningError, type AliasedKey } from '../../../../src/signing/index.ts';
import type { TestIdentity } from '../../../../src/test-authority/index.ts';
import { detectFileKind } from '../../../../src/values/file-kind.ts';

/** The key of a test identity, as the key ring lists it. */
export function keyOf({ certificate, chain }: TestIdentity, source: AliasedKey['source'] = 'file'): AliasedKey {
  const { commonName, fingerprint } = parseCertificate(certificate);
  return { alias: commonName, fingerprint, certificate, chain, source, sourceId: 'test' } as unknown as AliasedKey;
}

/** The calls that a fake store has received, by name. */
type Call = readonly [name: string, ...parameters: unknown[]];

/**
 * Dependencies of the intake of transactions, in memory and without real keys. The stores record their calls, and
 * answer the values that a test has set.
 */
export class IntakeWorld {
  readonly now = new Date();
  readonly calls: Call[] = [];
  readonly #awaited = new Map<string, () => void>();
  readonly stored = new Map<string, StoredTransaction>();
  /** The answer of the next `insert`: the owner of the idempotency key. */
  faster: IdempotencyOwner | undefined;
  /** True: the store holds transactions in memory until their first change. */
  holdsBegun = false;
  /** Answers of `findIdempotent`, by key. */
  readonly idempotent = new Map<string, IdempotencyOwner>();
  readonly failures = new Map<string, Error>();
  keys: readonly AliasedKey[] = [];
  /** Fingerprint of the certificate that the user chose as the default. */
  defaultCertificate: string | undefined;
  readonly context: TransactionContext;

  constructor(changes: Partial<TransactionContext> = {}) {
    const limits = { ...defaultLimits, ...changes.limits };
    const queue = (): FairScheduler => new FairScheduler({ overall: 1 });
    const parts = {
      ...this.#stores(),
      settings: {
        read: async () => Promise.resolve(this.defaultCertificate),
        write: async () => Promise.resolve(),
        remove: async () => Promise.resolve(),
      },
      approve: 'ask',
      approved: [],
      linkedCertificates: async () => Promise.resolve([]),
      objects: noObjectStores,
      room: boundlessRoom,
      quotas: noQuotas,
      callbackRefusal: () => undefined,
      tracer: noTracing,
      evidence: noEvidence,
      prepareDocumentSigner: () => Promise.reject(new Error('Nothing is signed here.')),
      now: () => this.now,
      log: {
        info: (...parameters) => this.#note('log.info', ...parameters),
        warn: (...parameters) => this.#note('log.warn', ...parameters),
        error: (...parameters) => this.#note('log.error', ...parameters),
      },
      changes: new ChangeHub(),
      queues: { files: queue(), memory: queue() },
      uploads: new FairScheduler({ overall: 1, waiting: 1, waitingPerQueue: 1 }),
      turnNames: new TurnNames(),
      locks: new NamedLocks(),
      openings: new Map(),
      holds: new Map(),
      correlation: new Correlation(),
      runner: { start: (tcn: string) => this.#note('start', tcn) } as unknown as TransactionContext['runner'],
      ...changes,
      limits,
    } as TransactionContext;
    this.context = { ...parts, contents: new Contents(parts) };
    this.context.changes.listen((tcn) => this.#note('announced', tcn));
  }

  /** The parameters of the calls with this name. */
  callsOf(name: string): readonly unknown[][] {
    return this.calls.filter(([called]) => called === name).map(([, ...parameters]) => parameters);
  }

  /** Resolves at the next call with this name, before its answer. */
  async called(name: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(name, resolve));
  }

  /** The applied changes, in their order. */
  get applied(): readonly TransactionChange[] {
    return this.callsOf('apply').flatMap(([changes]) => changes as TransactionChange[]);
  }

  /** Puts a transaction into the store and returns its TCN. */
  store(transaction: Partial<TransactionRecord>, documents: readonly Partial<DocumentRecord>[] = []): string {
    const record = openTransaction(transaction);
    this.stored.set(record.tcn, {
      transaction: record,
      documents: documents.map((document, position) => announced({ position, ...document })),
    });
    return record.tcn;
  }

  #stores(): Pick<TransactionContext, 'transactions' | 'documents' | 'smallDocuments' | 'files' | 'keys'> {
    const unused = async (): Promise<never> => Promise.reject(new Error('This test does not go there.'));
    const kept = {
      receive: unused,
      originalPath: unused,
      prepareResult: unused,
      publishResults: unused,
      resultPath: unused,
      removeOriginal: async (key: string) => this.#noteCall('removeOriginal', key),
      keep: async (keys: readonly string[]) => this.#noteCall('keep', keys),
      confirm: async () => Promise.resolve(),
    };
    const small = {
      keepOriginals: async (originals: readonly { readonly key: string }[]) =>
        this.#noteCall(
          'keepOriginals',
          originals.map(({ key }) => key),
        ),
      removeOriginals: async (keys: readonly string[]) => this.#noteCall('removeOriginals', keys),
    };
    const transactions = {
      insert: async (stored: StoredTransaction, ...claim: readonly unknown[]) => {
        this.#note('insert', stored, ...claim);
        if (this.faster === undefined) this.stored.set(stored.transaction.tcn, stored);
        return Promise.resolve(this.faster);
      },
      begin: (stored: StoredTransaction) => {
        if (this.holdsBegun) this.stored.set(stored.transaction.tcn, stored);
        return this.holdsBegun;
      },
      settle: async (tcn: string) => {
        this.#note('settle', tcn);
        return Promise.resolve(undefined);
      },
      findIdempotent: async (key: string, since: Date) => {
        this.#note('findIdempotent', key, since);
        return Promise.resolve(this.idempotent.get(key));
      },
      read: async (tcn: string) => {
        this.#note('read', tcn);
        return Promise.resolve(this.stored.get(tcn));
      },
      readPage: async (tcn: string) => {
        const stored = this.stored.get(tcn);
        return Promise.resolve(stored === undefined ? undefined : { ...stored, counts: countDocuments(stored) });
      },
      readState: async (tcn: string) => {
        this.#note('readState', tcn);
        return Promise.resolve(this.stored.get(tcn)?.transaction);
      },
      apply: async (...parameters: readonly unknown[]) => this.#noteCall('apply', ...parameters),
    };
    return {
      transactions: transactions as unknown as TransactionContext['transactions'],
      documents: kept as unknown as TransactionContext['documents'],
      smallDocuments: small as unknown as TransactionContext['smallDocuments'],
      files: { inspect: unused } as unknown as TransactionContext['files'],
      keys: {
        list: async () => Promise.resolve(this.keys),
        find: async (alias) => {
          const key = this.keys.find((one) => one.alias === alias);
          return key === undefined
            ? Promise.reject(new SigningError('KEY_NOT_FOUND', `No key is called ${alias}.`))
            : Promise.resolve(key);
        },
        open: unused,
      },
    };
  }

  async #noteCall(name: string, ...parameters: readonly unknown[]): Promise<void> {
    this.#note(name, ...parameters);
    return Promise.resolve();
  }

  #note(name: string, ...parameters: readonly unknown[]): void {
    this.calls.push([name, ...parameters]);
    this.#awaited.get(name)?.();
    const failure = this.failures.get(name);
    if (failure !== undefined) throw failure;
  }
}

/** A transaction taking uploads for a detached CAdES signature, unless told otherwise. */
export function openTransaction(changes: Partial<TransactionRecord> = {}): TransactionRecord {
  return {
    tcn: 'TCN0000000000000000000000A',
    type: 'CAdES-detached',
    digest: 'sha256',
    policy: 'none',
    documentsSource: 'UPLOAD_REFERENCE',
    destination: 'LOCAL',
    mode: 'async',
    autoFixDocument: false,
    returnSignature: false,
    settings: [{ id: 'default' }],
    requester: { kind: 'native-program', name: 'a program' },
    certificateAlias: 'MARIA',
    certificateFingerprint: '00',
    keySource: 'file',
    approval: 'required',
    uploadOpen: true,
    waitingFor: 'upload',
    createdAt: new Date('2026-03-04T00:00:00Z'),
    finishedAt: null,
    ...changes,
  };
}

/** An announced document, not yet uploaded unless told otherwise. */
export function announced(changes: Partial<DocumentRecord> = {}): DocumentRecord {
  const { position = 0 } = changes;
  return {
    key: `key-${position}`,
    tcn: 'TCN0000000000000000000000A',
    position,
    id: String(position),
    announcedId: false,
    announcedName: false,
    status: 'WAITING',
    originalFileName: null,
    mediaType: null,
    settingId: null,
    content: null,
    size: null,
    checksum: null,
    destinationPath: null,
    destinationUrl: null,
    destinationFileName: null,
    delivery: null,
    result: null,
    error: null,
    ...changes,
  };
}

/** A file as an upload has measured it. */
export function measured(text: string): ReceivedFile {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    checksum: createHash('sha256').update(bytes).digest('hex'),
    head: bytes,
    kind: detectFileKind(bytes),
  };
}
