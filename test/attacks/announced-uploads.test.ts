/** Uploads with a larger announced length than their body. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

let instance: RealInstance;
const sockets: Socket[] = [];
beforeAll(async () => {
  instance = await startRealInstance();
  await instance.sinete.handlers['user-interface']['certificates.makeTestIdentity']({
    name: 'MARIA TESTE',
    cpf: '52998224725',
  });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await instance.stop();
});

async function begun(): Promise<string> {
  const json = { type: 'CMS-attached', documents_source: 'UPLOAD_REFERENCE' };
  const { status, content } = await instance.send('POST', '/signature-service', { json });
  expect(status).toBe(201);
  return String(content.tcn);
}

/** The first answer to the head of an upload without a body. */
async function answerToHead(tcn: string, length: number): Promise<string> {
  const socket = connect(instance.port, '127.0.0.1');
  sockets.push(socket);
  const head = [
    `POST /file-transfer/${tcn} HTTP/1.1`,
    `Host: 127.0.0.1:${instance.port}`,
    'Content-Type: application/pdf',
    'Expect: 100-continue',
    `Content-Length: ${length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

describe('an upload under Expect: 100-continue', () => {
  it('is invited where its transaction and its length permit', async () => {
    expect(await answerToHead(await begun(), 1000)).toMatch(/^HTTP\/1\.1 100 /);
  });

  it('is refused without an invitation: an unknown transaction', async () => {
    expect(await answerToHead('A'.repeat(26), 1000)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('is refused without an invitation: a closed transaction', async () => {
    const tcn = await begun();
    await instance.send('DELETE', `/signature-service/${tcn}`);
    expect(await answerToHead(tcn, 1000)).toMatch(/^HTTP\/1\.1 409 /);
  });

  it('is refused without an invitation: a document beyond the limit', async () => {
    const answer = await answerToHead(await begun(), 100_000_000_000);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('DOCUMENT_TOO_LARGE');
  });
});
