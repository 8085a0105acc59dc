import { normalizeTaxpayerNumber } from '../../signing/index.ts';
import { discoverPerson, slotOf, type SearchParts } from './find-people.ts';
import type { HashCalls } from './hash-calls.ts';
import { signHashes, type SigningParts } from './sign-hashes.ts';

/** Services for signatures of hashes through the interfaces of other protocols. */
export interface HashCallParts extends SigningParts, SearchParts {
  /** Most hashes that a person can permit with one token; 0: none. */
  readonly most: number;
}

/** Signs hashes with tokens, and finds the people of applications. */
export function createHashCalls(parts: HashCallParts): HashCalls {
  const { store, most, certificates } = parts;
  return {
    most,
    sign: (call, signal) => signHashes(parts, call, signal),
    certificates: (username) => certificates(username),
    noteAuthorized: (clientId, username) =>
      slotOf(store, { clientId, username: normalizeTaxpayerNumber(username), isAuthorized: true }),
    discover: (search) => discoverPerson(parts, search),
    personOfSlot: async (clientId, slot) => (await store.findSlot(clientId, slot))?.username,
  };
}
