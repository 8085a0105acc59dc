import type {
  CallError,
  CallInput,
  CallOutput,
  CallResult,
  ValidationView,
} from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge, FileReference } from '../../bridge/bridge.ts';
import type { Language } from '../../i18n/i18n.ts';
import { fileIdentity, readGivenFile, type GivenFile } from './given-file.ts';
import { documentOf, pairFiles } from './pair-files.ts';

/** The progress of a signature file's validation. */
export type Progress =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly share: number }
  | { readonly kind: 'validating' }
  | { readonly kind: 'done'; readonly view: ValidationView }
  | { readonly kind: 'failed'; readonly error: CallError };

/** A signature file or signed PDF, with the document of a detached signature. */
export interface ValidationItem {
  readonly id: number;
  readonly signature: GivenFile;
  readonly content: GivenFile | null;
  readonly progress: Progress;
}

export interface ValidationDeskState {
  readonly items: readonly ValidationItem[];
  /** Files without a signature that are not the content of any signature so far. */
  readonly rest: readonly GivenFile[];
}

/** Levels for extending signatures. */
export type RaisedLevel = CallInput<'validation.raise'>['level'];

const noFile = { ok: false, error: { code: 'INTERNAL', message: 'No file was sent.' } } as const;

/** Maximum number of files at a time. */
const mostFiles = 200;

/** Holds the files to validate, in order; lives as long as the window, not as the page. */
export class ValidationDesk {
  readonly #bridge: Bridge;
  readonly #listeners = new Set<() => void>();
  readonly #references = new Map<File, FileReference>();
  readonly #passwords = new Map<number, string>();
  #language: Language;
  #state: ValidationDeskState = { items: [], rest: [] };
  #nextId = 1;
  #running = false;
  #abort = new AbortController();

  constructor(bridge: Bridge, language: Language) {
    this.#bridge = bridge;
    this.#language = language;
  }

  /** The present state; the same object until its next change. */
  state(): ValidationDeskState {
    return this.#state;
  }

