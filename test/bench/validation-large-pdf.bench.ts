import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepHeapSmall } from '../../src/app/instance/small-heap.ts';
import {
  createMemoryRevocationCache,
  createPathCompleter,
  createRevocationChecker,
  createTrustAnchors,
} from '../../src/signing/index.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { validatePdf } from '../../src/signing/validation/validate-pdf.ts';
import { systemTool } from '../setup/system-packages.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine } from './harness.ts';
import { writeInChild } from './write-signed-pages.ts';

const PAGES = 2500;
const BYTES_OF_A_PICTURE = 200_000;

const peak = (): number => (process.resourceUsage().maxRSS * 1024) / 1e6;

async function compare(folder: string): Promise<readonly BenchLine[]> {
  // A PDF of 500 MB and 7,500 objects signed twice: all is compared with the revision of the first signer.
  const path = join(folder, 'signed');
  writeInChild(path, { pages: PAGES, bytes: BYTES_OF_A_PICTURE, fanout: 50 });
  const now = (): Date => new Date();
  const cache = createMemoryRevocationCache({ now });
  const services = {
    trust: createTrustAnchors([]),
    revocation: createRevocationChecker({ cache, now }),
    completePath: createPathCompleter({ cache, now }),
    now,
  };
  const validate = async (): Promise<void> => {
    const { indication, signatures } = await validatePdf({ path }, services, {}, withPdfFacts);
    // The signers' certificates are their own issuers, trusted by nobody.
    assert.equal(indication, 'INDETERMINATE', JSON.stringify(signatures[0]?.checks));
    assert.deepEqual(
      signatures.map(({ subIndication }) => subIndication),
      ['NO_CERTIFICATE_CHAIN_FOUND', 'NO_CERTIFICATE_CHAIN_FOUND'],
    );
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
      detail: 'of a process that had only loaded the program',
    },
    {
      what: 'facts of a PDF of 500 MB with two signatures against openssl dgst -sha256',
      ...compared(figures, 'facts', 'openssl'),
      bound: { atMost: 1 },
      detail: `${median(figures.facts).toFixed(0)} ms against ${median(figures.openssl).toFixed(0)} ms`,
    },
    {
      what: 'its whole validation against openssl dgst -sha256',
      ...compared(figures, 'whole', 'openssl'),
      bound: { atMost: 2 },
      detail: `${median(figures.whole).toFixed(0)} ms; each byte is hashed once for both signatures`,
    },
  ];
}

export const benchmark: Benchmark = {
  name: 'Validation of a large PDF with two signatures',
  /** Loaded code takes about 110; gathering grows with the number of objects (12 bytes each), not with their size. */
  peakMegabytesAtMost: 130,
  async run() {
    keepHeapSmall();
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
    try {
      return await compare(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
