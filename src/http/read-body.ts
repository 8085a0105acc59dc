import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { HttpError } from './http-error.ts';

const digests = new WeakMap<IncomingMessage, string>();

/**
 * Reads a JSON body of at most `limit` octets, and remembers its SHA-256 when it comes with an `Idempotency-Key`; any
 * other content type is a 415.
 */
export function readJsonBody(limit: number): RequestHandler[] {
  const read = express.json({
    limit,
    type: () => true,
    inflate: false,
    verify: (request, _response, body) => {
      if (request.headers['idempotency-key'] === undefined) return;
      digests.set(request, createHash('sha256').update(body).digest('hex'));
    },
  });
  return [requireJson, read];
}

/** Lower-case hex SHA-256 of a body that came with an `Idempotency-Key`; that of nothing for any other. */
export function bodyDigestOf(request: IncomingMessage): string {
  return digests.get(request) ?? createHash('sha256').digest('hex');
}

const requireJson: RequestHandler = (request, _response, next) => {
  const mediaType = (request.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType !== 'application/json' && !mediaType.endsWith('+json')) {
    throw new HttpError('MEDIA_TYPE_NOT_SUPPORTED', 'Send the body as application/json.');
  }
  next();
};
