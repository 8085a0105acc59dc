/**
 * `npm run interop`: foreign programs and Sinete sign and fill documents of many forms, one after the other, and Sinete
 * judges every signature. No honest change may be called wrong, and no hostile one may pass. Then Sinete signs PDF/A and
 * PDF/UA in each way, and veraPDF judges that they stay what they are. Prints tables and exits with 1 for a false alarm, a
 * missed attack, a lost standard, or a writer that fails for another reason than the listed ones.
 *
 * `-- BASE` takes only the bases whose names contain the word, without the standards; `-- standards` only the
 * standards; `-- DIR` judges the standards with the PDFs of a folder.
 */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signPdf } from '../../src/signing/pdf/signature/sign-pdf.ts';
import { judgeFields, type JudgedField } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { writeWith, type ForeignChange } from '../oracles/foreign-writers.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { makePdfSigners } from '../signing/pdf/signers.ts';
import { writeBases, type Base } from './bases.ts';
import { checkStandards } from './check-standards.ts';
import { hostileTwins } from './hostile-twins.ts';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

type Writer = 'itext' | 'pdfbox' | 'sinete';
type Operation = ForeignChange['operation'];

/** Changes in a row: each step is by a writer. */
const CHAINS: readonly (readonly (readonly [Writer, Operation])[])[] = [
  ...(['itext', 'pdfbox', 'sinete'] as const).flatMap((writer) => [
    [[writer, 'sign'] as const, [writer, 'sign'] as const, [writer, 'sign'] as const],
    [[writer, 'visible'] as const, [writer, 'visible'] as const],
  ]),
  [
    ['itext', 'sign'],
    ['pdfbox', 'visible'],
    ['sinete', 'sign'],
  ],
  [
    ['pdfbox', 'sign'],
    ['sinete', 'visible'],
    ['itext', 'sign'],
  ],
  [
    ['sinete', 'sign'],
    ['itext', 'fill'],
    ['pdfbox', 'sign'],
  ],
];

/** What cannot be made, with the reason of the writer. */
const IMPOSSIBLE: readonly (readonly [base: RegExp, step: RegExp, reason: string])[] = [
  [/^AES-256$/, /^itext/, 'iText 5 does not know revision 6 of the encryption'],
];

const signers = makePdfSigners();

async function write(writer: Writer, operation: Operation, base: Base, input: string, output: string): Promise<void> {
  const opening = dropUndefined({ password: base.password });
  if (writer !== 'sinete') {
    await writeWith(writer, [{ operation, input, output, ...opening }]);
    return;
  }
  const looks = { pages: [1], x: 300, y: 30, width: 100, height: 40, text: 'Sinete' };
  await signPdf({
    ...{ inputPath: input, outputPath: output, signer: signers.pades, ...opening },
    options: {
      ...{ subFilter: 'ETSI.CAdES.detached', signingTime: new Date() },
      ...(operation === 'visible' ? { appearance: looks } : {}),
    },
  });
}

const isGood = ({ problem, changesAllowed }: JudgedField): boolean => problem === undefined && changesAllowed;
const complaintsOf = (fields: readonly JudgedField[]): readonly string[] =>
  fields
    .filter((field) => !isGood(field))
    .map(({ fieldName, problem, changes }) => {
      const codes = changes.filter(({ level }) => level === 'other').map(({ code }) => code);
      return `${fieldName}: ${problem?.code ?? [...new Set(codes)].join(', ')}`;
    });

interface Tally {
  judged: number;
  twins: number;
  readonly falseAlarms: string[];
  readonly missed: string[];
  readonly failed: string[];
  readonly impossible: string[];
}

const newTally = (): Tally => ({ judged: 0, twins: 0, falseAlarms: [], missed: [], failed: [], impossible: [] });

