import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../src/service/errors/index.ts';
import type {
  CreateTransaction,
  DocumentView,
  IncomingDocument,
  Requester,
  ResultDescription,
  ResultFile,
  Transactions,
  TransactionsPage,
  TransactionView,
  UploadOutcome,
  UploadRequest,
} from '../../src/service/transactions/index.ts';

/** An upload received by the fake. */
export interface ReceivedDocument {
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
  /** The text in the brackets of its field. */
  readonly label?: string | undefined;
  readonly content: string;
}

/** The service in the eyes of the HTTP layer: keeps its requests, and gives answers chosen by a test. */
export class FakeTransactions implements Transactions {
  readonly resultLifetime = 43_200;
  readonly created: { readonly request: CreateTransaction; readonly requester: Requester }[] = [];
  readonly uploads: { readonly request: UploadRequest; readonly documents: readonly ReceivedDocument[] }[] = [];
  readonly waits: (number | undefined)[] = [];
  failure: Error | undefined;
  view: TransactionView = exampleTransaction();
  resultFile: ResultFile | undefined;
  abandoned = 0;
  readonly #missedListeners = new Set<() => void>();

  async create(request: CreateTransaction, requester: Requester): Promise<TransactionView> {
    await this.#fail();
    this.created.push({ request, requester });
    return this.view;
  }

  async upload(
    tcn: string,
    request: UploadRequest,
    documents: AsyncIterable<IncomingDocument>,
  ): Promise<UploadOutcome> {
    await this.#fail();
    const received: ReceivedDocument[] = [];
    for await (const { label, fileName, mediaType, content } of documents) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk);
      received.push({ label, fileName, mediaType, content: Buffer.concat(chunks).toString('utf8') });
    }
    this.uploads.push({ request, documents: received });
    const views = received.map(({ fileName }, index) =>
      exampleDocument({ id: String(index), originalFileName: fileName ?? null }),
    );
    return { tcn, documents: views, endOfTransaction: request.endOfTransaction };
  }

  async query(
    tcn: string,
    options?: { readonly waitSeconds?: number; readonly signal?: AbortSignal },
  ): Promise<TransactionView> {
    await this.#fail();
    this.waits.push(options?.waitSeconds);
    if ((options?.waitSeconds ?? 0) > 30) {
      await new Promise((resolve) => options?.signal?.addEventListener('abort', resolve, { once: true }));
      this.abandoned += 1;
    }
    if (tcn !== this.view.tcn) throw new ServiceError('TRANSACTION_NOT_FOUND', 'No transaction has this TCN.');
    return this.view;
  }

  async result(): Promise<ResultFile> {
    await this.#fail();
    if (this.resultFile === undefined) throw new ServiceError('DOCUMENT_NOT_FOUND', 'No document has this id.');
    return this.resultFile;
  }

  async waiting(): Promise<readonly TransactionView[]> {
    return Promise.resolve([]);
  }

  async pause(): Promise<TransactionView> {
    await this.#fail();
    return this.view;
  }

  async cancel(): Promise<void> {
    await this.#fail();
  }

  async authorize(): Promise<TransactionView> {
    await this.#fail();
    return this.view;
  }

  async decide(): Promise<TransactionView> {
    return Promise.resolve(this.view);
  }

  async recent(): Promise<readonly TransactionView[]> {
    return Promise.resolve([this.view]);
  }

  async list(): Promise<TransactionsPage> {
    return Promise.resolve({ transactions: [this.view], next: null });
  }

  async overview(tcns: readonly string[]): Promise<readonly TransactionView[]> {
    return Promise.resolve(tcns.includes(this.view.tcn) ? [this.view] : []);
  }

  async inspectOriginal(): Promise<never> {
    return Promise.reject(new ServiceError('NOT_FOUND', 'Nothing waits here.'));
  }

  async readOriginalPart(): Promise<never> {
    return Promise.reject(new ServiceError('NOT_FOUND', 'Nothing waits here.'));
  }

  async countByStatus(): Promise<{ SIGNED: number; WAITING: number; ERROR: number }> {
    await this.#fail();
    return { SIGNED: 3, WAITING: 1, ERROR: 0 };
  }

  async newestCreation(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  damagedResults(): readonly never[] {
    return [];
  }

  async checkResults(): Promise<void> {
    return Promise.resolve();
  }

  /** Announces possibly missed changes of other nodes. */
  miss(): void {
    for (const listener of [...this.#missedListeners]) listener();
  }

  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener);
    return () => this.#missedListeners.delete(listener);
  }

  onChange(): () => void {
    return () => undefined;
  }

  keysChanged(): void {
    // Nothing waits here.
  }

  async resume(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async #fail(): Promise<void> {
    await Promise.resolve();
    if (this.failure !== undefined) throw this.failure;
  }
}

export function exampleDocument(changes: Partial<DocumentView> = {}): DocumentView {
  return {
    id: '0',
    status: 'WAITING',
    originalFileName: 'contract.pdf',
    mediaType: 'application/pdf',
    size: 5,
    checksum: 'a'.repeat(64),
    signatureSetting: 'default',
    sourcePath: null,
    destination: null,
    resultPath: null,
    destinationFileName: null,
    inObjectStore: false,
    lifetime: null,
    error: null,
    signature: null,
    repairs: [],
    adjustments: [],
    resultSize: null,
    resultChecksum: null,
    level: null,
    pendingLevel: null,
    pendingError: null,
    revision: 0,
    warnings: [],
    hash: null,
    ...changes,
  };
}

export function exampleTransaction(changes: Partial<TransactionView> = {}): TransactionView {
  return {
    door: null,
    tcn: 'abcdefghijklmnopqrstuvwxyz',
    status: 'WAITING',
    waitingFor: 'upload',
    certificateAlias: 'MARIA DA SILVA',
    certificateFingerprint: 'a1'.repeat(32),
    type: 'PAdES',
    digest: 'sha256',
    policy: 'none',
    timestamped: false,
    claimedRole: null,
    documentsSource: 'UPLOAD_REFERENCE',
    uploadOpen: true,
    mode: 'async',
    requester: { kind: 'native-program', name: 'curl/8' },
    settings: [{ id: 'default' }],
    documents: [exampleDocument()],
    counts: { WAITING: 1, SIGNED: 0, ERROR: 0 },
    isPage: false,
    createdAt: new Date('2026-01-02T03:04:05Z'),
    finishedAt: null,
    ...changes,
  };
}

/** A result on disk, in a folder of its own. */
export async function exampleResult(
  content: Buffer = randomBytes(1000),
  changes: Partial<ResultDescription> = {},
): Promise<{
  readonly file: ResultFile & { readonly path: string };
  readonly content: Buffer;
  readonly remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-result-'));
  const path = join(folder, '.kept');
  await writeFile(path, content);
  const file: ResultFile & { readonly path: string } = {
    path,
    size: content.length,
    mediaType: 'application/pdf',
    fileName: 'contract-signed.pdf',
    checksum: createHash('sha256').update(content).digest('hex'),
    signedAt: new Date('2026-01-02T03:04:05Z'),
    ...changes,
  };
  return { file, content, remove: async () => rm(folder, { recursive: true }) };
}
