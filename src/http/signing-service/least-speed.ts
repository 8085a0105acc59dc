import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.ts';

/** Fewest bytes of a body in a time. */
export interface LeastSpeed {
  readonly bytes: number;
  readonly milliseconds: number;
}

/** A modem of 1990 is faster. */
export const LEAST_SPEED: LeastSpeed = { bytes: 30 * 1024, milliseconds: 30_000 };

/** Looks at a body during each window. */
const LOOKS = 10;

/**
 * Tells `onSlow` once when a client sends a body slower than `least`; slow clients would keep the places of others. Time
 * in which this side does not read counts for nothing. Returns the way to stop watching.
 */
export function watchSpeed(
  request: IncomingMessage,
  onSlow: (error: HttpError) => void,
  { bytes, milliseconds }: LeastSpeed = LEAST_SPEED,
): () => void {
  const { socket } = request;
  let begin = performance.now();
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const now = performance.now();
    const isAhead = request.readableLength >= request.readableHighWaterMark;
    if (request.complete || isAhead || socket.bytesRead - before >= bytes) {
      begin = now;
      before = socket.bytesRead;
      return;
    }
    if (now - begin < milliseconds) return;
    clearInterval(timer);
    onSlow(tooSlow({ bytes, milliseconds }));
  }, milliseconds / LOOKS).unref();
  return () => {
    clearInterval(timer);
  };
}

function tooSlow({ bytes, milliseconds }: LeastSpeed): HttpError {
  const detail = `Send at least ${bytes} bytes in ${milliseconds / 1000} seconds. Nothing of this request was kept.`;
  return new HttpError('REQUEST_TOO_SLOW', detail, { headers: { Connection: 'close' } });
}
