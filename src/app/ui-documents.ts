import { constants, createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError, type IncomingDocument, type Transactions } from '../service/index.ts';

/** A file that the desktop's window hands over, where it lies. */
export interface LocalDocument {
  readonly tcn: string;
  readonly path: string;
  /** The last one of its batch. */
  readonly end: boolean;
  /** Octets read so far. */
  readonly onProgress: (sent: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Takes a file into a transaction of the window's own, as the upload endpoint does with octets. Answers the document's
 * id. Rejects with `DOCUMENT_UNREADABLE` for what is no regular file, and `UPLOAD_INCOMPLETE` when it is cut short.
 */
export async function sendLocalDocument(
  transactions: Pick<Transactions, 'upload'>,
  { tcn, path, end, onProgress, signal }: LocalDocument,
): Promise<{ readonly documentId: string }> {
  const file = await openRegularFile(path);
  const outcome = await transactions
    .upload(tcn, { endOfTransaction: end }, oneDocument(readDocument(file, path, onProgress, signal)))
    .finally(async () => file.close());
  const [document] = outcome.documents;
  if (document === undefined) throw new ServiceError('UPLOAD_INCOMPLETE', 'The file was not taken.');
  return { documentId: document.id };
}

/** Named pipes open at once too, so that they can be refused; Windows has none that look like files. */
const flags = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, flags).catch((cause: unknown) => {
    throw new ServiceError('DOCUMENT_UNREADABLE', `The file ${basename(path)} cannot be opened.`, { cause });
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new ServiceError('DOCUMENT_UNREADABLE', `${basename(path)} is not a file.`);
}

function readDocument(
  file: FileHandle,
  path: string,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): IncomingDocument {
  return { fileName: basename(path), mediaType: undefined, content: readChunks(file, path, onProgress, signal) };
}

async function* readChunks(
  file: FileHandle,
  path: string,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  try {
    const stream = createReadStream(path, { fd: file, autoClose: false, highWaterMark: 1024 * 1024, signal });
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      sent += chunk.length;
      yield chunk;
      onProgress(sent);
    }
  } catch (cause) {
    throw new ServiceError('UPLOAD_INCOMPLETE', 'The file could not be read to its end.', { cause });
  }
}

async function* oneDocument(document: IncomingDocument): AsyncGenerator<IncomingDocument> {
  yield await Promise.resolve(document);
}
