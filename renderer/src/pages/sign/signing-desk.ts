import { detectKindOf, type DetectedFile } from '../../../../src/values/file-kind.ts';
import type { CallError } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge, FileOfDocument } from '../../bridge/bridge.ts';
import { base64Of, coSigningOf, typeBeside } from './co-signing.ts';
import { emptyDesk, isFinished, outcomeOf, type DeskItem, type DeskState } from './desk-state.ts';
import { PacedListeners, PacedReader } from './paced.ts';
import { cancelled, sendFiles } from './send-files.ts';
import { fileStampOf, requestOf, type SignatureType, type SigningOptions } from './signing-options.ts';

/** The result of adding files. */
export interface Added {
  readonly duplicates: number;
  readonly overLimit: boolean;
}

/** The PIN that a batch needs. */
export interface WantedPin {
  readonly alias: string;
  readonly documents: number;
}

/** Maximum number of files of a batch. */
export const mostFiles = 5000;

/** Holds the files to be signed and signs them; lives as long as the window, not as the page. */
export class SigningDesk {
  readonly #bridge: Bridge;
  readonly #listeners = new PacedListeners();
  readonly #reader = new PacedReader((tcn) => this.#readTransaction(tcn));
  #state = emptyDesk;
  #nextId = 1;
  #abort = new AbortController();
  /** Callbacks that wait until a pause ends. */
  readonly #waiting: (() => void)[] = [];
  #options: SigningOptions | null = null;
  /** The signature file that the document of the batch gets another signer in; else null. */
  #beside: File | null = null;
  /** The transactions of the present batch, one for each type of signature. */
  #tcns: ReadonlySet<string> = new Set();
  readonly #approved = new Set<string>();
  #runs = 0;
  #pin: WantedPin | null = null;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    bridge.onEvent((event) => {
      if (event.name === 'transaction-changed' && this.#isMine(event.tcn)) void this.#reader.ask(event.tcn);
      if (event.name === 'keys-changed' && this.#pin !== null) void this.#readLock(this.#pin.documents);
      if (event.name === 'stream-restored') for (const tcn of this.#knownTcns()) void this.#reader.ask(tcn);
    });
  }

  /** The present state; the same object until its next change. */
  state(): DeskState {
    return this.#state;
  }

  /** Calls `listener` after changes, several of which may be joined; returns the function that stops listening. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The number of the present run, which has one question about a PIN. */
  run(): number {
    return this.#runs;
  }

