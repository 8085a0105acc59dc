/** Facts about a PDF's signatures and revisions for a validator, without any trust in the file. */
import type { DigestOf } from '../../signed-data/content.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';

/** Levels of a change, the least first. Judged by a whitelist: a change without a rule is `other`. */
export const PDF_CHANGE_LEVELS = ['none', 'long-term-update', 'form-filling', 'annotations', 'other'] as const;

export type PdfChangeLevel = (typeof PDF_CHANGE_LEVELS)[number];

/** The closed list of changes by later revisions, with the level of each. */
export const PDF_CHANGE_CODES = {
  DOCUMENT_TIMESTAMP_ADDED: 'long-term-update',
  SECURITY_STORE_UPDATED: 'long-term-update',
  /** The certificates and revocation data of long-term validation are gone; what they proved may not be provable now. */
  SECURITY_STORE_REMOVED: 'long-term-update',
  EXTENSIONS_UPDATED: 'long-term-update',
  METADATA_UPDATED: 'long-term-update',
  /** A hybrid PDF of LibreOffice lost the reference to the OpenDocument file inside. */
  SOURCE_FILE_LOST: 'long-term-update',
  /** The reference to the same file was restored. LibreOffice shows this file in place of the pages. */
  SOURCE_FILE_RESTORED: 'form-filling',
  /** An output intent with sRGB colours was added to a file without output intents. */
  OUTPUT_INTENT_ADDED: 'form-filling',
  SIGNATURE_ADDED: 'form-filling',
  SIGNATURE_FIELD_ADDED: 'form-filling',
  /** A signature in a new field with a visible area on a page. */
  VISIBLE_SIGNATURE_ADDED: 'form-filling',
  /** An empty signature field with a visible area on a page, which may show anything. */
  VISIBLE_FIELD_ADDED: 'form-filling',
  FIELD_FILLED: 'form-filling',
  /** A field with an unchanged value looks different. */
  FIELD_APPEARANCE_CHANGED: 'form-filling',
  FORM_RESOURCES_ADDED: 'form-filling',
  /** The rights that Adobe Reader gets in a Reader-extended document were removed. */
  USAGE_RIGHTS_REMOVED: 'form-filling',
  /** Elements for fields and annotations were added to the structure of a tagged document. */
  STRUCTURE_UPDATED: 'form-filling',
  ANNOTATION_ADDED: 'annotations',
  /** An annotation that can cover page content. */
  COVERING_ANNOTATION_ADDED: 'annotations',
  ANNOTATION_CHANGED: 'annotations',
  ANNOTATION_REMOVED: 'annotations',
  FIELD_VISIBILITY_CHANGED: 'annotations',
  /** A previously blank field draws something, although the field has no value to show. */
  FIELD_LOOKS_UNEXPLAINED: 'annotations',
  SIGNATURE_REPLACED: 'other',
  FIELD_ADDED: 'other',
  FIELD_CHANGED: 'other',
  FIELD_REMOVED: 'other',
  FORM_CHANGED: 'other',
  CERTIFICATION_CHANGED: 'other',
  CATALOG_CHANGED: 'other',
  OPTIONAL_CONTENT_CHANGED: 'other',
  /** Pages were added, removed or reordered, or inherit other attributes. */
  PAGES_CHANGED: 'other',
  PAGE_CHANGED: 'other',
  PAGE_CONTENT_CHANGED: 'other',
  PAGE_RESOURCES_CHANGED: 'other',
  ENCRYPTION_CHANGED: 'other',
  TRAILER_CHANGED: 'other',
  OBJECT_CHANGED: 'other',
  OBJECT_REMOVED: 'other',
  /** The change is allowed in one place, but the object is used elsewhere too. */
  SHARED_OBJECT_CHANGED: 'other',
  /** An object was added under a number with earlier references. */
  MISSING_OBJECT_SUPPLIED: 'other',
  /** The entry of the object points into another revision. */
  OBJECT_REPOINTED: 'other',
  /** The object was listed before its bytes existed. */
  PHANTOM_OBJECT: 'other',
  OBJECT_STREAM_REPLACED: 'other',
  /** Programs read different versions: the table and the stream of a hybrid file disagree. */
  HIDDEN_OBJECT_CHANGED: 'other',
  /** The signed revision is no longer part of the file's history. */
  REVISION_REPLACED: 'other',
  CONTENT_OUTSIDE_REVISIONS: 'other',
  NOT_COMPARABLE: 'other',
} as const satisfies Record<string, PdfChangeLevel>;