/** Runs one chain over one base, and the hostile twins of its result. */
async function runChain(folder: string, base: Base, chain: (typeof CHAINS)[number], tally: Tally): Promise<void> {
  const keys = dropUndefined({ password: base.password });
  let current = base.path;
  let done = '';
  for (const [writer, operation] of chain) {
    const step = `${writer} ${operation}`;
    const output = join(folder, `step-${tally.judged}-${tally.failed.length}.pdf`);
    const name = `${base.name}: ${done}${step}`;
    const known = IMPOSSIBLE.find(([where, which]) => where.test(base.name) && which.test(step));
    if (known !== undefined) {
      tally.impossible.push(`${name} (${known[2]})`);
      return;
    }
    try {
      await write(writer, operation, base, current, output);
    } catch (error) {
      tally.failed.push(
        `${name}: ${
          String(error)
            .split('\n')
            .find((line) => /xception|rror/.test(line)) ?? ''
        }`,
      );
      return;
    }
    const fields = await judgeFields(output, keys);
    tally.judged += 1;
    const complaints = complaintsOf(fields);
    if (complaints.length > 0) tally.falseAlarms.push(`${name}: ${complaints.join('; ')}`);
    current = output;
    done += `${step}, `;
  }
  for (const [attack, hostile] of await hostileTwins(await readFile(current), current, keys)) {
    const path = join(folder, 'twin.pdf');
    await writeFile(path, hostile);
    tally.twins += 1;
    const isCaught = await judgeFields(path, keys).then(
      (fields) => fields.length === 0 || fields.every((field) => !isGood(field)),
      () => true,
    );
    if (!isCaught) tally.missed.push(`${base.name}: ${done}${attack}`);
  }
}

/** All chains over the bases whose names contain a word; prints a table, and true when nothing is wrong. */
async function checkWriters(folder: string, wanted: string): Promise<boolean> {
  const tally = newTally();
  console.log('base                              changes  false alarms  hostile twins  missed  not made');
  for (const base of (await writeBases(folder)).filter(({ name }) => name.includes(wanted))) {
    const own = newTally();
    for (const chain of CHAINS) {
      const place = await mkdtemp(join(folder, 'chain-'));
      await runChain(place, base, chain, own);
      await rm(place, { recursive: true });
    }
    const numbers = [
      own.judged,
      own.falseAlarms.length,
      own.twins,
      own.missed.length,
      own.failed.length + own.impossible.length,
    ];
    const widths = [8, 14, 15, 8, 10];
    console.log(
      base.name.padEnd(33) + numbers.map((number, index) => String(number).padStart(widths[index] ?? 8)).join(''),
    );
    tally.judged += own.judged;
    tally.twins += own.twins;
    for (const list of ['falseAlarms', 'missed', 'failed', 'impossible'] as const) tally[list].push(...own[list]);
  }
  console.log(`\n${tally.judged} changes judged, ${tally.twins} hostile twins.`);
  printList('False alarms', tally.falseAlarms);
  printList('Missed', tally.missed);
  printList('Failed writers', tally.failed);
  printList('Cannot be made', tally.impossible);
  const isBad = tally.falseAlarms.length + tally.missed.length + tally.failed.length > 0;
  return !isBad && tally.judged > 0 && tally.twins > 0;
}

function printList(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** True when every standard was kept. */
async function checkAllStandards(folder: string, corpus: string | undefined): Promise<boolean> {
  const { judged, lost } = await checkStandards(folder, corpus);
  console.log(`\n${judged} signed files judged, ${lost.length} lost what they claimed.`);
  printList('Lost', lost);
  return lost.length === 0 && judged > 0;
}

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

if (!ensureSystemPackages('interop')) process.exit(2);
const [wanted = ''] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'sinete-interop-'));
try {
  const corpus = (await isFolder(wanted)) ? wanted : undefined;
  const standardsOnly = corpus !== undefined || wanted === 'standards';
  const areWritersGood = standardsOnly || (await checkWriters(folder, wanted));
  const areStandardsKept = (wanted !== '' && !standardsOnly) || (await checkAllStandards(folder, corpus));
  process.exitCode = areWritersGood && areStandardsKept ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
