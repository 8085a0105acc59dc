import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CrlIndex, parseCertificate } from '../../src/signing/index.ts';
import { systemTool } from '../setup/system-packages.ts';
import { interleave, median, medianRatio, milliseconds, type Benchmark } from './harness.ts';
import { ENTRIES, ISSUER_FILE, LIST_FILE, serialNumber } from './write-large-crl.ts';

const LOOKUPS = 2_000;

interface Subject {
  readonly path: string;
  readonly issuer: Buffer;
}

/** In a process of its own, so that the peak of memory here is that of reading the list. */
function writeInChild(folder: string): Subject {
  const writer = fileURLToPath(new URL('write-large-crl.ts', import.meta.url));
  execFileSync(process.execPath, [writer, folder], { stdio: 'inherit' });
  return { path: join(folder, LIST_FILE), issuer: readFileSync(join(folder, ISSUER_FILE)) };
}

/** The process's peak of resident memory so far, in units of 10^6 bytes. */
const peakMegabytes = (): number => (process.resourceUsage().maxRSS * 1024) / 1e6;

/**
 * Microseconds of processor time of one look-up, of serial numbers that are on the list in turn with those that are not.
 * It is an absolute bound, so that the clock on the wall of a shared machine would say nothing.
 */
function timeLookups(index: CrlIndex): number {
  const wanted = Array.from({ length: LOOKUPS }, (_, number) => {
    const serial = serialNumber((number * 97) % ENTRIES);
    if (number % 2 === 1) serial[15] = (serial[15] ?? 0) ^ 1;
    return serial;
  });
  let found = 0;
  const start = process.cpuUsage();
  for (const serial of wanted) if (index.find(serial) !== undefined) found++;
  const { user, system } = process.cpuUsage(start);
  assert.equal(found, LOOKUPS / 2);
  return (user + system) / LOOKUPS;
}

export const benchmark: Benchmark = {
  name: `A CRL of ${ENTRIES} entries: verified and indexed from a file, against \`openssl crl -noout\`, and looked up`,
  // Peak memory of all rounds, including garbage of earlier rounds that is not collected yet.
  peakMegabytesAtMost: 230,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
    try {
      const { path, issuer } = writeInChild(folder);
      const signer = parseCertificate(issuer);
      const before = peakMegabytes();
      (await CrlIndex.build(path, signer)).close();
      const growth = peakMegabytes() - before;
      const figures = await interleave({
        openssl: () =>
          milliseconds(() =>
            execFileSync(systemTool('openssl'), ['crl', '-inform', 'DER', '-in', path, '-noout'], { stdio: 'ignore' }),
          ),
        index: () => milliseconds(async () => (await CrlIndex.build(path, signer)).close()),
      });
      const index = await CrlIndex.build(path, signer);
      assert.equal(index.entryCount, ENTRIES);
      const lookups = await interleave({ lookup: () => Promise.resolve(timeLookups(index)) });
      index.close();
      return [
        {
          what: 'verify and index',
          ratio: medianRatio(figures, 'index', 'openssl'),
          bound: { atMost: 1 },
          detail: `${median(figures.index).toFixed(0)} ms against ${median(figures.openssl).toFixed(0)} ms, which does not verify`,
        },
        {
          what: 'growth of peak memory by the first index, MB',
          ratio: growth,
          bound: { atMost: 50 },
          detail: 'of a process that had done nothing else',
        },
        {
          what: 'look-up, microseconds',
          ratio: median(lookups.lookup),
          bound: { atMost: 10 },
          detail: `from the file, ${LOOKUPS} serial numbers per round, every second one on the list`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
