import type { CallInput, CallName, CallOutput } from '../../ui-contract/ui-contract.ts';

/** A command's access to the core: the same calls as the window's. */
export interface CoreClient {
  /** True when another process runs the core: its memory outlives the command. */
  readonly remote: boolean;
  /** Rejects with `AppError` with the core's reason. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  close(): Promise<void>;
}

/** Where a command works, as its options say. */
export interface ClientOptions {
  readonly data?: string;
  readonly config?: string;
}
