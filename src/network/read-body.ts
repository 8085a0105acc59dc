import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SigningError } from '../signing/index.ts';

function tooLarge(maxBytes: number): SigningError {
  return new SigningError('NETWORK_ANSWER_TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`);
}

/** Passes bytes on until there are more than `maxBytes`. */
function limit(maxBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let count = 0;
    for await (const chunk of source) {
      count += chunk.length;
      if (count > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

/**
 * The decoder for a content encoding; undefined when the body is not encoded. Servers often compress although asked not
 * to.
 */
function decoderOf(contentEncoding: string): Transform | undefined {
  switch (contentEncoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new SigningError('NETWORK_UNREACHABLE', 'The answer is compressed in a way that is not known here.');
  }
}

/**
 * Reads at most `maxBytes` and drops the bytes, so that a short answer leaves its connection usable; a longer answer
 * is cut off. Never rejects: a truncated body is as good as a dropped body.
 */
export async function dropBody(body: Readable, maxBytes: number): Promise<void> {
  body.on('error', () => undefined);
  let count = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      count += chunk.length;
      if (count > maxBytes) break;
    }
  } catch {
    body.destroy();
  }
}

/** Facts about the body from the headers. */
export interface BodyDescription {
  /** Lower case; empty when the header is absent. */
  readonly contentEncoding: string;
  readonly contentLength: number | undefined;
}

/**
 * Reads and decompresses the body; `maxBytes` limits both the received and the decompressed bytes. Rejects with
 * `NETWORK_ANSWER_TOO_LARGE`, and with errors of the connection or of the decompression.
 */
export async function readBody(
  body: Readable,
  { contentEncoding, contentLength }: BodyDescription,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) chunks.push(chunk);
  };
  try {
    if (contentLength !== undefined && contentLength > maxBytes) throw tooLarge(maxBytes);
    const decoder = decoderOf(contentEncoding);
    if (decoder === undefined) await pipeline(body, limit(maxBytes), collect);
    else await pipeline(body, limit(maxBytes), decoder, limit(maxBytes), collect);
  } catch (error) {
    body.destroy();
    throw error;
  }
  return Buffer.concat(chunks);
}
