import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomFillSync } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCmsSigner } from '../../src/signing/cms/sign-cms.ts';
import { softwareSigner } from '../../src/signing/keys/software-signer.ts';
import { systemTool } from '../setup/system-packages.ts';
import { makeTestIdentity, toPem } from '../signing/cms/test-identities.ts';
import { interleave, median, compared, milliseconds, type Benchmark } from './harness.ts';

const SIZE = 2 ** 30;
const CHUNK = 2 ** 20;

export const benchmark: Benchmark = {
  name: 'CAdES attached over a file of 1 GiB in DER, against `openssl cms -sign -nodetach -stream`, both flushed to disk',
  peakMegabytesAtMost: 100,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-attached-'));
    const path = (name: string): string => join(folder, name);
    try {
      const content = openSync(path('content'), 'wx');
      const chunk = Buffer.alloc(CHUNK);
      for (let done = 0; done < SIZE; done += CHUNK) writeSync(content, randomFillSync(chunk));
      closeSync(content);
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const { certificate } = makeTestIdentity({ name: 'Signer', key });
      writeFileSync(path('certificate.pem'), toPem(certificate));
      writeFileSync(path('key.pem'), key.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
      const signer = prepareCmsSigner(softwareSigner(key.privateKey, certificate, []), {
        digest: 'sha256',
        profile: 'cades',
      });
      const timed = (action: () => unknown) => async (): Promise<number> => {
        const elapsed = await milliseconds(action);
        rmSync(path('signature'));
        return elapsed;
      };
      const [inputPath, outputPath] = [path('content'), path('signature')];
      const keys = ['-signer', path('certificate.pem'), '-inkey', path('key.pem')];
      const words = ['cms', '-sign', '-cades', '-binary', '-nodetach', '-stream', '-outform', 'DER', ...keys];
      const figures = await interleave({
        ours: timed(() => signer.signFile({ inputPath, outputPath, attached: true, signingTime: new Date() })),
        openssl: timed(() => {
          execFileSync(systemTool('openssl'), [...words, '-in', inputPath, '-out', outputPath], { stdio: 'ignore' });
          execFileSync(systemTool('sync'), [outputPath]);
        }),
      });
      return [
        {
          what: 'attached, definite lengths',
          ...compared(figures, 'ours', 'openssl'),
          bound: { atMost: 1 },
          detail: `${median(figures.ours).toFixed(0)} ms against ${median(figures.openssl).toFixed(0)} ms`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
