import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../http-error.ts';
import { fieldsOf, readFormBody } from '../read-form-body.ts';
import { OAuthRefusal, type Parameters } from './oauth-library.ts';

/** Longest parameter; `state` is the longest in practice. */
const lengthLimit = 8192;

/**
 * Parameters by RFC 6749 §3.1: an empty value counts as absent, and no parameter may be repeated. Names of repeated
 * parameters are returned, so that the caller can decide about a redirect.
 */
export function readParameters(fields: Readonly<Record<string, unknown>>): {
  readonly parameters: Parameters;
  readonly wrong: readonly string[];
} {
  const parameters: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    if (text === undefined || text === null || text === '') continue;
    if (typeof text !== 'string' || text.length > lengthLimit) wrong.push(name);
    else parameters[name] = text;
  }
  return { parameters, wrong };
}

/** The parameters of a token or revocation request, from a form or JSON. Rejects with `OAuthRefusal`. */
export async function readOAuthBody(request: Request, response: Response): Promise<Parameters> {
  try {
    for (const read of readFormBody) await run(read, request, response);
    const { parameters, wrong } = readParameters(fieldsOf(request));
    if (wrong.length === 0) return parameters;
    throw new OAuthRefusal('invalid_request', `These parameters are repeated or no text: ${wrong.join(', ')}.`);
  } catch (error) {
    if (error instanceof OAuthRefusal) throw error;
    const status = error instanceof HttpError && error.code === 'MEDIA_TYPE_NOT_SUPPORTED' ? 415 : 400;
    throw new OAuthRefusal('invalid_request', 'Send a form or a JSON object of at most 64 KiB.', { status });
  }
}

async function run(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown): void => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('The body could not be read.'));
    };
    void handler(request, response, next);
  });
}
