import type { Request, Response, RequestHandler } from 'express';
import { HttpError } from '../http-error.ts';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../service/errors/index.ts';
import type { ResultFile, Transactions, UploadRequest } from '../../service/transactions/index.ts';
import { hangUpOf } from '../guard-request.ts';
import { invalidFields } from '../read-body.ts';
import { quotaHeaders } from '../problems/send-error.ts';
import { isRaw, readUpload } from './read-upload.ts';
import { answerContext, uploadBody } from './signature-service.ts';
import { announcedBytes, type UploadLimits } from './read-form.ts';

/**
 * Sends bytes from memory like a file: the whole file, a single range (RFC 9110 §14), or 304 to a client that has the
 * same version. `ETag` and `Last-Modified` must be set before. A request for several ranges gets the whole file. Throws
 * `RANGE_NOT_SATISFIABLE`.
 */
export function sendBytes(bytes: Buffer, request: Request, response: Response): void {
  response.setHeader('Accept-Ranges', 'bytes');
  // A client that has the current result gets 304 instead of a range (RFC 9110 §13.2.2).
  const part = request.fresh ? undefined : chosenRange(bytes.length, request, response);
  if (part === undefined) {
    response.send(bytes);
    return;
  }
  const { start, end } = part;
  response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${bytes.length}`);
  response.send(bytes.subarray(start, end + 1));
}

/** The refusal of a range outside `size` bytes. */
export function rangeNotSatisfiable(size: number): HttpError {
  const headers = { 'Content-Range': `bytes */${size}` };
  return new HttpError('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes.`, { headers });
}

function chosenRange(
  size: number,
  request: Request,
  response: Response,
): { readonly start: number; readonly end: number } | undefined {
  if (!isSameVersion(request.get('If-Range'), response)) return undefined;
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) throw rangeNotSatisfiable(size);
  if (ranges === undefined || typeof ranges === 'number' || ranges.type !== 'bytes' || ranges.length !== 1) {
    return undefined;
  }
  return ranges[0];
}

/** Checks `If-Range` (RFC 9110 §13.1.5): a range is useful only together with other ranges of the same version. */
function isSameVersion(condition: string | undefined, response: Response): boolean {
  if (condition === undefined) return true;
  if (condition.includes('"')) return condition === response.getHeader('ETag');
  return condition === response.getHeader('Last-Modified');
}

/**
 * Checks `If-Match` and `If-Unmodified-Since` (RFC 9110 §13.1.1, §13.1.4): a client that requires one version must not
 * get another. Throws `PRECONDITION_FAILED`.
 */
function refuseOtherVersion({ checksum, signedAt }: ResultFile, request: Request): void {
  const wanted = request.get('If-Match');
  if (wanted !== undefined) {
    const tags = wanted.split(',').map((tag) => tag.trim());
    if (tags.includes('*') || tags.includes(`"${checksum}"`)) return;
    throw new HttpError(
      'PRECONDITION_FAILED',
      'The file has another ETag than If-Match: get it without the condition.',
    );
  }
  const since = Date.parse(request.get('If-Unmodified-Since') ?? '');
  if (Number.isNaN(since) || Math.floor(signedAt.getTime() / 1000) * 1000 <= since) return;
  const detail = 'The file is newer than If-Unmodified-Since: get it without the condition.';
  throw new HttpError('PRECONDITION_FAILED', detail);
}

/**
 * Sends a result from memory, or streams the result from disk: whole or in ranges (RFC 9110 §14), with its name in
 * UTF-8 (RFC 6266), its SHA-256 as `ETag`, `Digest` (RFC 3230) and `Repr-Digest` (RFC 9530).
 */
export async function sendResult(result: ResultFile, request: Request, response: Response): Promise<void> {
  const digest = Buffer.from(result.checksum, 'hex').toString('base64');
  response.attachment(result.fileName);
  response.setHeader('Content-Type', result.mediaType);
  response.setHeader('ETag', `"${result.checksum}"`);
  response.setHeader('Digest', `sha-256=${digest}`);
  response.setHeader('Repr-Digest', `sha-256=:${digest}:`);
  response.setHeader('Last-Modified', result.signedAt.toUTCString());
  refuseOtherVersion(result, request);
  if (result.bytes !== undefined) {
    sendBytes(result.bytes, request, response);
    return;
  }
  const { path, read, size } = result;
  if (read !== undefined) {
    await sendChecked({ read, size }, request, response);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const options = { dotfiles: 'allow', etag: false, lastModified: false, cacheControl: false } as const;
    response.sendFile(path, options, (error: unknown) => {
      if (error === undefined) resolve();
      else reject(sendingError(error, result, response));
    });
  });
}

