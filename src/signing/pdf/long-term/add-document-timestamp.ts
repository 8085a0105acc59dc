import { createHash, type Hash } from 'node:crypto';
import {
  type SignatureDictionary,
  BYTE_RANGE_LENGTH,
  finishRevision,
  fillContents,
} from '../signature/signature-dictionary.ts';
import { throwIfCancelled, withNewFile, writeAt } from '../../signed-data/content.ts';
import { SigningError } from '../../errors.ts';
import type { TimestampToken, Timestamper } from '../../timestamps/timestamp-token.ts';
import { walkFields } from '../reading/form-fields.ts';
import { IncrementalUpdate } from '../writing/incremental-update.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import type { PreparedSignature } from '../signature/prepare-signature.ts';
import type { StandardWarning } from '../signature/standard-warnings.ts';
import { addSignatureField } from '../signature/signature-field.ts';
import { PdfReference } from '../syntax/values.ts';
import { copyOriginal } from './run-revisions.ts';
import type { RevisionResult } from './add-validation-material.ts';
import { declarePadesExtension, PadesExtensionLevel } from './security-store.ts';
import { keysOf, type PdfKeys } from '../encryption/standard-security.ts';

/**
 * The dictionary of a document time stamp with room for the token (ISO 32000-2 §12.8.5, EN 319 142-1 §5.4.3), without
 * other entries: the token has time and authority.
 *
 * @param capacity most bytes of the token
 */
export function buildTimestampDictionary(capacity: number): SignatureDictionary {
  const head = '<</Type /DocTimeStamp\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.RFC3161\n/V 0\n/ByteRange ';
  const middle = `${' '.repeat(BYTE_RANGE_LENGTH)}\n/Contents `;
  const contents = `<${'0'.repeat(2 * capacity)}>`;
  const contentsStart = head.length + middle.length;
  return {
    body: Buffer.from(`${head}${middle}${contents}>>`, 'latin1'),
    byteRange: head.length,
    contentsStart,
    contentsEnd: contentsStart + contents.length,
  };
}

/** A request for a time stamp over a whole PDF, added in an incremental update. */
export interface AddDocumentTimestampRequest extends PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly timestamper: Timestamper;
  /** Refuse with `PDF_STANDARD_LOST` where a claimed standard cannot be kept. */
  readonly keepStandard?: boolean;
  readonly signal?: AbortSignal;
}

/** The new time stamp. */
export interface AddDocumentTimestampResult extends RevisionResult {
  /** Full name of the new field. */
  readonly fieldName: string;
  readonly token: TimestampToken;
  /** Effects of the time stamp on the standards claimed by the file. */
  readonly warnings: readonly StandardWarning[];
}

/** Extra bytes reserved after a token was longer than its room. */
const MARGIN = 256;
const ATTEMPTS = 2;

function prepare(document: PdfDocument, capacity: number, keepStandard = false): PreparedSignature {
  const names = new Set([...walkFields(document)].map(({ fullName }) => fullName));
  const update = new IncrementalUpdate(document);
  const number = update.allocate();
  const invisible = {
    signature: new PdfReference(number, 0),
    target: undefined,
    isFirst: false,
    isTimestamp: true,
    keepStandard,
    names,
  };
  const { fullName: fieldName, adjustments, warnings } = addSignatureField(document, update, invisible);
  declarePadesExtension(document, update, PadesExtensionLevel.documentTimestamp);
  const revision = finishRevision(update, number, buildTimestampDictionary(capacity), document.file.size);
  return { ...revision, fieldName, adjustments, warnings };
}

interface Stamped {
  readonly prepared: PreparedSignature;
  readonly token: TimestampToken;
}

/** Stamps, and stamps once more with more room when the authority's token is longer than announced. */
async function stamp(
  document: PdfDocument,
  original: Hash,
  { timestamper, signal, keepStandard }: AddDocumentTimestampRequest,
): Promise<Stamped> {
  let capacity = timestamper.sizeLimit;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const prepared = prepare(document, capacity, keepStandard);
    const { bytes, contentsStart, contentsEnd } = prepared;
    const hash = original.copy().update(bytes.subarray(0, contentsStart)).update(bytes.subarray(contentsEnd));
    const token = await timestamper.stamp(hash.digest(), signal);
    if (token.der.length <= capacity) {
      fillContents(bytes, contentsStart, contentsEnd, token.der);
      return { prepared, token };
    }
    capacity = token.der.length + MARGIN;
  }
  throw new SigningError(
    'TIMESTAMP_INVALID',
    'The time stamps of the authority grow each time. Try another authority.',
  );
}

/**
 * Adds a document time stamp (ISO 32000-2 §12.8.5) in an invisible field of its own. The stamp covers the whole file
 * with all signatures and all validation material. Further stamps can follow.
 *
 * Every certification and every lock allow a document time stamp, even DocMDP with P 1 (ISO 32000-2 Table 257). Rejects
 * with `PDF_MALFORMED`, `PDF_UNSUPPORTED`, `PDF_ENCRYPTED`, `PASSWORD_INCORRECT`, `CONTENT_CHANGED`, `CANCELLED`, the
 * errors of the timestamper, and the system's own errors.
 */
export async function addDocumentTimestamp(request: AddDocumentTimestampRequest): Promise<AddDocumentTimestampResult> {
  const { inputPath, outputPath, timestamper, signal } = request;
  throwIfCancelled(signal);
  const document = await PdfDocument.open(inputPath, keysOf(request));
  try {
    const { size } = document.file;
    const { prepared, token } = await withNewFile(outputPath, async (output) => {
      const original = createHash(timestamper.digest);
      await copyOriginal(document, output, original, signal);
      const stamped = await stamp(document, original, request);
      await writeAt(output, stamped.prepared.bytes, size);
      throwIfCancelled(signal);
      return stamped;
    });
    return { size: size + prepared.bytes.length, fieldName: prepared.fieldName, token, warnings: prepared.warnings };
  } finally {
    await document.close();
  }
}
