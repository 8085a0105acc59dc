/** A signature of several files: create, upload, wait, download (endpoints 1 to 4). */
import { sendOk, type Way, type WayRequest } from './direct-way.ts';
import { errorOfFailure, SineteError } from './sinete-error.ts';
import type { SignedFile, SignOptions, SignProgress } from './types.ts';

/** Seconds of a long poll. */
const WAIT = 25;

interface Entry {
  readonly id: string;
  readonly status: 'WAITING' | 'SIGNED' | 'ERROR';
  readonly error?: { readonly code: string; readonly detail: string };
}

interface Transaction {
  readonly tcn: string;
  readonly status: Entry['status'];
  readonly waiting_for?: 'upload' | 'approval' | 'pin' | 'evidence' | null;
  readonly documents: readonly Entry[];
}

/** @internal */
export class SigningRun {
  readonly #way: Way;
  readonly #files: readonly File[];
  readonly #options: SignOptions;
  readonly #size: number;
  #sent = 0;

  constructor(way: Way, files: readonly File[], options: SignOptions) {
    this.#way = way;
    this.#files = files;
    this.#options = options;
    this.#size = files.reduce((total, { size }) => total + size, 0);
  }

  /** Rejects with `SineteError`. */
  async run(): Promise<readonly SignedFile[]> {
    if (this.#files.length === 0) throw new SineteError('INPUT_INVALID', 'There is no file to sign.');
    const { tcn } = await this.#create();
    this.#tell('uploading', []);
    for (const [index, file] of this.#files.entries()) await this.#upload(tcn, file, index);
    const { documents } = await this.#waitUntilFinal(tcn);
    this.#tell('finished', documents);
    return this.#files.map((source, index) => this.#resultOf(tcn, source, documents[index]));
  }

  async #create(): Promise<Transaction> {
    const { type, policy, certificate, hash, settings, repair } = this.#options;
    return this.#read<Transaction>('/signature-service', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        type,
        policy,
        certificate_alias: certificate,
        hash_algorithm: hash,
        signature_settings: settings,
        auto_fix_document: repair,
        documents_source: 'UPLOAD_REFERENCE',
      }),
    });
  }

  async #upload(tcn: string, file: File, index: number): Promise<void> {
    const last = index === this.#files.length - 1;
    const body = new FormData();
    body.set('document', file);
    const path = `/file-transfer/${encodeURIComponent(tcn)}/${last ? 'eot' : 'continue'}/default`;
    const before = this.#sent;
    await this.#send(path, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body,
      onSent: (bytes) => {
        this.#sent = before + Math.min(bytes, file.size);
        this.#tell('uploading', []);
      },
    });
    this.#sent = before + file.size;
    this.#tell('uploading', []);
  }

  async #waitUntilFinal(tcn: string): Promise<Transaction> {
    for (let wait = 0; ; wait = WAIT) {
      const transaction = await this.#read<Transaction>(`/signature-service/${encodeURIComponent(tcn)}?wait=${wait}`);
      if (transaction.status !== 'WAITING') return transaction;
      const { waiting_for: waitingFor, documents } = transaction;
      this.#tell(waitingFor === 'approval' || waitingFor === 'pin' ? waitingFor : 'signing', documents);
    }
  }

  #resultOf(tcn: string, source: File, entry: Entry | undefined): SignedFile {
    const status = entry?.status === 'SIGNED' ? 'SIGNED' : 'ERROR';
    return {
      source,
      status,
      ...(entry?.error === undefined ? {} : { error: entry.error }),
      download: async () => this.#download(tcn, source, entry),
    };
  }

  async #download(tcn: string, source: File, entry: Entry | undefined): Promise<File> {
    if (entry?.status !== 'SIGNED') {
      throw new SineteError('INPUT_INVALID', entry?.error?.detail ?? 'This file was not signed.');
    }
    const answer = await this.#send(`/file-transfer/${encodeURIComponent(tcn)}/${encodeURIComponent(entry.id)}`, {});
    const blob = await answer.blob().catch((failure: unknown) => {
      throw errorOfFailure(failure);
    });
    return new File([blob], readFileName(answer, source), { type: blob.type });
  }

  #tell(phase: SignProgress['phase'], documents: readonly Entry[]): void {
    const count = (status: Entry['status']): number => documents.filter((entry) => entry.status === status).length;
    this.#options.onProgress?.({
      phase,
      sent: this.#sent,
      size: this.#size,
      signed: count('SIGNED'),
      failed: count('ERROR'),
      documents: this.#files.length,
    });
  }

  async #read<Body>(path: string, request: WayRequest = {}): Promise<Body> {
    return (await (await this.#send(path, request)).json()) as Body;
  }

  async #send(path: string, request: WayRequest): Promise<Response> {
    const { authorization, signal } = this.#options;
    const isOurs = authorization !== undefined && request.method === 'POST';
    const headers = { ...request.headers, ...(isOurs ? { Authorization: authorization } : {}) };
    return sendOk(this.#way, path, { ...request, headers, signal });
  }
}

/** The helper's name for the result (RFC 6266), or the file's own. */
function readFileName(answer: Response, source: File): string {
  const disposition = answer.headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="?([^";]+)/i.exec(disposition)?.[1] ?? source.name;
}
