import { open } from 'node:fs/promises';
import {
  type PdfKeys,
  SigningError,
  type SigningErrorCode,
  type ValidationCheck,
  type ValidationReport,
} from '../../signing/index.ts';
import { ServiceError, toServiceError } from '../errors/index.ts';
import { detectKindOf, KIND_HEAD, kindNames, type DetectedFile, type FileKind } from '../../values/file-kind.ts';
import { findOtherFormat, isZipHead, refuseFormat } from './other-formats.ts';

/** Files to validate, by their paths. The files may be hostile. */
export interface ValidationRequest extends PdfKeys {
  /** `detect` decides by the first bytes. `timestamp` is a time-stamp token or a response of a server. */
  readonly kind: 'cms' | 'pdf' | 'timestamp' | 'detect';
  /** The signature, or the signed PDF. */
  readonly signaturePath: string;
  /** Content of a detached signature. Ignored for PDFs. */
  readonly contentPath?: string;
  /** Files with evidence records (RFC 4998) over the signed file. */
  readonly recordPaths?: readonly string[];
  /** Uses only data from the signature and the cache, and fetches nothing. */
  readonly offline?: boolean;
  /** Validates as of this time; by default now. */
  readonly at?: Date;
  readonly signal?: AbortSignal;
}

/** One validation, ready to run. */
export interface ValidationJob extends Omit<ValidationRequest, 'kind' | 'offline'> {
  readonly kind: 'cms' | 'pdf';
  readonly offline: boolean;
}

/** Services of a validator. */
export interface ValidatorParts {
  /** Validates in a worker, with trust anchors, cache and network. Rejects with `SigningError`. */
  readonly run: (job: ValidationJob) => Promise<ValidationReport>;
}

/** Validates signatures. */
export interface Validator {
  /**
   * Resolves to a report for any verdict, also when a limit stopped the validation (`LIMIT_REACHED`). Rejects with
   * `NOT_A_SIGNATURE` for a file without signatures, `TYPE_NOT_SUPPORTED` for XAdES, JAdES and ASiC,
   * `DOCUMENT_UNREADABLE` for a missing file, `DOCUMENT_ENCRYPTED` or `PASSWORD_INCORRECT`.
   */
  validate(request: ValidationRequest): Promise<ValidationReport>;
}

/** Bytes read from the end of a ZIP archive, enough for the directory of a signature container and a comment. */
const directoryLength = 256 * 1024;

export function createValidator({ run }: ValidatorParts): Validator {
  return {
    async validate({ kind: wanted, offline = false, ...files }) {
      const file = await detectKind(files.signaturePath);
      const found = file.kind === 'pdf' && file.form === 'none' ? 'pdf' : 'cms';
      if (wanted !== 'detect' && (wanted === 'pdf') !== (found === 'pdf')) throw otherKind(found, file);
      const report = await run({ ...withoutNeedless(files, found), kind: found, offline }).catch((error: unknown) => {
        throw asRefusal(error, file);
      });
      // A stopped validation may not have found the signatures, so the checks below would be wrong.
      if (report.checks.some(({ code }) => code === 'LIMIT_REACHED')) return report;
      if (wanted === 'timestamp' && report.kind !== 'timestamp' && report.kind !== 'evidence-record') {
        throw notASignature('This is a signature, not a time stamp: send it with the type CMS or CAdES.');
      }
      const hasTrace = report.checks.some(({ code }) => TRACES.has(code));
      if (hasTrace || report.signatures.length + report.documentTimestamps.length > 0) return report;
      const noted = report.checks.filter(({ code }) => code === 'PDF_USAGE_RIGHTS' || code === 'PDF_FIELD_NOT_LISTED');
      const what = found === 'pdf' ? 'The PDF carries no signature.' : 'The file carries no signature.';
      throw notASignature([what, ...noted.map(({ sentence }) => sentence)].join(' '));
    },
  };
}

/** Findings that reveal a signature in a file whose last complete revision has none. */
const TRACES: ReadonlySet<ValidationCheck['code']> = new Set(['PDF_SIGNATURE_REMOVED', 'PDF_INCOMPLETE']);

