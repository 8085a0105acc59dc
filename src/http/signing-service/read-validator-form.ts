import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { ServiceError, toServiceError, type FieldProblem } from '../../service/errors/index.ts';
import { describeSize } from '../../service/space/index.ts';
import { refuseFormat, type OtherFormat } from '../../service/validation/index.ts';
import { HttpError } from '../http-error.ts';
import { expectNoCoding, invalidFields } from '../read-body.ts';
import { inviteBody } from '../listeners/invite-body.ts';
import { PartCodings } from './form-parts.ts';
import { announcedBytes, formError, watchBoundary, type UploadLimits } from './read-form.ts';

/** The form of endpoint 5, with its files on disk. */
export interface ValidatorForm {
  readonly kind: 'cms' | 'pdf' | 'timestamp';
  readonly signaturePath: string;
  readonly documentPath?: string;
  readonly recordPath?: string;
}

const kinds: ReadonlyMap<string, ValidatorForm['kind']> = new Map([
  ['cms', 'cms'],
  ['cades', 'cms'],
  ['cms-attached', 'cms'],
  ['cms-detached', 'cms'],
  ['timestamp', 'timestamp'],
  ['evidencerecord', 'timestamp'],
  ['cades-attached', 'cms'],
  ['cades-detached', 'cms'],
  ['pdf', 'pdf'],
  ['pades', 'pdf'],
  ['pdfsignature', 'pdf'],
]);

/**
 * Known formats that the validator does not support. `ASiC-E` and `XAdES-BASELINE` stand for all types that begin so.
 */
const otherTypes: readonly (readonly [RegExp, OtherFormat])[] = [
  [/^(?:xades|xmldsig)/i, 'XAdES'],
  [/^(?:jades|jws)/i, 'JAdES'],
  [/^asic/i, 'ASiC'],
];

/** Refuses a type that is known but not supported. Throws `TYPE_NOT_SUPPORTED`. */
function refuseOtherType(type: string): void {
  const format = otherTypes.find(([pattern]) => pattern.test(type))?.[1];
  if (format !== undefined) throw refuseFormat(format, 'type');
}

/** Maximum number of bytes of a signature sent as text (base64 or PEM), without a file name. */
const textLimit = 16 * 2 ** 20;

/**
 * Reads the form, in any order of its parts, writes its files to the spool folder and passes their paths to `action`;
 * the files are removed afterwards. `caller` names the sender, whose announcements share a part of the disk. A signature and an evidence record may be text fields, as PEM or base64. Throws
 * `REQUEST_INVALID` for missing parts and unknown types, `TYPE_NOT_SUPPORTED`, `DOCUMENT_TOO_LARGE`,
 * `UPLOAD_INCOMPLETE`, `MEDIA_TYPE_NOT_SUPPORTED`.
 */
export async function withValidatorForm<Result>(
  request: IncomingMessage,
  limits: UploadLimits,
  caller: string,
  action: (form: ValidatorForm) => Promise<Result>,
): Promise<Result> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new HttpError(
      'MEDIA_TYPE_NOT_SUPPORTED',
      'Send multipart/form-data with the fields type, signature, document.',
    );
  }
  expectNoCoding(request);
  const bytes = announcedBytes(request).announcedBytes ?? 0;
  if (bytes > MOST_FILES * TEXT_SHARE * limits.documentSize + OTHER_BYTES) throw tooLarge(limits.documentSize);
  const room = await limits.room?.take({ bytes, isPassing: true, caller });
  const parts = new FormParts(limits, async (more) => room?.came(more));
  try {
    await parts.read(request);
    return await action(parts.finish());
  } finally {
    await parts.remove();
    room?.leave();
  }
}

/** Files of a form, their length in base64, and the bytes of all other parts: more is refused by the announced length. */
const MOST_FILES = 3;
const TEXT_SHARE = 1.4;
const OTHER_BYTES = 2 ** 20;

const fileFields = ['signature', 'document', 'evidence_record'] as const;
type FileField = (typeof fileFields)[number];

const isFileField = (name: string): name is FileField => fileFields.some((field) => field === name);

/** Collects the parts of a form; a file counts once it is on disk. */
class FormParts {
  readonly #limits: UploadLimits;
  readonly #came: (bytes: number) => Promise<void>;
  readonly #files = new Map<FileField, string>();
  readonly #problems: FieldProblem[] = [];
  #type: string | undefined;

  constructor(limits: UploadLimits, came: (bytes: number) => Promise<void>) {
    this.#limits = limits;
    this.#came = came;
  }

