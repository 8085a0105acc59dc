/** Uploads with a larger announced length than their body. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

let instance: RealInstance;
const sockets: Socket[] = [];
beforeAll(async () => {
  instance = await started();
});
afterAll(async () => stop(instance));

/** An instance with a certificate. */
async function started(options: Parameters<typeof startRealInstance>[1] = {}): Promise<RealInstance> {
  const made = await startRealInstance({}, options);
  await made.sinete.handlers['user-interface']['certificates.makeTestIdentity']({
    name: 'MARIA TESTE',
    cpf: '52998224725',
  });
  return made;
}

async function stop(started: RealInstance): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await started.stop();
}

async function begun(at = instance): Promise<string> {
  const json = { type: 'CMS-attached', documents_source: 'UPLOAD_REFERENCE' };
  const { status, content } = await at.send('POST', '/signature-service', { json });
  expect(status).toBe(201);
  return String(content.tcn);
}

/** The first answer to the head of a request without its body; the connection stays open. */
async function answerToHead(tcn: string, length: number, at = instance): Promise<string> {
  return answerTo(at, `/file-transfer/${tcn}`, 'application/pdf', length);
}

const answerToForm = async (at: RealInstance, length: number): Promise<string> =>
  answerTo(at, '/validator-service', 'multipart/form-data; boundary=b', length);

async function answerTo(at: RealInstance, path: string, mediaType: string, length: number): Promise<string> {
  const socket = connect(at.port, '127.0.0.1');
  sockets.push(socket);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${at.port}`,
    `Content-Type: ${mediaType}`,
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

describe('a form of the validator under Expect: 100-continue', () => {
  it('is invited where its length permits', async () => {
    expect(await answerToForm(instance, 1000)).toMatch(/^HTTP\/1\.1 100 /);
  });

  it('is refused without an invitation: files beyond the limit', async () => {
    const answer = await answerToForm(instance, 100_000_000_000);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('DOCUMENT_TOO_LARGE');
  });

  it('is refused without an invitation: another media type', async () => {
    expect(await answerTo(instance, '/validator-service', 'application/pdf', 1000)).toMatch(/^HTTP\/1\.1 415 /);
  });
});

describe('seven connections that announce as much as fits and send nothing', () => {
  const MB = 1_000_000;
  /** A disk with room for two of the announced documents. */
  const onSmallDisk = async (): Promise<RealInstance> =>
    started({ diskSpace: () => Promise.resolve({ total: 4000 * MB, free: 2000 * MB }) });

  const uploadBeside = async (at: RealInstance): Promise<number> => {
    const tcn = await begun(at);
    const answer = await fetch(`${at.url}/file-transfer/${tcn}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/pdf' },
      body: '%PDF-1.7 and so on',
    });
    return answer.status;
  };

  it.each([
    ['to uploads', async (at: RealInstance) => answerToHead(await begun(at), 800 * MB, at)],
    ['to the validator', async (at: RealInstance) => answerToForm(at, 1600 * MB)],
  ] as const)('cost others no upload: %s', async (_where, stall) => {
    const small = await onSmallDisk();
    try {
      const answers = await Promise.all(Array.from({ length: 7 }, async () => stall(small)));
      expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 100 '))).not.toEqual([]);
      expect(await answerToHead(await begun(small), 400 * MB, small)).toMatch(/^HTTP\/1\.1 100 /);
      expect(await uploadBeside(small)).toBeLessThan(300);
    } finally {
      await stop(small);
    }
  });
});
