import type { Request, Response } from 'express';
import { HttpError } from '../http-error.ts';

/**
 * Sends bytes from memory like a file: whole, in a single range (RFC 9110 §14), or as 304 to a client with the same
 * version. The headers `ETag` and `Last-Modified` are set already. Several ranges at once get the whole. Throws
 * `RANGE_NOT_SATISFIABLE`.
 */
export function sendOctets(octets: Buffer, request: Request, response: Response): void {
  response.setHeader('Accept-Ranges', 'bytes');
  // A client with the whole result needs no part (RFC 9110 §13.2.2).
  const part = request.fresh ? undefined : chosenRange(octets.length, request, response);
  if (part === undefined) {
    response.send(octets);
    return;
  }
  const { start, end } = part;
  response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${octets.length}`);
  response.send(octets.subarray(start, end + 1));
}

/** The refusal of a range outside `size` octets. */
export function rangeNotSatisfiable(size: number): HttpError {
  const headers = { 'Content-Range': `bytes */${size}` };
  return new HttpError('RANGE_NOT_SATISFIABLE', `The file has ${size} octets.`, { headers });
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

/** `If-Range` (RFC 9110 §13.1.5): a part is of use only beside parts of the same version. */
function isSameVersion(condition: string | undefined, response: Response): boolean {
  if (condition === undefined) return true;
  if (condition.includes('"')) return condition === response.getHeader('ETag');
  return condition === response.getHeader('Last-Modified');
}
