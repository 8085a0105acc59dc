import type { CallError, UiDocument, UiTransaction } from '../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../bridge.ts';
import { destinationOf } from './destination.ts';
import { requestOf, type SignatureType, type SigningOptions } from './signing-options.ts';

/** How far a file has come on its way to the core; what follows is told by its transaction. */
export type Transfer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'queued' }
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly error: CallError };

/** A file on the desk. */
export interface DeskItem {
  readonly id: number;
  readonly file: File;
  readonly isPdf: boolean;
  readonly transfer: Transfer;
  readonly tcn: string | null;
  /** Its id among the transaction's documents; null until it has arrived. */
  readonly documentId: string | null;
}

export interface DeskState {
  readonly items: readonly DeskItem[];
  /** Files are chosen, or the batch was started; it is finished when nothing waits any more. */
  readonly started: boolean;
  readonly transactions: ReadonlyMap<string, UiTransaction>;
}

/** What became of adding files. */
export interface Added {
  readonly duplicates: number;
  readonly overLimit: boolean;
}

/** The most files of one batch. */
export const mostFiles = 1000;

const emptyDesk: DeskState = { items: [], started: false, transactions: new Map() };

/** Holds the files that are to be signed and takes them through; lives as long as the window, not as the page. */
export class SigningDesk {
  readonly #bridge: Bridge;
  readonly #listeners = new Set<() => void>();
  #state = emptyDesk;
  #nextId = 1;
  #abort = new AbortController();
  #options: SigningOptions | null = null;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    bridge.onEvent((event) => {
      if (event.name === 'transaction-changed' && this.#isMine(event.tcn)) void this.#readTransaction(event.tcn);
      if (event.name === 'stream-restored') for (const tcn of this.#tcns()) void this.#readTransaction(tcn);
    });
  }

  /** The state now; the same object until it changes. */
  state(): DeskState {
    return this.#state;
  }

  /** Tells of each change; returns the way to stop listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Puts files on the desk, unless they are there already; a finished batch is cleared first. */
  async add(files: readonly File[]): Promise<Added> {
    if (this.#state.started) {
      if (!isFinished(this.#state)) return { duplicates: 0, overLimit: false };
      this.clear();
    }
    const known = new Set(this.#state.items.map((item) => identity(item.file)));
    const fresh = files.filter((file) => !known.has(identity(file)));
    const taken = fresh.slice(0, Math.max(0, mostFiles - this.#state.items.length));
    const items = await Promise.all(taken.map((file) => this.#itemOf(file)));
    this.#set({ items: [...this.#state.items, ...items] });
    return { duplicates: files.length - fresh.length, overLimit: taken.length < fresh.length };
  }

  remove(id: number): void {
    this.#set({ items: this.#state.items.filter((item) => item.id !== id) });
  }

  /** Back to an empty desk. */
  clear(): void {
    this.#state = emptyDesk;
    this.#set({});
  }

  /** Stops what is on its way to the core; what has arrived stays there. */
  stop(): void {
    this.#abort.abort();
  }

  /** Sends everything. Files of one signature type become one transaction. */
  async start(options: SigningOptions): Promise<void> {
    this.#options = options;
    await this.#run(this.#state.items.filter((item) => item.file.size > 0));
  }

  /** Sends again what failed. */
  async retryFailed(): Promise<void> {
    const failed = this.#state.items.filter((item) => outcomeOf(item, this.#state).kind === 'failed');
    await this.#run(failed);
  }

  async #run(items: readonly DeskItem[]): Promise<void> {
    const options = this.#options;
    if (options === null || items.length === 0) return;
    this.#abort = new AbortController();
    for (const item of items) this.#update(item.id, { transfer: { kind: 'queued' }, tcn: null });
    this.#set({ started: true });
    const types = new Set(items.map((item) => typeOf(item, options)));
    for (const type of types) {
      let group = await this.#signPaths(
        type,
        options,
        items.filter((item) => typeOf(item, options) === type),
      );
      // A file that the core does not take leaves the group; the others are not to suffer for it.
      while (group.length > 0) {
        const refused = await this.#sendGroup(type, options, group);
        if (refused === null) break;
        group = group.filter((item) => item.id !== refused);
      }
    }
  }

  /** Has files signed where they lie, as far as the destination and the host allow; answers those that remain. */
  async #signPaths(
    type: SignatureType,
    options: SigningOptions,
    group: readonly DeskItem[],
  ): Promise<readonly DeskItem[]> {
    const { desktop } = this.#bridge;
    if (desktop === null || options.destination.kind === 'keep') return group;
    const paths = group.map((item) => ({ item, path: desktop.pathOf(item.file) }));
    const known = paths.flatMap(({ item, path }) => (path === null ? [] : [{ item, path }]));
    if (known.length === 0) return group;
    const created = await this.#bridge.call('sign.paths', {
      ...requestOf(type, options),
      files: known.map(({ path }) => ({ path, destination: destinationOf(path, type, options.destination) })),
    });
    if (created.ok) {
      const { tcn, documents } = created.value;
      for (const [index, { item }] of known.entries()) {
        this.#update(item.id, { transfer: { kind: 'sent' }, tcn, documentId: documents[index]?.id ?? null });
      }
      await this.#readTransaction(tcn);
    } else {
      this.#fail(
        known.map(({ item }) => item),
        created.error,
      );
    }
    return paths.flatMap(({ item, path }) => (path === null ? [item] : []));
  }

  #fail(items: readonly DeskItem[], error: CallError): void {
    for (const item of items) this.#update(item.id, { transfer: { kind: 'failed', error }, tcn: null });
  }

  /** Makes one transaction and sends its files. Returns the id of a file that was not taken, else null. */
  async #sendGroup(type: SignatureType, options: SigningOptions, group: readonly DeskItem[]): Promise<number | null> {
    const created = await this.#bridge.call('sign.create', {
      ...requestOf(type, options),
      files: group.map((item) => ({ name: item.file.name })),
    });
    if (!created.ok) {
      this.#fail(group, created.error);
      return null;
    }
    const { tcn } = created.value;
    for (const item of group) this.#update(item.id, { transfer: { kind: 'queued' } });
    for (const [position, item] of group.entries()) {
      const error = await this.#send(tcn, item, position === group.length - 1);
      if (error === null) continue;
      if (isAboutTheFile(error)) return item.id;
      this.#fail(group, error);
      return null;
    }
    for (const item of group) this.#update(item.id, { tcn });
    await this.#readTransaction(tcn);
    return null;
  }

  async #send(tcn: string, item: DeskItem, end: boolean): Promise<CallError | null> {
    this.#update(item.id, { transfer: { kind: 'sending', sent: 0 } });
    const onProgress = (sent: number): void => this.#update(item.id, { transfer: { kind: 'sending', sent } });
    const result = await this.#bridge.sendDocument(tcn, item.file, end, onProgress, this.#abort.signal);
    if (!result.ok) {
      this.#update(item.id, { transfer: { kind: 'failed', error: result.error } });
      return result.error;
    }
    this.#update(item.id, { transfer: { kind: 'sent' }, documentId: result.value.documentId });
    return null;
  }

  async #readTransaction(tcn: string): Promise<void> {
    const result = await this.#bridge.call('transactions.read', { tcn });
    if (!result.ok || !this.#isMine(tcn)) return;
    this.#set({ transactions: new Map(this.#state.transactions).set(tcn, result.value) });
  }

  #isMine(tcn: string): boolean {
    return this.#state.items.some((item) => item.tcn === tcn);
  }

  #tcns(): ReadonlySet<string> {
    return new Set(this.#state.items.map((item) => item.tcn).filter((tcn) => tcn !== null));
  }

  async #itemOf(file: File): Promise<DeskItem> {
    const id = this.#nextId++;
    return { id, file, isPdf: await isPdf(file), transfer: { kind: 'ready' }, tcn: null, documentId: null };
  }

  #update(id: number, change: Partial<DeskItem>): void {
    this.#set({ items: this.#state.items.map((item) => (item.id === id ? { ...item, ...change } : item)) });
  }

  #set(change: Partial<DeskState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}

