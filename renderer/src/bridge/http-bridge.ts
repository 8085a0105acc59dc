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
import { readGivenFile, readResult, readUpload } from './answer.ts';
import { readEvents } from './event-stream.ts';
import { sendFile } from './send-file.ts';

const storageKey = 'sinete.session';

/**
 * Takes the one-time key from the address (`/ui/#key=…`) and removes it there, so that no history, bookmark or
 * screenshot contains the key.
 */
function takeKeyFromAddress(): string | null {
  const match = /^#key=([^&]+)/.exec(window.location.hash);
  if (match?.[1] === undefined) return null;
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}`);
  return decodeKey(match[1]);
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The session of this tab, which ends with the tab. */
function storedSession(): string | null {
  return window.sessionStorage.getItem(storageKey);
}

/** Stores the session for reloads of this tab; null removes it. */
function storeSession(session: string | null): void {
  if (session === null) window.sessionStorage.removeItem(storageKey);
  else window.sessionStorage.setItem(storageKey, session);
}

const firstDelay = 500;
const longestDelay = 10_000;

/**
 * The bridge of headless mode: a page opened by a one-time link talks to its own instance. The session is in a header
 * of each request, never in a cookie, so no other page can make a browser send the session.
 */
export class HttpBridge implements Bridge {
  readonly host = 'browser';
  readonly desktop = null;
  #state: BridgeState = 'starting';
  #connection: Connection = 'connected';
  #session: string | null = null;
  #key: string | null = null;
  #stream: AbortController | null = null;
  /** True if an answer came while no event stream was open, or a call was refused after the end of the session. */
  #hasMissed = false;
  #isTold = false;
  #wakeUp: () => void = () => undefined;
  readonly #stateListeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: BridgeEvent) => void>();

  /**
   * Takes the key from the address before the router reads the address, and opens the session at the given time. A
   * second link pasted into the same tab is handled too.
   */
  start(time: Promise<void>): void {
    const first = takeKeyFromAddress();
    void time.then(() => this.#open(first));
    window.addEventListener('hashchange', () => {
      const key = takeKeyFromAddress();
      if (key !== null) void this.#open(key);
    });
  }

  state(): BridgeState {
    return this.#state;
  }

  connection(): Connection {
    return this.#connection;
  }

  onState(listener: () => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  onEvent(listener: (event: BridgeEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResult<CallOutput<Name>>> {
    if (this.#state === 'starting') await this.#untilReady();
    const session = this.#session;
    try {
      const response = await fetch('/ui/rpc', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: this.#authorization() },
        body: JSON.stringify({ call: name, input }),
        cache: 'no-store',
      });
      if (response.status === 401) this.#endSession(session);
      this.#hasMissed ||= !this.#isTold;
      return readResult<CallOutput<Name>>(response.status, await response.text());
    } catch {
      return { ok: false, error: { code: 'UNREACHABLE', message: 'Sinete does not answer.' } };
    }
  }

  sendDocument(
    tcn: string,
    file: File,
    end: boolean,
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<SentDocument>> {
    const session = this.#session;
    return sendFile({
      address: `/ui/documents/${encodeURIComponent(tcn)}?end=${end}`,
      authorization: this.#authorization(),
      content: file,
      onProgress,
      signal,
      onSessionEnded: () => this.#endSession(session),
      read: readUpload,
    });
  }

  sendDocuments(
    tcn: string,
    files: readonly FileOfDocument[],
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<object>> {
    const session = this.#session;
    const content = new FormData();
    for (const { documentId, file } of files) content.append(documentId, file, file.name);
    return sendFile({
      address: `/ui/documents/${encodeURIComponent(tcn)}`,
      authorization: this.#authorization(),
      content,
      onProgress,
      signal,
      onSessionEnded: () => this.#endSession(session),
      read: readUpload,
    });
  }

  giveFile(file: File, onProgress: (sent: number) => void, signal: AbortSignal): Promise<CallResult<FileReference>> {
    const session = this.#session;
    return sendFile({
      address: '/ui/files',
      authorization: this.#authorization(),
      content: file,
      onProgress,
      signal,
      onSessionEnded: () => this.#endSession(session),
      read: readGivenFile,
    });
  }

  resultUrl(tcn: string, documentId: string): string {
    return `/file-transfer/${encodeURIComponent(tcn)}/${encodeURIComponent(documentId)}`;
  }

  async copyText(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }

  retry(): void {
    if (this.#state === 'ready') this.#wakeUp();
    else void this.#open(this.#key);
  }

  #authorization(): string {
    return `Sinete-UI ${this.#session ?? ''}`;
  }

  async #open(key: string | null): Promise<void> {
    this.#key = key;
    if (key === null) {
      this.#session ??= storedSession();
      this.#begin('no-session');
    } else {
      this.#setState('starting');
      const opened = await exchangeKey(key);
      // Following the same link twice in a tab must not lose the session of the first time. The storage is read only in
      // this case, because the first access is slow in browsers.
      this.#session = opened.session ?? this.#session ?? storedSession();
      this.#begin(opened.failure);
      if (opened.session !== null) this.#key = null;
    }
    storeSession(this.#session);
  }

  /**
   * Continues with the session, or with the given state if there is none. Listening starts first, so that no change is
   * missed.
   */
  #begin(otherwise: BridgeState): void {
    if (this.#session !== null) void this.#listen();
    this.#setState(this.#session === null ? otherwise : 'ready');
  }

  /** Calls made while the session is being opened wait; after a failure they wait for a session. */
  #untilReady(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.onState(() => {
        if (this.#state !== 'ready') return;
        stop();
        resolve();
      });
    });
  }

  /** Ends the session, if `session` is still the current one: a late refusal must not end the next session. */
  #endSession(session: string | null): void {
    if (session !== this.#session || this.#state !== 'ready') return;
    this.#session = null;
    this.#hasMissed = true;
    storeSession(null);
    this.#stream?.abort();
    this.#setState('ended');
  }

  async #listen(): Promise<void> {
    this.#stream?.abort();
    const session = this.#session;
    let delay = firstDelay;
    while (session !== null && session === this.#session) {
      const received = await this.#streamOnce(session);
      if (session !== this.#session) return;
      this.#setConnection('lost');
      delay = received ? firstDelay : Math.min(delay * 2, longestDelay);
      await this.#pause(delay);
    }
  }

  /** Opens the event stream once. Resolves at its end, and answers whether the connection was ever established. */
  async #streamOnce(session: string): Promise<boolean> {
    const abort = new AbortController();
    this.#stream = abort;
    this.#isTold = false;
    try {
      const response = await fetch('/ui/events', {
        headers: { Authorization: this.#authorization() },
        signal: abort.signal,
        cache: 'no-store',
      });
      if (response.status === 401) this.#endSession(session);
      if (!response.ok || response.body === null) return false;
      this.#isTold = true;
      if (this.#connection === 'lost' || this.#hasMissed) this.#emitRestored();
      await readEvents(response.body, abort, (event) => this.#emit(event));
      return true;
    } catch {
      return false;
    } finally {
      if (this.#stream === abort) this.#isTold = false;
    }
  }

  #emitRestored(): void {
    this.#hasMissed = false;
    this.#setConnection('connected');
    this.#emit({ name: 'stream-restored' });
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #emit(event: BridgeEvent): void {
    for (const listener of [...this.#eventListeners]) listener(event);
  }

  #setState(state: BridgeState): void {
    this.#state = state;
    for (const listener of [...this.#stateListeners]) listener();
  }

  #setConnection(connection: Connection): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    for (const listener of [...this.#stateListeners]) listener();
  }
}

interface OpenedSession {
  readonly session: string | null;
  readonly failure: 'key-refused' | 'unreachable';
}

async function exchangeKey(key: string): Promise<OpenedSession> {
  try {
    const response = await fetch('/ui/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key }),
      cache: 'no-store',
    });
    if (!response.ok) return { session: null, failure: response.status >= 500 ? 'unreachable' : 'key-refused' };
    const body: unknown = await response.json();
    const named = typeof body === 'object' && body !== null && 'session' in body ? body.session : null;
    return { session: typeof named === 'string' ? named : null, failure: 'key-refused' };
  } catch {
    return { session: null, failure: 'unreachable' };
  }
}
