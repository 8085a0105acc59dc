import { ServiceError } from '../../errors/index.ts';
import { describeSize } from '../../space/index.ts';
import type { RoomForDocuments } from './room-for-documents.ts';

/** A content that fails after `limit` bytes, or without enough disk space. */
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

/** The refusal of a document over the limit; `limit` is in octets. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError('DOCUMENT_TOO_LARGE', `A document may have at most ${describeSize(limit)}.`);
}
