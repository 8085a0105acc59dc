import assert from 'node:assert/strict';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareCmsSigner, softwareSigner } from '../../src/signing/index.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { makeWorkplace, runSinete, serve } from '../app/run-sinete.ts';
import { interleave, median, medianRatio, milliseconds, type Benchmark } from './harness.ts';

const DOCUMENTS = 1000;
const SIZE = 10_000;
const UNDER_WAY = 8;

/** From the request to the answer that says SIGNED, in the mode that waits for it. */
async function signOverHttp(baseUrl: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${baseUrl}/signature-service`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  const { status } = (await answer.json()) as { readonly status: string };
  assert.equal(status, 'SIGNED');
}

export const benchmark: Benchmark = {
  name: `A transaction of ${DOCUMENTS} documents of ${SIZE} octets as data URLs, against the core alone`,
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
      const documents = contents.map((content) => `data:application/octet-stream;base64,${content.toString('base64')}`);
      const body = JSON.stringify({ type: 'CAdES-detached', documents_source: 'DATA_URL', mode: 'sync', documents });
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
      const rate = async (action: () => Promise<void>): Promise<number> =>
        (DOCUMENTS * 1000) / (await milliseconds(action));
      const figures = await interleave({
        core: () => rate(core),
        http: () => rate(() => signOverHttp(instance.baseUrl, body)),
      });
      return [
        {
          what: 'created, stored, signed, flushed and answered, RSA-2048',
          ratio: medianRatio(figures, 'http', 'core'),
          bound: { atLeast: 0.6 },
          detail: `${median(figures.http).toFixed(0)}/s against ${median(figures.core).toFixed(0)}/s`,
        },
      ];
    } finally {
      await instance.stop();
      await place.remove();
    }
  },
};
