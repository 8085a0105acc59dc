/** A signature of several files: create, upload, wait, download (endpoints 1 to 4). */
import { requestBasics } from './find-helper.ts';
import { errorOfAnswer, errorOfFailure, SineteError } from './sinete-error.ts';
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
  readonly #address: string;
  readonly #files: readonly File[];
  readonly #options: SignOptions;
  readonly #size: number;
  #sent = 0;

  constructor(address: string, files: readonly File[], options: SignOptions) {
    this.#address = address;
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
    if (typeof XMLHttpRequest === 'undefined') await this.#send(path, { method: 'POST', body });
    else await this.#uploadTelling(path, file, body);
    this.#sent = before + file.size;
    this.#tell('uploading', []);
  }

  /** Uses XMLHttpRequest if available, because `fetch` does not report how much was sent. */
  async #uploadTelling(path: string, file: File, body: FormData): Promise<void> {
    const before = this.#sent;
    const request = new XMLHttpRequest();
    request.open('POST', this.#address + path);
    request.setRequestHeader('Accept', 'application/json');
    request.upload.onprogress = ({ loaded }) => {
      this.#sent = before + Math.min(loaded, file.size);
      this.#tell('uploading', []);
    };
    await this.#finish(request, body);
    if (request.status >= 300 || request.status < 200) {
      throw await errorOfAnswer(new Response(request.responseText, { status: request.status || 500 }));
    }
  }

  async #finish(request: XMLHttpRequest, body: FormData): Promise<void> {
    const { signal } = this.#options;
    const abort = (): void => {
      request.abort();
    };
    try {
      await new Promise<void>((resolve, reject) => {
        if (signal?.aborted === true) abortError(reject);
        request.onload = () => {
          resolve();
        };
        request.onerror = () => {
          reject(new SineteError('UNREACHABLE', 'The upload broke off: Sinete was closed, or refused this site.'));
        };
        request.onabort = () => {
          abortError(reject);
        };
        signal?.addEventListener('abort', abort);
        if (signal?.aborted !== true) request.send(body);
      });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
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

  async #read<Body>(path: string, init: RequestInit = {}): Promise<Body> {
    return (await (await this.#send(path, init)).json()) as Body;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const { authorization, signal } = this.#options;
    const headers = new Headers(init.headers);
    if (authorization !== undefined && init.method === 'POST') headers.set('Authorization', authorization);
    try {
      const answer = await fetch(this.#address + path, {
        ...requestBasics,
        ...init,
        headers,
        signal: signal ?? null,
      });
      if (!answer.ok) throw await errorOfAnswer(answer);
      return answer;
    } catch (failure) {
      throw errorOfFailure(failure);
    }
  }
}

function abortError(reject: (reason: Error) => void): void {
  reject(new SineteError('CANCELLED', 'The page cancelled the signature.'));
}

/** The helper's name for the result (RFC 6266), or the file's own. */
function readFileName(answer: Response, source: File): string {
  const disposition = answer.headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="?([^";]+)/i.exec(disposition)?.[1] ?? source.name;
}
