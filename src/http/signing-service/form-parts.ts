/** The headers of a form's parts: codings, which are refused, and names in the form of e-mails. */
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.ts';

/** The boundary that the header of a form names; empty without one. */
export function boundaryOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(headers['content-type'] ?? '') ?? [];
  return quoted ?? bare ?? '';
}

/** Longest header of a part that is looked at: the form's parser accepts no longer one. */
const longestHeader = 16 * 1024;

const CODINGS = /^content-(transfer-encoding|encoding)[ \t]*:(.*)$/gim;

/** Codings that leave the bytes of a part as they are. */
const PLAIN = new Set(['', '7bit', '8bit', 'binary', 'identity']);

/** The refusal of a part whose bytes are coded; undefined for a header without codings. */
function codedPart(header: string): HttpError | undefined {
  for (const [, name = '', value = ''] of header.matchAll(CODINGS)) {
    const coding = value.split(';', 1)[0]?.trim() ?? '';
    if (PLAIN.has(coding.toLowerCase())) continue;
    const shown = name.toLowerCase() === 'encoding' ? 'Content-Encoding' : 'Content-Transfer-Encoding';
    const sentence = `A part of the form has ${shown} ${coding.slice(0, 40)}: send its bytes as they are, and leave this header out.`;
    return new HttpError('MEDIA_TYPE_NOT_SUPPORTED', sentence);
  }
  return undefined;
}

/**
 * Watches a form that is about to be read, and passes a refusal to `refuse` when a part announces a transfer or content
 * coding (RFC 7578 §4.7): such a part would be signed in its coded form. Bytes of documents are never decoded here.
 */
export class PartCodings {
  readonly #delimiter: Buffer;
  readonly #refuse: (error: HttpError) => void;
  /** The header so far; undefined inside the content of a part. */
  #header: Buffer | undefined;
  /** Bytes before the next chunk in which a delimiter may begin. */
  #tail = Buffer.from('\r\n');

  constructor(request: Pick<IncomingMessage, 'headers'>, refuse: (error: HttpError) => void) {
    this.#delimiter = Buffer.from(`\r\n--${boundaryOf(request)}`, 'latin1');
    this.#refuse = refuse;
  }

  readonly look = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length;)
      at = this.#header === undefined ? this.#skip(chunk, at) : this.#read(chunk, at);
  };

  /** Looks for the next delimiter, and answers the offset behind it, or the end of the chunk. */
  #skip(chunk: Buffer, at: number): number {
    const overlap = this.#delimiter.length - 1;
    const joint = at === 0 ? Buffer.concat([this.#tail, chunk.subarray(0, overlap)]) : Buffer.alloc(0);
    const across = joint.indexOf(this.#delimiter);
    const inside = across < 0 ? chunk.indexOf(this.#delimiter, at) : -1;
    if (across < 0 && inside < 0) {
      this.#tail = Buffer.concat([this.#tail, chunk.subarray(Math.max(at, chunk.length - overlap))]).subarray(-overlap);
      return chunk.length;
    }
    this.#header = Buffer.alloc(0);
    return (across < 0 ? inside : across - this.#tail.length) + this.#delimiter.length;
  }

  /** Collects the header of a part up to its empty line, and answers the offset behind the line. */
  #read(chunk: Buffer, at: number): number {
    const before = this.#header ?? Buffer.alloc(0);
    const header = Buffer.concat([before, chunk.subarray(at, at + longestHeader)]);
    const end = header.indexOf('\r\n\r\n');
    if (end < 0 && header.length < longestHeader) {
      this.#header = header;
      return chunk.length;
    }
    const coded = codedPart(header.toString('latin1', 0, end < 0 ? longestHeader : end));
    if (coded !== undefined) this.#refuse(coded);
    this.#header = undefined;
    // The delimiter of an empty part begins with the end of its header.
    const next = end < 0 ? chunk.length : at + end + 2 - before.length;
    this.#tail = Buffer.alloc(0);
    return Math.max(at, next);
  }
}

const WORD = /=\?([\w.:-]+)(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi;

/**
 * A file name whose words are coded as in e-mails (RFC 2047), as some programs write it, in plain characters. Names of
 * another form, and words in an unknown character set, stay as they are.
 */
export function decodeWords(name: string): string {
  if (!name.includes('=?')) return name;
  return name
    .replaceAll(/(\?=)[ \t]+(?==\?)/g, '$1')
    .replaceAll(WORD, (word, charset: string, coding: string, text: string) => decodeWord(word, charset, coding, text));
}

function decodeWord(word: string, charset: string, coding: string, text: string): string {
  const bytes =
    coding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9a-f]{2})/gi, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
          'latin1',
        );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return word;
  }
}
