import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CrlIndex, parseCertificate } from '../../src/signing/index.ts';
import { systemTool } from '../setup/system-packages.ts';
import { interleave, median, compared, milliseconds, type Benchmark } from './harness.ts';
import { ENTRIES, ISSUER_FILE, LIST_FILE, serialNumber } from './write-large-crl.ts';

const LOOKUPS = 2_000;

interface Subject {
  readonly path: string;
  readonly issuer: Buffer;
}

/** In a process of its own, to make the peak of memory here the peak of reading the list. */
function writeInChild(folder: string): Subject {
  const writer = fileURLToPath(new URL('write-large-crl.ts', import.meta.url));
  execFileSync(process.execPath, [writer, folder], { stdio: 'inherit' });
  return { path: join(folder, LIST_FILE), issuer: readFileSync(join(folder, ISSUER_FILE)) };
}

/** The process's peak of resident memory so far, in units of 10^6 bytes. */
const peakMegabytes = (): number => (process.resourceUsage().maxRSS * 1024) / 1e6;

/** A look-up of an entry reads twice at most and parses these bytes; half of the look-ups find nothing to read. */
const LOOKUP_BOUND = 4;

const microseconds = (figures: readonly number[]): string => ((median(figures) * 1000) / LOOKUPS).toFixed(1);

/** Bytes of a single bare read: as many as an entry of a list usually has, with room to spare. */
const READ_SIZE = 64;

/** Milliseconds of the look-ups: serial numbers on the list in turn with others. */
function timeLookups(index: CrlIndex): Promise<number> {
  const wanted = Array.from({ length: LOOKUPS }, (_, number) => {
    const serial = serialNumber((number * 97) % ENTRIES);
    if (number % 2 === 1) serial[15] = (serial[15] ?? 0) ^ 1;
    return serial;
  });
  return milliseconds(() => {
    let found = 0;
    for (const serial of wanted) if (index.find(serial) !== undefined) found++;
    assert.equal(found, LOOKUPS / 2);
  });
}

/** Milliseconds of as many bare reads at places all over the file: the least cost of any index in a file. */
async function timeReads(path: string): Promise<number> {
  const file = openSync(path, 'r');
  try {
    const last = fstatSync(file).size - READ_SIZE;
    const bytes = Buffer.alloc(READ_SIZE);
    return await milliseconds(() => {
      for (let number = 0; number < LOOKUPS; number++) readSync(file, bytes, 0, READ_SIZE, (number * 7_919_063) % last);
    });
  } finally {
    closeSync(file);
  }
}

export const benchmark: Benchmark = {
  name: `A CRL of ${ENTRIES} entries: verified and indexed from a file, against \`openssl crl -noout\`, and looked up`,
  // Peak memory of all rounds, including uncollected garbage of earlier rounds.
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
      const lookups = await interleave({ lookup: () => timeLookups(index), read: () => timeReads(path) });
      index.close();
      return [
        {
          what: 'verify and index',
          ...compared(figures, 'index', 'openssl'),
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
          what: 'look-up, against a bare read of the same file',
          ...compared(lookups, 'lookup', 'read'),
          bound: { atMost: LOOKUP_BOUND },
          detail: `${microseconds(lookups.lookup)} against ${microseconds(lookups.read)} µs; every second number is on the list`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
