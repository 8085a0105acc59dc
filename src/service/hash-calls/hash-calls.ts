import type { DigestAlgorithm } from '../../signing/index.ts';
import type { SignaturePolicy, SignatureRequest } from '../../request/signature-request.ts';
import type { AccessGrant, Authority } from '../authorization/index.ts';
import type { CallingRequester, Door } from '../transactions/index.ts';

/** A hash to sign, as a caller of another protocol sends it. */
export interface AskedHash {
  /** Hexadecimal, base64 or the base64 of URLs. */
  readonly text: string;
  readonly digest: DigestAlgorithm;
  readonly type: 'RAW' | 'CMS-detached' | 'CAdES-detached';
  readonly policy: SignaturePolicy;
  /** The caller's name for the document. */
  readonly name?: string;
}

/** A call that signs hashes with a token. */
export interface HashCall {
  readonly door: Door;
  readonly requester: CallingRequester;
  /** The token that permits the signatures, and the authority of its bearer. */
  readonly grant: AccessGrant;
  readonly authority: Authority;
  /** Absent: the person's only certificate. */
  readonly certificateAlias?: string;
  readonly hashes: readonly AskedHash[];
  readonly signatureAlgorithm?: SignatureRequest['signatureAlgorithm'];
}

/** The signatures of a call, in the order of its hashes. */
export interface HashSignatures {
  readonly certificateAlias: string;
  /** Base64 of bare signatures, or of the DER of a CMS. */
  readonly signatures: readonly string[];
}

/** A certificate with a key here, for programs that make the signature's container themselves. */
export interface SigningCertificate {
  readonly alias: string;
  /** Lower-case hex SHA-256. */
  readonly fingerprint: string;
  /** DER of the certificate, and of its issuers as far as they are known. */
  readonly certificate: Buffer;
  readonly chain: readonly Buffer[];
}

/** A person whom an application may find. */
export interface ApplicationPerson {
  /** Names the person to the application alone, and tells nothing about the person. */
  readonly slot: string;
  readonly clientId: string;
  readonly username: string;
  /** True if the person once authorized the application. */
  readonly isAuthorized: boolean;
}

/** The state of a call that was recorded for its token. */
export interface KeptCall {
  /** Number of transactions of the call that failed. */
  readonly attempt: number;
  /** The sealed signatures; absent: not signed yet. */
  readonly sealed?: Buffer;
}

/** Stores calls and the people of applications. Rejects with `ServiceError` `STORAGE_UNAVAILABLE`. */
export interface HashCallStore {
  /** Undefined: the token made no such call. */
  find(tokenId: string, call: string): Promise<KeptCall | undefined>;
  keep(tokenId: string, call: string, change: KeptCall): Promise<void>;
  /** Adds a person, unless the application knows the person already. A person who authorized it stays so. */
  addPerson(person: ApplicationPerson): Promise<void>;
  findPerson(clientId: string, username: string): Promise<ApplicationPerson | undefined>;
  findSlot(clientId: string, slot: string): Promise<ApplicationPerson | undefined>;
}

/** Signatures of hashes for the interfaces of other protocols. */
export interface HashCalls {
  /** Most hashes that a person can permit with one token; 0: none. */
  readonly most: number;
  /**
   * Signs the hashes, waiting for the person as long as needed, at most two minutes. The same call with the same token
   * answers the same signatures. Rejects with `NOT_SIGNED_YET` when the person has not decided yet, with
   * `APPROVAL_REFUSED`, `INVALID_CREDENTIALS` (the token is spent), `SCOPE_NOT_ALLOWED`, `REQUEST_INVALID`, and as
   * `Transactions.create` does.
   */
  sign(call: HashCall, signal?: AbortSignal): Promise<HashSignatures>;
  /** The certificates of a person with keys here. */
  certificates(username: string): Promise<readonly SigningCertificate[]>;
  /** Remembers that a person authorized an application; answers the person's slot. */
  noteAuthorized(clientId: string, username: string): Promise<string>;
  /**
   * The slot of a person whom the application may find: one who once authorized it, or `selected`, the selected user
   * where the application runs on this computer. Undefined for everybody else. `TOO_MANY_ATTEMPTS` after 20 searches in a minute.
   */
  discover(search: PersonSearch): Promise<string | undefined>;
  /** The person whom a slot names to the application. */
  personOfSlot(clientId: string, slot: string): Promise<string | undefined>;
}

/** A search of an application for a person. */
export interface PersonSearch {
  readonly clientId: string;
  /** CPF or CNPJ. */
  readonly username: string;
  readonly selected: string | undefined;
}
