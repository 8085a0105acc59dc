/** The cost of comparing revisions follows the changes, and not the size of the document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPdf } from '../build-pdf.ts';
import type { Objects } from '../build-pdf.ts';
import { writeManyPages } from '../large-pdf.ts';
import { measureWork, type Work } from '../work-meter.ts';
import { Workshop } from '../workshop.ts';
import { factsOf } from './contract.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

type Facts = Awaited<ReturnType<typeof factsOf>>;

const STAMP = { pages: [-1], x: 20, y: 20, width: 100, height: 40, text: 'Maria' } as const;

/** A document signed twice, first invisibly, then with a stamp on its last page; compared and measured. */
async function compareTwice(path: string): Promise<Work<Facts>> {
  const once = await workshop.sign(path);
  const twice = await workshop.sign(once.path, { appearance: STAMP });
  return measureWork(() => factsOf(twice.path));
}

async function manyPages(pages: number, fanout: number): Promise<string> {
  const path = workshop.newPath();
  await writeManyPages(path, pages, 10, fanout);
  return path;
}

/** Pages in object streams. */
function packedPages(pages: number): Promise<string> {
  const first = 10;
  const objects: Objects = {
    1: '<</Type /Catalog /Pages 2 0 R>>',
    2: `<</Type /Pages /Count ${pages} /Kids [${Array.from({ length: pages }, (_, index) => `${first + index} 0 R`).join(' ')}]>>`,
    ...Object.fromEntries(
      Array.from({ length: pages }, (_, index) => [
        first + index,
        '<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300]>>',
      ]),
    ),
  };
  const compressed = Object.keys(objects).map(Number);
  return workshop.write(buildPdf(objects, { kind: 'stream', compressed }));
}

const SHAPES: readonly (readonly [string, (pages: number) => Promise<string>])[] = [
  ['a tree of pages', (pages) => manyPages(pages, 50)],
  ['a single list of pages', (pages) => manyPages(pages, pages)],
  ['pages in object streams', packedPages],
];

describe('comparing the revisions behind a signature', () => {
  it.each(SHAPES)('reads as many objects of a long document as of a short one, with %s', async (_, make) => {
    const [short, long] = [await compareTwice(await make(100)), await compareTwice(await make(1000))];
    expect(long.objects).toBeLessThanOrEqual(short.objects + 20);
    for (const [{ answer }, pages] of [
      [short, 100],
      [long, 1000],
    ] as const) {
      const [first, second] = answer.signatures;
      expect([first?.changesAllowed, first?.changes.length]).toEqual([true, 1]);
      expect(second?.page).toBe(pages);
    }
  });
});