/**
 * Changes that alter what a reader of the document sees, apart from further signatures, which are listed themselves. A
 * valid signature with such a change is "valid, changed since".
 */
const SHOWN_CHANGES: ReadonlySet<PdfChangeCode> = new Set([
  'SOURCE_FILE_RESTORED',
  'VISIBLE_FIELD_ADDED',
  'FIELD_FILLED',
  'FIELD_APPEARANCE_CHANGED',
  'FIELD_LOOKS_UNEXPLAINED',
  'FIELD_VISIBILITY_CHANGED',
  'ANNOTATION_ADDED',
  'SECURITY_STORE_REMOVED',
  'COVERING_ANNOTATION_ADDED',
  'ANNOTATION_CHANGED',
  'ANNOTATION_REMOVED',
]);

export type PdfChangeCode = keyof typeof PDF_CHANGE_CODES;

/** A change by a later revision. */
export interface PdfChange {
  /** 1-based number of the revision. */
  readonly revision: number;
  readonly level: PdfChangeLevel;
  readonly code: PdfChangeCode;
  /** English; no personal data. */
  readonly sentence: string;
  readonly objectNumber?: number;
  /** Full name of the form field concerned. */
  readonly fieldName?: string;
  /** 1-based number of the page concerned, as of the last revision. */
  readonly page?: number;
}

/** True for a change that a reader of the document sees, or that no signature allows. */
export const isShownChange = ({ code, level }: Pick<PdfChange, 'code' | 'level'>): boolean =>
  level === 'other' || SHOWN_CHANGES.has(code);

/** The closed list of structural problems of a signature. */
export const PDF_STRUCTURE_CODES = [
  'VALUE_NOT_DICTIONARY',
  'TYPE_WRONG',
  'BYTE_RANGE_MISSING',
  'BYTE_RANGE_MALFORMED',
  'BYTE_RANGE_START',
  'BYTE_RANGE_OVERLAP',
  'BYTE_RANGE_OUTSIDE',
  'CONTENTS_MISSING',
  'CONTENTS_INDIRECT',
  'HOLE_NOT_CONTENTS',
  'DUPLICATE_KEYS',
  'CONTENTS_SHARED',
  'REVISION_SHARED',
  'END_NOT_REVISION',
  'NOT_IN_SIGNED_REVISION',
  'SIGNATURE_UNREACHABLE',
  'SIGNATURE_AMBIGUOUS',
] as const;

export type PdfStructureCode = (typeof PDF_STRUCTURE_CODES)[number];

/** A structural problem of a signature that no honest signer causes; its code decides the verdict. */
export interface PdfStructureProblem {
  readonly code: PdfStructureCode;
  readonly sentence: string;
}

