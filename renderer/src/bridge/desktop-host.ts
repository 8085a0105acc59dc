import type {
  DesktopCallInput,
  DesktopCallName,
  DesktopCallOutput,
  DesktopPreload,
} from '../../../src/ui-contract/desktop-contract.ts';
import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';

declare global {
  interface Window {
    /** Put here by the desktop's preload script; absent in a browser. */
    readonly sinete?: DesktopPreload;
  }
}

/** What only the desktop can do for a page; a page in a browser has none. Nothing here throws. */
export interface DesktopHost {
  /** One call of the shell's own table. */
  call<Name extends DesktopCallName>(
    name: Name,
    input: DesktopCallInput<Name>,
  ): Promise<CallResult<DesktopCallOutput<Name>>>;
  /** Absolute path of a file that was chosen or dropped, for `sign.paths`; null for one that lies in no folder. */
  pathOf(file: File): string | null;
  /** Tells when `desktop.read` answers something else; returns the way to stop listening. */
  onChange(listener: () => void): () => void;
}
