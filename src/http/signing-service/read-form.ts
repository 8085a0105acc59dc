import type { IncomingMessage } from 'node:http';
import { on } from 'node:events';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Busboy, FileInfo } from 'busboy';
import type { Room } from '../../service/space/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import { HttpError } from '../http-error.ts';
import { invalidFields } from '../read-body.ts';
import { inviteBody } from '../listeners/invite-body.ts';
import { boundaryOf, decodeWords, PartCodings } from './form-parts.ts';
import { watchSpeed, type LeastSpeed } from './least-speed.ts';

/** Limits of an upload, and the folder for parts that arrive out of order. */
export interface UploadLimits {
  /** Maximum number of bytes of a document. */
  readonly documentSize: number;
  /** Maximum number of documents of a request. */
  readonly documents: number;
  /** A folder readable by the owner only. */
  readonly spoolFolder: string;
  /** Reserves disk space before a temporary file is written. Absent: disk space is not checked. */
  readonly room?: Pick<Room, 'take'>;
  /** Default: `LEAST_SPEED`. */
  readonly leastSpeed?: LeastSpeed;
}

/** Bytes in which the first boundary of a form is looked for. */
const startOfForm = 4096;

/**
 * Watches the beginning of a form that is about to be read. The answered function tells, after a failure, whether the
 * boundary that the header names does not occur there: such a form fails at every try.
 */
export function watchBoundary(request: IncomingMessage): () => HttpError | undefined {
  const boundary = `--${boundaryOf(request)}`;
  let start = Buffer.alloc(0);
  const watch = (chunk: Buffer): void => {
    start = Buffer.concat([start, chunk.subarray(0, startOfForm - start.length)]);
    if (start.length === startOfForm) request.off('data', watch);
  };
  request.on('data', watch);
  return () => {
    request.off('data', watch);
    if (start.length === 0 || !request.complete || start.includes(boundary)) return undefined;
    const detail =
      'The boundary that Content-Type names does not occur in the form: let the HTTP library set Content-Type.';
    return new HttpError('REQUEST_MALFORMED', detail);
  };
}

/** The announced length of a body, if any. */
export function announcedBytes({ headers }: IncomingMessage): { readonly announcedBytes?: number } {
  const length = Number(headers['content-length']);
  return Number.isSafeInteger(length) ? { announcedBytes: length } : {};
}

/** A file of a form. `content` must be read to its end before the next part comes. */
export interface FormFile {
  /** Name of the form's field; empty for a part without a name. */
  readonly field: string;
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * The files of a `multipart/form-data` body (RFC 7578) in their order, streamed. Text fields with other names are
 * ignored; a document sent as text is refused by name. Throws `UPLOAD_INCOMPLETE` for a truncated body.
 */
export async function* readForm(request: IncomingMessage, limits: UploadLimits): AsyncGenerator<FormFile> {
  const parser = openParser(request, limits);
  // Without this handler, a second error of the parser, or one after the reader has stopped, would end the process.
  parser.on('error', ignore);
  parser.on('field', (name) => {
    if (!/^document(\[.*\])?$/.test(name)) return;
    const detail = 'Send this document as a file part, with a file name.';
    parser.destroy(invalidFields([{ field: name, code: 'NOT_A_FILE', detail }]));
  });
  parser.on('filesLimit', () => {
    const sentence = `One request may bring at most ${limits.documents} documents.`;
    parser.destroy(new ServiceError('TOO_MANY_DOCUMENTS', sentence));
  });
  parser.on('file', (_field, stream: Readable) => {
    // Without this handler, a part that waits would end the process when the connection breaks; the part's reader gets
    // the error.
    stream.on('error', ignore);
  });
  const files = on(parser, 'file', { close: ['close'] }) as AsyncIterable<
    // busboy's types lack undefined, which is the name of a part without a name.
    [string | undefined, Readable, FileInfo]
  >;
  // `pipeline` would close the connection on a refusal, and the client could not read the reason.
  const brokeOff = (): void => {
    if (!request.complete) parser.destroy(new Error('The connection broke.'));
  };
  request.once('close', brokeOff);
  const stopWatching = watchSpeed(request, (error) => parser.destroy(error), limits.leastSpeed);
  const boundaryProblem = watchBoundary(request);
  const codings = new PartCodings(request, (error) => parser.destroy(error));
  request.on('data', codings.look);
  inviteBody(request);
  request.pipe(parser);
  try {
    for await (const [field, stream, info] of files) yield formFile(field ?? '', stream, info);
  } catch (error) {
    throw boundaryProblem() ?? formError(error);
  } finally {
    boundaryProblem();
    request.off('data', codings.look);
    stopWatching();
    request.off('close', brokeOff);
    request.unpipe(parser);
    parser.destroy();
    request.resume();
  }
}

function ignore(): void {
  // The form was read or refused already, so later errors do not matter.
}

function openParser(request: IncomingMessage, limits: UploadLimits): Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      // A coded name may contain slashes.
      preservePath: true,
      limits: { files: limits.documents, fieldSize: 64 * 1024, fields: 1000, headerPairs: 50 },
    });
  } catch (cause) {
    const detail =
      'The form cannot be read: its boundary is missing. Let the HTTP library set Content-Type, which then names it.';
    throw new HttpError('REQUEST_MALFORMED', detail, { cause });
  }
}

function formFile(field: string, stream: Readable, info: FileInfo): FormFile {
  const { filename, mimeType } = info as Partial<FileInfo>;
  // A replacement character shows that the name was not UTF-8; the result would get the damaged name.
  if (filename?.includes('\uFFFD') === true) {
    stream.resume();
    throw new HttpError('BODY_NOT_UTF8', 'The file name of a part is not UTF-8: send file names as UTF-8.');
  }
  const name = decodeWords(filename ?? '')
    .split(/[/\\]/)
    .at(-1);
  return {
    field,
    fileName: name === undefined || /^\.{0,2}$/.test(name) ? undefined : name,
    mediaType: mimeType === 'application/octet-stream' ? undefined : mimeType,
    content: readPart(stream),
  };
}

async function* readPart(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk;
  } catch (error) {
    throw formError(error);
  }
}

/**
 * The refusal for an error while reading a form: our own errors are kept; errors of the parser or the connection mean a
 * damaged or incomplete form.
 */
export function formError(error: unknown): Error {
  if (error instanceof ServiceError || error instanceof HttpError) return error;
  if (error instanceof Error && error.message === 'Malformed part header') {
    const sentence =
      'The header of a part cannot be read: send Content-Disposition with a name and a file name, without control characters.';
    return new HttpError('REQUEST_MALFORMED', sentence, { cause: error });
  }
  return new ServiceError('UPLOAD_INCOMPLETE', 'The form ends before its last part does: send it again.', {
    cause: error,
  });
}
