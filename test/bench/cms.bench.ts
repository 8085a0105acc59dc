import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { prepareCmsSigner, softwareSigner, type CmsSigner } from '../../src/signing/index.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import { interleave, median, medianRatio, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const CONCURRENCY = 8;
const poolSign = promisify<string, Uint8Array, KeyObject, Buffer>(sign);

/** Calls `once` `count` times with `CONCURRENCY` calls under way at any time, and answers calls per second. */
async function pipelinedRate(count: number, once: () => Promise<unknown>): Promise<number> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await once();
  };
  const elapsed = await milliseconds(() => Promise.all(Array.from({ length: CONCURRENCY }, worker)));
  return count / (elapsed / 1000);
}

/** Calls one after the other, each awaited, as a caller without concurrency would. */
async function serialRate(count: number, once: () => Promise<unknown>): Promise<number> {
  const elapsed = await milliseconds(async () => {
    for (let index = 0; index < count; index++) await once();
  });
  return count / (elapsed / 1000);
}

interface Comparison {
  readonly what: string;
  readonly rate: typeof pipelinedRate;
  readonly count: number;
  readonly privateKey: KeyObject;
  readonly signer: CmsSigner;
  readonly bound?: BenchLine['bound'];
}

/** Raw signatures over as many octets as the signed attributes have, next to whole attached CAdES over 1 KiB. */
async function compare({ what, rate, count, privateKey, signer, bound }: Comparison): Promise<BenchLine> {
  const content = randomBytes(1024);
  const attributes = randomBytes(300);
  const figures = await interleave({
    raw: () => rate(count, () => poolSign('sha256', attributes, privateKey)),
    cms: () => rate(count, () => signer.signContent(content, new Date())),
  });
  const detail = `${median(figures.cms).toFixed(0)}/s against ${median(figures.raw).toFixed(0)}/s raw crypto.sign`;
  return { what, ratio: medianRatio(figures, 'cms', 'raw'), ...(bound === undefined ? {} : { bound }), detail };
}

export const benchmark: Benchmark = {
  name: 'CAdES attached over 1 KiB, two issuers enclosed, against bare signatures of the same kind in the thread pool',
  async run() {
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
    const pipelined = { rate: pipelinedRate };
    const serial = { rate: serialRate };
    const rsaKey = { privateKey: rsa.privateKey, signer: prepare(rsa) };
    const curveKey = { privateKey: curve.privateKey, signer: prepare(curve) };
    return [
      await compare({ what: 'RSA-2048, 8 under way', count: 600, ...pipelined, ...rsaKey, bound: { atLeast: 0.9 } }),
      await compare({ what: 'RSA-2048, one by one', count: 300, ...serial, ...rsaKey, bound: { atLeast: 0.9 } }),
      await compare({ what: 'P-256, 8 under way', count: 3000, ...pipelined, ...curveKey }),
      await compare({ what: 'P-256, one by one', count: 1500, ...serial, ...curveKey }),
    ];
  },
};
