/** Messages for the user when koffi, the package that calls drivers, is missing. */
import type { HostFailure } from './protocol.ts';

/** What is missing, and the way to install the package. */
export interface MissingBinding {
  /** A sentence about the problem. */
  readonly problem: string;
  /** A sentence about the remedy. */
  readonly remedy: string;
}

const SYSTEM = `${process.platform}-${process.arch}`;

const MISSING: Readonly<Record<'not-installed' | 'no-binary', MissingBinding>> = {
  'not-installed': {
    problem: 'Tokens cannot be used: the package koffi, which calls their drivers, is not installed.',
    remedy: 'Run "npm ci" in the folder of Sinete, or install the application again.',
  },
  'no-binary': {
    problem: `Tokens cannot be used: the package koffi has no binary for ${SYSTEM} here.`,
    remedy: `Run "npm ci --include=optional" in the folder of Sinete, which installs @koromix/koffi-${SYSTEM} where that package exists.`,
  },
};

/** The message for a failure of the kind `binding`. */
export function missingBindingWords({ detail }: HostFailure): MissingBinding {
  return MISSING[detail === 'not-installed' ? detail : 'no-binary'];
}
