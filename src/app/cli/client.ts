import type { CallInput, CallName, CallOutput } from '../../ui-contract/ui-contract.ts';

/** What a command of the command line asks the core through: the same calls as the GUI's. */
export interface CoreClient {
  /** True when another process runs the core: what it keeps in memory stays there. */
  readonly remote: boolean;
  /** Rejects with `AppError` that says what the core refused. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  close(): Promise<void>;
}

/** Where a command works, as its options say. */
export interface ClientOptions {
  readonly data?: string;
  readonly config?: string;
}