  /** The transactions of the batch, approved together, as a text that is equal for equal batches. */
  batch(): string {
    return [...this.#tcns].join(' ');
  }

  /** The PIN that the batch will need, so that the user can enter it while files are still being sent; else null. */
  wantedPin(): WantedPin | null {
    return isFinished(this.#state) ? null : this.#pin;
  }

  /** True if the user approved the transaction by pressing Sign on this page. */
  isApproved(tcn: string): boolean {
    return this.#approved.has(tcn);
  }

  /** Adds new files; a finished batch is cleared first. */
  async add(files: readonly File[]): Promise<Added> {
    if (this.#state.started) {
      if (!isFinished(this.#state)) return { duplicates: 0, overLimit: false };
      this.clear();
    }
    const known = new Set(this.#state.items.map((item) => identity(item.file)));
    const fresh = inNaturalOrder(files).filter((file) => !known.has(identity(file)));
    const taken = fresh.slice(0, Math.max(0, mostFiles - this.#state.items.length));
    const items = await Promise.all(taken.map((file) => this.#itemOf(file)));
    this.#set({ items: [...this.#state.items, ...items] });
    return { duplicates: files.length - fresh.length, overLimit: taken.length < fresh.length };
  }

  remove(id: number): void {
    this.#set({ items: this.#state.items.filter((item) => item.id !== id) });
  }

  /** Removes all files and results. */
  clear(): void {
    this.#tcns = new Set();
    this.#set(emptyDesk);
  }

  /** Pauses the batch before its next file, or continues. */
  async pause(paused: boolean): Promise<void> {
    this.#set({ paused });
    if (!paused) this.#resume();
    await Promise.all([...this.#tcns].map((tcn) => this.#bridge.call('sign.pause', { tcn, paused })));
  }

  /** Cancels all unsigned files; signed files stay. */
  async cancel(): Promise<void> {
    this.#set({ cancelled: true, paused: false });
    this.#abort.abort();
    this.#resume();
    await Promise.all([...this.#tcns].map((tcn) => this.#bridge.call('sign.cancel', { tcn })));
    for (const tcn of this.#tcns) void this.#reader.ask(tcn);
  }

  /** The options of the last batch, as a proposal for the next; without its password and the stamps of its files. */
  lastOptions(): SigningOptions | null {
    if (this.#options === null) return null;
    const { stamp } = this.#options;
    return { ...this.#options, password: '', stamp: stamp === null ? null : { ...stamp, own: new Map() } };
  }

  /** Sends everything. Files of the same signature type become a transaction. */
  async start(options: SigningOptions): Promise<void> {
    this.#options = options;
    const pair = options.beside ? coSigningOf(this.#state.items) : null;
    this.#beside = pair?.signature.file ?? null;
    if (pair !== null) this.remove(pair.signature.id);
    await this.#run(this.#state.items.filter((item) => item.file.size > 0));
  }

  /** Sends failed files again. */
  async retryFailed(): Promise<void> {
    const failed = this.#state.items.filter((item) => outcomeOf(item, this.#state).kind === 'failed');
    await this.#run(failed);
  }

  async #run(items: readonly DeskItem[]): Promise<void> {
    const options = this.#options;
    if (options === null || items.length === 0) return;
    this.#abort = new AbortController();
    this.#tcns = new Set();
    this.#runs += 1;
    this.#pin = null;
    void this.#readLock(items.length);
    this.#updateAll(items, { transfer: { kind: 'queued' }, tcn: null });
    this.#set({ started: true, sending: true, paused: false, cancelled: false });
    const types = new Set(items.map((item) => this.#typeOf(item, options)));
    for (const type of types) {
      const ofType = items.filter((item) => this.#typeOf(item, options) === type);
      const group = await this.#signPaths(type, options, ofType);
      if (group.length > 0) await this.#sendGroup(type, options, group);
    }
    await this.#approve();
    this.#set({ sending: false });
  }

  #typeOf({ isPdf }: DeskItem, { pdfType, otherType }: SigningOptions): SignatureType {
    if (this.#beside !== null) return typeBeside(this.#beside, otherType);
    return isPdf ? pdfType : otherType;
  }

  /** The signature to add the signer to, in the form of the calls. */
  async #existing(): Promise<{ readonly existingSignature?: string }> {
    return this.#beside === null ? {} : { existingSignature: await base64Of(this.#beside) };
  }

  /** Approves the transactions, because the user has pressed Sign; if that fails, the approval dialog asks. */
  async #approve(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    await Promise.all(
      [...this.#tcns].map(async (tcn) => {
        if (this.#state.transactions.get(tcn)?.waitingFor !== 'approval') return;
        const result = await this.#bridge.call('approvals.decide', { tcn, decision: 'approve' });
        if (!result.ok) return;
        this.#approved.add(tcn);
        // The answer may be older than the state that the reader has read in the meantime.
        void this.#reader.ask(tcn);
      }),
    );
  }

  /** Signs files at their present place if the destination and the host allow that; answers the remaining files. */
  async #signPaths(
    type: SignatureType,
    options: SigningOptions,
    group: readonly DeskItem[],
  ): Promise<readonly DeskItem[]> {
    const { desktop } = this.#bridge;
    if (desktop === null || options.place === null) return group;
    const paths = group.map((item) => ({ item, path: desktop.pathOf(item.file) }));
    const known = paths.flatMap(({ item, path }) => (path === null ? [] : [{ item, path }]));
    if (known.length === 0 || !(await this.#mayGoOn())) return group;
    const created = await this.#bridge.call('sign.paths', {
      ...requestOf(type, options),
      ...(await this.#existing()),
      files: known.map(({ item, path }) => ({ path, ...folderOf(item.file), ...fileStampOf(type, options, item.id) })),
    });
    if (created.ok) {
      const { tcn, documents } = created.value;
      this.#tcns = new Set([...this.#tcns, tcn]);
      const ids = new Map(known.map(({ item }, index) => [item.id, documents[index]?.id ?? null]));
      this.#change((item) =>
        ids.has(item.id) ? { ...item, transfer: { kind: 'sent' }, tcn, documentId: ids.get(item.id) ?? null } : item,
      );
      if (this.#abort.signal.aborted) await this.#bridge.call('sign.cancel', { tcn });
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
    this.#updateAll(items, { transfer: { kind: 'failed', error }, tcn: null });
  }

  /** Makes a transaction and sends its files. A refused file fails, without effect on the others. */
  async #sendGroup(type: SignatureType, options: SigningOptions, group: readonly DeskItem[]): Promise<void> {
    if (!(await this.#mayGoOn())) {
      this.#fail(group, cancelled);
      return;
    }
    const created = await this.#bridge.call('sign.create', {
      ...requestOf(type, options),
      ...(await this.#existing()),
      files: group.map((item) => ({
        name: item.file.name,
        ...folderOf(item.file),
        ...fileStampOf(type, options, item.id),
      })),
    });
    if (!created.ok) {
      this.#fail(group, created.error);
      return;
    }
    const { tcn, documents } = created.value;
    this.#tcns = new Set([...this.#tcns, tcn]);
    const files = group.map(({ file }, index) => ({ file, documentId: documents[index]?.id ?? '' }));
    const refused = new Set<FileOfDocument>();
    const error = await sendFiles({
      bridge: this.#bridge,
      tcn,
      files,
      signal: this.#abort.signal,
      mayGoOn: () => this.#mayGoOn(),
      onProgress: (parcel, sent) => this.#updateSent(parcel, sent),
      onSent: (parcel) => this.#updateFiles(parcel, () => ({ transfer: { kind: 'sent' } })),
      onRefused: (file, reason) => {
        refused.add(file);
        this.#updateFiles([file], () => ({ transfer: { kind: 'failed', error: reason } }));
      },
    });
    const ended = error === null && refused.size < files.length ? await this.#bridge.call('sign.end', { tcn }) : null;
    const failure = error ?? (ended?.ok === false ? ended.error : null);
    if (failure !== null || ended === null) await this.#bridge.call('sign.cancel', { tcn });
    const sent = files.filter((file) => !refused.has(file));
    this.#updateFiles(sent, ({ documentId }) =>
      failure === null ? { tcn, documentId } : { transfer: { kind: 'failed', error: failure } },
    );
    await this.#readTransaction(tcn);
  }

  /** Waits during a pause of the batch; false for a cancelled batch. */
  async #mayGoOn(): Promise<boolean> {
    if (this.#state.paused) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return !this.#abort.signal.aborted;
  }

  #resume(): void {
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  /** Files are sent in order, so the bytes sent so far belong to the first files. */
  #updateSent(parcel: readonly FileOfDocument[], sent: number): void {
    let before = 0;
    const starts = new Map(
      parcel.map(({ documentId, file }) => {
        const start = before;
        before += file.size;
        return [documentId, start] as const;
      }),
    );
    this.#updateFiles(parcel, ({ documentId, file }) => {
      const ownBytes = Math.max(0, Math.min(file.size, sent - (starts.get(documentId) ?? 0)));
      return { transfer: { kind: 'sending', sent: ownBytes } };
    });
  }

  async #readTransaction(tcn: string): Promise<void> {
    const result = await this.#bridge.call('transactions.read', { tcn });
    if (!result.ok || !this.#isMine(tcn)) return;
    this.#set({ transactions: new Map(this.#state.transactions).set(tcn, result.value) });
  }

  async #readLock(documents: number): Promise<void> {
    const run = this.#runs;
    const certificates = await this.#bridge.call('certificates.list', {});
    if (!certificates.ok || run !== this.#runs) return;
    const key = certificates.value.find(({ alias }) => alias === this.#options?.alias);
    this.#pin = key?.locked === true && key.token !== null ? { alias: key.alias, documents } : null;
    this.#listeners.tell();
  }

  #isMine(tcn: string): boolean {
    return this.#state.items.some((item) => item.tcn === tcn);
  }

  #knownTcns(): ReadonlySet<string> {
    return new Set(this.#state.items.map((item) => item.tcn).filter((tcn) => tcn !== null));
  }

  async #itemOf(file: File): Promise<DeskItem> {
    const id = this.#nextId++;
    const { kind, form } = await kindOf(file);
    const kinds = { isPdf: kind === 'pdf' && form === 'none', isSignature: kind === 'cms' && form === 'none' };
    return { id, file, ...kinds, transfer: { kind: 'ready' }, tcn: null, documentId: null };
  }

  #updateFiles(files: readonly FileOfDocument[], change: (file: FileOfDocument) => Partial<DeskItem>): void {
    const changes = new Map(files.map((one) => [one.file, one]));
    this.#change((item) => {
      const found = changes.get(item.file);
      return found === undefined ? item : { ...item, ...change(found) };
    });
  }

  #updateAll(items: readonly DeskItem[], change: Partial<DeskItem>): void {
    const ids = new Set(items.map(({ id }) => id));
    this.#change((item) => (ids.has(item.id) ? { ...item, ...change } : item));
  }

  #change(next: (item: DeskItem) => DeskItem): void {
    this.#set({ items: this.#state.items.map(next) });
  }

  #set(change: Partial<DeskState>): void {
    this.#state = { ...this.#state, ...change };
    this.#listeners.tell();
  }
}

/** Files of a folder come in the order of the disk. Files that were chosen one by one keep their order. */
function inNaturalOrder(files: readonly File[]): readonly File[] {
  if (files.every(({ webkitRelativePath }) => webkitRelativePath === '')) return files;
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const placeOf = ({ webkitRelativePath, name }: File): string => webkitRelativePath || name;
  return files.toSorted((left, right) => compare(placeOf(left), placeOf(right)));
}

/** The folder that the user chose or dropped, with the folders inside; nothing for a file without one. */
function folderOf({ webkitRelativePath }: File): { readonly folder?: string } {
  const end = webkitRelativePath.lastIndexOf('/');
  return end < 1 ? {} : { folder: webkitRelativePath.slice(0, end) };
}

function identity(file: File): string {
  return `${file.webkitRelativePath}/${file.name}/${file.size}/${file.lastModified}`;
}

/** Decided by the content; by the name for a file that cannot be read. */
async function kindOf(file: File): Promise<DetectedFile> {
  try {
    return await detectKindOf(async (length) => new Uint8Array(await file.slice(0, length).arrayBuffer()));
  } catch {
    return { kind: file.name.toLowerCase().endsWith('.pdf') ? 'pdf' : 'other', form: 'none' };
  }
}
