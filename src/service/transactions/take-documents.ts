import { randomBytes } from 'node:crypto';
import { type CheckedDocument, type CheckedRequest, pathOfDocument } from './check-request.ts';
import { parseDataUrl } from './data-url.ts';
import type { TransactionContext } from './dependencies.ts';
import { signatureForm } from './document-form.ts';
import { destinationBeside, plainFileName } from './file-names.ts';
import { describeSize } from './limits.ts';
import { type CodedProblem, refuseProblems } from './problems.ts';
import type { DocumentRecord } from './records.ts';
import { ServiceError } from '../errors.ts';
import { basename } from 'node:path';
import type { SignatureType } from './transaction.ts';

type Needs = Pick<TransactionContext, 'documents' | 'files' | 'limits'>;

/** The name of a document's files: 128 random bits. */
export function newDocumentKey(): string {
  return randomBytes(16).toString('hex');
}

/** A document that cannot be a PDF although the transaction signs PDFs fails by itself; the others go on. */
export function failureByContent(type: SignatureType, head: Buffer): DocumentRecord['error'] {
  // Readers accept the header anywhere in the first 1,024 octets (ISO 32000-1 Annex H, note 13).
  if (signatureForm(type).container !== 'pdf' || head.includes('%PDF-')) return null;
  return { code: 'DOCUMENT_NOT_A_PDF', detail: 'The document is not a PDF: choose CMS or CAdES for other files.' };
}

/**
 * Takes the documents that a create request brings or names, as records of the transaction. Refuses the request, with
 * every document that cannot be taken; nothing is kept then.
 */
export async function takeDocuments(needs: Needs, tcn: string, request: CheckedRequest): Promise<DocumentRecord[]> {
  const records: DocumentRecord[] = [];
  const problems: CodedProblem[] = [];
  try {
    for (const [position, document] of request.documents.entries()) {
      const blank = blankRecord(tcn, position, document);
      const fields = await takeDocument(needs, request, document, blank.key).catch(asProblem(position, problems));
      if (fields !== undefined) records.push({ ...blank, ...fields });
    }
    problems.push(...(await checkDestinations(needs, request, records)));
    refuseProblems(problems);
    await needs.documents.keep(keptKeys(records));
  } catch (error) {
    await removeKept(needs, records);
    throw error;
  }
  return records;
}

export async function removeKept(needs: Pick<Needs, 'documents'>, records: readonly DocumentRecord[]): Promise<void> {
  await Promise.allSettled(keptKeys(records).map((key) => needs.documents.removeOriginal(key)));
}

const keptKeys = (records: readonly DocumentRecord[]): string[] =>
  records.filter(({ content }) => content?.kind === 'kept').map(({ key }) => key);

/** A refusal that concerns one document becomes a problem of the request; others end it. */
function asProblem(position: number, problems: CodedProblem[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ServiceError) || error.code.startsWith('STORAGE_')) throw error;
    problems.push({ field: `documents[${position}].data`, code: error.code, detail: error.message });
    return undefined;
  };
}

/** A document that is not here yet. */
export function blankRecord(tcn: string, position: number, document: CheckedDocument): DocumentRecord {
  return {
    key: newDocumentKey(),
    tcn,
    position,
    id: document.id,
    status: 'WAITING',
    originalFileName: plainFileName(document.originalFileName) ?? null,
    mediaType: document.mediaType ?? null,
    settingId: document.settingId ?? null,
    content: null,
    size: null,
    checksum: null,
    destinationPath: pathOfDocument(document.destinationFileName) ?? null,
    destinationFileName: document.destinationFileName ?? null,
    delivery: null,
    result: null,
    error: null,
  };
}

async function takeDocument(
  needs: Needs,
  request: CheckedRequest,
  document: CheckedDocument,
  key: string,
): Promise<Partial<DocumentRecord>> {
  switch (request.documentsSource) {
    case 'DATA_URL':
      return takeDataUrl(needs, request, document, key);
    case 'FILE_PATH':
      return takePath(needs, request, document);
    case 'UPLOAD_REFERENCE':
    case 'STORE_A_S3':
    case 'STORE_B_STORAGE':
      return {};
  }
}

async function takeDataUrl(
  { documents, limits }: Needs,
  { type }: CheckedRequest,
  document: CheckedDocument,
  key: string,
): Promise<Partial<DocumentRecord>> {
  const parsed = parseDataUrl(document.data ?? '');
  if (parsed === undefined) {
    throw new ServiceError('REQUEST_INVALID', 'The data URL cannot be read: data:<media type>;base64,<content>.');
  }
  if (parsed.content.length > limits.documentSize) throw tooLarge(limits.documentSize);
  const { size, checksum, head } = await documents.receive(key, oneChunk(parsed.content));
  return {
    mediaType: document.mediaType ?? parsed.mediaType,
    content: { kind: 'kept' },
    size,
    checksum,
    ...failed(failureByContent(type, head)),
  };
}

async function takePath(
  { files, limits }: Needs,
  { type, destination }: CheckedRequest,
  document: CheckedDocument,
): Promise<Partial<DocumentRecord>> {
  const named = pathOfDocument(document.data) ?? '';
  const { path, size, checksum, head } = await files.inspect(named, limits.documentSize);
  const beside = destination === 'FILE_PATH' && document.destinationFileName === undefined;
  return {
    originalFileName: plainFileName(document.originalFileName) ?? basename(named),
    content: { kind: 'path', path },
    size,
    checksum,
    ...(beside ? { destinationPath: destinationBeside(named, type) } : {}),
    ...failed(failureByContent(type, head)),
  };
}

const failed = (error: DocumentRecord['error']): Partial<DocumentRecord> =>
  error === null ? {} : { status: 'ERROR', error };

/** The refusal of a document over the limit; `limit` is in octets. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError('DOCUMENT_TOO_LARGE', `A document may have at most ${describeSize(limit)}.`);
}

async function checkDestinations(
  { files }: Needs,
  request: CheckedRequest,
  records: readonly DocumentRecord[],
): Promise<CodedProblem[]> {
  const problems: CodedProblem[] = [];
  const seen = new Set<string>();
  for (const { position, destinationPath } of records) {
    if (destinationPath === null) continue;
    const named = request.documents[position]?.destinationFileName !== undefined;
    const field = `documents[${position}].${named ? 'destination_file_name' : 'data'}`;
    try {
      await files.checkDestination(destinationPath);
      if (!seen.has(destinationPath)) seen.add(destinationPath);
      else throw new ServiceError('DESTINATION_EXISTS', 'Two documents of this request have the same destination.');
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code.startsWith('STORAGE_')) throw error;
      problems.push({ field, code: error.code, detail: error.message });
    }
  }
  return problems;
}

// eslint-disable-next-line @typescript-eslint/require-await -- an iterable must be asynchronous to be received
async function* oneChunk(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
