import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../service/errors/index.ts';
import type { IncomingDocument } from '../../service/transactions/index.ts';
import { HttpError } from '../http-error.ts';
import { inIndexOrder } from './index-order.ts';
import { readForm } from './read-form.ts';
import type { UploadLimits } from './upload-limits.ts';

/**
 * The documents of an upload, in order and streamed: the fields `document` or `document[n]` of a form, a single file
 * under any other name, or the raw body. An empty body is an upload without documents. Throws
 * `MEDIA_TYPE_NOT_SUPPORTED`, `REQUEST_MALFORMED`, `UPLOAD_INCOMPLETE`.
 */
export function readUpload(request: IncomingMessage, limits: UploadLimits): AsyncIterable<IncomingDocument> {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new HttpError('MEDIA_TYPE_NOT_SUPPORTED', 'Send the documents without Content-Encoding.');
  }
  if (mediaType === 'multipart/form-data') return inIndexOrder(readForm(request, limits), limits);
  if (isEmpty(request)) return noDocuments();
  if (rawTypes.has(mediaType)) return oneDocument(readRaw(request, mediaType));
  throw new HttpError(
    'MEDIA_TYPE_NOT_SUPPORTED',
    'Send multipart/form-data, or one document as application/pdf or application/octet-stream.',
  );
}

/** The whole body as a document, named by `Content-Disposition` (RFC 6266) if present. */
export function readRaw(request: IncomingMessage, mediaType: string | undefined): IncomingDocument {
  return {
    fileName: fileNameOf(request.headers['content-disposition']),
    mediaType: mediaType === 'application/octet-stream' ? undefined : mediaType,
    content: untilItsEnd(request),
  };
}

/** A list with a single document, as the service expects. */
export async function* oneDocument(document: IncomingDocument): AsyncGenerator<IncomingDocument> {
  yield await Promise.resolve(document);
}

const rawTypes = new Set(['application/pdf', 'application/octet-stream']);

async function* noDocuments(): AsyncGenerator<IncomingDocument> {
  // A batch may end with an empty request of its own.
}

/** A broken connection must not look like the end of a document. */
async function* untilItsEnd(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) yield chunk;
  } catch (cause) {
    throw new ServiceError('UPLOAD_INCOMPLETE', 'The connection broke before the document was here.', { cause });
  }
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

function fileNameOf(disposition: string | undefined): string | undefined {
  const extended = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (extended !== undefined) return decoded(extended.trim());
  const plain = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? '')?.[1];
  return plain?.replaceAll(/\\(.)/g, '$1') ?? /filename=([^;"\s]+)/i.exec(disposition ?? '')?.[1];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
