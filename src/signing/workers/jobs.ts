import type { AnchorMarks } from '../certificates/trust/trust-anchors.ts';
import { SigningError, type SigningErrorCode } from '../errors.ts';
import type { MaterialTerms } from '../revocation/revocation-result.ts';
import type { CmsSigner } from '../cms/cms-signer.ts';
import type { LevelServices } from '../cms/levels/cms-level.ts';
import type { RaiseCmsFileResult } from '../cms/raise-cms.ts';
import type { ExtendCmsFileRequest } from '../evidence-records/index.ts';
import type { SigningDigest, TimestampDigest } from '../keys/signer.ts';
import type { HttpRequest, HttpResponse } from '../http-client.ts';
import type { Pkcs12Contents } from '../keys/read-pkcs12.ts';
import type { PdfLevel, PdfLevelOptions } from '../pdf/long-term/level.ts';
import type { RaisePdfRequest, RaisePdfResult } from '../pdf/long-term/raise-pdf.ts';
import type { StampDrawing } from '../pdf/appearance/stamp-painter.ts';
import type { PdfKeys } from '../pdf/encryption/standard-security.ts';
import type { PdfExamination } from '../pdf/reading/active-content.ts';
import type { RepairPdfRequest, RepairPdfResult } from '../pdf/repair/repair-pdf.ts';
import type { RevocationCacheEntry, RevocationCacheKey } from '../revocation/cache/revocation-cache.ts';
import type { PdfInput } from '../validation/validate-pdf.ts';
import type { ValidationReport } from '../validation/validation-report.ts';
import type { SignatureInput, ValidationOptions } from '../validation/validation-request.ts';
import type { SignPdfRequest, SignPdfResult } from '../pdf/sign-request.ts';

/**
 * Converts an error to plain data for another thread. Unknown errors lose their text, because the text may quote the
 * document.
 */
export function toJobError(error: unknown): JobError {
  if (error instanceof SigningError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.name : 'unknown';
  const system = systemErrorOf(error);
  return { code: 'UNEXPECTED', message, system };
}

/** The first error of the operating system among the error and its causes. Callers decide by its code. */
function systemErrorOf(error: unknown): JobError['system'] {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (!('code' in one) || typeof one.code !== 'string' || !/^E[A-Z0-9]+$/.test(one.code)) continue;
    return { code: one.code, syscall: 'syscall' in one && typeof one.syscall === 'string' ? one.syscall : 'unknown' };
  }
  return undefined;
}

/** Rebuilds the error on the receiving thread. */
export function fromJobError({ code, message, system }: JobError): Error {
  if (system !== undefined) return Object.assign(new Error(`${system.syscall} failed: ${system.code}`), system);
  if (code === 'UNEXPECTED') return new Error(`A worker failed unexpectedly: ${message}.`);
  return new SigningError(code, message);
}

/** The error of a job that exceeded its limits. */
export const limitExceeded = (what: string): JobError => ({
  code: 'LIMIT_EXCEEDED',
  message: `Reading the file was stopped, because it took ${what}.`,
});

/**
 * The jobs of a worker: everything that reads hostile files. Requests and results are plain data, because both are
 * cloned. The signer stays with the caller: the worker asks for each signature.
 */
export interface Jobs {
  readonly 'sign-pdf': {
    readonly request: Omit<SignPdfRequest, 'signer' | 'signal'> & {
      readonly signer: SignerTraits;
      readonly level?: LevelTraits;
    };
    readonly result: SignPdfResult;
  };
  readonly 'raise-pdf': {
    readonly request: Omit<RaisePdfRequest, keyof PdfLevelOptions | 'signal'> & { readonly level: LevelTraits };
    readonly result: RaisePdfResult;
  };
  readonly 'raise-cms': {
    readonly request: Omit<ExtendCmsFileRequest, Exclude<keyof LevelServices, 'olderEvidence'>> & {
      readonly timestamper: StamperTraits;
    };
    readonly result: RaiseCmsFileResult;
  };
  readonly 'repair-pdf': {
    readonly request: Omit<RepairPdfRequest, 'signal'>;
    readonly result: RepairPdfResult;
  };
  readonly 'examine-pdf': {
    readonly request: PdfKeys & { readonly path: string };
    readonly result: PdfExamination;
  };
  readonly 'draw-stamp': { readonly request: StampDrawing; readonly result: Uint8Array };
  readonly 'read-pkcs12': {
    readonly request: { readonly file: Uint8Array; readonly password: string };
    readonly result: Pkcs12Contents;
  };
  readonly validate: {
    readonly request: ValidationTraits;
    readonly result: ValidationReport;
  };
}

