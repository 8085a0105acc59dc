import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../service/errors/index.ts';
import type { IncomingDocument } from '../../service/transactions/index.ts';
import { expectNoCoding, invalidFields } from '../read-body.ts';
import { decodeWords } from './form-parts.ts';
import { partSpellings } from '../client-spellings.ts';
import { inviteBody } from '../listeners/invite-body.ts';
import { watchSpeed, type LeastSpeed } from './least-speed.ts';
import { type FormFile, readForm, type UploadLimits } from './read-form.ts';
import { HttpError } from '../http-error.ts';

interface SpooledPart {
  readonly index: number;
  readonly path: string;
  readonly part: FormFile;
}

/**
 * The documents of a form in the order of their index, whatever the order of the parts. Parts named `document` or
 * `document[<id>]`, or a single part under another name, keep their order. A part `document[n]` that arrives before its
 * turn is stored in a temporary file.
 */
export async function* inIndexOrder(
  parts: AsyncIterable<FormFile>,
  limits: UploadLimits,
): AsyncGenerator<IncomingDocument> {
  const waiting: SpooledPart[] = [];
  const seen = new Set<string>();
  let next = 0;
  try {
    for await (const part of parts) {
      const index = indexOf(part.field, seen);
      if (index === undefined || index === next) yield incomingDocument(part, part.content);
      else waiting.push(await spool(part, index, limits));
      if (index !== undefined && index === next) next += 1;
      for (let ready = take(waiting, next); ready !== undefined; ready = take(waiting, ++next)) {
        yield* unspool(ready);
      }
    }
    waiting.sort((one, other) => one.index - other.index);
    for (let ready = waiting.shift(); ready !== undefined; ready = waiting.shift()) yield* unspool(ready);
  } finally {
    await Promise.all(waiting.map(async ({ path }) => rm(path, { force: true })));
  }
}

/** Names of the part of a document without an id. */
const partNames: ReadonlySet<string> = new Set(['document', ...partSpellings.map(({ spelling }) => spelling)]);

/** The n of `document[n]`; undefined for a part without an index. Refuses repeated and mixed names. */
function indexOf(field: string, seen: Set<string>): number | undefined {
  const label = labelOf(field);
  const isDocument = label !== undefined || partNames.has(field);
  const alone = seen.size === 0;
  if (!isDocument && !alone) throw unexpected(field, 'Several documents are named document[0], document[1], …');
  if (isDocument && [...seen].some((other) => !other.startsWith('document'))) {
    throw unexpected(field, 'A file under a name of its own must be the only one.');
  }
  if (label !== undefined && seen.has(field)) throw unexpected(field, 'This field was sent before.');
  seen.add(field);
  return label !== undefined && /^(0|[1-9]\d{0,5})$/.test(label) ? Number(label) : undefined;
}

/** The text in the brackets of `document[…]`; undefined for other fields, and for `document[]`. */
function labelOf(field: string): string | undefined {
  return /^document\[([^[\]]+)\]$/.exec(field)?.[1];
}

function incomingDocument(
  { field, fileName, mediaType }: FormFile,
  content: IncomingDocument['content'],
): IncomingDocument {
  const label = labelOf(field);
  return { label, fileName, mediaType, content };
}

/** The refusal of an unexpected part. */
function unexpected(field: string, detail: string): ServiceError {
  return invalidFields([{ field: field === '' ? 'document' : field, code: 'UNEXPECTED_PART', detail }]);
}

function take(waiting: SpooledPart[], index: number): SpooledPart | undefined {
  const position = waiting.findIndex((one) => one.index === index);
  return position < 0 ? undefined : waiting.splice(position, 1)[0];
}

