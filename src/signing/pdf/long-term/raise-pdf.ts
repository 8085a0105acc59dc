import { SigningError } from '../../errors.ts';
import { readSignature } from '../../signed-data/signature-input.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import { verifyPdf } from '../verification/verify-pdf.ts';
import {
  addCollectedMaterial,
  collectMaterial,
  storedCertificates,
  withoutMaterial,
  type ChooseSignatures,
  type CollectedMaterialOptions,
} from './collect-material.ts';
import { withoutRepeats, type StandardWarning } from '../signature/standard-warnings.ts';
import { addDocumentTimestamp, type AddDocumentTimestampResult } from './add-document-timestamp.ts';
import { addValidationMaterial, type RevisionResult } from './add-validation-material.ts';
import { writeRevision, runRevisions, type Revision } from './run-revisions.ts';
import type { PdfLevelOptions } from './level.ts';
import { findStoredSignature, isTimestamped, readStoredSignatures, type StoredSignature } from './stored-signatures.ts';
import { keysOf, type PdfKeys } from '../encryption/standard-security.ts';

/** A request to extend the signatures of a PDF to a level. */
export interface RaisePdfRequest extends PdfLevelOptions, PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  /** Only the last signature gets material; a document time stamp covers the others too. Default: all signatures. */
  readonly onlyLast?: boolean;
  /** Refuses with `PDF_STANDARD_LOST` where a new time stamp would end a standard that the file claims. Default: false. */
  readonly keepStandard?: boolean;
  readonly signal?: AbortSignal;
}

/** The additions in order. An empty `added` means that nothing was missing and that the output is the input. */
export interface RaisePdfResult extends RevisionResult {
  readonly added: readonly ('document-timestamp' | 'validation-material')[];
  /** Effects of the time stamps on the standards claimed by the file. */
  readonly warnings: readonly StandardWarning[];
}

/** True with a trusted time inside the signature, or in a document time stamp over the signature. */
function hasTime(signature: StoredSignature, all: readonly StoredSignature[]): boolean {
  if (signature.kind === 'document-timestamp') return true;
  if (all.some(({ kind, end }) => kind === 'document-timestamp' && end > signature.end)) return true;
  return signature.kind === 'signature' && isTimestamped(readSignature(signature.contents, true));
}

/** A broken signature must not be extended, because an extension would make the signature look better than before. */
async function expectIntact(path: string, keys: PdfKeys): Promise<void> {
  const { signatures } = await verifyPdf(path, keys);
  const broken = signatures.find(({ outcome }) => outcome === 'broken');
  if (broken === undefined) return;
  const problem = broken.problem ?? '';
  const message = `The signature in the field "${broken.fieldName}" is broken, so its level cannot be raised. ${problem}`;
  throw new SigningError('SIGNATURE_INVALID', message);
}

/** The last signature; document time stamps do not count. */
const lastSignature: ChooseSignatures = (_document, all) =>
  all.filter(({ kind }) => kind !== 'document-timestamp').slice(-1);

type Added = RaisePdfResult['added'][number];

/** The missing parts of the level, in the order of addition. */
function plan(document: PdfDocument, { level, onlyLast = false }: RaisePdfRequest): readonly Added[] {
  const all = readStoredSignatures(document);
  const chosen = onlyLast ? lastSignature(document, all) : all;
  if (!all.some(({ kind }) => kind !== 'document-timestamp')) {
    throw new SigningError(
      'PDF_FIELD_NOT_FOUND',
      'The PDF has no signature whose level could be raised. Sign it first.',
    );
  }
  const time: Added[] = chosen.every((signature) => hasTime(signature, all)) ? [] : ['document-timestamp'];
  if (level === 'B-T') return time;
  const lacksMaterial = time.length > 0 || withoutMaterial(document, chosen).length > 0;
  const material: Added[] = lacksMaterial ? ['validation-material'] : [];
  return [...time, ...material, ...(level === 'B-LTA' ? (['document-timestamp'] as const) : [])];
}

/** The result of a revision; a document time stamp also has its token. */
type Step = RevisionResult & Partial<AddDocumentTimestampResult>;

/**
 * The missing material of the last time stamp's authority, so that the stamp can still be validated when no server
 * answers any more (EN 319 142-1 §5.4.3: a store may follow a document time stamp). Undefined when the file has the
 * material, the last step was no time stamp, or the material is unavailable.
 */
export async function authorityMaterial(
  path: string,
  steps: readonly Step[],
  options: CollectedMaterialOptions,
): Promise<Revision<Step> | undefined> {
  const { fieldName, token } = steps.at(-1) ?? {};
  if (fieldName === undefined || token?.certificate === undefined) return undefined;
  const { der } = token.certificate;
  const { collector, signal, now = () => new Date() } = options;
  const document = await PdfDocument.open(path, keysOf(options));
  try {
    if (storedCertificates(document).some((known) => known.der.equals(der))) return undefined;
    const stamp = findStoredSignature(readStoredSignatures(document), fieldName);
    const [found] = await collectMaterial(document, [stamp], { collector, now: now(), signal });
    if (found === undefined || found.material.certificates.length === 0) return undefined;
    const more = { ...keysOf(options), signal };
    return (inputPath, outputPath) =>
      addValidationMaterial({ inputPath, outputPath, signatures: [found], at: now(), ...more });
  } finally {
    await document.close();
  }
}

/**
 * Extends all signatures of a PDF to a level without touching signed parts: a document time stamp as trusted time for
 * signatures without a time stamp, material for every signature without an entry in the security store, and, for B-LTA,
 * a document time stamp over everything. Extending to B-LTA again renews: the material of the last document time stamp
 * is added, and a new stamp follows.
 *
 * Rejects with `SIGNATURE_INVALID` for a broken signature, `PDF_FIELD_NOT_FOUND` without a signature, `PDF_UNSUPPORTED`
 * for kinds of signatures without levels, and like `signPdfAtLevel`.
 */
export async function raisePdf(request: RaisePdfRequest): Promise<RaisePdfResult> {
  const { inputPath, outputPath, level, timestamper, keepStandard, signal } = request;
  const keys = keysOf(request);
  const more = { ...keys, signal };
  await expectIntact(inputPath, keys);
  const document = await PdfDocument.open(inputPath, keys);
  try {
    const added = plan(document, request);
    if (added.length === 0) {
      return { size: await writeRevision(document, outputPath, Buffer.alloc(0), signal), added, warnings: [] };
    }
    const revisions = added.map((what): Revision<Step> => (from, to) => {
      switch (what) {
        case 'document-timestamp':
          return addDocumentTimestamp({ inputPath: from, outputPath: to, timestamper, keepStandard, ...more });
        case 'validation-material':
          return addCollectedMaterial(from, to, request.onlyLast === true ? lastSignature : withoutMaterial, request);
      }
    });
    const results = await runRevisions(inputPath, outputPath, revisions, signal, (steps) =>
      level === 'B-LTA' ? authorityMaterial(outputPath, steps, request) : Promise.resolve(undefined),
    );
    const last: readonly Added[] = results.length > revisions.length ? ['validation-material'] : [];
    const warnings = withoutRepeats(results.flatMap((result) => result.warnings ?? []));
    return { size: results.at(-1)?.size ?? 0, added: [...added, ...last], warnings };
  } finally {
    await document.close();
  }
}
