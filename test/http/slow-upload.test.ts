import { connect, type Socket } from 'node:net';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lingerAfterEarlyAnswers } from '../../src/http/listeners/linger.ts';
import { problemOf } from '../../src/http/problems/send-error.ts';
import { ServiceError } from '../../src/service/errors/index.ts';
import { readUpload } from '../../src/http/signing-service/read-upload.ts';

/** Reads each upload to its end, and answers the result of `use`, or the problem. */
let server: Server;
let use: (request: IncomingMessage) => Promise<number>;
let sockets: Socket[];
const limits = {
  documentSize: 2 ** 30,
  documents: 10,
  spoolFolder: tmpdir(),
  leastSpeed: { bytes: 200, milliseconds: 200 },
};

/** The bytes of an upload. */
async function countBytes(request: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const { content } of readUpload(request, limits)) for await (const chunk of content) size += chunk.length;
  return size;
}

beforeEach(async () => {
  sockets = [];
  use = countBytes;
  server = createServer((request, response) => {
    use(request).then(
      (number) => response.end(String(number)),
      (error: unknown) => {
        const { kind, code, headers } = problemOf(error);
        response.writeHead(kind.status, headers).end(code);
      },
    );
  });
  lingerAfterEarlyAnswers(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends the head, then a byte every 10 ms; answers everything sent by the server until the close of the connection. */
async function trickle(head: string, begin: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n${head}\r\n\r\n${begin}`);
  const timer = setInterval(() => socket.write('x'), 10);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  await new Promise((resolve) => socket.once('close', resolve).on('error', resolve));
  clearInterval(timer);
  return answer;
}

describe('a too slow upload', () => {
  it.each([
    [
      'as a form',
      'Content-Type: multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="document"; filename="a"\r\n\r\n',
    ],
    [
      'as a form, inside the head of a part',
      'Content-Type: multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: ',
    ],
    ['as the raw body', 'Content-Type: application/octet-stream', ''],
  ])('is answered with 408 and its connection is closed: %s', async (_how, head, begin) => {
    const answer = await trickle(head, begin);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('REQUEST_TOO_SLOW');
    expect(answer).toMatch(/connection: close/i);
  });
});

describe('an upload refused before its end', () => {
  it.each(['application/pdf', 'application/octet-stream'])('is answered on its connection: %s', async (type) => {
    use = async (request) => {
      for await (const { content } of readUpload(request, limits)) {
        for await (const chunk of content)
          if (chunk.length > 0) throw new ServiceError('DOCUMENT_TOO_LARGE', 'Too long.');
      }
      return 0;
    };
    const { port } = server.address() as AddressInfo;
    const body = new Blob([Buffer.alloc(4 * 2 ** 20)], { type });
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status).toBe(413);
  });
});

/** Collects garbage now. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('a long upload', () => {
  const SIZE = 4 * 2 ** 20;

  /** The share of the chunks still in memory just before the end of the upload. */
  async function shareHeld(request: IncomingMessage): Promise<number> {
    const chunks: WeakRef<Uint8Array>[] = [];
    let size = 0;
    let share = 1;
    for await (const { content } of readUpload(request, limits)) {
      for await (const chunk of content) {
        size += chunk.length;
        chunks.push(new WeakRef(chunk));
        if (size < SIZE) continue;
        // A reference lives on until the end of the task making the reference.
        await new Promise((resolve) => setImmediate(resolve));
        collectGarbage();
        share = chunks.filter((one) => one.deref() !== undefined).length / chunks.length;
      }
    }
    return share;
  }

  it.each(['multipart/form-data', 'application/octet-stream'])('as %s holds no chunk already read', async (type) => {
    use = shareHeld;
    const file = new Blob([Buffer.alloc(SIZE)], { type });
    const form = new FormData();
    form.append('document', file, 'a');
    const body = type === 'multipart/form-data' ? form : file;
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
    expect(Number(await answer.text())).toBeLessThan(0.5);
  });
});
