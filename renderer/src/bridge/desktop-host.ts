import type {
  DesktopCallInput,
  DesktopCallName,
  DesktopCallOutput,
  DesktopPreload,
} from '../../../src/ui-contract/desktop-contract.ts';
import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';

declare global {
  interface Window {
    /** Set by the desktop's preload script; absent in a browser. */
    readonly sinete?: DesktopPreload;
  }
}

/** The desktop's own functions for a page; a browser has none. Nothing here throws. */
export interface DesktopHost {
  /** A call of the shell's own table. */
  call<Name extends DesktopCallName>(
    name: Name,
    input: DesktopCallInput<Name>,
  ): Promise<CallResult<DesktopCallOutput<Name>>>;
  /** Absolute path of a chosen or dropped file, for `sign.paths`; null for a file without a folder. */
  pathOf(file: File): string | null;
  /** Calls `listener` when the answer of `desktop.read` changes; returns the function that stops listening. */
  onChange(listener: () => void): () => void;
}
