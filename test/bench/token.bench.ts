import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  Pin,
  referenceModule,
  TokenKeySource,
  type SignatureParameters,
  type Signer,
} from '../../src/signing/index.ts';
import type { BindingName } from '../token/pkcs11js/bindings.ts';
import { buildPkcs11js } from '../token/pkcs11js/build-pkcs11js.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine, type Measure } from './harness.ts';

/** How many signatures the application has under way: the documents of a single transaction. */
const CONCURRENCY = 64;
const RAW_FILE = fileURLToPath(new URL('./raw-token.ts', import.meta.url));

interface Row {
  readonly what: string;
  readonly label: string;
  readonly count: number;
  readonly parameters: SignatureParameters;
  /** Ratio of the token process to the bare driver. */
  readonly bound?: BenchLine['bound'];
}

const ROWS: readonly Row[] = [
  {
    what: 'RSA-2048',
    label: 'rsa',
    count: 400,
    parameters: { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' },
    bound: { atLeast: 0.85 },
  },
  { what: 'P-256', label: 'p256', count: 3000, parameters: { scheme: 'ecdsa', digest: 'sha256' } },
];

/** The driver in a process doing nothing else, called without waiting for anybody: the limit of the machine. */
function startRaw(hsm: SoftHsm, binding: BindingName): { measure(row: Row): Measure; stop(): void } {
  const child = spawn(process.execPath, [RAW_FILE, hsm.modulePath, binding], {
    env: { ...process.env, ...hsm.environment, TOKEN_PIN: hsm.pin },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  return {
    measure:
      ({ label, count }) =>
      async () => {
        const { keyId } = hsm.tokens[0]!.keys.find((key) => key.label === label)!;
        child.stdin.write(`${JSON.stringify({ keyId, label, count })}\n`);
        const [answer] = (await once(lines, 'line')) as unknown as readonly [string];
        return count / (Number(answer) / 1000);
      },
    stop: () => void child.kill(),
  };
}

/** Signatures per second made like in the application: hashed here, signed in the child, verified here. */
function pipelined(signer: Signer, { count, parameters }: Row): Measure {
  const message = Buffer.alloc(300, 'signed attributes');
  return async () => {
    let left = count;
    const work = async (): Promise<void> => {
      while (left-- > 0) await signer.sign(message, parameters);
    };
    const elapsed = await milliseconds(() => Promise.all(Array.from({ length: CONCURRENCY }, work)));
    return count / (elapsed / 1000);
  };
}

export const benchmark: Benchmark = {
  name: 'Signatures through the token process, each verified, against the bare driver on the same SoftHSM token',
  peakMegabytesAtMost: 150,
  async run() {
    await buildPkcs11js();
    const hsm = await createSoftHsm();
    const source = new TokenKeySource({ module: await referenceModule(hsm.modulePath), environment: hsm.environment });
    const raw = startRaw(hsm, 'koffi');
    const other = startRaw(hsm, 'pkcs11js');
    try {
      const keys = await source.list();
      await source.unlock(keys[0]!.id, new Pin(hsm.pin));
      const results: BenchLine[] = [];
      for (const row of ROWS) {
        const signer = await source.open(keys.find((key) => key.label === row.label)!.id);
        const measures = { token: pipelined(signer, row), raw: raw.measure(row), other: other.measure(row) };
        const figures = await interleave(measures);
        const rate = (name: keyof typeof figures): string => `${median(figures[name]).toFixed(0)}/s`;
        const bound = { bound: row.bound };
        results.push(
          {
            what: row.what,
            ...compared(figures, 'token', 'raw'),
            detail: `${rate('token')} against ${rate('raw')} by the bare driver`,
            ...bound,
          },
          {
            what: `${row.what}, koffi against pkcs11js`,
            ...compared(figures, 'raw', 'other'),
            detail: `${rate('raw')} against ${rate('other')}, both by the bare driver`,
            bound: { atLeast: 0.9 },
          },
        );
      }
      return results;
    } finally {
      raw.stop();
      other.stop();
      await source.close();
      await hsm.remove();
    }
  },
};
