import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.ts';

/** The lowest accepted speed of a body: `bytes` in each window of `milliseconds`. */
export interface LeastSpeed {
  readonly bytes: number;
  readonly milliseconds: number;
}

/** 30 KiB in 30 seconds, slower than a modem of 1990. */
export const LEAST_SPEED: LeastSpeed = { bytes: 30 * 1024, milliseconds: 30_000 };

/** Number of checks in each window. */
const LOOKS = 10;

/**
 * Calls `onSlow` once when a client sends a body slower than `least`, because slow clients would block the places of
 * others. Time during which the server does not read is not counted. Returns the function that stops watching.
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
