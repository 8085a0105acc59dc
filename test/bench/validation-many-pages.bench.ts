import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepHeapSmall } from '../../src/app/instance/small-heap.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { measureWork } from '../signing/pdf/work-meter.ts';
import { interleave, median, compared, type Benchmark, type BenchLine } from './harness.ts';
import { writeInChild } from './write-signed-pages.ts';

const MANY = 100_000;
const FEW = 10_000;
const BYTES_OF_A_PICTURE = 10;

/** A PDF with a single list of pages, three objects each, that was signed twice. */
function makeSigned(folder: string, pages: number): string {
  const path = join(folder, String(pages));
  writeInChild(path, { pages, bytes: BYTES_OF_A_PICTURE, fanout: pages });
  return path;
}

const gather = (path: string): Promise<void> =>
  withPdfFacts(path, {}, async ({ signatures }) => {
    assert.deepEqual(
      signatures.map(({ changesAllowed }) => changesAllowed),
      [true, true],
    );
    for (const { digestOf } of signatures) await digestOf('sha256');
  });

/** Milliseconds of processor time: the file is read and hashed in this process, and others use the machine too. */
async function processorTime(action: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function compare(folder: string): Promise<readonly BenchLine[]> {
  const [few, many] = [makeSigned(folder, FEW), makeSigned(folder, MANY)];
  const [objectsOfFew, objectsOfMany] = [await measureWork(() => gather(few)), await measureWork(() => gather(many))];
  const figures = await interleave({
    few: () => processorTime(() => gather(few)),
    many: () => processorTime(() => gather(many)),
  });
  return [
    {
      what: 'objects read to compare 100,000 pages against 10,000',
      ratio: objectsOfMany.objects / objectsOfFew.objects,
      bound: { atMost: 1.1 },
      detail: `${objectsOfMany.objects} against ${objectsOfFew.objects} of ${3 * MANY}; two signatures each`,
    },
    {
      what: 'processor time of comparing and hashing 100,000 pages against 10,000',
      ...compared(figures, 'many', 'few'),
      bound: { atMost: 12 },
      detail: `${median(figures.many).toFixed(0)} ms against ${median(figures.few).toFixed(0)} ms; the file is ten times as large`,
    },
  ];
}

export const benchmark: Benchmark = {
  name: 'Comparing the revisions of a PDF of 100,000 pages',
  peakMegabytesAtMost: 200,
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