export type JobName = keyof Jobs;

/** The properties of the caller's signer needed by the worker. */
export type SignerTraits = Pick<CmsSigner, 'digest' | 'certificate' | 'detachedSizeLimit'>;

/** The properties of a PDF's level needed by the worker. Time stamps and evidence come from the caller. */
export interface LevelTraits extends Pick<PdfLevelOptions, 'policyArtifacts' | 'olderEvidence'> {
  readonly level: PdfLevel;
  readonly timestamper: StamperTraits;
}

/** The caller's timestamper, in its state after the last time stamp. */
export interface StamperTraits {
  readonly digest: TimestampDigest;
  readonly sizeLimit: number;
}

/** The properties of a validation needed by the worker. The caller keeps the network and the cache. */
export interface ValidationTraits extends Pick<ValidationOptions, 'algorithms' | 'unknownPolicy'> {
  readonly input:
    PdfInput | (Omit<SignatureInput, 'content'> & { readonly content?: Uint8Array | { readonly path: string } });
  /** DER. */
  readonly anchors: readonly Uint8Array[];
  /** DER. */
  readonly intermediates: readonly Uint8Array[];
  /** DER of refused authorities. */
  readonly refused: readonly Uint8Array[];
  readonly marks: AnchorMarks;
  readonly at: Date;
  /** The caller's clock. */
  readonly now: Date;
  readonly hasNetwork: boolean;
  readonly hasCache: boolean;
  /** Bytes of the input: its budget depends on them. */
  readonly size: number;
}

/** A worker's question to its caller. */
export type Question = SignDigestQuestion | StampQuestion | CollectQuestion | ValidationQuestion;

/** A validation's question: an exchange with the network, or an access to the cache. */
export type ValidationQuestion =
  | { readonly kind: 'fetch'; readonly request: Omit<HttpRequest, 'signal'> }
  | { readonly kind: 'cache-get'; readonly key: RevocationCacheKey }
  | { readonly kind: 'cache-put'; readonly key: RevocationCacheKey; readonly entry: RevocationCacheEntry };

export interface StampQuestion {
  readonly kind: 'stamp';
  readonly imprint: Uint8Array;
  /** The hash function of the imprint; by default the timestamper's. */
  readonly digest?: TimestampDigest;
}

/** Certificates are DER. */
export interface CollectQuestion {
  readonly kind: 'collect';
  readonly certificate: Uint8Array;
  readonly known: readonly Uint8Array[];
  readonly at: Date;
  readonly terms: MaterialTerms | undefined;
}

/** The answer to each question. */
export interface Answers {
  readonly 'sign-digest': Uint8Array;
  /** DER of the token, and the largest length of the next token. */
  readonly stamp: { readonly token: Uint8Array; readonly sizeLimit: number };
  /** DER of each part of `ValidationMaterial`. */
  readonly collect: {
    readonly certificates: readonly Uint8Array[];
    readonly ocspResponses: readonly Uint8Array[];
    readonly crls: readonly Uint8Array[];
  };
  readonly fetch: HttpResponse;
  readonly 'cache-get': RevocationCacheEntry | undefined;
  readonly 'cache-put': undefined;
}

export type Answer = Answers[keyof Answers];

export interface SignDigestQuestion {
  readonly kind: 'sign-digest';
  readonly digest: Uint8Array;
  readonly signingTime: Date;
  readonly digestAlgorithm: SigningDigest;
}

/** An error on its way between threads: code and sentence, no stack. */
export interface JobError {
  readonly code: SigningErrorCode | 'UNEXPECTED';
  readonly message: string;
  /** The failed call of the operating system, for `UNEXPECTED`. No path: it may name a document. */
  readonly system?: { readonly code: string; readonly syscall: string };
}

export type Outcome<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: JobError };

/** Caller → worker. A single job at a time; `answer` belongs to the open question. */
export type ToWorker =
  | {
      readonly [Name in JobName]: {
        readonly kind: 'job';
        readonly name: Name;
        readonly request: Jobs[Name]['request'];
      };
    }[JobName]
  | { readonly kind: 'answer'; readonly outcome: Outcome<Answer> }
  | { readonly kind: 'abort' };

/** Worker → caller. `ready` comes once, when the program has been loaded: from then on time counts. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'question'; readonly question: Question }
  /** `memory`: bytes of the thread's heap and of its buffers after the job. */
  | { readonly kind: 'done'; readonly outcome: Outcome<unknown>; readonly memory: number };
