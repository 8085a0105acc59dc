import type { Bridge } from '../../bridge/bridge.ts';
import type { ByteSource } from '../../components/pdf/pdf-program.ts';
import { bytesOf } from '../../format/bytes-of.ts';

/** A document, and how its bytes are read. */
export interface OriginalPlace {
  readonly tcn: string;
  readonly documentId: string;
  readonly size: number;
  readonly partSize: number;
}

/** A part of a waiting document. Rejects if the document has changed, or no longer waits. */
async function readPart(bridge: Bridge, { tcn, documentId }: OriginalPlace, part: number): Promise<Uint8Array> {
  const result = await bridge.call('approvals.part', { tcn, documentId, part });
  if (!result.ok) throw new Error(result.error.code);
  return bytesOf(result.value.content);
}

/** The bytes of a waiting document, part by part. */
export function originalBytes(bridge: Bridge, place: OriginalPlace): ByteSource {
  const { size, partSize } = place;
  return {
    size,
    async read(begin, end) {
      const target = new Uint8Array(Math.max(0, Math.min(end, size) - begin));
      for (let part = Math.floor(begin / partSize); part * partSize < begin + target.length; part += 1) {
        const at = part * partSize;
        const content = await readPart(bridge, place, part);
        const from = Math.max(0, begin - at);
        target.set(content.subarray(from, Math.min(content.length, begin + target.length - at)), at + from - begin);
      }
      return target;
    },
  };
}
