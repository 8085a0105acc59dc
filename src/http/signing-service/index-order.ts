import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import type { IncomingDocument } from '../../service/transactions/index.ts';
import { invalidFields } from '../read-json.ts';
import type { FormFile } from './read-form.ts';
import type { UploadLimits } from './upload-limits.ts';

interface SpooledPart {
  readonly index: number;
  readonly path: string;
  readonly part: FormFile;
}

/**
 * The documents of a form in the order of their index, for any order of the parts. Parts named `document`, or a single
 * part under another name, pass in their order, and so does `document[n]` while n counts up from 0; a part ahead of its
 * turn waits in a file.
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
      if (index === undefined || index === next) yield part;
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

/** The n of `document[n]`; undefined for a part without an index. Refuses repeated and mixed names. */
function indexOf(field: string, seen: Set<string>): number | undefined {
  const index = /^document\[(\d{1,6})\]$/.exec(field)?.[1];
  const name = index === undefined ? field : `document[${Number(index)}]`;
  const isDocument = index !== undefined || name === 'document' || name === 'document[]';
  const alone = seen.size === 0;
  if (!isDocument && !alone) throw unexpected(field, 'Several documents are named document[0], document[1], …');
  if (isDocument && [...seen].some((other) => !other.startsWith('document'))) {
    throw unexpected(field, 'A file under a name of its own must be the only one.');
  }
  if (index !== undefined && seen.has(name)) throw unexpected(field, 'This index was sent before.');
  seen.add(name);
  return index === undefined ? undefined : Number(index);
}

/** An error of a part. Parts without a name get an index too. */
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
  return new ServiceError('DOCUMENT_TOO_LARGE', `A document may have at most ${limit} octets.`);
}

async function* unspool({ part, path }: SpooledPart): AsyncGenerator<IncomingDocument> {
  try {
    yield { fileName: part.fileName, mediaType: part.mediaType, content: createReadStream(path) };
  } finally {
    await rm(path, { force: true });
  }
}
