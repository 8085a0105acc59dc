/** The helper's values, in this client's names. */

/** What is made: a bare CMS or CAdES around or beside any file, or a signature inside a PDF. */
export type SignatureType =
  'CMS-attached' | 'CMS-detached' | 'CAdES-attached' | 'CAdES-detached' | 'PDFSignature' | 'PAdES';

/** ETSI levels and ICP-Brasil policies, or the OID of one version of a policy. */
export type SignaturePolicy =
  'none' | 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | 'AD-RB' | 'AD-RT' | 'AD-RV' | 'AD-RC' | 'AD-RA' | (string & {});

/** The selected person of the helper. */
export interface SelectedUser {
  readonly name: string;
  /** CPF or CNPJ. */
  readonly username: string;
  /** Data URI of a thumbnail; empty if there is none. */
  readonly photo: string;
}

/** A certificate of the selected user. */
export interface UserCertificate {
  /** The value for the option `certificate`. */
  readonly alias: string;
  /** The certificate, PEM. */
  readonly pem: string;
  readonly source: 'token' | 'file';
  /** False if the token is not plugged in. */
  readonly present: boolean;
  /** All other fields, as the helper's interface describes them under `certificate` and `detail`. */
  readonly [field: string]: unknown;
}

/** A certificate of the selected user, in the few facts that a list for choosing needs. */
export interface CertificateSummary {
  /** The value for the option `certificate`. */
  readonly alias: string;
  /** Base64 of the SHA-256 of the certificate. */
  readonly thumbprint: string;
  /** Common names of the holder and of the issuer. */
  readonly subjectName: string;
  readonly issuerName: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** False if the token is not plugged in. */
  readonly present: boolean;
}

/** The common properties of signatures of hashes. */
export interface SignHashOptions {
  /** `RAW` (default): the bare signature. The others: a CMS or CAdES signature beside the document. */
  readonly format?: 'RAW' | 'CMS-detached' | 'CAdES-detached';
  /** For `CAdES-detached`. */
  readonly policy?: SignaturePolicy;
  /** Alias of a certificate; absent: the user's default certificate. */
  readonly certificate?: string;
  /** The function that made the hashes; default: `SHA256`. */
  readonly hashAlgorithm?: 'SHA256' | 'SHA384' | 'SHA512';
  /** For `RAW`; absent: the usual one of the key. ECDSA signatures are DER. */
  readonly signatureAlgorithm?: 'RSASSA-PKCS1-v1_5' | 'RSASSA-PSS' | 'ECDSA';
  /** Value of the `Authorization` header: `Bearer …`. Absent: the selected user signs, and is asked. */
  readonly authorization?: string;
  /** `approval`, `pin`: the user must act in the helper's window. */
  readonly onPhase?: (phase: 'approval' | 'pin' | 'signing') => void;
  readonly signal?: AbortSignal;
}

/** The result for a hash. */
export type SignedHash =
  | { readonly status: 'SIGNED'; readonly signature: Uint8Array<ArrayBuffer> }
  /** Why there is no signature: the helper's code, and an English sentence. */
  | { readonly status: 'ERROR'; readonly error: { readonly code: string; readonly detail: string } };

/** A hash with the name that the approval shows as the page's claim. */
export interface NamedHash {
  readonly hash: Uint8Array;
  readonly name?: string;
}

export interface SignOptions {
  readonly type: SignatureType;
  readonly policy?: SignaturePolicy;
  /** Alias of a certificate; absent: the user's default certificate. */
  readonly certificate?: string;
  readonly hash?: 'SHA256' | 'SHA384' | 'SHA512';
  /** `signature_settings` of the interface: reason, location, visible signature, … */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Repair damaged PDFs first. */
  readonly repair?: boolean;
  /** Value of the `Authorization` header: `Bearer …`. Absent: the selected user signs, and is asked. */
  readonly authorization?: string;
  readonly onProgress?: (progress: SignProgress) => void;
  readonly signal?: AbortSignal;
}

/** The progress of a signature. */
export interface SignProgress {
  /** `approval`, `pin`: the user must act in the helper's window. */
  readonly phase: 'uploading' | 'approval' | 'pin' | 'signing' | 'finished';
  /** Bytes sent so far, and the total. */
  readonly sent: number;
  readonly size: number;
  /** Documents signed, failed, and the total. */
  readonly signed: number;
  readonly failed: number;
  readonly documents: number;
}

/** The result for a file. */
export interface SignedFile {
  /** The given file. */
  readonly source: File;
  readonly status: 'SIGNED' | 'ERROR';
  /** Why there is no signature: the helper's code, and an English sentence. */
  readonly error?: { readonly code: string; readonly detail: string };
  /** Fetches the result: the signed document, or the signature. Rejects with `SineteError`. */
  download(): Promise<File>;
}

/** The verdict on a signature. It does not replace the official validation site. */
export interface Validation {
  /** Everything is in order. */
  readonly status: boolean;
  readonly detail: {
    readonly signature: ValidationDetail;
    readonly date: ValidationDetail;
    readonly crl: ValidationDetail;
    readonly trust: ValidationDetail & { readonly chain: string };
  };
  /** An entry for each signer: see the helper's interface. */
  readonly signatures: readonly Readonly<Record<string, unknown>>[];
}

export interface ValidationDetail {
  readonly status: boolean;
  readonly code: number;
  readonly message?: string;
}
