import express, { type Request, type RequestHandler } from 'express';
import { HttpError } from './http-error.ts';
import { isObject } from './read-json.ts';

/** Octets of a form: its fields are short. */
const limit = 64 * 1024;

/** Reads `application/x-www-form-urlencoded`, or the same fields as JSON; any other content type is a 415. */
export const readFormBody: RequestHandler[] = [
  (request, _response, next) => {
    const mediaType = (request.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (mediaType !== 'application/x-www-form-urlencoded' && mediaType !== 'application/json') {
      const detail = 'Send the fields as application/x-www-form-urlencoded or application/json.';
      throw new HttpError('MEDIA_TYPE_NOT_SUPPORTED', detail);
    }
    next();
  },
  express.urlencoded({ extended: false, limit, parameterLimit: 50, inflate: false }),
  express.json({ limit, inflate: false, strict: true }),
];

/** The fields read by `readFormBody`. Throws `HttpError` for a body other than an object. */
export function fieldsOf(request: Request): Record<string, unknown> {
  const body: unknown = request.body ?? {};
  if (!isObject(body)) throw new HttpError('REQUEST_MALFORMED', 'The body must be a form or a JSON object.');
  return { ...body };
}