  /** Tells of each change; returns the way to stop listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Adds files, matches signatures with their documents by name, and validates. Answers whether all files were
   * accepted.
   */
  async add(files: readonly File[]): Promise<boolean> {
    const known = new Set(this.#allFiles().map(({ file }) => fileIdentity(file)));
    const fresh = files.filter((file) => !known.has(fileIdentity(file)));
    const taken = fresh.slice(0, Math.max(0, mostFiles - known.size));
    const given = await Promise.all(taken.map(readGivenFile));
    this.#matchLateDocuments(given);
    const used = new Set(this.#state.items.map(({ content }) => content));
    const { pairs, rest } = pairFiles([...this.#state.rest, ...given].filter((one) => !used.has(one)));
    const items = pairs.map((pair): ValidationItem => ({ id: this.#nextId++, ...pair, progress: { kind: 'waiting' } }));
    this.#set({ items: [...items, ...this.#state.items], rest });
    void this.#run();
    return taken.length === fresh.length;
  }

  /** Validates again with another document, or with none. */
  match(id: number, content: GivenFile | null): void {
    const before = this.#state.items.find((item) => item.id === id)?.content ?? null;
    this.#update(id, { content, progress: { kind: 'waiting' } });
    const used = new Set(this.#state.items.map((item) => item.content));
    const freed = before !== null && !used.has(before) ? [before] : [];
    this.#set({ rest: [...this.#state.rest.filter((file) => file !== content), ...freed] });
    void this.#run();
  }

  /** Takes a file as the document of a signature. */
  async matchFile(id: number, file: File): Promise<void> {
    const known = this.documents().find((one) => fileIdentity(one.file) === fileIdentity(file));
    this.match(id, known ?? (await readGivenFile(file)));
  }

  /** Every possible document of a signature. */
  documents(): readonly GivenFile[] {
    return this.#allFiles().filter((file) => file.kind !== 'signature');
  }

  /** Validates a file in spite of its unusual form. */
  takeAsSignature(file: GivenFile): void {
    const item: ValidationItem = { id: this.#nextId++, signature: file, content: null, progress: { kind: 'waiting' } };
    this.#set({ items: [item, ...this.#state.items], rest: this.#state.rest.filter((one) => one !== file) });
    void this.#run();
  }

  /** Validates again, an encrypted PDF with its password. */
  retry(id: number, password?: string): void {
    if (password !== undefined) this.#passwords.set(id, password);
    this.#update(id, { progress: { kind: 'waiting' } });
    void this.#run();
  }

  remove(id: number): void {
    this.#passwords.delete(id);
    this.#set({ items: this.#state.items.filter((item) => item.id !== id) });
    this.#forgetReferences();
  }

  clear(): void {
    this.#abort.abort();
    this.#passwords.clear();
    this.#set({ items: [], rest: [] });
    this.#forgetReferences();
  }

  /** A validation to keep. */
  async report(
    view: ValidationView,
    format: CallInput<'validation.report'>['format'],
  ): Promise<CallResult<CallOutput<'validation.report'>>> {
    return this.#bridge.call('validation.report', { id: view.id, format, language: this.#language });
  }

  /**
   * Extends the signatures of a validated file, and validates the new file next to the old one. Answers the new file;
   * `NOT_FOUND` if the file is no longer on the page.
   */
  async raise(id: number, level: RaisedLevel): Promise<CallResult<File>> {
    const item = this.#state.items.find((one) => one.id === id);
    if (item === undefined) return { ok: false, error: { code: 'NOT_FOUND', message: 'The file was removed.' } };
    const { signature, content } = item;
    const files = await this.#sendAll([signature, ...(content === null ? [] : [content])], () => undefined);
    if (!files.ok) return files;
    const [signatureFile, contentFile] = files.value;
    if (signatureFile === undefined) return noFile;
    const password = this.#passwords.get(id);
    const result = await this.#bridge.call('validation.raise', {
      signature: signatureFile,
      level,
      content: contentFile,
      password,
    });
    if (!result.ok) return result;
    const bytes = Uint8Array.from(atob(result.value.data), (character) => character.charCodeAt(0));
    const raised = new File([bytes], result.value.name);
    const newId = this.#nextId++;
    if (password !== undefined) this.#passwords.set(newId, password);
    const given = { ...signature, file: raised, name: raised.name };
    this.#set({
      items: [{ id: newId, signature: given, content, progress: { kind: 'waiting' } }, ...this.#state.items],
    });
    void this.#run();
    return { ok: true, value: raised };
  }

  /** Loads known results in another language; a report that the core has forgotten stays unchanged. */
  async speak(language: Language): Promise<void> {
    if (language === this.#language) return;
    this.#language = language;
    for (const { id, progress } of this.#state.items) {
      if (progress.kind !== 'done') continue;
      const result = await this.#bridge.call('validation.read', { id: progress.view.id, language });
      if (result.ok) this.#update(id, { progress: { kind: 'done', view: result.value } });
    }
  }

  /** Matches a document that was added after its signature. */
  #matchLateDocuments(given: readonly GivenFile[]): void {
    const documents = given.filter(({ kind }) => kind !== 'signature');
    for (const item of this.#state.items) {
      if (item.content !== null || item.signature.kind !== 'signature') continue;
      const content = documentOf(item.signature.name, documents);
      if (content !== null) this.#update(item.id, { content, progress: { kind: 'waiting' } });
    }
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    if (this.#abort.signal.aborted) this.#abort = new AbortController();
    for (;;) {
      const next = this.#state.items.find(({ progress }) => progress.kind === 'waiting');
      if (next === undefined) break;
      const result = await this.#validate(next);
      this.#settle(next, result);
    }
    this.#running = false;
  }

  /** Stores the result, unless the signature was matched again in the meantime: then it is validated once more. */
  #settle(item: ValidationItem, result: CallResult<ValidationView>): void {
    const now = this.#state.items.find(({ id }) => id === item.id);
    if (now?.content !== item.content || now.progress.kind === 'waiting') return;
    const progress: Progress = result.ok
      ? { kind: 'done', view: result.value }
      : { kind: 'failed', error: result.error };
    this.#update(item.id, { progress });
  }

  async #validate({ id, signature, content }: ValidationItem): Promise<CallResult<ValidationView>> {
    this.#update(id, { progress: { kind: 'sending', share: 0 } });
    for (let attempt = 1; ; attempt += 1) {
      const files = await this.#send(id, [signature, ...(content === null ? [] : [content])]);
      if (!files.ok) return files;
      this.#update(id, { progress: { kind: 'validating' } });
      const [signatureFile, contentFile] = files.value;
      if (signatureFile === undefined) return noFile;
      const password = this.#passwords.get(id);
      const result = await this.#bridge.call('validation.run', {
        signature: signatureFile,
        content: contentFile,
        password,
        language: this.#language,
      });
      // Uploaded files are kept for a limited time only, so a missing one is uploaded again.
      if (result.ok || result.error.code !== 'NOT_FOUND' || attempt > 1) return result;
      for (const { file } of [signature, ...(content === null ? [] : [content])]) this.#references.delete(file);
    }
  }

  #send(id: number, files: readonly GivenFile[]): Promise<CallResult<readonly FileReference[]>> {
    return this.#sendAll(files, (share) => this.#update(id, { progress: { kind: 'sending', share } }));
  }

  async #sendAll(
    files: readonly GivenFile[],
    onShare: (share: number) => void,
  ): Promise<CallResult<readonly FileReference[]>> {
    const total = Math.max(
      1,
      files.reduce((sum, { file }) => sum + file.size, 0),
    );
    const references: FileReference[] = [];
    let before = 0;
    for (const { file } of files) {
      const known = this.#references.get(file);
      const onProgress = (sent: number): void => onShare(Math.min(1, (before + sent) / total));
      const result =
        known === undefined
          ? await this.#bridge.giveFile(file, onProgress, this.#abort.signal)
          : ({ ok: true, value: known } as const);
      if (!result.ok) return result;
      this.#references.set(file, result.value);
      references.push(result.value);
      before += file.size;
    }
    return { ok: true, value: references };
  }

  #allFiles(): readonly GivenFile[] {
    const { items, rest } = this.#state;
    const used = items.flatMap(({ signature, content }) => (content === null ? [signature] : [signature, content]));
    return [...new Set([...used, ...rest])];
  }

  #forgetReferences(): void {
    const held = new Set(this.#allFiles().map(({ file }) => file));
    for (const file of [...this.#references.keys()]) if (!held.has(file)) this.#references.delete(file);
  }

  #update(id: number, change: Partial<ValidationItem>): void {
    this.#set({ items: this.#state.items.map((item) => (item.id === id ? { ...item, ...change } : item)) });
  }

  #set(change: Partial<ValidationDeskState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
