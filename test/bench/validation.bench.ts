import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  parseCertificate,
  signPdf,
  validatePdf,
  validateSignature,
  type ValidationReport,
  type ValidationServices,
} from '../../src/signing/index.ts';
import { readSignedStructure } from '../../src/signing/certificates/path/signed-structure.ts';
import { readDer } from '../../src/signing/index.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { runTool } from '../oracles/run-program.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { SIGNED_AT, ValidationWorld } from '../signing/validation/validation-world.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const COUNT = 500;

function expectPassed({ indication, signatures }: ValidationReport): void {
  assert.equal(indication, 'TOTAL-PASSED', JSON.stringify(signatures[0]?.checks));
}

async function rate(count: number, once: () => unknown): Promise<number> {
  const elapsed = await milliseconds(async () => {
    for (let done = 0; done < count; done++) await once();
  });
  return (count * 1000) / elapsed;
}

/** The same by this process's time on the processors, its helper threads included: others may use the machine too. */
async function processorRate(count: number, once: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let done = 0; done < count; done++) await once();
  const { user, system } = process.cpuUsage(start);
  return (count * 1e6) / (user + system);
}

const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;

/** The checks needed by every validator: the signature, and the signature on each certificate below the root. */
function bareVerifications({ certificate, chain }: TestIdentity, message: Buffer, signature: Buffer): () => void {
  const path = [certificate, ...chain].map(parseCertificate);
  const leaf = path[0];
  assert.ok(leaf !== undefined);
  const signer = leaf.publicKey();
  const links = path.slice(0, -1).map((subject, index) => {
    const { body, signature: value } = readSignedStructure(readDer(subject.der));
    return { body, value, key: (path[index + 1] ?? subject).publicKey() };
  });
  return () => {
    assert.ok(verify('sha256', message, signer, signature));
    for (const { body, value, key } of links) assert.ok(verify('sha256', body, key, value));
  };
}

async function pkijsVerify(signature: Buffer, root: Buffer): Promise<void> {
  // Loaded only now: its leftovers for the garbage collector must not be counted elsewhere.
  const pkijs = await import('pkijs');
  const info = pkijs.ContentInfo.fromBER(new Uint8Array(signature));
  const signedData = new pkijs.SignedData({ schema: info.content });
  const trustedCerts = [pkijs.Certificate.fromBER(new Uint8Array(root))];
  assert.ok(await signedData.verify({ signer: 0, trustedCerts, checkChain: true, checkDate: SIGNED_AT }));
}

async function small(folder: string, world: ValidationWorld, person: TestIdentity): Promise<readonly BenchLine[]> {
  const content = Buffer.alloc(1024, 'x');
  const signature = await world.cms(person).signContent(content, SIGNED_AT);
  const path = join(folder, 'small.p7s');
  writeFileSync(path, signature);
  const root = person.chain.at(-1) ?? Buffer.alloc(0);
  writeFileSync(join(folder, 'root.pem'), pem('CERTIFICATE', root));
  const services = world.services();
  const validate = async (): Promise<void> => expectPassed(await validateSignature({ signature }, services));
  const { openDer } = await import('../../src/signing/validation/input/open-signature.ts');
  const [signer] = openDer(signature).signedData.signers;
  const message = Buffer.from(signer?.signedAttributesDer ?? '');
  message[0] = 0x31;
  const bare = bareVerifications(person, message, signer?.signature ?? Buffer.alloc(0));
  const options = ['cms', '-verify', '-cades', '-inform', 'DER', '-in', path, '-CAfile', join(folder, 'root.pem')];
  const openssl = (): Promise<unknown> =>
    runTool('openssl', [...options, '-binary', '-purpose', 'any', '-no_check_time', '-out', '/dev/null']);
  // As in a process already running for a while: the compiler of the engine works on the validation for about 10,000
  // rounds, and its time is not part of this comparison.
  await rate(40 * COUNT, validate);
  const own = await interleave({
    ours: () => processorRate(COUNT, validate),
    bare: () => processorRate(COUNT, bare),
  });
  const figures = await interleave({
    elapsed: () => rate(100, validate),
    openssl: () => rate(5, openssl),
    pkijs: () => rate(10, () => pkijsVerify(signature, root)),
  });
  const shown = `${median(figures.elapsed).toFixed(0)}/s`;
  return [
    {
      what: 'small CAdES against its bare public-key verifications',
      ...compared(own, 'ours', 'bare'),
      bound: { atLeast: 0.4 },
      detail:
        `${median(own.ours).toFixed(0)} against ${median(own.bare).toFixed(0)} in a second of processor time ` +
        '(signature and two certificates)',
    },
    {
      what: 'against a spawned openssl cms -verify',
      ...compared(figures, 'elapsed', 'openssl'),
      detail: `${shown} against ${median(figures.openssl).toFixed(0)}/s`,
    },
    {
      what: 'against pkijs without revocation',
      ...compared(figures, 'elapsed', 'pkijs'),
      detail: `${shown} against ${median(figures.pkijs).toFixed(0)}/s`,
    },
  ];
}

async function signedPdf(folder: string, world: ValidationWorld, person: TestIdentity, count: number): Promise<string> {
  let path = join(folder, `${count}-0.pdf`);
  writeFileSync(path, buildPdf(onePage()));
  const signer = world.cms(person, undefined, { omitSigningTime: true });
  for (let index = 1; index <= count; index++) {
    const outputPath = join(folder, `${count}-${index}.pdf`);
    const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNED_AT } as const;
    await signPdf({ inputPath: path, outputPath, signer, options });
    path = outputPath;
  }
  return path;
}

async function pdfs(folder: string, world: ValidationWorld, person: TestIdentity): Promise<readonly BenchLine[]> {
  const services: ValidationServices = world.services();
  const [one, ten] = [await signedPdf(folder, world, person, 1), await signedPdf(folder, world, person, 10)];
  const validate = (path: string): Promise<number> =>
    milliseconds(async () => {
      for (let done = 0; done < 5; done++) expectPassed(await validatePdf({ path }, services, {}, withPdfFacts));
    });
  const figures = await interleave({ one: () => validate(one), ten: () => validate(ten) });
  return [
    {
      what: 'a PDF with ten signatures against one with one',
      ...compared(figures, 'ten', 'one'),
      bound: { atMost: 20 },
      detail: `${(median(figures.ten) / 5).toFixed(1)} ms against ${(median(figures.one) / 5).toFixed(1)} ms`,
    },
  ];
}

export const benchmark: Benchmark = {
  name: 'Validation with a chain of three and a cached revocation list',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
    try {
      const world = await ValidationWorld.open({ keyKind: 'rsa-2048' });
      const person = await world.person({ keyKind: 'rsa-2048' });
      return [...(await small(folder, world, person)), ...(await pdfs(folder, world, person))];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
