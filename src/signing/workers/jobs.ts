import type { CmsSigner } from '../cms/cms-signer.ts';
import type { DigestAlgorithm, SigningDigest } from '../keys/signer.ts';
import type { SigningErrorCode } from '../errors.ts';
import type { Pkcs12Contents } from '../keys/read-pkcs12.ts';
import type { PdfLevel, PdfLevelOptions } from '../pdf/long-term/level.ts';
import type { RepairPdfRequest, RepairPdfResult } from '../pdf/repair/repair-pdf.ts';
import type { SignPdfRequest, SignPdfResult } from '../pdf/sign-request.ts';

/**
 * What a worker can do: the jobs that read files of strangers. Requests and results are plain data, because they are
 * cloned on their way. A signer stays with the caller: the worker asks for each signature.
 */
export interface Jobs {
  readonly 'sign-pdf': {
    readonly request: Omit<SignPdfRequest, 'signer' | 'signal'> & {
      readonly signer: SignerTraits;
      readonly level?: LevelTraits;
    };
    readonly result: SignPdfResult;
  };
  readonly 'repair-pdf': {
    readonly request: Omit<RepairPdfRequest, 'signal'>;
    readonly result: RepairPdfResult;
  };
  readonly 'read-pkcs12': {
    readonly request: { readonly file: Uint8Array; readonly password: string };
    readonly result: Pkcs12Contents;
  };
}

export type JobName = keyof Jobs;

/** What a worker must know of the signer that it does not have. */
export type SignerTraits = Pick<CmsSigner, 'digest' | 'certificate' | 'detachedSizeLimit'>;

/** What a worker must know of the level that a PDF is brought to; stamps and evidence stay with the caller. */
export interface LevelTraits extends Pick<PdfLevelOptions, 'policyArtifacts'> {
  readonly level: PdfLevel;
  readonly timestamper: StamperTraits;
}

/** As of its last time stamp. */
export interface StamperTraits {
  readonly digest: DigestAlgorithm;
  readonly sizeLimit: number;
}

/** What the worker asks of its caller. */
export type Question = SignDigestQuestion | StampQuestion | CollectQuestion;

export interface StampQuestion {
  readonly kind: 'stamp';
  readonly imprint: Uint8Array;
}

/** Certificates are DER. */
export interface CollectQuestion {
  readonly kind: 'collect';
  readonly certificate: Uint8Array;
  readonly known: readonly Uint8Array[];
  readonly at: Date;
}

/** What each question is answered with. */
export interface Answers {
  readonly 'sign-digest': Uint8Array;
  /** DER of the token, and how long the next one may be. */
  readonly stamp: { readonly token: Uint8Array; readonly sizeLimit: number };
  /** DER of each part of `ValidationMaterial`. */
  readonly collect: {
    readonly certificates: readonly Uint8Array[];
    readonly ocspResponses: readonly Uint8Array[];
    readonly crls: readonly Uint8Array[];
  };
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
}

export type Outcome<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: JobError };

/** Caller → worker. One job at a time; `answer` belongs to the question that is open. */
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
  | { readonly kind: 'done'; readonly outcome: Outcome<unknown> };
