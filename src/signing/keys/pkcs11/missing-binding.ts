/** What a person is told where the package that calls drivers is missing. */
import { BINDING_NAMES, type BindingName } from './cryptoki/cryptoki.ts';
import type { HostFailure } from './protocol.ts';

/** Which package is missing, and how to get it. */
export interface MissingBinding {
  /** A sentence. */
  readonly problem: string;
  /** A sentence. */
  readonly remedy: string;
}

const SYSTEM = `${process.platform}-${process.arch}`;
const PKCS11JS = 'pkcs11js@2.1.7';

/** By package: it is not installed; it has nothing to run on this system. */
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

/** The words for a failure of the kind `binding`. */
export function missingBindingWords({ name, detail }: HostFailure): MissingBinding {
  const binding = BINDING_NAMES.find((one) => one === name) ?? 'koffi';
  return MISSING[binding][detail === 'not-installed' ? detail : 'no-binary'];
}
