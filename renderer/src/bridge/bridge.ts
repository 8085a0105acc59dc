import type { CallInput, CallName, CallOutput, CallResult, UiEvent } from '../../../src/ui-contract/ui-contract.ts';
import type { DesktopHost } from './desktop-host.ts';

/**
 * The state of the connection to the core.
 *
 * - `starting`: the one-time key is being exchanged.
 * - `ready`: calls are answered.
 * - `no-session`: the page was opened without a link.
 * - `key-refused`: the link was used before, or is too old.
 * - `ended`: the core does not know the session any more.
 * - `unreachable`: the core does not answer, and there is no session yet.
 */
export type BridgeState = 'starting' | 'ready' | 'no-session' | 'key-refused' | 'ended' | 'unreachable';

/** The state of the event stream. `lost` means that the page may show old data; the bridge keeps trying. */
export type Connection = 'connected' | 'lost';

/** `stream-restored` follows a loss of the connection: everything may have changed in the meantime. */
export type BridgeEvent = UiEvent | { readonly name: 'stream-restored' };

/** The core's entry of an accepted document: its id in the transaction. */
export interface SentDocument {
  readonly documentId: string;
}

/** A file and the id of its document in the transaction. */
export interface FileOfDocument {
  readonly documentId: string;
  readonly file: File;
}

/** A file known to the core: uploaded, or on the core's own computer. */
export type FileReference = CallInput<'validation.run'>['signature'];

/** The window's access to its host. Nothing here throws: errors are values. */
export interface Bridge {
  /** A browser downloads results; the desktop knows their paths. */
  readonly host: 'browser' | 'desktop';
  /** The desktop's own functions; null in a browser. */
  readonly desktop: DesktopHost | null;
  /** The present state. */
  state(): BridgeState;
  /** The present connection. */
  connection(): Connection;
  /** Calls `listener` when `state` or `connection` changes; returns the function that stops listening. */
  onState(listener: () => void): () => void;
  /** A call of the table. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResult<CallOutput<Name>>>;
  /** Subscribes to the core's events; returns a function to unsubscribe. */
  onEvent(listener: (event: BridgeEvent) => void): () => void;
  /**
   * Sends the next document of a `sign.create` transaction; `end` marks the last document. `onProgress` gets the bytes
   * sent so far. An aborted upload answers `CANCELLED`.
   */
  sendDocument(
    tcn: string,
    file: File,
    end: boolean,
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<SentDocument>>;
  /**
   * Sends documents of a `sign.create` transaction together, all or none. `onProgress` gets the bytes of all together.
   * Several calls may be under way at once; `sign.end` ends the batch.
   */
  sendDocuments(
    tcn: string,
    files: readonly FileOfDocument[],
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<object>>;
  /** Gives the core a file for a later call. `onProgress` gets the bytes sent so far. */
  giveFile(file: File, onProgress: (sent: number) => void, signal: AbortSignal): Promise<CallResult<FileReference>>;
  /** Address of a result for a download link. */
  resultUrl(tcn: string, documentId: string): string;
  /** Copies text to the clipboard; false without permission. */
  copyText(text: string): Promise<boolean>;
  /** Repeats the exchange of the key, or the connection, at once. */
  retry(): void;
}
