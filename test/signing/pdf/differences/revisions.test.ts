/** The ends of revisions, in texts with sections and ends at chosen places. */
import { describe, expect, it } from 'vitest';
import {
  endAsFile,
  endsSomeRevision,
  isBlank,
  readRevisions,
  revisionEndingAt,
  RevisionViews,
  type Revision,
} from '../../../../src/signing/pdf/differences/revisions.ts';
import type { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import type { PdfFile } from '../../../../src/signing/pdf/reading/pdf-file.ts';

/** Dots with texts at places. */
function canvas(size: number, texts: Readonly<Record<number, string>>): string {
  let text = '';
  for (const [place, part] of Object.entries(texts)) text = text.padEnd(Number(place), '.') + part;
  return text.padEnd(size, '.');
}

let spent = 0;
const fileOf = (text: string): PdfFile =>
  ({
    size: text.length,
    text: (position: number, length: number) => text.slice(position, Math.max(position, position + length)),
    budget: { spend: (more: number) => void (spent += more) },
  }) as unknown as PdfFile;

/** A document with sections at these positions, the newest first. */
const documentOf = (text: string, positions: readonly number[], base = 0): PdfDocument =>
  ({
    file: fileOf(text),
    crossReference: { sections: positions.map((position) => ({ position })), positions, base },
  }) as unknown as PdfDocument;

/** Each revision as `own sections: start to end`. */
const told = (text: string, positions: readonly number[], signedEnds: readonly number[] = [], base = 0): unknown =>
  readRevisions(documentOf(text, positions, base), signedEnds).map(
    ({ ownSections, start, end }) => `${ownSections}: ${start} to ${end ?? 'nowhere'}`,
  );

const endAt = (offset: number): string => `startxref\n${offset}\n%%EOF`;

describe('the revisions of a file', () => {
  const THREE = canvas(400, { 50: endAt(10), 150: endAt(100), 250: endAt(200) });

  it('each end behind the end that names their newest section', () => {
    expect(told(THREE, [200, 100, 10])).toEqual(['1: 0 to 68', '1: 68 to 169', '1: 169 to 269']);
    expect(
      readRevisions(documentOf(THREE, [200, 100, 10])).map(({ number, structure }) => [number, structure]),
    ).toEqual([
      [1, { sections: [{ position: 10 }], positions: [10], start: 10, base: 0 }],
      [2, { sections: [{ position: 100 }, { position: 10 }], positions: [100, 10], start: 100, base: 0 }],
      [
        3,
        { sections: [200, 100, 10].map((position) => ({ position })), positions: [200, 100, 10], start: 200, base: 0 },
      ],
    ]);
  });

  it('count from the header', () => {
    expect(told(canvas(300, { 50: endAt(10) }), [15], [], 5)).toEqual(['1: 0 to 68']);
  });

  it('are none without a section', () => {
    expect(told('', [])).toEqual([]);
    expect(readRevisions({ file: fileOf(''), crossReference: { sections: [], base: 0 } } as unknown as PdfDocument)).toEqual([]); // prettier-ignore
  });

  it('may begin with a section in the first byte', () => {
    expect(told(canvas(300, { 50: endAt(0) }), [0])).toEqual(['1: 0 to 67']);
  });

  it('are one for the two sections of a linearized file', () => {
    const linearized = { 60: endAt(0), 110: endAt(10), 520: endAt(10) };
    expect(told(canvas(600, linearized), [10, 500])).toEqual(['2: 0 to 538']);
    expect(told(canvas(900, { ...linearized, 720: endAt(700) }), [700, 10, 500])).toEqual([
      '2: 0 to 538',
      '1: 538 to 739',
    ]);
  });

  it('are one where the order of three sections differs from the order of time', () => {
    expect(told(canvas(900, { 820: endAt(300) }), [300, 100, 800])).toEqual(['3: 0 to 839']);
  });

  it('end with a later end when an end is missing', () => {
    expect(told(canvas(300, { 250: endAt(200) }), [200, 10])).toEqual(['2: 0 to 269']);
    expect(told(canvas(400, { 350: endAt(300) }), [300, 200, 10])).toEqual(['3: 0 to 369']);
    const middle = canvas(400, { 50: endAt(10), 350: endAt(300) });
    expect(told(middle, [300, 200, 10])).toEqual(['1: 0 to 68', '2: 68 to 369']);
  });

  it('do not end where a later revision repeats an end', () => {
    expect(told(canvas(300, { 120: endAt(10), 250: endAt(100) }), [100, 10])).toEqual(['2: 0 to 269']);
    expect(told(canvas(900, { 650: endAt(10), 820: endAt(600) }), [600, 800, 10])).toEqual(['3: 0 to 839']);
  });

  it('do not end where an earlier text names their section', () => {
    expect(told(canvas(300, { 20: endAt(100), 150: endAt(100) }), [100])).toEqual(['1: 0 to 169']);
  });

  it('do not end where an end names another section', () => {
    expect(told(canvas(300, { 20: endAt(999), 50: endAt(10) }), [10])).toEqual(['1: 0 to 68']);
  });

  it('have no end when nothing names the newest section', () => {
    expect(told(canvas(300, { 50: endAt(999) }), [10])).toEqual(['1: 0 to nowhere']);
    expect(told(canvas(300, { 50: endAt(10) }), [100, 10])).toEqual(['1: 0 to 68', '1: 68 to nowhere']);
  });

  it.each([65_516, 65_530, 65_536, 65_546, 131_000, 200_000])('end %i bytes behind a section', (distance) => {
    spent = 0;
    const text = canvas(distance + 100, { [10 + distance]: endAt(10) });
    expect(told(text, [10])).toEqual([`1: 0 to ${10 + distance + 18}`]);
    expect(spent).toBeGreaterThanOrEqual(distance >> 4);
  });

  it.each(['startxref\n10\n%%EOF', 'startxref \r\n 10 \r\n %%EOF', 'startxref\t10\t%%EOF'])('end with %j', (end) => {
    expect(told(canvas(300, { 50: end, 200: endAt(150) }), [150, 10])).toEqual([`1: 0 to ${50 + end.length}`, `1: ${50 + end.length} to 219`]); // prettier-ignore
  });

  it.each([
    'startxref\n10',
    'startxref \n 10',
    'startxref\n10\n%',
    'startxref\n10\n \n%%',
    'startxref\n10\n%%E',
    'startxref\n10\n%%EO',
  ])('end with %j in a file that was cut off there, and only there', (end) => {
    expect(told(canvas(0, { 50: end }), [10])).toEqual([`1: 0 to ${50 + end.length}`]);
    expect(told(canvas(300, { 50: end, 200: endAt(150) }), [150, 10])).toEqual(['2: 0 to 219']);
  });
});

describe('a signed revision', () => {
  const TEXT = canvas(400, { 50: `${endAt(10)}\n\n`, 150: `${endAt(100)}\n` });

  it.each([
    ['behind its end', [69, 170], ['1: 0 to 69', '1: 69 to 170']],
    ['in front of its mark', [], ['1: 0 to 68', '1: 68 to 169']],
    ['inside its mark', [66], ['1: 0 to 68', '1: 68 to 169']],
    ['behind other data', [90], ['1: 0 to 68', '1: 68 to 169']],
    ['in front of its section', [9], ['1: 0 to 68', '1: 68 to 169']],
  ])('ends where the range of its signature ends: %s', (_, ends, expected) => {
    expect(told(TEXT, [100, 10], ends)).toEqual(expected);
  });

  it('may end with the number, when no mark follows', () => {
    const text = canvas(300, { 50: 'startxref\n10', 150: endAt(100) });
    expect(told(text, [100, 10], [62])).toEqual(['1: 0 to 62', '1: 62 to 169']);
    expect(told(text, [100, 10])).toEqual(['2: 0 to 169']);
  });

  it('does not end in front of its own section, or in a later revision', () => {
    expect(told(canvas(300, { 20: endAt(100), 150: endAt(100) }), [100], [39])).toEqual(['1: 0 to 169']);
    expect(told(canvas(300, { 120: `${endAt(10)}\n`, 250: endAt(100) }), [100, 10], [139])).toEqual(['2: 0 to 269']);
  });

  it('may end where the next section begins', () => {
    expect(told(canvas(300, { 50: `${endAt(10)}\n\n`, 150: endAt(70) }), [70, 10], [70])).toEqual([
      '1: 0 to 70',
      '1: 70 to 168',
    ]);
  });
});

describe('the bytes in front of a position', () => {
  it.each([
    ['startxref\n10\n%%EOF', '', true],
    ['startxref\n10\n%%EOF', '\nxref', true],
    ['startxref\n10\n%%EOF\n', '%%EOF', true],
    ['startxref\n10\n%%EOF\r\n \t', '', true],
    ['startxref \n 10 \n %%EOF', '', true],
    ['startxref\n10', '', true],
    ['startxref\n10\n', 'xref', true],
    ['startxref\n10', 'x%%EOF', true],
    ['startxref\n10', '\n%%EOF', false],
    ['startxref\n10', '%%EOF', false],
    ['startxref\n10\n', ' \n%%EOF', false],
    ['startxref\n10\n%%EOF.', '', false],
    ['startxref\n10\n%%EO', 'F', false],
    ['startxref\n', '10\n%%EOF', false],
    ['%%EOF', '', false],
  ])('end a revision with %j in front of %j: %s', (front, behind, expected) => {
    for (const start of ['', '.'.repeat(10), '.'.repeat(9000)]) {
      const position = start.length + front.length;
      expect(endsSomeRevision(fileOf(`${start}${front}${behind}`), position)).toBe(expected);
    }
  });
});

describe('white space', () => {
  it.each([
    [' \0\t\n\f\r', 0, 6, true],
    ['x ', 1, 2, true],
    ['x ', 0, 2, false],
    ['\v', 0, 1, false],
    ['', 0, 0, true],
    [' '.repeat(65_536), 0, 65_536, true],
    [' '.repeat(65_537), 0, 65_537, false],
    [' '.repeat(65_537), 65_530, 65_537, true],
  ])('of %j from %i to %i: %s', (text, start, end, expected) => {
    expect(isBlank(fileOf(text), start, end)).toBe(expected);
  });
});

describe('the revision that ends at a position', () => {
  const file = fileOf(canvas(100, { 40: '    ', 80: '    ' }));
  const at = (end: number | undefined): Revision => ({ end }) as Revision;
  const revisions = [at(40), at(80), at(undefined)];
  it.each([
    [39, undefined],
    [40, 40],
    [44, 40],
    [45, undefined],
    [80, 80],
    [84, 80],
    [99, undefined],
  ])('%i ends at %s', (position, end) => {
    expect(revisionEndingAt(file, revisions, position)?.end).toBe(end);
  });

  it.each([
    ['\n', 41],
    ['\r\n', 42],
    ['\r', 41],
    ['\n\n', 41],
    ['.\n', 40],
    ['', 40],
  ])('has the line end behind as a file: %j', (behind, end) => {
    const text = fileOf(canvas(0, { 40: behind }));
    expect(endAsFile(text, at(40), [])).toBe(end);
    expect(endAsFile(text, at(40), [7, 40])).toBe(40);
    expect(endAsFile(text, at(undefined), [])).toBeNull();
  });
});

describe('the views of revisions', () => {
  const opened: unknown[] = [];
  const document = {
    catalog: { value: new Map() },
    resolve: () => null,
    locate: () => ({ value: null, holder: undefined }),
    seenThrough: (structure: unknown) => {
      opened.push(structure);
      return Object.assign({ structure }, document);
    },
  } as unknown as PdfDocument;
  const revisions = [1, 2, 3, 4, 5].map((number) => ({ number, structure: number }) as unknown as Revision);

  it('are opened once, as long as they are among the last three', () => {
    const views = new RevisionViews(document, revisions);
    const [one, two, three, four, last] = revisions as [Revision, Revision, Revision, Revision, Revision];
    expect(views.of(last).document).toBe(document);
    const first = views.of(one);
    for (const revision of [two, three, one, three, two]) views.of(revision);
    expect(views.of(one)).toBe(first);
    expect(opened).toEqual([1, 2, 3]);
    views.of(four);
    expect(views.of(one)).not.toBe(first);
    expect(opened).toEqual([1, 2, 3, 4, 1]);
  });
});
