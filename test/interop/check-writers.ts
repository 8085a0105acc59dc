/**
 * Chains of changes over every base: after each honest change no signature may be called wrong, and after each hostile
 * change none may pass. Prints a table.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeFields, type JudgedField } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { LOCKING_BASE, writeBases, type Base } from './bases.ts';
import { checkLaterChanges } from './check-later-changes.ts';
import { hostileTwins } from './hostile-twins.ts';
import { Writers, type Operation, type Writer } from './writers.ts';

type Step = readonly [Writer, Operation];

const steps = (text: string): readonly Step[] =>
  text.split(', ').map((step) => step.split(' ') as unknown as readonly [Writer, Operation]);

/** Changes in a row, to be allowed by every signature. */
const HONEST: readonly (readonly Step[])[] = [
  ...['itext', 'itext9', 'openpdf', 'pdfbox', 'pyhanko', 'dss', 'sinete'].flatMap((writer) => [
    `${writer} sign, ${writer} sign, ${writer} sign`,
    writer === 'dss' ? 'sinete sign, dss visible' : `${writer} visible, ${writer} visible`,
  ]),
  'libpdf sign, libpdf sign',
  'pyhanko-cli sign, pyhanko-cli visible',
  'sinete sign, itext9 fill, itext9 sign',
  'sinete sign, itext9 comment, itext9 visible',
  'sinete sign, itext9 timestamp, sinete timestamp',
  'sinete sign, itext9 extend, sinete extend',
  'itext9 sign, itext9 extend, itext9 sign',
  'sinete sign, itext9 extend, itext9 timestamp, dss extend',
  'sinete p1, itext9 timestamp',
  'sinete p2, itext9 fill, itext9 sign',
  'sinete p3, itext9 comment, itext9 fill',
  'itext9 lock, pyhanko visible, sinete sign',
  'itext sign, pdfbox visible, sinete sign, pyhanko sign, dss sign',
  'pdfbox sign, sinete visible, itext sign',
  'sinete sign, itext fill, pdfbox sign',
  'sinete sign, pdfjs fill, pyhanko sign',
  'sinete sign, openpdf fill, openpdf comment, dss extend',
  'itext sign, openpdf sign, pyhanko sign',
  'pyhanko lock, openpdf sign, sinete sign',
  'pyhanko lock-others, itext fill',
  'itext lock, pyhanko visible, sinete sign',
  'sinete lock, itext sign, dss sign',
  'sinete sign, pyhanko timestamp, dss timestamp, sinete timestamp',
  'sinete sign, dss extend, sinete extend',
  'sinete p1, pyhanko timestamp, sinete timestamp',
  'sinete p2, itext fill, pyhanko sign',
  'sinete p3, itext comment, pyhanko comment, pdfjs fill',
].map(steps);

/** Writers taking turns on the documents of people. */
const NEW_WRITERS = ['sinete', 'itext9', 'pyhanko-cli', 'libpdf'] as const;

/** Three of these writers in each order; the first signs visibly where possible. */
const EVERY_ORDER: readonly (readonly Step[])[] = NEW_WRITERS.flatMap((first) =>
  NEW_WRITERS.filter((second) => second !== first).flatMap((second) =>
    NEW_WRITERS.filter((third) => third !== first && third !== second).map((third): readonly Step[] => [
      [first, first === 'libpdf' ? 'sign' : 'visible'],
      [second, 'sign'],
      [third, 'sign'],
    ]),
  ),
);

/** The first signature forbids the last change: by its certification, or by its lock of the field. */
const FORBIDDEN: readonly (readonly Step[])[] = [
  'sinete p1, itext fill',
  'sinete p1, itext comment',
  'sinete p1, pyhanko comment',
  'sinete p1, itext sign',
  'sinete p1, pdfbox visible',
  'sinete p1, pyhanko sign',
  'sinete p1, dss visible',
  'sinete p2, itext comment',
  'sinete p2, pyhanko comment',
  'sinete p1, itext9 fill',
  'sinete p1, itext9 comment',
  'sinete p2, itext9 comment',
  'itext9 lock, itext fill',
  'sinete lock, itext9 fill',
  'sinete p1, openpdf fill',
  'sinete p1, openpdf sign',
  'sinete p2, openpdf comment',
  'pyhanko lock, itext fill',
  'pyhanko lock, openpdf fill',
  'itext lock, pdfjs fill',
  'sinete lock, openpdf fill',
  'sinete lock, pdfjs fill',
].map(steps);

/** Impossible changes, with the reason of the writer. */
const IMPOSSIBLE: readonly (readonly [base: RegExp, step: RegExp, reason: string])[] = [
  [/^AES-256$/, /^itext /, 'iText 5 does not know revision 6 of the encryption'],
  [/^AES/, /^pyhanko-cli/, 'the command asks for the password at a terminal'],
  [
    /^LibreOffice PDF\/A/,
    /^itext9 (sign|visible|lock|timestamp)/,
    'iText 9 refuses PDF/A with a font that is not embedded, which the form of LibreOffice names',
  ],
  [/^AES/, /^libpdf/, 'LibPDF writes a new encryption dictionary, which ends every signature'],
];

