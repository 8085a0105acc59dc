/**
 * `npm run corpus -- --validate DIR`: lists what we say of the signatures of a folder beside pdfsig and Bouncy Castle, and
 * exits with 1 when a difference is not explained in `explained-differences.ts`.
 *
 * `npm run corpus -- DIR [--repair]`: signs every PDF of a folder twice and prints how many hold, by what qpdf says of the
 * original. With `--repair`, files that cannot be signed as they are get repaired first. Exits with 1 when fewer than 98 % of the files that qpdf opens without complaint can be signed.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makePdfSigners } from '../signing/pdf/signers.ts';
import { checkFile } from './check-file.ts';
import { validateCorpus } from './validate-corpus.ts';
import type { CorpusSettings, FileReport, Group } from './check-file.ts';

const PARALLEL = 2;
const REQUIRED_PERCENT = 98;
const GROUPS: readonly Group[] = ['clean', 'warnings', 'broken', 'password'];

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

async function signCorpus(directory: string | undefined, repair: boolean): Promise<number> {
  if (directory === undefined) {
    console.error('Usage: npm run corpus -- DIR [--repair], or --validate DIR, where DIR is a folder of PDF files.');
    return 2;
  }
  const names = (await readdir(directory)).filter((name) => /\.pdf$/i.test(name));
  const folder = await mkdtemp(join(tmpdir(), 'sinete-corpus-'));
  try {
    const reports = await checkAll(resolve(directory), names, { signer: makePdfSigners().pades, folder, repair });
    printTable(reports);
    printFailures(reports);
    printStricter(reports);
    printRepairs(reports);
    const clean = reports.filter(({ group }) => group === 'clean');
    const share = percent(clean.filter(isSigned).length, clean.length);
    const earlier = reports.reduce((sum, { earlierSignatures }) => sum + earlierSignatures, 0);
    console.log(`\n${reports.length} files; ${earlier} earlier valid signatures stayed valid.`);
    console.log(
      `${share.toFixed(2)} % of the files that qpdf opens without complaint; ${REQUIRED_PERCENT} % are required.`,
    );
    return clean.length > 0 && share >= REQUIRED_PERCENT ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { repair: { type: 'boolean' }, validate: { type: 'boolean' } },
});
const [directory] = positionals;
process.exitCode =
  values.validate === true && directory !== undefined
    ? Math.min(1, await validateCorpus(directory))
    : await signCorpus(directory, values.repair === true);
