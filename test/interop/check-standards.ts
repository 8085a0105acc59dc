/**
 * PDF/A and PDF/UA: each base found valid by veraPDF is signed in each way and judged again. No standard may be lost,
 * but for the combinations listed, and Sinete has to tell these losses.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SigningError } from '../../src/signing/index.ts';
import { addDocumentTimestamp } from '../../src/signing/pdf/long-term/add-document-timestamp.ts';
import { raisePdf } from '../../src/signing/pdf/long-term/raise-pdf.ts';
import { signPdfAtLevel } from '../../src/signing/pdf/long-term/sign-pdf-at-level.ts';
import type { SignatureAppearance, SignPdfRequest } from '../../src/signing/pdf/sign-request.ts';
import { signPdf } from '../../src/signing/pdf/signature/sign-pdf.ts';
import type { StandardWarning } from '../../src/signing/pdf/signature/standard-warnings.ts';
import { judgeStandards, type StandardVerdict } from '../oracles/verapdf.ts';
import { openLongTermAuthority, type LongTermAuthority } from '../signing/pdf/long-term-authority.ts';
import { makePng } from '../signing/pdf/pictures.ts';
import { writeArchiveBases, type ArchiveBase } from './archive-bases.ts';

interface Change {
  readonly inputPath: string;
  readonly outputPath: string;
}
type Warnings = readonly StandardWarning[];
type Make = (change: Change, authority: LongTermAuthority) => Promise<Warnings>;

const PICTURE = makePng({ width: 8, height: 8, depth: 8, colourType: 6, pixel: (x) => [200, 0, 0, x * 30] });
const looks = (x: number): SignatureAppearance => ({
  pages: [1],
  x,
  y: 700,
  width: 110,
  height: 50,
  text: 'Ana Conceição\nمحمد علي 王小明 श्री राजेन्द्र\nsigned',
  image: PICTURE,
});

const request = (change: Change, { signer }: LongTermAuthority, more: Partial<SignPdfRequest['options']> = {}) => ({
  ...change,
  signer,
  options: { subFilter: 'ETSI.CAdES.detached', signingTime: new Date(), ...more } as const,
});

const sign =
  (more: Partial<SignPdfRequest['options']> = {}): Make =>
  async (change, authority) =>
    (await signPdf(request(change, authority, more))).warnings;

const stamp: Make = async (change, { timestamper }) =>
  (await addDocumentTimestamp({ ...change, timestamper })).warnings;

const raise: Make = async (change, { timestamper, collector }) =>
  (await raisePdf({ ...change, level: 'B-LTA', timestamper, collector })).warnings;

/** Two changes, the second on top of the first. */
const both =
  (first: Make, second: Make): Make =>
  async ({ inputPath, outputPath }, authority) => {
    const between = `${outputPath}.first.pdf`;
    const before = await first({ inputPath, outputPath: between }, authority);
    return [...before, ...(await second({ inputPath: between, outputPath }, authority))];
  };

const visible = sign({ appearance: looks(60) });
const certified = sign({ certify: 'no-changes' });

/** Entries of a prescription, in names unfit for XML elements, and of a second doctor. */
const HEALTH = [
  { name: '2.16.76.1.12.1.1', value: 'Receita médica' },
  { name: '2.16.76.1.4.2.2.1', value: '12345 & <6>' },
  { name: 'Órgão emissor (UF)' },
];
const SECOND = [
  { name: '2.16.76.1.4.2.2.1', value: '67890' },
  { name: '2.16.76.1.4.2.2.2', value: 'PE' },
];

