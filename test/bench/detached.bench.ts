import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomFillSync } from 'node:crypto';
import { mkdtempSync, openSync, closeSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCmsSigner, softwareSigner, verifyCmsFile } from '../../src/signing/index.ts';
import { systemTool } from '../setup/system-packages.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import { interleave, median, compared, milliseconds, type Benchmark } from './harness.ts';

const SIZE = 2 ** 30;
const CHUNK = 2 ** 20;

function writeRandomFile(path: string): void {
  const file = openSync(path, 'wx');
  const chunk = Buffer.alloc(CHUNK);
  for (let done = 0; done < SIZE; done += CHUNK) writeSync(file, randomFillSync(chunk));
  closeSync(file);
}

export const benchmark: Benchmark = {
  name: 'CAdES over a file of 1 GiB, against the time that `openssl dgst -sha256` takes for it',
  peakMegabytesAtMost: 150,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
    try {
      const inputPath = join(folder, 'content');
      const outputPath = join(folder, 'signature');
      writeRandomFile(inputPath);
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const { certificate } = makeTestIdentity({ name: 'Signer', key });
      const signer = prepareCmsSigner(softwareSigner(key.privateKey, certificate, []), {
        digest: 'sha256',
        profile: 'cades',
      });
      const signFile = (attached: boolean): Promise<number> =>
        milliseconds(async () => {
          rmSync(outputPath, { force: true });
          await signer.signFile({ inputPath, outputPath, attached, signingTime: new Date() });
        });
      const figures = await interleave({
        openssl: () =>
          milliseconds(() => execFileSync(systemTool('openssl'), ['dgst', '-sha256', inputPath], { stdio: 'ignore' })),
        detached: () => signFile(false),
      });
      const attached = await signFile(true);
      const attachedSize = statSync(outputPath).size;
      const verified = await milliseconds(async () => {
        const { intact } = await verifyCmsFile(outputPath);
        assert.ok(intact, 'what was signed verifies');
      });
      const openssl = median(figures.openssl);
      return [
        {
          what: 'detached',
          ...compared(figures, 'detached', 'openssl'),
          bound: { atMost: 1.2 },
          detail: `${median(figures.detached).toFixed(0)} ms against ${openssl.toFixed(0)} ms`,
        },
        {
          what: 'attached, once',
          ratio: attached / openssl,
          detail: `${attached.toFixed(0)} ms, with ${attachedSize} bytes written and flushed to disk`,
        },
        {
          what: 'attached, verified once',
          ratio: verified / openssl,
          detail: `${verified.toFixed(0)} ms, read from the file in constant memory`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
