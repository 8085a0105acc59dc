import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SigningError } from '../signing/index.ts';

function tooLarge(maxOctets: number): SigningError {
  return new SigningError('NETWORK_ANSWER_TOO_LARGE', `The answer is larger than ${maxOctets} octets.`);
}

/** Passes octets on until there are more than `maxOctets`. */
function limit(maxOctets: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let count = 0;
    for await (const chunk of source) {
      count += chunk.length;
      if (count > maxOctets) throw tooLarge(maxOctets);
      yield chunk;
    }
  };
}

/** Undefined: the octets are the body. Servers compress what was asked for uncompressed more often than one thinks. */
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
 * Reads at most `maxOctets` and drops them, so that a short answer leaves its connection usable; a longer one is cut off.
 * Never rejects: a body that breaks off is as good as one that is dropped.
 */
export async function dropBody(body: Readable, maxOctets: number): Promise<void> {
  body.on('error', () => undefined);
  let count = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      count += chunk.length;
      if (count > maxOctets) break;
    }
  } catch {
    body.destroy();
  }
}

/** What the headers say of the body. */
export interface BodyDescription {
  /** Lower case; empty when the header is absent. */
  readonly contentEncoding: string;
  readonly contentLength: number | undefined;
}

/**
 * Reads the body, uncompressed; `maxOctets` holds for what arrives and for what comes out of it. Rejects with
 * `NETWORK_ANSWER_TOO_LARGE`, and with what the connection or the decompression fails with.
 */
export async function readBody(
  body: Readable,
  { contentEncoding, contentLength }: BodyDescription,
  maxOctets: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) chunks.push(chunk);
  };
  try {
    if (contentLength !== undefined && contentLength > maxOctets) throw tooLarge(maxOctets);
    const decoder = decoderOf(contentEncoding);
    if (decoder === undefined) await pipeline(body, limit(maxOctets), collect);
    else await pipeline(body, limit(maxOctets), decoder, limit(maxOctets), collect);
  } catch (error) {
    body.destroy();
    throw error;
  }
  return Buffer.concat(chunks);
}
