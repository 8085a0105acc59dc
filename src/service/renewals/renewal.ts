/** The types of renewals: a file that is kept valid, the outcome of a check, and the store of both. */
import type {
  PdfKeys,
  ProtectionEnd,
  StandardWarning,
  TimestampRole,
  ValidationCheckCode,
} from '../../signing/index.ts';

/**
 * - `renewed`, `due` (nothing may be changed), `not-due`.
 * - `content-missing`: a detached signature without its document; `file-missing`; `locked`: an encrypted PDF.
 * - `not-valid`: nothing that could be protected; `no-signature`.
 * - `failed`: due, and not renewed; the file is as it was.
 */
export type RenewalState =
  | 'renewed'
  | 'due'
  | 'not-due'
  | 'content-missing'
  | 'file-missing'
  | 'locked'
  | 'not-valid'
  | 'no-signature'
  | 'failed';

/** A time proven by a time-stamp authority. */
export interface Proof {
  readonly role: TimestampRole;
  readonly time: Date;
  readonly authority: string | null;
  readonly valid: boolean;
}

/** The proven facts about a signature. */
export interface ProvenSignature {
  /** The holder's name, without a number. */
  readonly signer: string | null;
  readonly levelProven: string | null;
  readonly provenTime: Date | null;
  readonly timestamps: readonly Proof[];
}

/** Why a file is not renewed, for a sentence in any language. */
export type RenewalCause =
  /** The first check of the validation that did not pass. */
  | { readonly kind: 'check'; readonly code: ValidationCheckCode }
  /** The code of an error; `server` is the id of the time-stamp server that was asked. */
  | { readonly kind: 'error'; readonly code: string; readonly server?: string | undefined }
  /** A new time stamp protects for no longer: the day of its end, or undefined for no protection. */
  | { readonly kind: 'shorter'; readonly until?: string | undefined; readonly server?: string | undefined }
  | { readonly kind: 'changed' }
  /** The evidence record beside the file was not renewed; the name of the record's file. */
  | { readonly kind: 'record'; readonly name: string };

/** The outcome of checking a file. */
export interface RenewalOutcome {
  readonly path: string;
  readonly state: RenewalState;
  /** An English sentence; empty if the state needs no explanation. */
  readonly detail: string;
  /** Absent if the state needs no explanation, and in outcomes that earlier versions stored. */
  readonly causes?: readonly RenewalCause[];
  /** Lower-case hex of the file as it is now; null for a file that cannot be read. */
  readonly sha256: string | null;
  /** Bytes; only for a renewed file. */
  readonly size?: number;
  /** Only for a renewed file. */
  readonly sha256Before?: string;
  /** Effects of a renewal on the standards that a PDF claims; absent if there are none. */
  readonly warnings?: readonly StandardWarning[];
  /** The earliest end of protection among the signatures; null if nothing is protected. */
  readonly protectedUntil: Date | null;
  readonly protectedUntilBefore?: Date | null;
  /** The certificate or the algorithm that ends first. */
  readonly endsBy: Pick<ProtectionEnd, 'cause' | 'name'> | null;
  readonly signatures: readonly ProvenSignature[];
  readonly documentTimestamps: readonly Proof[];
}

/** Options for checking a file. */
export interface RenewalOptions extends PdfKeys {
  /** Milliseconds before the end of protection from which a file is due. */
  readonly within: number;
  /** True: nothing is changed, and a due file is reported as `due`. */
  readonly dryRun: boolean;
  /** The id of the only time-stamp server to ask; absent: all configured servers in their order. */
  readonly server?: string;
}

/** A file that is kept valid. */
export interface KeptFile {
  readonly path: string;
  /** `history`: signed by Sinete; `folder`: found in a folder that a person named. */
  readonly origin: 'history' | 'folder';
  /** Null before the first check. */
  readonly outcome: RenewalOutcome | null;
  readonly checkedAt: Date | null;
  /** The time of the next check. */
  readonly nextAt: Date;
  /** When the file was last renewed. */
  readonly renewedAt: Date | null;
  /** The time since which checks have failed. */
  readonly troubledSince: Date | null;
  /** SHA-256 of the renewed file that is about to replace the old one. */
  readonly replacement: string | null;
}

/** A page of the list: files in trouble first, then by the end of their protection. */
export interface KeptPage {
  readonly total: number;
  readonly files: readonly KeptFile[];
}

/** A file, and the extended file that replaces it in History. */
export interface ExtendedFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  readonly sha256Before: string;
  readonly warnings: readonly StandardWarning[];
}

/** The stored files; every method is one commit. */
export interface RenewalStore {
  /** Adds files, by default those of a folder; known files stay unchanged. */
  addFiles(paths: readonly string[], next: Date, origin?: KeptFile['origin']): Promise<void>;
  /** Adds the files of History that have a time stamp and are not known yet. */
  addHistory(next: Date): Promise<void>;
  find(path: string): Promise<KeptFile | undefined>;
  /** Files whose next check is due, the oldest first. A file with a pending level waits for its extension. */
  due(now: Date, limit: number): Promise<readonly KeptFile[]>;
  /** The earliest time of a next check; undefined without files. */
  nextAt(): Promise<Date | undefined>;
  list(page: { readonly offset: number; readonly limit: number }): Promise<KeptPage>;
  counts(): Promise<Readonly<Partial<Record<RenewalState | 'new', number>>>>;
  /** Records the renewed file before it replaces the old one. The next check comes soon, unless `finish` is called. */
  noteReplacement(path: string, sha256: string): Promise<void>;
  /** Replaces the path and the checksum of a file's documents in History by those of the extended file. */
  noteExtension(
    before: string,
    extended: ExtendedFile,
    times: Pick<FinishTimes, 'checkedAt' | 'nextAt'>,
  ): Promise<void>;
  /** Stores an outcome; a renewed file of History gets its new checksum in the same commit. */
  finish(path: string, outcome: RenewalOutcome, times: FinishTimes): Promise<void>;
  /** Stops keeping a file valid. */
  forget(path: string): Promise<void>;
  /** Removes the files inside of a folder that are not kept for another reason. */
  forgetFolder(isInside: (path: string) => boolean): Promise<void>;
}

export interface FinishTimes {
  readonly checkedAt: Date;
  readonly nextAt: Date;
  readonly troubledSince: Date | null;
}

type Stored<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Stored<Value[Key]> }
    : Value;

/** Restores an outcome from its JSON text. */
export function reviveOutcome(stored: Stored<RenewalOutcome>): RenewalOutcome {
  const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
  const proofsOf = (proofs: Stored<readonly Proof[]>): readonly Proof[] =>
    proofs.map((proof) => ({ ...proof, time: new Date(proof.time) }));
  const { protectedUntilBefore, signatures, documentTimestamps, protectedUntil, ...plain } = stored;
  return {
    ...plain,
    protectedUntil: dateOf(protectedUntil),
    ...(protectedUntilBefore === undefined ? {} : { protectedUntilBefore: dateOf(protectedUntilBefore) }),
    signatures: signatures.map((signature) => ({
      ...signature,
      provenTime: dateOf(signature.provenTime),
      timestamps: proofsOf(signature.timestamps),
    })),
    documentTimestamps: proofsOf(documentTimestamps),
  };
}
