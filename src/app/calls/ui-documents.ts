import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import type { IncomingDocument, Transactions } from '../../service/transactions/index.ts';

/** A file from the desktop's window. */
export interface LocalDocument {
  readonly tcn: string;
  /** The id of the announced document. Absent: the next document with this name. */
  readonly documentId?: string;
  /** The path of the file, or its bytes for a file without a folder. */
  readonly source:
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'content'; readonly name: string; readonly content: Uint8Array };
  /** True for the last file of its batch. */
  readonly end: boolean;
  /** Bytes read so far. */
  readonly onProgress: (sent: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Adds a file to a transaction of the window's own, like the upload endpoint. Answers the document's id. Rejects with
 * `DOCUMENT_UNREADABLE` for anything but a regular file, and `UPLOAD_INCOMPLETE` for a truncated file.
 */
export async function sendLocalDocument(
  transactions: Pick<Transactions, 'upload'>,
  document: LocalDocument,
): Promise<{ readonly documentId: string }> {
  const { source } = document;
  if (source.kind === 'content') return upload(transactions, document, source.name, [source.content]);
  const file = await openRegularFile(source.path);
  try {
    return await upload(transactions, document, basename(source.path), readChunks(file, document.signal));
  } finally {
    await file.close();
  }
}

async function upload(
  transactions: Pick<Transactions, 'upload'>,
  { tcn, documentId, end, onProgress }: LocalDocument,
  fileName: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<{ readonly documentId: string }> {
  const incoming = { label: documentId, fileName, mediaType: undefined, content: counted(chunks, onProgress) };
  const outcome = await transactions.upload(tcn, { endOfTransaction: end }, oneDocument(incoming));
  const [document] = outcome.documents;
  if (document === undefined) throw new ServiceError('UPLOAD_INCOMPLETE', 'The file was not stored: send it again.');
  return { documentId: document.id };
}

async function* counted(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  onProgress: (sent: number) => void,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of chunks) {
    yield chunk;
    sent += chunk.length;
    onProgress(sent);
  }
}

/** This flag lets a named pipe open at once, so that it can be refused; Windows has no such pipes. */
const flags = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, flags).catch((cause: unknown) => {
    throw new ServiceError('DOCUMENT_UNREADABLE', `The file ${basename(path)} cannot be opened.`, { cause });
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new ServiceError('DOCUMENT_UNREADABLE', `${basename(path)} is not a file.`);
}

async function* readChunks(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    const stream = file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024, signal });
    for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk;
  } catch (cause) {
    throw new ServiceError('UPLOAD_INCOMPLETE', 'The file could not be read to its end.', { cause });
  }
}

async function* oneDocument(document: IncomingDocument): AsyncGenerator<IncomingDocument> {
  yield await Promise.resolve(document);
}