  async read(request: IncomingMessage): Promise<void> {
    const parser = openParser(request);
    const writing: Promise<void>[] = [];
    const keep = (work: Promise<void>): void => {
      writing.push(work);
      // The first failure ends the form at once. Without this handler the rejection would end the process.
      work.catch((error: unknown) => parser.destroy(error instanceof Error ? error : new Error(String(error))));
    };
    parser.on('field', (name, value) => {
      if (name === 'type') this.#type = value.trim();
      else if (isFileField(name)) keep(this.#keepText(name, value));
    });
    parser.on('file', (name, stream) => {
      stream.on('error', ignore);
      // After an error the parser still announces parts, but never sends their bytes.
      if (parser.destroyed) return;
      if (isFileField(name) && !this.#files.has(name)) keep(this.#keep(name, stream));
      else stream.resume();
    });
    const brokeOff = (): void => {
      if (!request.complete) parser.destroy(new Error('The connection broke.'));
    };
    request.once('close', brokeOff);
    const boundaryProblem = watchBoundary(request);
    const codings = new PartCodings(request, (error) => parser.destroy(error));
    request.on('data', codings.look);
    try {
      await new Promise<void>((resolve, reject) => {
        parser.once('close', resolve);
        // `once` would not do: a damaged form may cause two errors, and an unhandled error would end the process.
        parser.on('error', (error: Error) => {
          reject(error);
          parser.destroy();
        });
        inviteBody(request);
        // `pipeline` would close the connection on a refusal, and the client could not read the reason.
        request.pipe(parser);
      });
      await Promise.all(writing);
    } catch (error) {
      throw boundaryProblem() ?? validatorFormError(error);
    } finally {
      boundaryProblem();
      request.off('data', codings.look);
      await Promise.allSettled(writing);
      request.off('close', brokeOff);
      request.unpipe(parser);
      request.resume();
    }
  }

  /** Returns the form, or throws a single refusal with all problems. */
  finish(): ValidatorForm {
    refuseOtherType(this.#type ?? '');
    const kind = kinds.get(this.#type?.toLowerCase() ?? '');
    if (this.#type === undefined || this.#type === '') {
      this.#problems.push({
        field: 'type',
        code: 'REQUIRED',
        detail: 'Send CMS, CAdES, PDF, PAdES, TimeStamp or EvidenceRecord.',
      });
    } else if (kind === undefined) {
      this.#problems.push({
        field: 'type',
        code: 'INVALID_VALUE',
        detail: 'Send CMS, CAdES, PDF, PAdES, TimeStamp or EvidenceRecord.',
      });
    }
    const signaturePath = this.#files.get('signature');
    if (signaturePath === undefined) {
      this.#problems.push({ field: 'signature', code: 'REQUIRED', detail: 'Send the signature as a file part.' });
    }
    if (kind === undefined || signaturePath === undefined) throw invalidFields(this.#problems);
    const documentPath = this.#files.get('document');
    const recordPath = this.#files.get('evidence_record');
    return { kind, signaturePath, documentPath, recordPath };
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#files.values()].map(async (path) => rm(path, { force: true })));
  }

  async #keep(name: FileField, stream: NodeJS.ReadableStream): Promise<void> {
    const path = join(this.#limits.spoolFolder, `validate-${randomUUID()}`);
    this.#files.set(name, path);
    await pipeline(
      stream,
      upTo(this.#limits.documentSize, this.#came),
      createWriteStream(path, { mode: 0o600, flags: 'wx' }),
    );
    // Browsers send a part without bytes and without a name when no file was chosen.
    if ((await stat(path)).size > 0) return;
    await rm(path, { force: true });
    this.#files.delete(name);
  }

  /** Keeps PEM unchanged, and decodes pure base64. */
  async #keepText(name: FileField, value: string): Promise<void> {
    const bare = value.replaceAll(/\s/g, '');
    const isBase64 = name !== 'document' && bare !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(bare);
    const bytes = Buffer.from(isBase64 ? bare : value, isBase64 ? 'base64' : 'utf8');
    await this.#keep(name, Readable.from([bytes]));
  }
}

function ignore(): void {
  // The part's reader gets the error from its own pipeline.
}

function openParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { files: 8, fields: 100, fieldSize: textLimit, headerPairs: 50 },
    });
  } catch (cause) {
    throw new HttpError('REQUEST_MALFORMED', 'The form cannot be read: its boundary is missing.', { cause });
  }
}

/** Passes a document on, up to the permitted size and while there is disk space. */
function upTo(limit: number, came: (bytes: number) => Promise<void>): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length <= limit) came(chunk.length).then(() => done(null, chunk), done);
      else done(tooLarge(limit));
    },
  });
}

const tooLarge = (limit: number): ServiceError =>
  new ServiceError('DOCUMENT_TOO_LARGE', `A file may have at most ${describeSize(limit)}.`);

/** A failed write is reported as such (a full disk, for example), any other error as an unreadable form. */
function validatorFormError(error: unknown): Error {
  return error instanceof Error && 'syscall' in error ? toServiceError(error) : formError(error);
}