const WAYS: Readonly<Record<string, Make>> = {
  invisible: sign(),
  visible,
  'second, visible': both(sign(), sign({ appearance: looks(200) })),
  'document time stamp': stamp,
  'visible B-LTA': async (change, authority) => {
    const { timestamper, collector } = authority;
    const level = { level: 'B-LTA', timestamper, collector } as const;
    return (await signPdfAtLevel(request(change, authority, { appearance: looks(60) }), level)).warnings;
  },
  extended: both(sign(), raise),
  certified,
  'certified, forms': sign({ certify: 'form-filling', appearance: looks(60) }),
  'certified, extended': both(certified, raise),
  information: sign({ information: HEALTH }),
  'information twice': both(sign({ information: HEALTH }), sign({ information: SECOND })),
};

/** Combinations unable to keep the standard; Sinete's warnings have to say so. */
const EXEMPT: readonly { readonly way: string; readonly standard: RegExp; readonly why: string }[] = [
  {
    way: 'certified, extended',
    standard: /^ua1$/,
    why: 'the certification allows no change, so the widget of the time stamp gets no place in the structure, which counts where the corner of the page is not the origin',
  },
];

/** The outcome of one way over one flavour. */
interface Cell {
  tried: number;
  kept: number;
  exempt: number;
  refused: number;
}

/** Counts and findings of a run. */
export interface StandardsResult {
  readonly judged: number;
  readonly lost: readonly string[];
}

async function findPdfs(folder: string): Promise<readonly ArchiveBase[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.toLowerCase().endsWith('.pdf'))
    .sort()
    .map((name) => ({ name, path: join(folder, name) }));
}

/** True when each lost standard is exempt and was told of. */
function isExempt(way: string, lost: readonly StandardVerdict[], warnings: Warnings): boolean {
  return lost.every(
    ({ standard }) =>
      EXEMPT.some((one) => one.way === way && one.standard.test(standard)) && warnings.some(({ kept }) => !kept),
  );
}

/** A base keeping its claims. */
interface ValidBase extends ArchiveBase {
  /** veraPDF's names of the standards. */
  readonly standards: string;
}

interface Made {
  readonly base: ValidBase;
  readonly path: string;
  readonly warnings: Warnings;
}

/** Outcomes by standard and way, and the lost standards. */
class Tally {
  readonly cells = new Map<string, Map<string, Cell>>();
  readonly lost: string[] = [];
  judged = 0;

  cell(standards: string, way: string): Cell {
    const row = this.cells.get(standards) ?? new Map<string, Cell>();
    this.cells.set(standards, row);
    const cell = row.get(way) ?? { tried: 0, kept: 0, exempt: 0, refused: 0 };
    row.set(way, cell);
    return cell;
  }

  /** Counts the verdicts on a signed file; without verdicts, veraPDF could not read the file. */
  count(way: string, { base, warnings }: Made, verdicts: readonly StandardVerdict[]): void {
    const cell = this.cell(base.standards, way);
    const broken = verdicts.filter((verdict) => verdict.broken.length > 0);
    cell.tried += 1;
    this.judged += 1;
    if (standardsOf(verdicts) !== base.standards) {
      this.lost.push(`${base.name}, ${way}: the claims or the whole file cannot be read any more`);
    } else if (broken.length === 0) cell.kept += 1;
    else if (isExempt(way, broken, warnings)) cell.exempt += 1;
    else {
      const rules = broken.map((verdict) => `${verdict.standard} ${verdict.broken.join(' ')}`);
      this.lost.push(`${base.name}, ${way}: ${rules.join('; ')}`);
    }
  }
}

/** The bases found valid by veraPDF. */
async function selectValid(bases: readonly ArchiveBase[]): Promise<readonly ValidBase[]> {
  const verdicts = await judgeStandards(bases.map(({ path }) => path));
  return bases.flatMap((base, index) => {
    const own = verdicts[index] ?? [];
    const isValid = own.length > 0 && own.every(({ broken }) => broken.length === 0);
    return isValid ? [{ ...base, standards: standardsOf(own) }] : [];
  });
}