/** Sends a file in checked blocks. The connection is closed before a damaged block. */
async function sendChecked(
  { read, size }: Pick<Required<ResultFile & { readonly path: string }>, 'read' | 'size'>,
  request: Request,
  response: Response,
): Promise<void> {
  response.setHeader('Accept-Ranges', 'bytes');
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const part = chosenRange(size, request, response);
  const range = part ?? { start: 0, end: size - 1 };
  if (part !== undefined) response.status(206).setHeader('Content-Range', `bytes ${part.start}-${part.end}/${size}`);
  response.setHeader('Content-Length', range.end - range.start + 1);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const content = read(range);
  // Until the first block is checked, an error can still be answered.
  const first = await content.next();
  await pipeline(async function* () {
    if (first.done !== true) yield first.value;
    yield* content;
  }, response).catch((error: unknown) => {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('UPLOAD_INCOMPLETE', 'The client went away.', { cause: error });
  });
}

function sendingError(error: unknown, result: ResultFile, response: Response): Error {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 416) return rangeNotSatisfiable(result.size);
  if (status === 404) return new ServiceError('LIFETIME_OVER', 'The signed document is no longer kept here.');
  if (response.destroyed || response.headersSent) return new ServiceError('UPLOAD_INCOMPLETE', 'The client went away.');
  return new ServiceError('STORAGE_UNAVAILABLE', 'The signed document cannot be read at the moment.', { cause: error });
}

/** Path parameters of an upload: `/file-transfer/<tcn>/<eot, continue or empty>/<signature_setting>`. */
export type UploadPath = { tcn: string; eot?: string; setting?: string };

/** Path parameters of a download. */
type DownloadPath = { tcn: string; documentId: string };

/** Endpoint 2: receives documents in a form or as the raw body, and starts signing after the last one. */
export function uploadDocuments(transactions: Transactions, limits: UploadLimits): RequestHandler<UploadPath> {
  return async (request, response) => {
    const hangUp = hangUpOf(response);
    const upload = { ...readUploadPath(request), ...announcedBytes(request), isOneDocument: isRaw(request) };
    const documents = readUpload(request, limits);
    const outcome = await transactions.upload(request.params.tcn, upload, documents, hangUp).catch((error: unknown) => {
      throw formRefusalOf(error);
    });
    response.set(quotaHeaders(outcome.quota));
    response.json(await uploadBody(outcome, answerContext(request, transactions)));
  };
}

/** Endpoint 4: the signed document or signature, streamed, with ranges. */
export function downloadDocument(transactions: Transactions): RequestHandler {
  return async (request, response) => {
    const { tcn, documentId } = request.params as DownloadPath;
    await sendResult(await transactions.result(tcn, documentId), request, response);
  };
}

/** Reports a form that can never be read as such, and not as an interrupted upload. */
function formRefusalOf(error: unknown): unknown {
  const isWrapped = error instanceof ServiceError && error.code === 'UPLOAD_INCOMPLETE';
  return isWrapped && error.cause instanceof HttpError ? error.cause : error;
}

function readUploadPath({ params }: Request<UploadPath>): UploadRequest {
  const { eot = '', setting = '' } = params;
  const settingId = setting === '' ? {} : { settingId: setting };
  switch (eot.toLowerCase()) {
    case 'eot':
      return { endOfTransaction: true, ...settingId };
    case 'continue':
    case '':
      return { endOfTransaction: false, ...settingId };
    default: {
      const detail = 'The segment behind the TCN is "eot", "continue" or empty; the signature setting comes behind it.';
      throw invalidFields([{ field: 'eot', code: 'INVALID_VALUE', detail }]);
    }
  }
}
