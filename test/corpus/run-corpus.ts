/**
 * `npm run corpus -- --validate DIR`: lists our verdicts on the signatures of a folder beside the verdicts of pdfsig and
 * Bouncy Castle, and exits with 1 for a difference without an explanation in `explained-differences.ts`.
 *
 * `npm run corpus -- DIR [--repair]`: signs every PDF of a folder twice and prints the number of valid signatures, by
 * the judgement of qpdf about the original. With `--repair`, damage that prevents a signature is repaired first. Exits
 * with 1 when fewer than 99.5 % of the files without complaint can be signed, or, with `--repair`, fewer than 96 % of the
 * others. Files that forbid the change do not count, nor do files in which no program finds a page. A repaired file has
 * as many pages as before at least.
 *
 * `npm run corpus -- --damage` does so, with repairs, for damaged copies of the documents of `test/interop`.
 *
 * `--keys FILE` has the passwords and keys of encrypted files (`read-keys.ts`); default: `keys.json` of the folder.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makePdfSigners } from '../signing/pdf/signers.ts';
import { checkFile } from './check-file.ts';
import { writeDamaged } from './damage.ts';
import { readKeys, type KeysOf } from './read-keys.ts';
import { validateCorpus } from './validate-corpus.ts';
import type { CorpusSettings, FileReport, Group } from './check-file.ts';

const PARALLEL = 2;
const GROUPS: readonly Group[] = ['clean', 'recipients', 'warnings', 'broken', 'closed'];

/** Requirements for groups of files. Encrypted files without a known key are in no group. */
interface Requirement {
  readonly what: string;
  readonly groups: readonly Group[];
  readonly percent: number;
}
const SOUND: Requirement = {
  what: 'files without complaint, encrypted ones included',
  groups: ['clean', 'recipients'],
  percent: 99.5,
};
const DAMAGED: Requirement = { what: 'damaged files', groups: ['warnings', 'broken'], percent: 96 };

const USAGE = `Usage: npm run corpus -- DIR [--repair] [--keys FILE], --damage, or --validate DIR [--keys FILE]
DIR is a folder of PDF files. What opens encrypted ones stands in keys.json beside them, or in FILE:
{"a.pdf": {"password": "…"}, "b-*.pdf": {"recipientKey": "me.p12", "recipientPassword": "…"}}`;

const percent = (part: number, whole: number): number => (whole === 0 ? 100 : (part / whole) * 100);
const isSigned = ({ failure }: FileReport): boolean => failure === undefined;

async function checkAll(directory: string, names: readonly string[], settings: CorpusSettings): Promise<FileReport[]> {
  const waiting = [...names];
  const reports: FileReport[] = [];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      reports.push(await checkFile(name, join(directory, name), settings));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return reports.sort((first, second) => first.name.localeCompare(second.name));
}

function printTable(reports: readonly FileReport[]): void {
  console.log('group      files  signed        %');
  for (const group of GROUPS) {
    const members = reports.filter((report) => report.group === group);
    const signed = members.filter(isSigned).length;
    const share = percent(signed, members.length).toFixed(2);
    console.log(group.padEnd(9), String(members.length).padStart(6), String(signed).padStart(7), share.padStart(8));
  }
}

function printFailures(reports: readonly FileReport[]): void {
  for (const group of GROUPS) {
    const failed = reports.filter((report) => report.group === group && !isSigned(report));
    if (failed.length > 0) console.log(`\nNot signed, ${group}:`);
    for (const { name, failure } of failed)
      console.log(`  ${name}: ${failure?.reason ?? ''}: ${failure?.detail ?? ''}`);
  }
}

function printStricter(reports: readonly FileReport[]): void {
  const stricter = reports.filter(({ stricterThanPdfsig }) => stricterThanPdfsig.length > 0);
  if (stricter.length > 0)
    console.log('\nSignatures of the originals that pdfsig calls valid and our verification does not:');
  for (const { name, stricterThanPdfsig } of stricter) console.log(`  ${name}: ${stricterThanPdfsig.join(', ')}`);
}

function printRepairs(reports: readonly FileReport[]): void {
  const repaired = reports.filter(({ repairs }) => repairs !== undefined);
  if (repaired.length > 0) console.log('\nSigned after repair:');
  for (const { name, repairs } of repaired) console.log(`  ${name}: ${repairs?.join(' ') ?? ''}`);
}

/** Prints the share of signed files, and answers true for a sufficient share. */
function isReached(reports: readonly FileReport[], { what, groups, percent: required }: Requirement): boolean {
  const members = reports.filter(({ group, excuse }) => groups.includes(group) && excuse === undefined);
  const signed = members.filter(isSigned).length;
  const share = percent(signed, members.length);
  console.log(`${signed} of ${members.length} ${what}: ${share.toFixed(2)} %; ${required} % are required.`);
  return share >= required;
}

interface Choices {
  readonly repair: boolean;
  readonly keysOf: KeysOf;
}

async function signCorpus(directory: string, choices: Choices): Promise<number> {
  const names = (await readdir(directory)).filter((name) => /\.pdf$/i.test(name));
  const folder = await mkdtemp(join(tmpdir(), 'sinete-corpus-'));
  try {
    const reports = await checkAll(resolve(directory), names, { signer: makePdfSigners().pades, folder, ...choices });
    printTable(reports);
    printFailures(reports);
    printStricter(reports);
    printRepairs(reports);
    const earlier = reports.reduce((sum, { earlierSignatures }) => sum + earlierSignatures, 0);
    console.log(`\n${reports.length} files; ${earlier} earlier valid signatures stayed valid.`);
    const wanted = choices.repair ? [SOUND, DAMAGED] : [SOUND];
    const reached = wanted.map((requirement) => isReached(reports, requirement));
    const closed = reports.filter(({ group }) => group === 'closed').length;
    const excused = reports.filter(({ group, excuse }) => group !== 'closed' && excuse !== undefined).length;
    if (excused > 0) console.log(`${excused} files do not count: they forbid the change, or no program finds a page.`);
    if (closed > 0) console.log(`${closed} encrypted files do not count: nobody said what opens them (--keys).`);
    return reports.length > closed && reached.every(Boolean) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    repair: { type: 'boolean' },
    damage: { type: 'boolean' },
    validate: { type: 'boolean' },
    keys: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const [directory] = positionals;

/** Signs damaged copies; damage that prevents a signature is repaired first. */
async function signDamaged(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-damaged-'));
  try {
    console.log(`${await writeDamaged(folder)} damaged copies`);
    return await signCorpus(folder, { repair: true, keysOf: () => ({}) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  if (values.damage === true) return signDamaged();
  if (directory === undefined || values.help === true) {
    console.error(USAGE);
    return values.help === true ? 0 : 2;
  }
  const keysOf = await readKeys(directory, values.keys);
  if (values.validate === true) return Math.min(1, await validateCorpus(directory, keysOf));
  return signCorpus(directory, { repair: values.repair === true, keysOf });
}

process.exitCode = await main();
