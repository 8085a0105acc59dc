import type { CallInput, CallName, CallOutput, CallResult, UiEvent } from '../../../src/ui-contract/ui-contract.ts';
import type { DesktopHost } from './desktop-host.ts';

/**
 * How the GUI stands with the core.
 *
 * - `starting`: the one-time key is being exchanged.
 * - `ready`: calls are answered.
 * - `no-session`: the page was opened without a link.
 * - `key-refused`: the link was used before, or is too old.
 * - `ended`: there was a session, and the core does not know it any more.
 * - `unreachable`: the core does not answer, and there is no session yet.
 */
export type BridgeState = 'starting' | 'ready' | 'no-session' | 'key-refused' | 'ended' | 'unreachable';

/** Whether events arrive. `lost` means that what the page shows may be old; the bridge keeps trying. */
export type Connection = 'connected' | 'lost';

/** `stream-restored` comes after a loss of the connection: everything may have changed meanwhile. */
export type BridgeEvent = UiEvent | { readonly name: 'stream-restored' };

/** What the core tells of a document that it took: the id by which its transaction lists it. */
export interface SentDocument {
  readonly documentId: string;
}

/** A file as the core knows it: sent to it, or lying on its own computer. */
export type FileReference = CallInput<'validation.run'>['signature'];

/** Everything that the GUI may ask of its host. Nothing here throws: errors are values. */
export interface Bridge {
  /** A browser downloads results; the desktop knows where they are. */
  readonly host: 'browser' | 'desktop';
  /** What only the desktop can do; null in a browser. */
  readonly desktop: DesktopHost | null;
  /** The state now. */
  state(): BridgeState;
  /** The connection now. */
  connection(): Connection;
  /** Tells when `state` or `connection` changes; returns the way to stop listening. */
  onState(listener: () => void): () => void;
  /** One call of the table. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResult<CallOutput<Name>>>;
  /** What the core tells without being asked; returns the way to stop listening. */
  onEvent(listener: (event: BridgeEvent) => void): () => void;
  /**
   * Sends the next document of a transaction made with `sign.create`; `end` says that it is the last.
   * `onProgress` gets octets sent so far. An aborted upload answers `CANCELLED`.
   */
  sendDocument(
    tcn: string,
    file: File,
    end: boolean,
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<SentDocument>>;
  /** Makes a file known to the core, for a call that names it. `onProgress` gets octets sent so far. */
  giveFile(file: File, onProgress: (sent: number) => void, signal: AbortSignal): Promise<CallResult<FileReference>>;
  /** Address of a result for a download link. */
  resultUrl(tcn: string, documentId: string): string;
  /** Puts text on the clipboard; false when the host does not allow it. */
  copyText(text: string): Promise<boolean>;
  /** Tries the exchange of the key or the connection again at once. */
  retry(): void;
}
