import { malformed } from '../syntax/pdf-error.ts';
import type { PdfFile } from './pdf-file.ts';
import type { SyntaxReader } from '../syntax/syntax-reader.ts';
import { PdfStream } from '../syntax/values.ts';
import type { ObjectCipher, PdfValue } from '../syntax/values.ts';

export interface IndirectObject {
  readonly number: number;
  readonly generation: number;
  readonly value: PdfValue;
}

/** Gives the key of an object; undefined where nothing is encrypted. */
export type CipherOf = (number: number, generation: number) => ObjectCipher | undefined;

/** Moves behind `stream` and its line end (ISO 32000-2 §7.3.8.1); false when no stream follows. */
function acceptStreamStart(reader: SyntaxReader): boolean {
  reader.skipSpace();
  if (reader.atEnd() || !reader.accept('stream')) return false;
  reader.accept('\r');
  reader.accept('\n');
  return true;
}

/** Reads `12 0 obj …` at `position` (ISO 32000-2 §7.3.10). White space in front is allowed. */
export function readIndirectObject(file: PdfFile, position: number, cipherOf?: CipherOf): IndirectObject {
  return readIndirectObjectWithEnd(file, position, cipherOf);
}

/** The same, and where its value ends in the file; for a stream, where its data begin. */
export function readIndirectObjectWithEnd(
  file: PdfFile,
  position: number,
  cipherOf?: CipherOf,
): IndirectObject & { readonly end: number } {
  return file.parse(position, (reader) => {
    const { number, generation } = readHead(reader, position);
    reader.cipher = cipherOf?.(number, generation);
    const value = reader.readValue();
    const isStream = value instanceof Map && acceptStreamStart(reader);
    const end = position + reader.position;
    return { number, generation, value: isStream ? new PdfStream(value, end) : value, end };
  });
}

function readHead(reader: SyntaxReader, position: number): { number: number; generation: number } {
  reader.skipSpace();
  const number = reader.readWord();
  reader.skipSpace();
  const generation = reader.readWord();
  reader.skipSpace();
  if (!/^\d{1,10}$/.test(number) || !/^\d{1,5}$/.test(generation) || !reader.accept('obj')) {
    malformed(`no object begins at octet ${position}, where its cross-reference says one does`);
  }
  return { number: Number(number), generation: Number(generation) };
}
