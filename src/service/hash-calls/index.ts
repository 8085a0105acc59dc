/** Signatures of hashes for the interfaces of other protocols, and the people whom an application may find. */
export { createHashCalls, type HashCallParts } from './create-hash-calls.ts';
export type {
  ApplicationPerson,
  AskedHash,
  HashCall,
  HashCalls,
  HashCallStore,
  HashSignatures,
  KeptCall,
  PersonSearch,
  SigningCertificate,
} from './hash-calls.ts';