/** What a person sees of a file. */
export type Outcome =
  | { readonly kind: 'ready' | 'queued' | 'sent' | 'approval' | 'pin' | 'signing' }
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'signed'; readonly tcn: string; readonly document: UiDocument }
  | { readonly kind: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/** Where a file stands: its way to the core first, then its document in the transaction. */
export function outcomeOf(item: DeskItem, state: DeskState): Outcome {
  if (item.transfer.kind !== 'sent') return item.transfer;
  const transaction = item.tcn === null ? undefined : state.transactions.get(item.tcn);
  const document = transaction?.documents.find((entry) => entry.id === item.documentId);
  if (transaction === undefined || document === undefined) return { kind: 'sent' };
  switch (document.status) {
    case 'SIGNED':
      return { kind: 'signed', tcn: transaction.tcn, document };
    case 'ERROR':
      return {
        kind: 'failed',
        error: { code: document.error?.code ?? 'SIGNING_FAILED', message: document.error?.detail ?? '' },
      };
    case 'WAITING':
      if (transaction.waitingFor === 'upload') return { kind: 'sent' };
      return { kind: transaction.waitingFor ?? 'signing' };
  }
}

/** Whether each file of a started batch is signed or failed. */
export function isFinished(state: DeskState): boolean {
  return state.items.every(
    (item) => item.file.size === 0 || ['signed', 'failed'].includes(outcomeOf(item, state).kind),
  );
}

function typeOf(item: DeskItem, options: SigningOptions): SignatureType {
  return item.isPdf ? options.pdfType : options.otherType;
}

/** Whether only this file is at fault, so that the rest of the batch may go on. */
function isAboutTheFile(error: CallError): boolean {
  return error.code.startsWith('DOCUMENT_') || error.code.startsWith('PDF_');
}

function identity(file: File): string {
  return `${file.webkitRelativePath}/${file.name}/${file.size}/${file.lastModified}`;
}

/** The content decides, not the name: ISO 32000-1 readers accept the header within the first 1024 octets. */
async function isPdf(file: File): Promise<boolean> {
  try {
    return (await file.slice(0, 1024).text()).includes('%PDF-');
  } catch {
    return file.name.toLowerCase().endsWith('.pdf');
  }
}