/** Removes the inputs that the kind of file does not use: `contentPath` for a PDF, password and key for other files. */
function withoutNeedless(
  { contentPath, password, recipient, ...files }: Omit<ValidationJob, 'kind' | 'offline'>,
  kind: ValidationJob['kind'],
): Omit<ValidationJob, 'kind' | 'offline'> {
  if (kind === 'pdf') return { ...files, password, recipient };
  return { ...files, contentPath };
}

/** Throws `TYPE_NOT_SUPPORTED` for a format that Sinete does not validate. */
async function detectKind(path: string): Promise<DetectedFile> {
  const file = await open(path).catch((error: unknown) => {
    throw toServiceError(error);
  });
  const read = async (length: number, position: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const head = await read(KIND_HEAD, 0);
    const { size } = await file.stat();
    // The names in a ZIP archive stand at its end.
    const endLength = isZipHead(head) ? Math.min(size, directoryLength) : 0;
    const other = findOtherFormat(head, await read(endLength, size - endLength));
    if (other !== undefined) throw refuseFormat(other);
    return await detectKindOf(async (length) => read(length, 0));
  } catch (error) {
    throw toServiceError(error);
  } finally {
    await file.close();
  }
}

function otherKind(found: ValidationJob['kind'], { kind, form }: DetectedFile): ServiceError {
  if (found === 'pdf') return notASignature('This is a PDF: send it with the type PDF or PAdES.');
  const isKnown = kind === 'cms' || kind === 'other' || kind === 'text';
  const remedy = 'send a CMS or CAdES signature with the type CMS or CAdES.';
  return notASignature(isKnown ? `This is not a PDF: ${remedy}` : whatItIs({ kind, form }, 'a PDF'));
}

function notASignature(message: string, cause?: unknown): ServiceError {
  return new ServiceError('NOT_A_SIGNATURE', message, { cause });
}

/** What to do with a file that is no signature. */
const remedies: Readonly<Partial<Record<FileKind, string>>> = {
  empty: 'Copy or download the file again.',
  html: 'Perhaps a page was saved instead of the file: download the file again.',
  pkcs12: 'Keep it secret: it holds a private key. Choose the signed file.',
  'private-key': 'Keep it secret. Choose the signed file.',
  'java-key-store': 'Keep it secret: it holds private keys. Choose the signed file.',
  zip: 'Unpack it, and choose the signed file in it.',
};

/** One sentence about the file and one about the remedy. */
function whatItIs({ kind, form }: DetectedFile, wanted: string): string {
  if (kind === 'pdf' && form !== 'none')
    return 'This is a PDF written as base64 text. Decode it, and validate the PDF.';
  return `This is ${kindNames[kind]}, and not ${wanted}. ${remedies[kind] ?? 'Choose the signed file.'}`;
}

const DAMAGED_CMS = 'This CMS signature is damaged beyond reading. Get the file again from where it came.';
const NOT_CMS = 'This is not a CMS signature, or it is damaged beyond reading.';

/** Sentences for kinds that may be a signature after all. */
const perhapsSigned: Readonly<Partial<Record<FileKind, string>>> = {
  cms: DAMAGED_CMS,
  'time-stamp': DAMAGED_CMS,
  other: NOT_CMS,
  mime: NOT_CMS,
};

/** Errors of the core whose message already says what the file is. */
const saidAlready: ReadonlySet<SigningErrorCode> = new Set(['CMS_UNSUPPORTED', 'TIMESTAMP_REFUSED', 'PDF_DAMAGED']);

function asRefusal(error: unknown, file: DetectedFile): unknown {
  if (!(error instanceof SigningError)) return error;
  if (saidAlready.has(error.code)) return notASignature(error.message, error);
  if (error.code === 'PDF_MALFORMED')
    return notASignature('This is not a PDF, or it is damaged beyond reading.', error);
  const isCms = error.code === 'CMS_MALFORMED' || error.code === 'DER_MALFORMED';
  return isCms
    ? notASignature(perhapsSigned[file.kind] ?? whatItIs(file, 'a signature'), error)
    : toServiceError(error);
}
