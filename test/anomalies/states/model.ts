/**
 * The life of transactions by the contract, and nothing else: the states, the effect of each request in each state, and
 * its refusals. The model knows no store, no queue and no key.
 */

export type ModelDocument =
  | { readonly status: 'WAITING'; readonly content: DocumentKind | undefined }
  | { readonly status: 'SIGNED'; readonly at: number }
  | { readonly status: 'ERROR'; readonly code: string };

/** Documents for a PDF transaction: a valid PDF, a file of another type, and a damaged PDF. */
export type DocumentKind = 'good' | 'no-pdf' | 'broken';

export interface ModelTransaction {
  readonly createdAt: number;
  uploadOpen: boolean;
  approved: boolean;
  documents: ModelDocument[];
}

export const LIFETIME = 3_600_000;
export const UPLOAD_TIMEOUT = 7_200_000;
export const MOST_DOCUMENTS = 4;

/** A refusal by its code; undefined: done. */
export type Refusal = string | undefined;

export class Model {
  now = 0;
  unlocked = false;
  /** By TCN. */
  readonly transactions = new Map<string, ModelTransaction>();

  create(tcn: string, kinds: readonly DocumentKind[]): void {
    const documents = kinds.map(arrived);
    this.transactions.set(tcn, { createdAt: this.now, uploadOpen: false, approved: false, documents });
  }

  createForUpload(tcn: string, announced: number): void {
    const documents = Array.from({ length: announced }, () => ({ status: 'WAITING', content: undefined }) as const);
    this.transactions.set(tcn, { createdAt: this.now, uploadOpen: true, approved: false, documents });
  }

  /** All documents of a request, or none. */
  upload(tcn: string, kinds: readonly DocumentKind[], ends: boolean, breaks: boolean): Refusal {
    const transaction = this.#get(tcn);
    if (!transaction.uploadOpen) return 'UPLOAD_CLOSED';
    const here = transaction.documents.filter((one) => !isAnnounced(one));
    // Documents beyond the limit are refused on arrival, before a following break.
    if (here.length + kinds.length > MOST_DOCUMENTS) return 'TOO_MANY_DOCUMENTS';
    if (breaks) return 'UPLOAD_INCOMPLETE';
    if (ends && here.length + kinds.length === 0) return 'NO_DOCUMENTS';
    const coming = kinds.map(arrived);
    const filled = transaction.documents.map((one) => (isAnnounced(one) ? (coming.shift() ?? one) : one));
    transaction.documents = [...filled, ...coming];
    if (!ends) return undefined;
    transaction.uploadOpen = false;
    transaction.documents = transaction.documents.map((one) =>
      isAnnounced(one) ? { status: 'ERROR', code: 'UPLOAD_INCOMPLETE' } : one,
    );
    return undefined;
  }

  approve(tcn: string): Refusal {
    if (this.waitingFor(tcn) !== 'approval') return 'APPROVAL_NOT_WAITING';
    this.#get(tcn).approved = true;
    this.#sign(tcn);
    return undefined;
  }

  /** Also the effect of a caller going away. */
  refuse(tcn: string): Refusal {
    const waitingFor = this.waitingFor(tcn);
    if (waitingFor !== 'approval' && waitingFor !== 'pin') return 'APPROVAL_NOT_WAITING';
    this.#fail(tcn, 'APPROVAL_REFUSED');
    return undefined;
  }

  unlock(): void {
    this.unlocked = true;
    for (const tcn of this.transactions.keys()) this.#sign(tcn);
  }

  /** A start ends overlong uploads. */
  restart(): void {
    for (const [tcn, transaction] of this.transactions) {
      if (!transaction.uploadOpen || this.now < transaction.createdAt + UPLOAD_TIMEOUT) continue;
      transaction.uploadOpen = false;
      this.#fail(tcn, 'UPLOAD_EXPIRED');
    }
  }

  waitingFor(tcn: string): 'upload' | 'approval' | 'pin' | null {
    const { uploadOpen, approved, documents } = this.#get(tcn);
    if (uploadOpen) return 'upload';
    if (!documents.some(({ status }) => status === 'WAITING')) return null;
    return approved ? 'pin' : 'approval';
  }

  status(tcn: string): ModelDocument['status'] {
    const { uploadOpen, documents } = this.#get(tcn);
    if (uploadOpen || documents.some(({ status }) => status === 'WAITING')) return 'WAITING';
    return documents.length === 0 || documents.some(({ status }) => status === 'ERROR') ? 'ERROR' : 'SIGNED';
  }

  /** Why a result cannot be had. */
  download(tcn: string, position: number): Refusal {
    const document = this.#get(tcn).documents[position];
    if (document === undefined) return 'DOCUMENT_NOT_FOUND';
    if (document.status === 'WAITING') return 'NOT_SIGNED_YET';
    if (document.status === 'ERROR') return 'SIGNING_FAILED';
    return this.now >= document.at + LIFETIME ? 'LIFETIME_OVER' : undefined;
  }

  count(status: ModelDocument['status']): number {
    const all = [...this.transactions.values()].flatMap(({ documents }) => documents);
    return all.filter((one) => one.status === status).length;
  }

  #sign(tcn: string): void {
    const transaction = this.#get(tcn);
    if (transaction.uploadOpen || !transaction.approved || !this.unlocked) return;
    transaction.documents = transaction.documents.map((one): ModelDocument => {
      if (one.status !== 'WAITING') return one;
      return one.content === 'good' ? { status: 'SIGNED', at: this.now } : { status: 'ERROR', code: 'unreadable' };
    });
  }

  #fail(tcn: string, code: string): void {
    const transaction = this.#get(tcn);
    transaction.documents = transaction.documents.map((one) =>
      one.status === 'WAITING' ? { status: 'ERROR', code } : one,
    );
  }

  #get(tcn: string): ModelTransaction {
    const transaction = this.transactions.get(tcn);
    if (transaction === undefined) throw new TypeError(tcn);
    return transaction;
  }
}

const isAnnounced = (document: ModelDocument): boolean =>
  document.status === 'WAITING' && document.content === undefined;

function arrived(kind: DocumentKind): ModelDocument {
  return kind === 'no-pdf' ? { status: 'ERROR', code: 'DOCUMENT_NOT_A_PDF' } : { status: 'WAITING', content: kind };
}