/** Operations without a chain, for every base. */
const NOT_OFFERED: readonly (readonly [writer: string, operations: string, reason: string])[] = [
  ['LibreOffice', 'all', 'it writes a file anew, and signs only by its window or with the profile of a browser'],
  ['pdf.js', 'sign, visible, lock, comment, timestamp, extend', 'it signs nothing; fill is its incremental update'],
  ['PDFBox', 'lock, fill, comment, timestamp, extend', 'a library without these; DSS does them by PDFBox 3'],
  ['iText 5', 'timestamp, extend', 'DSS and pyHanko add these'],
  ['OpenPDF', 'lock, timestamp, extend', 'it has no locks; the part of DSS 6.4 for OpenPDF is not on Maven Central'],
  ['DSS', 'lock, fill, comment', 'it fills and comments nothing, and locks only by a field of the file'],
  ['pyHanko', 'fill, extend', 'it has no filling of text fields; DSS and Sinete extend'],
  ['pyHanko CLI', 'lock, fill, comment, timestamp, extend', 'the writer pyHanko has these'],
  ['LibPDF', 'visible, lock, fill, comment, timestamp, extend', 'it signs without a rectangle only'],
  ['Word, Acrobat', 'all', 'no package; bases follow the form that Word writes'],
];

/** Failures counting as a refusal by the writer. */
const REFUSALS: readonly (readonly [writer: Writer, error: RegExp, reason: string, base?: string])[] = [
  ['pyhanko', /Could not read malformed PDF file/, 'pyHanko reads no file without an end mark', 'no %%EOF'],
  ['pyhanko-cli', /Could not read malformed PDF file/, 'pyHanko reads no file without an end mark', 'no %%EOF'],
  [
    'libpdf',
    /wrote the file anew|Root Pages object/,
    'LibPDF cannot read an update by pyHanko of a file with object streams',
    'form of pdfcpu',
  ],
  ['pyhanko', /Author signature forbids all changes/, 'pyHanko refuses a file that allows no changes'],
  ['dss', /ProtectedDocumentException/, 'DSS refuses a file that allows no changes'],
];

const isGood = ({ problem, changesAllowed }: JudgedField): boolean => problem === undefined && changesAllowed;

const complaintsOf = (fields: readonly JudgedField[]): readonly string[] =>
  fields
    .filter((field) => !isGood(field))
    .map(({ fieldName, problem, changes }) => {
      const codes = changes.filter(({ level }) => level === 'other').map(({ code }) => code);
      return `${fieldName}: ${problem?.code ?? [...new Set(codes)].join(', ')}`;
    });

/** Counts and findings. */
class Tally {
  judged = 0;
  twins = 0;
  readonly falseAlarms: string[] = [];
  readonly missed: string[] = [];
  readonly failed: string[] = [];
  readonly impossible: string[] = [];

  add(other: Tally): void {
    this.judged += other.judged;
    this.twins += other.twins;
    for (const list of ['falseAlarms', 'missed', 'failed', 'impossible'] as const) this[list].push(...other[list]);
  }
}

interface Means {
  readonly folder: string;
  readonly writers: Writers;
  readonly tally: Tally;
}

/** The most telling line of an error; Java prints a stack. */
const shortError = (error: unknown): string => {
  const lines = String(error).split('\n');
  return (lines.findLast((line) => /xception|rror/.test(line)) ?? lines[0] ?? '').trim().slice(0, 200);
};

/** Makes a change; undefined and a line in the table when impossible. */
async function makeStep(
  base: Base,
  [writer, operation]: Step,
  { input, output, name }: { readonly input: string; readonly output: string; readonly name: string },
  { writers, tally }: Means,
): Promise<boolean> {
  const known = IMPOSSIBLE.find(([where, which]) => where.test(base.name) && which.test(`${writer} ${operation}`));
  if (known !== undefined) {
    tally.impossible.push(`${name} (${known[2]})`);
    return false;
  }
  try {
    await writers.write({ writer, operation, input, output, password: base.password });
    if ((await readFile(input)).equals(await readFile(output))) throw new Error('Nothing was written.');
    return true;
  } catch (error) {
    const refusal = REFUSALS.find(
      ([who, what, , where]) => who === writer && what.test(String(error)) && (where ?? base.name) === base.name,
    );
    if (refusal === undefined) tally.failed.push(`${name}: ${shortError(error)}`);
    else tally.impossible.push(`${name} (${refusal[2]})`);
    return false;
  }
}

const namesOf = (base: Base, chain: readonly Step[], count: number): string =>
  `${base.name}: ${chain
    .slice(0, count)
    .map((step) => step.join(' '))
    .join(', ')}`;