/** A filled signature field, or a signature without a field, found in the bytes of the file. */
export interface PdfSignatureFacts {
  /** Empty for a signature without a field. */
  readonly fieldName: string;
  /** Filter and SubFilter of the dictionary; empty when absent. */
  readonly filter: string;
  readonly subFilter: string;
  readonly isDocumentTimestamp: boolean;
  /** Bytes of `Contents`, padding included; empty when absent. */
  readonly contents: Buffer;
  readonly byteRange: readonly number[];
  /** Absent when the structure is sound. */
  readonly problem?: PdfStructureProblem;
  /** Digest of the signed bytes; call only when there is no `problem`. The file must still be open. */
  readonly digestOf: DigestOf;
  readonly coversWholeFile: boolean;
  /** 1-based number of the revision closed by the signature. */
  readonly revision: number;
  readonly reason?: string;
  readonly location?: string;
  readonly contact?: string;
  readonly name?: string;
  /** The dictionary's `M`. */
  readonly claimedTime?: Date;
  /** DocMDP of a certification signature (ISO 32000-2 §12.8.2.2). */
  readonly certification?: 1 | 2 | 3;
  readonly page?: number;
  readonly changes: readonly PdfChange[];
  readonly changeLevel: PdfChangeLevel;
  /**
   * True when all later changes are allowed by this signature's DocMDP and FieldMDP, by field locks, and by earlier
   * certifications.
   */
  readonly changesAllowed: boolean;
  /** The strictest `P` of DocMDP in these signatures; absent without DocMDP. */
  readonly permission?: 1 | 2 | 3;
}

/** Validation material of the DSS (ISO 32000-2 §12.8.4.3) in the last revision. */
export interface PdfSecurityStore {
  readonly certificates: readonly Buffer[];
  readonly ocspResponses: readonly Buffer[];
  readonly crls: readonly Buffer[];
  /**
   * 1-based number of the first revision with these bytes in its store, undefined if unknown: a document time stamp
   * proves the store's earlier contents, and no later addition.
   */
  readonly revisionOf?: (bytes: Buffer) => number | undefined;
}

/**
 * The closed list of oddities of the file as a whole. None but `LAST_VERSION_CUT_OFF` breaks the file: changes after or
 * to signed bytes are among the changes of the signature concerned.
 *
 * - `CONTENT_BEFORE_HEADER`: bytes before `%PDF-`; the file may be another kind of file as well.
 * - `CONTENT_AFTER_END`: bytes after the last revision.
 * - `LAST_VERSION_CUT_OFF`: objects follow the last readable revision, so that a later one is lost.
 * - `USAGE_RIGHTS`: the file is Reader-extended: Adobe signed rights of its program, which is no signature of a person.
 * - `SIGNATURE_REMOVED`: an earlier version of the file shows a signature missing from the last version.
 * - `FIELD_NOT_LISTED`: a page shows a signature field that the form does not list; its signature is not judged.
 * - `STORE_NOT_READ`: the security store is too large to read whole, or partly unreadable.
 */
export const PDF_FILE_CODES = [
  'CONTENT_BEFORE_HEADER',
  'CONTENT_AFTER_END',
  'LAST_VERSION_CUT_OFF',
  'USAGE_RIGHTS',
  'SIGNATURE_REMOVED',
  'FIELD_NOT_LISTED',
  'STORE_NOT_READ',
] as const;

export interface PdfFileProblem {
  readonly code: (typeof PDF_FILE_CODES)[number];
  readonly sentence: string;
}

export interface PdfFacts {
  readonly size: number;
  readonly revisions: number;
  /** Bytes up to the end of each revision: the revision as a file of its own. Null for an unknown end. */
  readonly revisionEnds: readonly (number | null)[];
  /** The standards that the last revision claims: `PDF/A-2b`, `PDF/UA-1`. */
  readonly standards: readonly string[];
  /** In the order of signing. */
  readonly signatures: readonly PdfSignatureFacts[];
  readonly securityStore?: PdfSecurityStore;
  /** Problems of the file as a whole. */
  readonly problems: readonly PdfFileProblem[];
}

/**
 * Opens the PDF at `path`, gathers its facts and runs `action`; closes the file afterwards. Memory does not grow with
 * the file. Rejects with `PDF_MALFORMED`, `PDF_UNSUPPORTED`, `PDF_ENCRYPTED`, `PASSWORD_INCORRECT`, and with the errors
 * of `action`.
 */
export type WithPdfFacts = <Result>(
  path: string,
  options: PdfKeys,
  action: (facts: PdfFacts) => Promise<Result>,
) => Promise<Result>;
