import type { Readable } from 'node:stream';
import type { CallInput, CallName, CallOutput } from '../../ui-contract/ui-contract.ts';

/** A file that the command itself opens. */
export interface SentFile {
  readonly path: string;
  /** The name that the core receives. */
  readonly name: string;
}

/** A command's access to the core: the same calls as the window's. */
export interface CoreClient {
  /** True when another process runs the core, whose memory outlives the command. */
  readonly remote: boolean;
  /** Rejects with `AppError` with the core's reason. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  /** Adds the bytes of a file to a transaction; `end` is true for the last file. Rejects with `AppError`. */
  sendDocument(tcn: string, file: SentFile, end: boolean): Promise<void>;
  /** Uploads a file for a later call, which refers to the file by the answered name. Rejects with `AppError`. */
  giveFile(file: SentFile): Promise<{ readonly upload: string }>;
  /** The bytes of a signed document. Rejects with `AppError`. */
  readResult(tcn: string, documentId: string): Promise<Readable>;
  close(): Promise<void>;
}

/** Options that choose the data folder and the configuration. */
export interface ClientOptions {
  readonly data?: string;
  readonly config?: string;
}
