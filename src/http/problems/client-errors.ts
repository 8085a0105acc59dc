import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError } from '../http-error.ts';
import { closeAfterReading } from '../listeners/linger.ts';
import { problemBytes } from './send-error.ts';

/** Refuses a request that Node itself rejects before any handler, with a problem (RFC 9457). Nothing is logged. */
export function sendUnreadable(response: ServerResponse, error: HttpError): void {
  const requestId = randomUUID();
  const { status, body } = problemBytes(error, requestId);
  const headers = { 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId, Connection: 'close' };
  response.writeHead(status, headers).end(body);
}

/**
 * Answers bytes that are not an HTTP request, and headers that are too large, with a problem instead of an empty body.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const { status, body } = problemBytes(clientRefusal(error.code), requestId);
  const head = [
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Request'}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
  closeAfterReading(socket);
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function clientRefusal(code: string | undefined): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HttpError('HEADERS_TOO_LARGE', 'The headers of the request are too large: send 16 KiB at most.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpError('REQUEST_TIMEOUT', 'The request did not come in time: send it again.');
  }
  return new HttpError('REQUEST_MALFORMED', 'This is no HTTP request: use plain HTTP, without TLS, on this port.');
}
