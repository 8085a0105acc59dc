import type { DesktopEvent, DesktopPreload, IpcRequest } from '../../../src/ui-contract/desktop-contract.ts';
import type { CallInput, CallName, CallOutput, CallResult } from '../../../src/ui-contract/ui-contract.ts';
import type {
  Bridge,
  BridgeEvent,
  BridgeState,
  Connection,
  FileOfDocument,
  FileReference,
  SentDocument,
} from './bridge.ts';
import type { DesktopHost } from './desktop-host.ts';

/** Maximum number of bytes sent through the channel for a file without a path. */
const mostContent = 256 * 1024 * 1024;

const cancelled: CallResult<never> = {
  ok: false,
  error: { code: 'CANCELLED', message: 'The upload was cancelled.' },
};

/**
 * The bridge of the desktop: the same table over IPC. The core lives as long as the window, so the bridge is always
 * ready.
 */
export class IpcBridge implements Bridge {
  readonly host = 'desktop';
  readonly desktop: DesktopHost;
  readonly #preload: DesktopPreload;
  readonly #eventListeners = new Set<(event: BridgeEvent) => void>();
  readonly #changeListeners = new Set<() => void>();
  readonly #progress = new Map<number, (sent: number) => void>();
  #nextId = 1;

  constructor(preload: DesktopPreload) {
    this.#preload = preload;
    this.desktop = {
      call: async (name, input) => this.#ask(async () => preload.call(name, input)),
      pathOf: (file) => pathOf(preload, file),
      onChange: (listener) => {
        this.#changeListeners.add(listener);
        return () => this.#changeListeners.delete(listener);
      },
    };
    preload.onEvent((event) => this.#take(event));
  }

  state(): BridgeState {
    return 'ready';
  }

  connection(): Connection {
    return 'connected';
  }

  onState(): () => void {
    return () => undefined;
  }

  onEvent(listener: (event: BridgeEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResult<CallOutput<Name>>> {
    return this.#ask(async () => this.#preload.call(name, input));
  }

  async sendDocument(
    tcn: string,
    file: File,
    end: boolean,
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<SentDocument>> {
    return this.#send({ tcn, end }, file, onProgress, signal);
  }

  /** Sends the files one after the other: the core reads them by their paths, so joining them would save nothing. */
  async sendDocuments(
    tcn: string,
    files: readonly FileOfDocument[],
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<object>> {
    let before = 0;
    for (const { documentId, file } of files) {
      const onPart = (sent: number): void => onProgress(before + sent);
      const result = await this.#send({ tcn, end: false, documentId }, file, onPart, signal);
      if (!result.ok) return result;
      before += file.size;
    }
    return { ok: true, value: {} };
  }

  async #send(
    place: Pick<IpcRequest<'sinete:send-document'>, 'tcn' | 'end' | 'documentId'>,
    file: File,
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<SentDocument>> {
    if (signal.aborted) return cancelled;
    const source = await sourceOf(this.#preload, file);
    if ('ok' in source) return source;
    const id = this.#nextId++;
    const stop = (): void => this.#preload.cancelDocument(id);
    this.#progress.set(id, onProgress);
    signal.addEventListener('abort', stop, { once: true });
    const result = await this.#ask<SentDocument>(async () => this.#preload.sendDocument({ id, ...place, source }));
    signal.removeEventListener('abort', stop);
    this.#progress.delete(id);
    return result;
  }

  /** The core is on this computer and reads the file by its path; the content of a file without a path is sent. */
  async giveFile(file: File): Promise<CallResult<FileReference>> {
    if (file.size > mostContent && pathOf(this.#preload, file) === null) return withoutFolder;
    const source = await sourceOf(this.#preload, file);
    if ('ok' in source) return source;
    if (source.kind === 'path') return { ok: true, value: { path: source.path } };
    const { name, content } = source;
    return this.#ask(async () => this.#preload.giveFile({ name, content }));
  }

  resultUrl(tcn: string, documentId: string): string {
    return `/results/${encodeURIComponent(tcn)}/${encodeURIComponent(documentId)}`;
  }

  async copyText(text: string): Promise<boolean> {
    return (await this.desktop.call('desktop.copyText', { text })).ok;
  }

  retry(): void {
    // The desktop has no connection that could be lost.
  }

  /** The value has the contract's type: both ends are built from the same table. */
  async #ask<Value>(ask: () => Promise<CallResult<unknown>>): Promise<CallResult<Value>> {
    try {
      return (await ask()) as CallResult<Value>;
    } catch {
      return { ok: false, error: { code: 'UNREACHABLE', message: 'Sinete does not answer.' } };
    }
  }

  #take(event: DesktopEvent): void {
    switch (event.name) {
      case 'core':
        for (const listener of [...this.#eventListeners]) listener(event.event);
        return;
      case 'desktop-changed':
        for (const listener of [...this.#changeListeners]) listener();
        return;
      case 'progress':
        this.#progress.get(event.id)?.(event.sent);
        return;
      case 'go-to':
        window.location.hash = event.address;
    }
  }
}

function pathOf(preload: DesktopPreload, file: File): string | null {
  try {
    const path = preload.pathOf(file);
    return path === '' ? null : path;
  } catch {
    return null;
  }
}

const withoutFolder: CallResult<never> = {
  ok: false,
  error: { code: 'FILE_WITHOUT_FOLDER', message: 'A file of this size has to be saved in a folder first.' },
};

const unreadable = (message: string) => ({ ok: false, error: { code: 'DOCUMENT_UNREADABLE', message } }) as const;

/** The file's path, or its content without a path; an error value without either. */
async function sourceOf(
  preload: DesktopPreload,
  file: File,
): Promise<IpcRequest<'sinete:send-document'>['source'] | (CallResult<never> & { readonly ok: false })> {
  const path = pathOf(preload, file);
  if (path !== null) return { kind: 'path', path };
  if (file.size > mostContent) return unreadable('A file of this size has to be saved in a folder first.');
  try {
    return { kind: 'content', name: file.name, content: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    return unreadable('The file cannot be read.');
  }
}
