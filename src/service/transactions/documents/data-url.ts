import { ServiceError } from '../../errors/index.ts';
import { describeSize } from '../../space/index.ts';
import type { RoomForDocuments } from './room-for-documents.ts';

/** Passes a content on, and fails after `limit` bytes or without enough disk space. */
export async function* limited(
  content: AsyncIterable<Uint8Array>,
  limit: number,
  came: RoomForDocuments['came'],
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    await came(chunk.length);
    yield chunk;
  }
}

/** The refusal of a document over the limit; `limit` is in bytes. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError('DOCUMENT_TOO_LARGE', `A document may have at most ${describeSize(limit)}.`);
}

/** The contents of a data URL. */
export interface DataUrl {
  /** With its parameters, unchanged; `text/plain;charset=US-ASCII` by default (RFC 2397 §2). */
  readonly mediaType: string;
  readonly content: Buffer;
}

/** The bytes that a data URL carries, decoded when they are asked for. */
export interface BytesInText {
  /** About the number of the bytes. */
  readonly announced: number;
  /** Throws `REQUEST_INVALID` for a text that cannot be decoded. */
  readonly decode: () => DataUrl;
}

/**
 * The bytes of a text in the form of a data URL; undefined for another text. Each document is decoded only when it is
 * stored, so that a request of many documents is in memory once.
 */
export function bytesOfDataUrl(text: string | undefined): BytesInText | undefined {
  if (text === undefined || !/^data:[^,]*,/i.test(text)) return undefined;
  return {
    announced: Math.floor((text.length * 3) / 4),
    decode: () => {
      const parsed = parseDataUrl(text);
      if (parsed !== undefined) return parsed;
      throw new ServiceError('REQUEST_INVALID', 'The data URL cannot be read: data:<media type>;base64,<content>.');
    },
  };
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\w!#$&^.+-]+=("[^"]*"|[^;,"]*))*$/;

/**
 * Reads a data URL (RFC 2397), base64 or percent-encoded. White space in base64 and missing padding are accepted, as
 * browsers do. Answers undefined for anything else.
 */
export function parseDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',');
  if (comma < 0 || !/^data:/i.test(url)) return undefined;
  const header = url.slice('data:'.length, comma).trim();
  const isBase64 = /;\s*base64$/i.test(header);
  const mediaType = completeMediaType(isBase64 ? header.replace(/;\s*base64$/i, '') : header);
  if (!MEDIA_TYPE.test(mediaType)) return undefined;
  const content = isBase64 ? decodeBase64(url.slice(comma + 1)) : decodePercent(url.slice(comma + 1));
  return content === undefined ? undefined : { mediaType, content };
}

function completeMediaType(stated: string): string {
  if (stated === '') return 'text/plain;charset=US-ASCII';
  return stated.startsWith(';') ? `text/plain${stated}` : stated;
}

function decodeBase64(text: string): Buffer | undefined {
  const plain = text.includes('%') ? decodePercent(text)?.toString('latin1') : text;
  if (plain === undefined) return undefined;
  return decodeCompactBase64(plain) ?? decodeCompactBase64(plain.replace(/[\t\n\f\r ]/g, ''));
}

/**
 * Base64 without white space. Node's decoder is many times as fast as a regular expression and skips other characters,
 * so a result of the right length proves right input. The characters of base64url are accepted too.
 */
function decodeCompactBase64(text: string): Buffer | undefined {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const digits = text.length - padding;
  if (digits % 4 === 1 || text.includes('-') || text.includes('_')) return undefined;
  const content = Buffer.from(text, 'base64');
  return content.length === Math.floor((digits * 3) / 4) ? content : undefined;
}

/** Bytes unchanged, `%41` as a single byte; a percent sign without two hexadecimal digits is refused. */
function decodePercent(text: string): Buffer | undefined {
  const source = Buffer.from(text, 'utf8');
  const target = Buffer.alloc(source.length);
  let length = 0;
  for (let index = 0; index < source.length; index++) {
    let byte = source[index] ?? 0;
    if (byte === 0x25) {
      const digits = source.toString('latin1', index + 1, index + 3);
      if (!/^[0-9a-f]{2}$/i.test(digits)) return undefined;
      byte = Number.parseInt(digits, 16);
      index += 2;
    }
    target[length++] = byte;
  }
  return target.subarray(0, length);
}
