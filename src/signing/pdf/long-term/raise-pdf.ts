import { SigningError } from '../../errors.ts';
import { readSignature } from '../../cms/signature-input.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import { verifyPdf } from '../verification/verify-pdf.ts';
import { addCollectedMaterial, withoutMaterial } from './add-collected-material.ts';
import { addDocumentTimestamp } from './add-document-timestamp.ts';
import { type RevisionResult } from './add-validation-material.ts';
import { writeRevision } from './append-revision.ts';
import type { PdfLevelOptions } from './level.ts';
import { runRevisions, type Revision } from './run-revisions.ts';
import { isTimestamped } from './signature-timestamp.ts';
import { readStoredSignatures, type StoredSignature } from './stored-signatures.ts';
import { keysOf, type PdfKeys } from '../encryption/standard-security.ts';

/** A signed PDF whose signatures are to be raised to a level. */
export interface RaisePdfRequest extends PdfLevelOptions, PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly signal?: AbortSignal;
}

/** What raising added, in order. Nothing was missing, and the output is the input, when `added` is empty. */
export interface RaisePdfResult extends RevisionResult {
  readonly added: readonly ('document-timestamp' | 'validation-material')[];
}

/** A trusted time is inside the signature, or in a document time stamp over it. */
function hasTime(signature: StoredSignature, all: readonly StoredSignature[]): boolean {
  if (signature.kind === 'document-timestamp') return true;
  if (all.some(({ kind, end }) => kind === 'document-timestamp' && end > signature.end)) return true;
  return signature.kind === 'signature' && isTimestamped(readSignature(signature.contents, true));
}

/** Raising a signature that is broken would make it look better than it is. */
async function expectIntact(path: string, keys: PdfKeys): Promise<void> {
  const { signatures } = await verifyPdf(path, keys);
  const broken = signatures.find(({ outcome }) => outcome === 'broken');
  if (broken === undefined) return;
  const problem = broken.problem ?? '';
  const message = `The signature in the field "${broken.fieldName}" is broken, so its level cannot be raised. ${problem}`;
  throw new SigningError('SIGNATURE_INVALID', message);
}

type Added = RaisePdfResult['added'][number];

/** What is missing to the level, in the order in which it has to be added. */
function plan(document: PdfDocument, level: RaisePdfRequest['level']): readonly Added[] {
  const all = readStoredSignatures(document);
  if (!all.some(({ kind }) => kind !== 'document-timestamp')) {
    throw new SigningError(
      'PDF_FIELD_NOT_FOUND',
      'The PDF has no signature whose level could be raised. Sign it first.',
    );
  }
  const time: Added[] = all.every((signature) => hasTime(signature, all)) ? [] : ['document-timestamp'];
  if (level === 'B-T') return time;
  const lacksMaterial = time.length > 0 || withoutMaterial(document, all).length > 0;
  const material: Added[] = lacksMaterial ? ['validation-material'] : [];
  return [...time, ...material, ...(level === 'B-LTA' ? (['document-timestamp'] as const) : [])];
}

/**
 * Raises all signatures of a PDF to a level without touching what is signed: a trusted time through a document time
 * stamp where a signature has none, material for every signature that the security store says nothing of, and, for
 * B-LTA, a document time stamp over it all. Raising to B-LTA again renews: the material of the last document time stamp
 * is added, and a new one follows.
 *
 * Rejects with `SIGNATURE_INVALID` when a signature is broken, `PDF_FIELD_NOT_FOUND` when there is none,
 * `PDF_UNSUPPORTED` for kinds of signatures that have no levels, and as `signPdfAtLevel` does.
 */
export async function raisePdf(request: RaisePdfRequest): Promise<RaisePdfResult> {
  const { inputPath, outputPath, level, timestamper, signal } = request;
  const keys = keysOf(request);
  const more = { ...keys, ...(signal === undefined ? {} : { signal }) };
  await expectIntact(inputPath, keys);
  const document = await PdfDocument.open(inputPath, keys);
  try {
    const added = plan(document, level);
    if (added.length === 0) {
      return { size: await writeRevision(document, outputPath, Buffer.alloc(0), signal), added };
    }
    const revisions = added.map((what): Revision<RevisionResult> => (from, to) => {
      switch (what) {
        case 'document-timestamp':
          return addDocumentTimestamp({ inputPath: from, outputPath: to, timestamper, ...more });
        case 'validation-material':
          return addCollectedMaterial(from, to, withoutMaterial, request);
      }
    });
    const results = await runRevisions(inputPath, outputPath, revisions, signal);
    return { size: results.at(-1)?.size ?? 0, added };
  } finally {
    await document.close();
  }
}