async function spool(part: FormFile, index: number, limits: UploadLimits): Promise<SpooledPart> {
  const path = join(limits.spoolFolder, `${randomUUID()}.part`);
  const file = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    for await (const chunk of part.content) {
      size += chunk.length;
      if (size > limits.documentSize) throw tooLarge(limits.documentSize);
      await file.write(chunk);
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { index, path, part };
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('DOCUMENT_TOO_LARGE', `A document may have at most ${limit} bytes.`);
}

async function* unspool({ part, path }: SpooledPart): AsyncGenerator<IncomingDocument> {
  try {
    yield incomingDocument(part, createReadStream(path));
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * The documents of an upload, in order and streamed: the fields `document`, `document[n]` or `document[<id>]` of a
 * form, a single file under any other name, or the raw body. An empty body is an upload without documents. Throws
 * `MEDIA_TYPE_NOT_SUPPORTED`, `REQUEST_MALFORMED`, `UPLOAD_INCOMPLETE`.
 */
export function readUpload(request: IncomingMessage, limits: UploadLimits): AsyncIterable<IncomingDocument> {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  expectNoCoding(request);
  if (mediaType === 'multipart/form-data') return inIndexOrder(readForm(request, limits), limits);
  if (isEmpty(request)) return noDocuments();
  if (rawTypes.has(mediaType)) return oneDocument(readRaw(request, mediaType, limits.leastSpeed));
  throw new HttpError(
    'MEDIA_TYPE_NOT_SUPPORTED',
    'Send multipart/form-data, or one document as application/pdf or application/octet-stream.',
  );
}

/** The whole body as a document, named by `Content-Disposition` (RFC 6266) if present. */
export function readRaw(
  request: IncomingMessage,
  mediaType: string | undefined,
  leastSpeed?: LeastSpeed,
): IncomingDocument {
  return {
    fileName: fileNameOf(request.headers['content-disposition']),
    mediaType: mediaType === 'application/octet-stream' ? undefined : mediaType,
    content: untilItsEnd(request, leastSpeed),
  };
}

/** A list with a single document, as the service expects. */
export async function* oneDocument(document: IncomingDocument): AsyncGenerator<IncomingDocument> {
  yield await Promise.resolve(document);
}

/** True if the whole body is one document. */
export const isRaw = ({ headers }: IncomingMessage): boolean =>
  rawTypes.has((headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '');

const rawTypes = new Set(['application/pdf', 'application/octet-stream']);

async function* noDocuments(): AsyncGenerator<IncomingDocument> {
  // No document: a client may end its batch with an empty request.
}

/** Reads a body and fails if the connection breaks, so that a truncated document is not taken for a whole one. */
async function* untilItsEnd(request: IncomingMessage, leastSpeed: LeastSpeed | undefined): AsyncGenerator<Uint8Array> {
  const slowness = new Slowness();
  inviteBody(request);
  const stopWatching = watchSpeed(request, (error) => slowness.tell(error), leastSpeed);
  // A refused body must not close the connection, because the answer is sent on it.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const next = await slowness.orResult(chunks.next());
      if (next.done === true) return;
      yield next.value;
    }
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new ServiceError('UPLOAD_INCOMPLETE', 'The connection broke before the document was here.', { cause });
  } finally {
    stopWatching();
    // The iterator of a slow body still waits for a chunk, and would not return before it.
    if (!slowness.isTold) await chunks.return?.();
  }
}

/**
 * Holds the refusal of a slow client. `Promise.race` against one long-lived promise would keep every chunk in memory
 * until the end.
 */
class Slowness {
  #error: HttpError | undefined;
  #reject: ((error: HttpError) => void) | undefined;

  get isTold(): boolean {
    return this.#error !== undefined;
  }

  tell(error: HttpError): void {
    this.#error = error;
    this.#reject?.(error);
  }

  /** Answers the result of a chunk; rejects with the refusal if that comes first. */
  async orResult<Result>(result: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#error !== undefined) reject(this.#error);
      result.then(resolve, reject);
    });
  }
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

function fileNameOf(disposition: string | undefined): string | undefined {
  const extended = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (extended !== undefined) return decoded(extended.trim());
  const plain = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? '')?.[1];
  const name = plain?.replaceAll(/\\(.)/g, '$1') ?? /filename=([^;"\s]+)/i.exec(disposition ?? '')?.[1];
  return name === undefined ? undefined : decodeWords(name);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
