import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.ts';

/** Limits of a form: the same 64 KiB in total as for `application/x-www-form-urlencoded`. */
const limits = { fieldSize: 16 * 1024, fields: 50, parts: 50, files: 0, headerPairs: 20 };
const largestForm = 64 * 1024;

/**
 * The text fields of a `multipart/form-data` body (RFC 7578), as programs send that build every form with a form
 * library. A repeated field becomes a list. Rejects with `REQUEST_MALFORMED` for files, unreadable and too large forms.
 */
export async function readMultipartFields(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (Number(request.headers['content-length'] ?? 0) > largestForm) {
    throw malformed(`The form may have at most ${largestForm} bytes.`);
  }
  const fields = new Map<string, string[]>();
  await new Promise<void>((resolve, reject) => {
    const parser = openParser(request);
    const refuse = (detail: string) => (): void => {
      request.unpipe(parser);
      request.resume();
      reject(malformed(detail));
    };
    let size = 0;
    parser.on('field', (name, value, { valueTruncated }) => {
      size += value.length;
      if (valueTruncated || size > largestForm) refuse('A field of the form is too long.')();
      else fields.set(name, [...(fields.get(name) ?? []), value]);
    });
    parser.on('filesLimit', refuse('This form has text fields only: leave the file name of each part out.'));
    parser.on('fieldsLimit', refuse('The form has too many fields.'));
    parser.on('partsLimit', refuse('The form has too many fields.'));
    parser.on('error', refuse('The form cannot be read: check its boundary and the headers of its parts.'));
    parser.on('close', resolve);
    request.once('close', () => {
      if (!request.complete) refuse('The form ends before its last part does.')();
    });
    request.pipe(parser);
  });
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

function openParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits });
  } catch (cause) {
    throw malformed('The form cannot be read: its boundary is missing from the header Content-Type.', cause);
  }
}

function malformed(detail: string, cause?: unknown): HttpError {
  return new HttpError('REQUEST_MALFORMED', detail, { cause });
}
