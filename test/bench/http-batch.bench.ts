import assert from 'node:assert/strict';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareCmsSigner, softwareSigner } from '../../src/signing/index.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { makeWorkplace, runSinete, serve } from '../app/run-sinete.ts';
import { interleave, median, compared, milliseconds, type Benchmark } from './harness.ts';

const DOCUMENTS = 1000;
const SIZE = 10_000;
const UNDER_WAY = 8;

const BOUNDARY = 'a-boundary-that-no-document-holds';

async function post(address: string, type: string, body: BodyInit): Promise<Record<string, unknown>> {
  const answer = await fetch(address, { method: 'POST', headers: { 'Content-Type': type }, body });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Record<string, unknown>;
}

const question = { type: 'CAdES-detached', mode: 'sync' } as const;

/** A batch whose documents come as data URLs, from the request to the answer saying SIGNED. */
function dataUrlBatch(baseUrl: string, contents: readonly Buffer[]): () => Promise<void> {
  const documents = contents.map((content) => `data:application/octet-stream;base64,${content.toString('base64')}`);
  const body = JSON.stringify({ ...question, documents_source: 'DATA_URL', documents });
  return async () => {
    const { status } = await post(`${baseUrl}/signature-service`, 'application/json', body);
    assert.equal(status, 'SIGNED');
  };
}

/** The same with the documents as parts of a single form, from creating the transaction on. */
function uploadBatch(baseUrl: string, contents: readonly Buffer[]): () => Promise<void> {
  const parts = contents.flatMap((content, index) => {
    const disposition = `form-data; name="document[${index}]"; filename="${index}.bin"`;
    return [Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n`), content, Buffer.from('\r\n')];
  });
  const form = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  const body = JSON.stringify({ ...question, documents_source: 'UPLOAD_REFERENCE' });
  return async () => {
    const { tcn } = await post(`${baseUrl}/signature-service`, 'application/json', body);
    const address = `${baseUrl}/file-transfer/${String(tcn)}/eot`;
    const { documents } = await post(address, `multipart/form-data; boundary=${BOUNDARY}`, form);
    assert.ok((documents as { status: string }[]).every(({ status }) => status === 'SIGNED'));
    assert.equal((documents as unknown[]).length, DOCUMENTS);
  };
}

export const benchmark: Benchmark = {
  name: `A transaction of ${DOCUMENTS} documents of ${SIZE} bytes over HTTP, against the core alone`,
  async run() {
    const place = await makeWorkplace();
    const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
    await writeFile(join(place.folder, 'k.p12'), await writePkcs12(person, 'x'));
    await writeFile(join(place.folder, 'password'), 'x');
    const added = await runSinete(place, ['certificates', 'add', 'k.p12', '--password-file', 'password']);
    assert.equal(added.code, 0, added.stderr);
    const instance = await serve(place, ['--approve', 'all']);
    try {
      const contents = Array.from({ length: DOCUMENTS }, () => randomBytes(SIZE));
      const privateKey = createPrivateKey({ key: person.privateKey, format: 'der', type: 'pkcs8' });
      const signer = prepareCmsSigner(softwareSigner(privateKey, person.certificate, person.chain), {
        digest: 'sha256',
        profile: 'cades',
      });
      const core = async (): Promise<void> => {
        let next = 0;
        const worker = async (): Promise<void> => {
          for (let content = contents[next++]; content !== undefined; content = contents[next++]) {
            await signer.signContent(content, new Date());
          }
        };
        await Promise.all(Array.from({ length: UNDER_WAY }, worker));
      };
      const asDataUrls = dataUrlBatch(instance.baseUrl, contents);
      const asUpload = uploadBatch(instance.baseUrl, contents);
      const rate = async (action: () => Promise<void>): Promise<number> =>
        (DOCUMENTS * 1000) / (await milliseconds(action));
      const figures = await interleave({
        core: () => rate(core),
        http: () => rate(asDataUrls),
        upload: () => rate(asUpload),
      });
      return [
        {
          what: 'created, stored, signed, flushed and answered, RSA-2048',
          ...compared(figures, 'http', 'core'),
          bound: { atLeast: 0.6 },
          detail: `${median(figures.http).toFixed(0)}/s against ${median(figures.core).toFixed(0)}/s`,
        },
        {
          what: 'the same, sent as the parts of one form',
          ...compared(figures, 'upload', 'core'),
          detail: `${median(figures.upload).toFixed(0)}/s`,
        },
      ];
    } finally {
      await instance.stop();
      await place.remove();
    }
  },
};
