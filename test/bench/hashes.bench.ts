import assert from 'node:assert/strict';
import { constants, createPrivateKey, privateEncrypt, randomBytes, sign, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepareCmsSigner, prepareRawSigner, softwareSigner } from '../../src/signing/index.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { makeWorkplace, runSinete, serve } from '../app/run-sinete.ts';
import { interleave, median, compared, milliseconds, type Benchmark } from './harness.ts';

const HASHES = 1000;
/** Bytes of a document of the comparison. */
const SIZE = 10_000;
const UNDER_WAY = 32;

const signAsync = promisify<string, Uint8Array, KeyObject, Buffer>(sign);

/** Runs an action for each hash, with as many under way as the thread pool takes. */
async function forEach(hashes: readonly Buffer[], action: (hash: Buffer) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let hash = hashes[next++]; hash !== undefined; hash = hashes[next++]) await action(hash);
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, worker));
}

async function post(baseUrl: string, body: object): Promise<void> {
  const answer = await fetch(`${baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'CAdES-detached', mode: 'sync', ...body }),
  });
  const { status } = (await answer.json()) as { readonly status: string };
  assert.equal(status, 'SIGNED');
}

export const benchmark: Benchmark = {
  name: `${HASHES} hashes, RSA-2048, against the key alone and against documents over HTTP`,
  async run() {
    const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
    const key = createPrivateKey({ key: person.privateKey, format: 'der', type: 'pkcs8' });
    const signer = softwareSigner(key, person.certificate, person.chain);
    const cms = prepareCmsSigner(signer, { digest: 'sha256', profile: 'cades' });
    const raw = prepareRawSigner(signer);
    const hashes = Array.from({ length: HASHES }, () => randomBytes(32));
    // The bare operation of the key, as the raw signature has it: the encoding is as long as the modulus.
    const encoded = Buffer.concat([Buffer.of(0), randomBytes(255)]);
    const bare = (): Promise<Buffer> =>
      Promise.resolve(privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded));
    const place = await makeWorkplace();
    await writeFile(join(place.folder, 'k.p12'), await writePkcs12(person, 'x'));
    await writeFile(join(place.folder, 'password'), 'x');
    const added = await runSinete(place, ['certificates', 'add', 'k.p12', '--password-file', 'password']);
    assert.equal(added.code, 0, added.stderr);
    const instance = await serve(place, ['--approve', 'all']);
    try {
      const asHashes = { hashes: hashes.map((hash) => ({ hash: hash.toString('base64') })) };
      const documents = hashes.map(
        () => `data:application/octet-stream;base64,${randomBytes(SIZE).toString('base64')}`,
      );
      const asDocuments = { documents_source: 'DATA_URL', documents };
      const rate = async (action: () => Promise<void>): Promise<number> =>
        (HASHES * 1000) / (await milliseconds(action));
      const figures = await interleave({
        pool: () => rate(async () => forEach(hashes, async (hash) => signAsync('sha256', hash, key))),
        cms: () => rate(async () => forEach(hashes, async (hash) => cms.signDigest(hash, new Date()))),
        bare: () => rate(async () => forEach(hashes, bare)),
        raw: () => rate(async () => forEach(hashes, async (hash) => raw.signHash(hash, 'sha256'))),
        hashes: () => rate(async () => post(instance.baseUrl, asHashes)),
        documents: () => rate(async () => post(instance.baseUrl, asDocuments)),
      });
      const rates = (one: readonly number[], other: readonly number[]): string =>
        `${median(one).toFixed(0)}/s against ${median(other).toFixed(0)}/s`;
      return [
        {
          what: 'CAdES of hashes in the core, against bare signatures of the key in the thread pool',
          ...compared(figures, 'cms', 'pool'),
          bound: { atLeast: 0.9 },
          detail: rates(figures.cms, figures.pool),
        },
        {
          what: 'raw signatures of hashes in the core, against the bare operation of the key',
          ...compared(figures, 'raw', 'bare'),
          bound: { atLeast: 0.9 },
          detail: rates(figures.raw, figures.bare),
        },
        {
          what: `a batch of hashes over HTTP, against as many documents of ${SIZE} bytes`,
          ...compared(figures, 'hashes', 'documents'),
          bound: { atLeast: 1 },
          detail: rates(figures.hashes, figures.documents),
        },
      ];
    } finally {
      await instance.stop();
      await place.remove();
    }
  },
};