/** True when no signature of the file passes: each is found wrong, or the file cannot be read. */
const isCaught = (path: string, keys: { readonly password?: string }): Promise<boolean> =>
  judgeFields(path, keys).then(
    (fields) => fields.length === 0 || fields.every((field) => !isGood(field)),
    () => true,
  );

/** Runs an honest chain over a base, and the hostile twins of its result. */
async function runHonest(base: Base, chain: readonly Step[], means: Means): Promise<void> {
  const { folder, tally } = means;
  const keys = { password: base.password };
  let input = base.path;
  for (const [index, step] of chain.entries()) {
    const name = namesOf(base, chain, index + 1);
    const output = join(folder, `step-${index}.pdf`);
    if (!(await makeStep(base, step, { input, output, name }, means))) return;
    const complaints = complaintsOf(await judgeFields(output, keys));
    tally.judged += 1;
    if (complaints.length > 0) tally.falseAlarms.push(`${name}: ${complaints.join('; ')}`);
    input = output;
  }
  for (const [attack, hostile] of await hostileTwins(await readFile(input), input, keys)) {
    const path = join(folder, 'twin.pdf');
    await writeFile(path, hostile);
    tally.twins += 1;
    if (!(await isCaught(path, keys))) tally.missed.push(`${namesOf(base, chain, chain.length)}: ${attack}`);
  }
}

/** Runs a chain with a forbidden last change; every earlier signature has to object. */
async function runForbidden(base: Base, chain: readonly Step[], means: Means): Promise<void> {
  const { folder, tally } = means;
  const keys = { password: base.password };
  let input = base.path;
  for (const [index, step] of chain.entries()) {
    const output = join(folder, `forbidden-${index}.pdf`);
    if (!(await makeStep(base, step, { input, output, name: namesOf(base, chain, index + 1) }, means))) return;
    input = output;
  }
  const [certification] = await judgeFields(input, keys);
  tally.twins += 1;
  if (certification === undefined || isGood(certification)) tally.missed.push(namesOf(base, chain, chain.length));
}

/** True when the base has the fields filled and locked by the chain. */
const fits = (base: Base, chain: readonly Step[]): boolean =>
  chain.every(([writer, operation]) => {
    if (operation !== 'fill' && !operation.startsWith('lock')) return true;
    return base.hasTextField && (base.name === LOCKING_BASE || operation === 'fill' || writer !== 'sinete');
  });

/** The word for the table of later changes alone. */
const LATER = 'later';

const WIDTHS = [8, 14, 15, 8, 10] as const;

async function checkBase(base: Base, folder: string, writers: Writers): Promise<Tally> {
  const tally = new Tally();
  for (const [chains, run] of [
    [HONEST, runHonest],
    [FORBIDDEN, runForbidden],
  ] as const) {
    const more = chains === HONEST && base.everyOrder === true ? EVERY_ORDER : [];
    for (const chain of [...chains, ...more].filter((one) => fits(base, one))) {
      const place = await mkdtemp(join(folder, 'chain-'));
      await run(base, chain, { folder: place, writers, tally });
      await rm(place, { recursive: true });
    }
  }
  const { judged, falseAlarms, twins, missed, failed, impossible } = tally;
  const numbers = [judged, falseAlarms.length, twins, missed.length, failed.length + impossible.length];
  console.log(
    base.name.padEnd(33) + numbers.map((number, index) => String(number).padStart(WIDTHS[index] ?? 8)).join(''),
  );
  return tally;
}

export function printList(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** Runs all chains over the bases with a word in their names; true when nothing is wrong. */
export async function checkWriters(folder: string, wanted: string): Promise<boolean> {
  const all = new Tally();
  let later: Awaited<ReturnType<typeof checkLaterChanges>> | undefined;
  const writers = await Writers.open(folder);
  console.log('base                              changes  false alarms  hostile twins  missed  not made');
  try {
    for (const base of await writeBases(folder, wanted)) {
      all.add(await checkBase(base, folder, writers));
    }
    if (wanted === '' || wanted === LATER) later = await checkLaterChanges(folder, writers);
  } finally {
    await writers.close();
  }
  console.log(`\n${all.judged} changes judged, ${all.twins} hostile twins.`);
  if (later !== undefined) {
    console.log(
      `${later.rows} later changes judged by four validators, ${later.different.length} not as the table says.`,
    );
    printList('Not as the table of later changes says', later.different);
  }
  printList('False alarms', all.falseAlarms);
  printList('Missed', all.missed);
  printList('Failed writers', all.failed);
  printList('Cannot be made', all.impossible);
  printList(
    'Not offered by the writers',
    NOT_OFFERED.map(([writer, operations, reason]) => `${writer}: ${operations} (${reason})`),
  );
  const isBad = all.falseAlarms.length + all.missed.length + all.failed.length > 0;
  if (wanted === LATER) return later?.different.length === 0;
  return !isBad && all.judged > 0 && all.twins > 0 && (later?.different.length ?? 0) === 0;
}
