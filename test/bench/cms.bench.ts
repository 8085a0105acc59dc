import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { keepHeapSmall } from '../../src/app/instance/small-heap.ts';
import { prepareCmsSigner, softwareSigner, type CmsSigner } from '../../src/signing/index.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import { interleave, median, compared, medianRatio, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

/** Many short rounds: what else runs on the machine then weighs on both sides alike. */
const SHORT_ROUNDS = 41;
const poolSign = promisify<string, Uint8Array, KeyObject, Buffer>(sign);

interface Comparison {
  readonly what: string;
  readonly count: number;
  /** Calls under way at any time. */
  readonly underWay: number;
  readonly privateKey: KeyObject;
  readonly signer: CmsSigner;
  readonly bound?: BenchLine['bound'];
}

/** How many calls a second of processor time is good for, in all threads, and a second by the clock. */
interface Rates {
  readonly processor: number;
  readonly clock: number;
}

async function measureRates(count: number, underWay: number, once: () => Promise<unknown>): Promise<Rates> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await once();
  };
  const before = process.cpuUsage();
  const elapsed = await milliseconds(() => Promise.all(Array.from({ length: underWay }, worker)));
  const { user, system } = process.cpuUsage(before);
  return { processor: (count * 1e6) / (user + system), clock: (count * 1e3) / elapsed };
}

/**
 * Raw signatures over as many bytes as the signed attributes have, next to whole attached CAdES over 1 KiB; both
 * asynchronous, in the thread pool, with the same number under way. What is compared is the processor time of all
 * threads: other programs on the machine change the clock's rates, but not the work that a signature is.
 */
async function compare({ what, count, underWay, privateKey, signer, bound }: Comparison): Promise<BenchLine> {
  const content = randomBytes(1024);
  const attributes = randomBytes(300);
  const clock = { raw: [] as number[], cms: [] as number[] };
  const contender = (name: keyof typeof clock, once: () => Promise<unknown>) => async (): Promise<number> => {
    const rates = await measureRates(count, underWay, once);
    clock[name].push(rates.clock);
    return rates.processor;
  };
  const figures = await interleave(
    {
      raw: contender('raw', () => poolSign('sha256', attributes, privateKey)),
      cms: contender('cms', () => signer.signContent(content, new Date())),
    },
    SHORT_ROUNDS,
  );
  return {
    what,
    ...compared(figures, 'cms', 'raw'),
    bound,
    detail:
      `by the clock ${medianRatio(clock, 'cms', 'raw').toFixed(3)}: ` +
      `${median(clock.cms).toFixed(0)}/s against ${median(clock.raw).toFixed(0)}/s raw crypto.sign`,
  };
}

export const benchmark: Benchmark = {
  peakMegabytesAtMost: 150,
  name: 'CAdES attached over 1 KiB, two issuers enclosed, per processor time, against bare crypto.sign in the thread pool',
  async run() {
    // As the product runs.
    keepHeapSmall();
    const root = makeTestIdentity({ name: 'Root', key: generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
    const issuer = makeTestIdentity({
      name: 'Issuer',
      key: generateKeyPairSync('rsa', { modulusLength: 2048 }),
      issuer: root,
    });
    const prepare = (key: { publicKey: KeyObject; privateKey: KeyObject }): CmsSigner => {
      const { certificate } = makeTestIdentity({ name: 'Signer', key, issuer });
      const signer = softwareSigner(key.privateKey, certificate, [issuer.certificate, root.certificate]);
      return prepareCmsSigner(signer, { digest: 'sha256', profile: 'cades' });
    };
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const rsaKey = { privateKey: rsa.privateKey, signer: prepare(rsa) };
    const curveKey = { privateKey: curve.privateKey, signer: prepare(curve) };
    return [
      await compare({ what: 'RSA-2048, 8 under way', count: 160, underWay: 8, ...rsaKey, bound: { atLeast: 0.95 } }),
      await compare({ what: 'RSA-2048, one by one', count: 80, underWay: 1, ...rsaKey, bound: { atLeast: 0.92 } }),
      await compare({ what: 'P-256, 8 under way', count: 800, underWay: 8, ...curveKey, bound: { atLeast: 0.6 } }),
      await compare({ what: 'P-256, one by one', count: 400, underWay: 1, ...curveKey }),
    ];
  },
};
