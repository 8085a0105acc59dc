import { throwIfCancelled } from '../../signed-data/content.ts';
import type { ValidationMaterial } from '../../revocation/revocation-result.ts';
import { IncrementalUpdate } from '../writing/incremental-update.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import { writeRevision } from './run-revisions.ts';
import {
  declarePadesExtension,
  PadesExtensionLevel,
  wrapOcspResponse,
  SecurityStore,
  storeKey,
  type StoreContents,
} from './security-store.ts';
import { findStoredSignature, readStoredSignatures } from './stored-signatures.ts';
import { keysOf, type PdfKeys } from '../encryption/standard-security.ts';

/** The policy's files in an ICP-Brasil AD-RA signature (DOC-ICP-15.03 tables A.19, A.20). All DER. */
export interface PolicyArtifacts {
  /** The signature policy itself. */
  readonly policy: Uint8Array;
  /** The list of approved policies (LPA). */
  readonly policyList: Uint8Array;
  /** The detached signature of the list. */
  readonly policyListSignature: Uint8Array;
}

/** The material of a signature or document time stamp. */
export interface SignatureMaterial {
  /** Full name of its field. */
  readonly fieldName: string;
  readonly material: ValidationMaterial;
  readonly policyArtifacts?: PolicyArtifacts;
}

/** A request to add validation material to a PDF in an incremental update. */
export interface AddValidationMaterialRequest extends PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly signatures: readonly SignatureMaterial[];
  /** The time of the update; by default now. */
  readonly at?: Date;
  readonly signal?: AbortSignal;
}

/** The result of an update. */
export interface RevisionResult {
  /** Bytes of the output. */
  readonly size: number;
}

function storeContents({ material, policyArtifacts: artifacts }: SignatureMaterial): StoreContents {
  return {
    Certs: material.certificates.map(({ der }) => der),
    OCSPs: material.ocspResponses.map(wrapOcspResponse),
    CRLs: material.crls,
    PBAD_PolicyArtifacts: artifacts && [artifacts.policy],
    PBAD_LpaArtifacts: artifacts && [artifacts.policyList],
    PBAD_LpaSignatures: artifacts && [artifacts.policyListSignature],
  };
}

/**
 * Adds certificates and revocation data to the document security store (ISO 32000-2 §12.8.4.3), under the key of each
 * signature. The store is extended: nothing is removed, and present material is referred to, not repeated.
 *
 * Every certification allows this update: pure validation data is no change in the sense of DocMDP, even with P 1 (ISO
 * 32000-2 Table 257). Earlier signatures stay valid, because the input is the prefix of the output.
 *
 * Rejects with `PDF_MALFORMED`, `PDF_UNSUPPORTED`, `PDF_ENCRYPTED`, `PASSWORD_INCORRECT`, `PDF_FIELD_NOT_FOUND`,
 * `CONTENT_CHANGED`, `CANCELLED` and the system's own errors.
 */
export async function addValidationMaterial(request: AddValidationMaterialRequest): Promise<RevisionResult> {
  const { signal, at = new Date() } = request;
  throwIfCancelled(signal);
  const document = await PdfDocument.open(request.inputPath, keysOf(request));
  try {
    const stored = readStoredSignatures(document);
    const update = new IncrementalUpdate(document);
    const store = new SecurityStore(document, update);
    for (const signature of request.signatures) {
      const { contents } = findStoredSignature(stored, signature.fieldName);
      store.addFor(storeKey(contents), storeContents(signature), at);
    }
    declarePadesExtension(document, update, PadesExtensionLevel.securityStore);
    return { size: await writeRevision(document, request.outputPath, update.finish().bytes, signal) };
  } finally {
    await document.close();
  }
}
