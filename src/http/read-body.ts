import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { FairScheduler } from '../service/scheduling/index.ts';
import { decodeBody, meaningDigest, parseForm, parseJson } from './body-text.ts';
import { issueCode, issueSentence, requiredProblem } from './problems/field-problems.ts';
import { hangUpOf, remoteAddressOf, siteOf } from './guard-request.ts';
import { HttpError } from './http-error.ts';
import { ServiceError, type FieldProblem } from '../service/errors/index.ts';
import { mostProblems } from './problems/send-error.ts';

const digests = new WeakMap<IncomingMessage, string>();

/** Shorter bodies are read without waiting: together they need less memory than their connections. */
const SHORT_BODY = 64 * 2 ** 10;

/**
 * Reads a JSON body (RFC 8259) of at most `limit` bytes into `request.body`, and remembers the digest of its meaning
 * for requests with an `Idempotency-Key`. Long bodies wait unread until admitted; their bytes stay reserved until the answer is sent
 * or `letBodyGo` is called. Any other content type is a 415, and too many waiting bodies are a 503.
 */
export function readJsonBody(limit: number, admission: FairScheduler): RequestHandler {
  return async (request, response, next) => {
    expectJson(request);
    const announced = announcedLength(request, limit);
    if (announced > SHORT_BODY) await enter(admission, announced, request, response);
    const bytes = await readBytes(request, announced, limit);
    request.body = parse(bytes);
    if (request.headers['idempotency-key'] !== undefined) digests.set(request, meaningDigest(request.body));
    next();
  };
}

/** The digest of the meaning of a body with an `Idempotency-Key`; otherwise that of an empty body. */
export function bodyDigestOf(request: IncomingMessage): string {
  return digests.get(request) ?? meaningDigest(undefined);
}

/**
 * Frees the memory reserved for a body that is no longer needed, so that other bodies can be read. May be called more
 * than once.
 */
export function letBodyGo(request: Request, response: Response): void {
  request.body = undefined;
  const { leave } = response.locals;
  if (typeof leave === 'function') (leave as () => void)();
}

async function enter(admission: FairScheduler, bytes: number, request: Request, response: Response): Promise<void> {
  const hangUp = hangUpOf(response);
  const leave = await admission
    .enter([laneOf(request, response)], { weight: bytes, signal: hangUp })
    .catch((error: unknown) => {
      throw hangUp.aborted ? broken() : error;
    });
  response.locals.leave = leave;
  if (response.closed) leave();
  response.once('close', leave);
}

/**
 * The queue of a request under load: one queue for each application, token, person and site, and one for all programs
 * without credentials. The credentials are not checked here.
 */
function laneOf(request: Request, response: Response): string {
  const site = siteOf(response);
  if (site !== undefined) return `site ${site}`;
  const [scheme = '', credentials = ''] = (request.get('Authorization') ?? '').trim().split(/\s+/, 2);
  const address = remoteAddressOf(response);
  if (scheme === '' && address !== undefined) return `address ${address}`;
  if (!/^(basic|sinete)$/i.test(scheme)) return `${scheme} ${credentials}`;
  const name = Buffer.from(credentials, 'base64').toString().split(':', 1)[0] ?? '';
  return `${scheme} ${name}`;
}

function expectJson(request: Request): void {
  const name = (request.get('Content-Type') ?? '').toLowerCase().split(';', 1)[0]?.trim() ?? '';
  if (name !== 'application/json' && !name.endsWith('+json')) {
    throw new HttpError('MEDIA_TYPE_NOT_SUPPORTED', 'Send the body as application/json.');
  }
  expectPlainUtf8(request);
}

function expectPlainUtf8(request: Request): void {
  const [, ...parameters] = (request.get('Content-Type') ?? '').toLowerCase().split(';');
  const isUtf8 = parameters.every(
    (one) => !/^\s*charset=/.test(one) || /^\s*charset="?(utf-?8|us-ascii)"?\s*$/.test(one),
  );
  if (!isUtf8) throw new HttpError('MEDIA_TYPE_NOT_SUPPORTED', 'Send the body as UTF-8 without compression.');
  expectNoCoding(request);
}

/** Headers that announce a coding of a body, with the codings that leave its bytes as they are, or that Node decodes. */
const codings = {
  'Content-Encoding': ['', 'identity'],
  'Transfer-Encoding': ['', 'identity', 'chunked'],
  'Content-Transfer-Encoding': ['', '7bit', '8bit', 'binary', 'identity'],
} as const;

/**
 * Refuses a body in a content or transfer coding that is not decoded here (RFC 9110 §8.4, RFC 9112 §6.1): a document
 * would be signed in its coded form. Throws `MEDIA_TYPE_NOT_SUPPORTED`.
 */
