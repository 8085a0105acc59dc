import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepHeapSmall } from '../../src/app/instance/small-heap.ts';
import { signPdf } from '../../src/signing/index.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { validatePdf } from '../../src/signing/validation/validate-pdf.ts';
import { systemTool } from '../setup/system-packages.ts';
import { writeManyPages } from '../signing/pdf/large-pdf.ts';
import { SIGNED_AT, ValidationWorld } from '../signing/validation/validation-world.ts';
import { interleave, median, medianRatio, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const PAGES = 2500;
const OCTETS_OF_A_PICTURE = 200_000;

/** A PDF of 500 MB and 7,500 objects that was signed twice: all of it is compared with what the first signer saw. */
async function makeSigned(folder: string, world: ValidationWorld): Promise<string> {
  const [plain, once, twice] = ['plain', 'once', 'twice'].map((name) => join(folder, name)) as [string, string, string];
  await writeManyPages(plain, PAGES, OCTETS_OF_A_PICTURE);
  const person = await world.person({ keyKind: 'rsa-2048' });
  const signer = world.cms(person, undefined, { omitSigningTime: true });
  const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNED_AT } as const;
  await signPdf({ inputPath: plain, outputPath: once, signer, options });
  await rm(plain);
  await signPdf({ inputPath: once, outputPath: twice, signer, options });
  await rm(once);
  return twice;
}

const peak = (): number => (process.resourceUsage().maxRSS * 1024) / 1e6;

async function compare(folder: string, world: ValidationWorld): Promise<readonly BenchLine[]> {
  const path = await makeSigned(folder, world);
  const services = world.services();
  const validate = async (): Promise<void> => {
    const { indication, signatures } = await validatePdf({ path }, services, {}, withPdfFacts);
    assert.equal(indication, 'TOTAL-PASSED', JSON.stringify(signatures[0]?.checks));
    assert.equal(signatures.length, 2);
  };
  const gather = (): Promise<void> =>
    withPdfFacts(path, {}, ({ signatures }) => {
      assert.deepEqual(
        signatures.map(({ changesAllowed }) => changesAllowed),
        [true, true],
      );
      return Promise.resolve();
    });
  const before = peak();
  const figures = await interleave({
    openssl: () =>
      milliseconds(() => execFileSync(systemTool('openssl'), ['dgst', '-sha256', path], { stdio: 'ignore' })),
    facts: () => milliseconds(gather),
    whole: () => milliseconds(validate),
  });
  return [
    {
      what: 'growth of peak memory by gathering and validating, MB',
      ratio: peak() - before,
      bound: { atMost: 60 },
      detail: 'of a process that had made and signed the file',
    },
    {
      what: 'facts of a PDF of 500 MB with two signatures against openssl dgst -sha256',
      ratio: medianRatio(figures, 'facts', 'openssl'),
      bound: { atMost: 1 },
      detail: `${median(figures.facts).toFixed(0)} ms against ${median(figures.openssl).toFixed(0)} ms`,
    },
    {
      what: 'its whole validation against openssl dgst -sha256',
      ratio: medianRatio(figures, 'whole', 'openssl'),
      bound: { atMost: 2 },
      detail: `${median(figures.whole).toFixed(0)} ms; each octet is hashed once for both signatures`,
    },
  ];
}

export const benchmark: Benchmark = {
  name: 'Validation of a large PDF with two signatures',
  /** What is loaded takes about 120; gathering grows with the number of objects (0.2 kB each), not with their size. */
  peakMegabytesAtMost: 170,
  async run() {
    keepHeapSmall();
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
    try {
      return await compare(folder, await ValidationWorld.open({ keyKind: 'rsa-2048' }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