/** Signs the bases in one way and judges the results. */
async function checkWay(
  way: string,
  bases: readonly ValidBase[],
  { folder, authority, mayRefuse, tally }: Means,
): Promise<void> {
  const place = await mkdtemp(join(folder, 'way-'));
  const make = WAYS[way] ?? sign();
  const made: Made[] = [];
  for (const [index, base] of bases.entries()) {
    const path = join(place, `${index}.pdf`);
    try {
      made.push({ base, path, warnings: await make({ inputPath: base.path, outputPath: path }, authority) });
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      tally.cell(base.standards, way).refused += 1;
      if (!mayRefuse) tally.lost.push(`${base.name}, ${way}: refused, ${error.message}`);
    }
  }
  const verdicts = await judgeStandards(made.map(({ path }) => path));
  for (const [index, one] of made.entries()) tally.count(way, one, verdicts[index] ?? []);
  await rm(place, { recursive: true });
}

interface Means {
  readonly folder: string;
  readonly authority: LongTermAuthority;
  /** True for a corpus: its files may be certified already. */
  readonly mayRefuse: boolean;
  readonly tally: Tally;
}

const standardsOf = (verdicts: readonly StandardVerdict[] | undefined): string =>
  (verdicts ?? []).map(({ standard }) => standard).join(' + ');

function printTable(cells: ReadonlyMap<string, ReadonlyMap<string, Cell>>): void {
  const ways = Object.keys(WAYS);
  console.log(`\nstandard   ${ways.map((way) => way.padStart(way.length + 2)).join('')}`);
  for (const [flavour, row] of cells) {
    const columns = ways.map((way) => {
      const { tried = 0, kept = 0, exempt = 0, refused = 0 } = row.get(way) ?? {};
      const text = `${kept}/${tried}${exempt > 0 ? ` (${exempt})` : ''}${refused > 0 ? ` r${refused}` : ''}`;
      return text.padStart(way.length + 2);
    });
    console.log(`${flavour.padEnd(11)}${columns.join('')}`);
  }
  console.log('kept/tried; in parentheses: lost as the list says and warned of; r: refused by the signer.');
  for (const { way, standard, why } of EXEMPT) console.log(`Cannot be kept: ${way}, ${standard.source}: ${why}.`);
}

/** Throws when veraPDF passes a PDF/A without a real output intent: then its other verdicts say nothing. */
async function expectStrictJudge(folder: string, bases: readonly ArchiveBase[]): Promise<void> {
  const sound = bases.find(({ name }) => name === 'PDF/A-1b');
  const text = await readFile(sound?.path ?? '', 'latin1');
  const path = join(folder, 'broken-claim.pdf');
  await writeFile(path, text.replace('/S /GTS_PDFA1', '/S /GTS_PDFAX'), 'latin1');
  const [verdicts = []] = await judgeStandards([path]);
  if (verdicts.every(({ broken }) => broken.length === 0))
    throw new Error('veraPDF passes a file without an output intent.');
}

/** Checks the bases written by code, or all PDFs of a folder keeping their claims. */
export async function checkStandards(folder: string, corpus?: string): Promise<StandardsResult> {
  const bases = corpus === undefined ? await writeArchiveBases(folder) : await findPdfs(corpus);
  const valid = await selectValid(bases);
  const tally = new Tally();
  const isOwn = corpus === undefined;
  const invalid = bases.filter(({ path }) => valid.every((one) => one.path !== path));
  if (isOwn) tally.lost.push(...invalid.map(({ name }) => `${name}: not valid before it was signed`));
  if (isOwn) await expectStrictJudge(folder, bases);
  const authority = await openLongTermAuthority();
  try {
    for (const way of Object.keys(WAYS)) await checkWay(way, valid, { folder, authority, mayRefuse: !isOwn, tally });
  } finally {
    await authority.close();
  }
  console.log(`\nStandards: ${valid.length} of ${bases.length} files keep what they claim before they are signed.`);
  printTable(tally.cells);
  return { judged: tally.judged, lost: tally.lost };
}
