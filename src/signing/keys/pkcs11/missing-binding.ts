/** Messages for the user when the package that calls drivers is missing. */
import { BINDING_NAMES, type BindingName } from './cryptoki/cryptoki.ts';
import type { HostFailure } from './protocol.ts';

/** The missing package, and the way to install the package. */
export interface MissingBinding {
  /** A sentence about the problem. */
  readonly problem: string;
  /** A sentence about the remedy. */
  readonly remedy: string;
}

const SYSTEM = `${process.platform}-${process.arch}`;
const PKCS11JS = 'pkcs11js@2.1.7';

/** Messages by package: not installed, or without a binary for this system. */
const MISSING: Readonly<Record<BindingName, Readonly<Record<'not-installed' | 'no-binary', MissingBinding>>>> = {
  koffi: {
    'not-installed': {
      problem: 'Tokens cannot be used: the package koffi, which calls their drivers, is not installed.',
      remedy: 'Run "npm ci" in the folder of Sinete, or install the application again.',
    },
    'no-binary': {
      problem: `Tokens cannot be used: the package koffi has no binary for ${SYSTEM} here.`,
      remedy: `Run "npm ci --include=optional" in the folder of Sinete, which installs @koromix/koffi-${SYSTEM}. Where that package does not exist, install ${PKCS11JS} and set modules.binding = "pkcs11js".`,
    },
  },
  pkcs11js: {
    'not-installed': {
      problem: 'Tokens cannot be used: the package pkcs11js, which modules.binding names, is not installed.',
      remedy: `Run "npm install --no-save ${PKCS11JS}" in the folder of Sinete, or set modules.binding = "koffi".`,
    },
    'no-binary': {
      problem: 'Tokens cannot be used: the package pkcs11js, which modules.binding names, was not compiled.',
      remedy: 'Run "npm rebuild pkcs11js", which needs a compiler, make and Python, or set modules.binding = "koffi".',
    },
  },
};

/** The message for a failure of the kind `binding`. */
export function missingBindingWords({ name, detail }: HostFailure): MissingBinding {
  const binding = BINDING_NAMES.find((one) => one === name) ?? 'koffi';
  return MISSING[binding][detail === 'not-installed' ? detail : 'no-binary'];
}