export function expectNoCoding({ headers }: Pick<IncomingMessage, 'headers'>): void {
  for (const [name, plain] of Object.entries<readonly string[]>(codings)) {
    const value = String(headers[name.toLowerCase()] ?? '');
    const isPlain = value.split(',').every((coding) => plain.includes(coding.trim().toLowerCase()));
    if (isPlain) continue;
    const detail = `Send the body without compression: ${name} ${value.slice(0, 40)} is not decoded here.`;
    throw new HttpError('MEDIA_TYPE_NOT_SUPPORTED', detail);
  }
}

/** The announced length of the body; the limit for a body of unknown length. */
function announcedLength({ headers }: Request, limit: number): number {
  const stated = headers['content-length'];
  if (stated === undefined) return headers['transfer-encoding'] === undefined ? 0 : limit;
  const length = Number(stated);
  if (length > limit) throw tooLarge(limit);
  return length;
}

const tooLarge = (limit: number): HttpError =>
  new HttpError('REQUEST_TOO_LARGE', `The body may have at most ${limit} bytes.`);

const broken = (): HttpError => new HttpError('REQUEST_MALFORMED', 'The body is shorter or longer than announced.');

/**
 * Reads a body of known length into a single buffer, because a list of chunks plus the joined buffer would need twice
 * the memory.
 */
async function readBytes(request: Request, announced: number, limit: number): Promise<Buffer> {
  const isKnown = request.headers['content-length'] !== undefined;
  const whole = Buffer.allocUnsafeSlow(isKnown ? announced : 0);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // A body that is too long must not close the connection, because the answer is sent on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size + chunk.length > limit) throw tooLarge(limit);
      if (isKnown) chunk.copy(whole, size);
      else chunks.push(chunk);
      size += chunk.length;
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw broken();
  }
  return isKnown ? whole.subarray(0, size) : Buffer.concat(chunks);
}

/** An object or a list; undefined for an empty body. */
function parse(bytes: Buffer): unknown {
  return bytes.length === 0 ? undefined : parseJson(decodeBody(bytes));
}

/**
 * Checks `value` against a schema; all problems become a single `REQUEST_INVALID` that names every field, up to the most
 * that an answer carries.
 */
export function parseFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: issueSentence });
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.slice(0, mostProblems).map((issue) => fieldProblem(issue, value)));
}

/** A single `REQUEST_INVALID` for wrong fields. */
export function invalidFields(problems: readonly FieldProblem[]): ServiceError {
  const names = problems.map((problem) => problem.field).join(', ');
  return new ServiceError('REQUEST_INVALID', `Correct these fields: ${names}.`, { problems });
}

/** `documents[0].data` from zod's path. */
export function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'body' : name.replace(/^\./, '');
}

/** True for a JSON object: not null, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldProblem(issue: z.core.$ZodIssue, value: unknown): FieldProblem {
  const field = fieldName(issue.path);
  if (valueAt(value, issue.path) === undefined) return requiredProblem(field);
  return { field, code: issueCode(issue.code), detail: sentence(issue.message) };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );
}

function sentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}

/** Bytes and fields of a form: its fields are short. */
const formLimit = 64 * 1024;
const mostFormFields = 50;

/** Reads a form into `request.body` before the handler runs. */
export const readFormBody: RequestHandler = async (request, _response, next) => {
  await readFormInto(request);
  next();
};

/**
 * Reads `application/x-www-form-urlencoded`, or the same fields as JSON, into `request.body`; any other content type is a
 * 415.
 */
export async function readFormInto(
  request: Request,
  limits: { readonly bytes: number; readonly fields: number } = { bytes: formLimit, fields: mostFormFields },
): Promise<void> {
  const mediaType = (request.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType !== 'application/x-www-form-urlencoded' && mediaType !== 'application/json') {
    const detail = 'Send the fields as application/x-www-form-urlencoded or application/json.';
    throw new HttpError('MEDIA_TYPE_NOT_SUPPORTED', detail);
  }
  expectPlainUtf8(request);
  const bytes = await readBytes(request, announcedLength(request, limits.bytes), limits.bytes);
  if (bytes.length > 0) {
    const text = decodeBody(bytes);
    request.body = mediaType === 'application/json' ? parseJson(text) : parseForm(text, limits.fields);
  }
}

/** The fields read by `readFormBody`. Throws `HttpError` for a body other than an object. */
export function fieldsOf(request: Request): Record<string, unknown> {
  const body: unknown = request.body ?? {};
  if (!isObject(body)) throw new HttpError('REQUEST_MALFORMED', 'The body must be a form or a JSON object.');
  return { ...body };
}
