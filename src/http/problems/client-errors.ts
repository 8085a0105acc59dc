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
export function answerClientError(error: ClientError, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const { status, body } = problemBytes(clientRefusal(error), requestId);
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

/** Node's error for bytes that it cannot read as a request, with the code of its parser and the bytes. */
type ClientError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array };

/** A sentence for each code of the parser (llhttp) that a client can cause. */
const sentences: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: 'The method is unknown: send GET, HEAD, POST, PUT, DELETE or OPTIONS, in capital letters.',
  HPE_INVALID_URL: 'The address has a character that must be encoded: send ç as %C3%A7 and a space as %20.',
  HPE_INVALID_CONSTANT:
    'The first line cannot be read: send method, address and HTTP/1.1, and %20 for a space inside the address.',
  HPE_INVALID_VERSION: 'The version is not known here, or the first line does not end with CR LF: send HTTP/1.1.',
  HPE_PAUSED_H2_UPGRADE: 'This port speaks HTTP/1.1: switch HTTP/2 without negotiation off in the client.',
  HPE_INVALID_HEADER_TOKEN:
    'A header cannot be read: send each in one line, its name without a blank before the colon, its value without control characters.',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length is not a number: send the length of the body in bytes.',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'Content-Length comes twice, or beside Transfer-Encoding: send one of them, once.',
  HPE_INVALID_TRANSFER_ENCODING:
    'Transfer-Encoding is wrong: send chunked as the last coding and no Content-Length, or Content-Length alone.',
  HPE_INVALID_CHUNK_SIZE: 'The length of a chunk is no hexadecimal number: let the HTTP library write the chunks.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The extensions of the chunks are too long: leave them out.',
  HPE_CR_EXPECTED: 'A line does not end with CR LF: let the HTTP library write the request.',
  HPE_LF_EXPECTED: 'A line does not end with CR LF: let the HTTP library write the request.',
  HPE_STRICT: 'A line does not end with CR LF: let the HTTP library write the request.',
  HPE_INVALID_EOF_STATE: 'The connection ended inside the request: send it again.',
  HPE_CLOSED_CONNECTION: 'More came after a request with "Connection: close": open another connection for it.',
};

function clientRefusal({ code = '', rawPacket }: ClientError): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HttpError('HEADERS_TOO_LARGE', 'The headers of the request are too large: send 16 KiB at most.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpError('REQUEST_TIMEOUT', 'The request did not come in time: send it again.');
  }
  if (isHandshake(rawPacket)) {
    return new HttpError('REQUEST_MALFORMED', 'This is no HTTP request: use plain HTTP, without TLS, on this port.');
  }
  const sentence = sentences[code] ?? 'This is no HTTP request that can be read: let an HTTP library write it.';
  return new HttpError('REQUEST_MALFORMED', sentence);
}

/** The start of a TLS handshake: content type 22 and a version 3.x (RFC 8446 §5.1). */
function isHandshake(bytes: Uint8Array | undefined): boolean {
  return bytes?.[0] === 0x16 && bytes[1] === 3;
}
