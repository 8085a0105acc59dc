import { bytesOf } from '../../format/bytes-of.ts';

/** The bytes of a compressed text (gzip in base64). */
export async function unpack(packed: string): Promise<ArrayBuffer> {
  return new Response(new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
