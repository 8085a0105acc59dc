/** What a PDF says about its signatures and its revisions: facts for a validator, without any trust in them. */
import type { DigestOf } from '../../cms/content.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';

/** How far a change goes, the least first. Judged by a whitelist: what no rule vouches for is `other`. */
export const PDF_CHANGE_LEVELS = ['none', 'long-term-update', 'form-filling', 'annotations', 'other'] as const;

export type PdfChangeLevel = (typeof PDF_CHANGE_LEVELS)[number];

/** The closed list of what later revisions do, with the level of each. */
export const PDF_CHANGE_CODES = {
  DOCUMENT_TIMESTAMP_ADDED: 'long-term-update',
  SECURITY_STORE_UPDATED: 'long-term-update',
  EXTENSIONS_UPDATED: 'long-term-update',
  METADATA_UPDATED: 'long-term-update',
  SIGNATURE_ADDED: 'form-filling',
  SIGNATURE_FIELD_ADDED: 'form-filling',
  /** A field that was not there before, and that takes up room on a page. */
  VISIBLE_SIGNATURE_ADDED: 'form-filling',
  FIELD_FILLED: 'form-filling',
  /** Looks different, though its value is the same. */
  FIELD_APPEARANCE_CHANGED: 'form-filling',
  FORM_RESOURCES_ADDED: 'form-filling',
  /** Elements for fields and annotations were added to the structure of a tagged document. */
  STRUCTURE_UPDATED: 'form-filling',
  ANNOTATION_ADDED: 'annotations',
  /** One that can hide what is below it. */
  COVERING_ANNOTATION_ADDED: 'annotations',
  ANNOTATION_CHANGED: 'annotations',
  ANNOTATION_REMOVED: 'annotations',
  FIELD_VISIBILITY_CHANGED: 'annotations',
  SIGNATURE_REPLACED: 'other',
  FIELD_ADDED: 'other',
  FIELD_CHANGED: 'other',
  FIELD_REMOVED: 'other',
  FORM_CHANGED: 'other',
  CERTIFICATION_CHANGED: 'other',
  CATALOG_CHANGED: 'other',
  OPTIONAL_CONTENT_CHANGED: 'other',
  /** Added, removed, or put into another order; or what they inherit is another. */
  PAGES_CHANGED: 'other',
  PAGE_CHANGED: 'other',
  PAGE_CONTENT_CHANGED: 'other',
  PAGE_RESOURCES_CHANGED: 'other',
  ENCRYPTION_CHANGED: 'other',
  TRAILER_CHANGED: 'other',
  OBJECT_CHANGED: 'other',
  OBJECT_REMOVED: 'other',
  /** Changed where that is allowed, but used elsewhere too. */
  SHARED_OBJECT_CHANGED: 'other',
  /** Something referred to it before it was there. */
  MISSING_OBJECT_SUPPLIED: 'other',
  /** Its octets stand in another revision than the one that lists it. */
  OBJECT_REPOINTED: 'other',
  /** Listed before its octets were there. */
  PHANTOM_OBJECT: 'other',
  OBJECT_STREAM_REPLACED: 'other',
  /** Changed for some programs only (hybrid files). */
  HIDDEN_OBJECT_CHANGED: 'other',
  /** The revision that was signed is no longer part of the file's history. */
  REVISION_REPLACED: 'other',
  CONTENT_OUTSIDE_REVISIONS: 'other',
  NOT_COMPARABLE: 'other',
} as const satisfies Record<string, PdfChangeLevel>;

export type PdfChangeCode = keyof typeof PDF_CHANGE_CODES;

/** One thing that a later revision did. */
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

/** The closed list of what can be wrong with a signature's structure. */
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
  'SIGNATURE_HIDDEN',
] as const;

export type PdfStructureCode = (typeof PDF_STRUCTURE_CODES)[number];

/** Something about a signature's structure that no honest signer makes: its code decides the verdict. */
export interface PdfStructureProblem {
  readonly code: PdfStructureCode;
  readonly sentence: string;
}

/** One filled signature field. */
export interface PdfSignatureFacts {
  readonly fieldName: string;
  readonly subFilter: string;
  readonly isDocumentTimestamp: boolean;
  /** Octets of `Contents`, padding included; empty when absent. */
  readonly contents: Buffer;
  readonly byteRange: readonly number[];
  /** Absent when the structure is sound. */
  readonly problem?: PdfStructureProblem;
  /** Digest of the signed octets; call only when there is no `problem`. The file must still be open. */
  readonly digestOf: DigestOf;
  readonly coversWholeFile: boolean;
  /** 1-based number of the revision that the signature closes. */
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
  /** By this signature's own DocMDP and FieldMDP, by field locks, and by those of certifications before it. */
  readonly changesAllowed: boolean;
}

/** Validation material of the DSS (ISO 32000-2 §12.8.4.3), as it stands in the last revision. */
export interface PdfSecurityStore {
  readonly certificates: readonly Buffer[];
  readonly ocspResponses: readonly Buffer[];
  readonly crls: readonly Buffer[];
  /**
   * 1-based number of the first revision in whose store these octets stand, undefined where that is not known: a document
   * time stamp proves what was in the store before it, and nothing that was added later.
   */
  readonly revisionOf?: (octets: Buffer) => number | undefined;
}

/**
 * The closed list of what can be odd about the file as a whole. None of them breaks a signature: what follows or
 * replaces signed octets is among the changes of the signature concerned.
 *
 * - `CONTENT_BEFORE_HEADER`: something stands before `%PDF-`; the file may be another kind of file as well.
 * - `CONTENT_AFTER_END`: something that is no revision follows the last one.
 * - `SIGNATURE_REMOVED`: an earlier version of the file shows a signature that the last one does not.
 * - `STORE_NOT_READ`: the security store holds more than is read, or what cannot be read.
 */
export const PDF_FILE_CODES = [
  'CONTENT_BEFORE_HEADER',
  'CONTENT_AFTER_END',
  'SIGNATURE_REMOVED',
  'STORE_NOT_READ',
] as const;

export interface PdfFileProblem {
  readonly code: (typeof PDF_FILE_CODES)[number];
  readonly sentence: string;
}

export interface PdfFacts {
  readonly size: number;
  readonly revisions: number;
  /** In the order in which they were made. */
  readonly signatures: readonly PdfSignatureFacts[];
  readonly securityStore?: PdfSecurityStore;
  /** Things about the file as a whole. */
  readonly problems: readonly PdfFileProblem[];
}

/**
 * Opens the PDF at `path`, gathers its facts and gives them to `action`; closes the file afterwards. Memory does not
 * grow with the file. Rejects with `PDF_MALFORMED`, `PDF_UNSUPPORTED`, `PDF_ENCRYPTED`, `PASSWORD_INCORRECT`, and with
 * what `action` rejects with.
 */
export type WithPdfFacts = <Result>(
  path: string,
  options: PdfKeys,
  action: (facts: PdfFacts) => Promise<Result>,
) => Promise<Result>;
