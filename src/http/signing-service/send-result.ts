import type { Request, Response } from 'express';
import { ServiceError } from '../../service/errors/index.ts';
import type { ResultFile } from '../../service/transactions/index.ts';
import { rangeNotSatisfiable, sendOctets } from './send-octets.ts';

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
  if (result.octets !== undefined) {
    sendOctets(result.octets, request, response);
    return;
  }
  const { path } = result;
  await new Promise<void>((resolve, reject) => {
    const options = { dotfiles: 'allow', etag: false, lastModified: false, cacheControl: false } as const;
    response.sendFile(path, options, (error: unknown) => {
      if (error === undefined) resolve();
      else reject(sendingError(error, result, response));
    });
  });
}

function sendingError(error: unknown, result: ResultFile, response: Response): Error {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 416) return rangeNotSatisfiable(result.size);
  if (status === 404) return new ServiceError('LIFETIME_OVER', 'The signed document is no longer kept here.');
  if (response.destroyed || response.headersSent) return new ServiceError('UPLOAD_INCOMPLETE', 'The client went away.');
  return new ServiceError('STORAGE_UNAVAILABLE', 'The signed document cannot be read at the moment.', { cause: error });
}
