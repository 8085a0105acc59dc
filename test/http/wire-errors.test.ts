import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

/** Forms that cannot be read: each answer names the mistake. */

let instance: RealInstance;
beforeAll(async () => {
  instance = await startRealInstance();
});
afterAll(async () => instance.stop());

/** The whole answer to some bytes, on a new connection. */
async function send(bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: instance.port });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    // The server closes: a closing socket has no user the guard could identify.
    socket.write(bytes);
  });
}

interface Refusal {
  readonly status: number;
  readonly code?: string;
  readonly detail?: string;
}

async function refusalOf(bytes: string | Uint8Array): Promise<Refusal> {
  const answer = await send(bytes);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return JSON.parse(body) as Refusal;
}

/** A form with the boundary `b` in its body, under a header naming `named`. */
function form(path: string, named: string, { end = '--b--\r\n', preamble = '' } = {}): string {
  const body = `${preamble}--b\r\nContent-Disposition: form-data; name="signature"; filename="a"\r\n\r\ntext\r\n${end}`;
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${instance.port}\r\nConnection: close\r\n`;
  return `${head}Content-Type: multipart/form-data; boundary=${named}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

describe('a form', () => {
  const notFound = 'The boundary that Content-Type names does not occur';
  let upload: string;
  beforeAll(async () => {
    await instance.sinete.core.testIdentities.make({ name: 'ANA LIMA', cpf: '11144477735' });
    const json = { type: 'CMS', documents_source: 'UPLOAD_REFERENCE' };
    upload = `/file-transfer/${String((await instance.send('POST', '/signature-service', { json })).content.tcn)}`;
  });
  const targets = { upload: () => upload, validator: () => '/validator-service' };

  it.each(['upload', 'validator'] as const)(
    'with another boundary than announced is refused by name: %s',
    async (target) => {
      for (const named of ['other', '"other"', 'bb']) {
        const { status, code, detail } = await refusalOf(form(targets[target](), named));
        expect([named, status, code]).toEqual([named, 400, 'REQUEST_MALFORMED']);
        expect(detail).toContain(notFound);
      }
    },
  );

  it.each(['upload', 'validator'] as const)('with an early end is called incomplete, as before: %s', async (target) => {
    const { code, detail } = await refusalOf(form(targets[target](), 'b', { end: '' }));
    expect([code, detail]).toEqual(['UPLOAD_INCOMPLETE', expect.stringContaining('send it again')]);
  });

  it('is read behind a preamble, and under a boundary in quotation marks', async () => {
    const preamble = `${'x'.repeat(5000)}\r\n`;
    expect((await send(form(upload, 'b', { preamble }))).slice(9, 12)).toBe('200');
    expect((await send(form(upload, '"b"'))).slice(9, 12)).toBe('200');
  });
});
