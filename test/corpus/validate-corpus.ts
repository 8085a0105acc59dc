/** The listing of `npm run corpus -- --validate DIR`. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { KeysOf } from './read-keys.ts';
import { validateFile } from './validate-file.ts';
import type { FileRow, SignatureRow } from './validate-file.ts';

function printSignature(row: SignatureRow): void {
  const own = `${row.integrity}${row.problem === undefined ? '' : ` (${row.problem})`}`;
  const changes = `${row.changeLevel}, ${row.allowed ? 'allowed' : 'not allowed'}`;
  console.log(`  ${row.field}: ${own}; ${row.coverage}; changes: ${changes}`);
  console.log(`    pdfsig: ${row.pdfsig}; Bouncy Castle: ${row.bouncyCastle}`);
  for (const { tool, why } of row.differences) console.log(`    differs from ${tool}: ${why ?? 'NOT EXPLAINED'}`);
}

/** Lists all signed PDFs of a folder. Answers how many differences nobody explained. */
export async function validateCorpus(directory: string, keysOf: KeysOf): Promise<number> {
  const names = (await readdir(directory)).filter((name) => /\.pdf$/i.test(name)).sort();
  const folder = await mkdtemp(join(tmpdir(), 'sinete-corpus-'));
  const rows: FileRow[] = [];
  try {
    for (const name of names) rows.push(await validateFile(name, resolve(directory, name), folder, keysOf(name)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const signed = rows.filter(({ signatures }) => signatures.length > 0);
  for (const { name, signatures } of signed) {
    console.log(name);
    signatures.forEach(printSignature);
  }
  const refused = rows.filter(({ refusal }) => refusal !== undefined);
  if (refused.length > 0) console.log('\nNot readable:');
  for (const { name, refusal } of refused) console.log(`  ${name}: ${refusal ?? ''}`);
  const all = signed.flatMap(({ signatures }) => signatures);
  const unexplained = all.flatMap(({ differences }) => differences).filter(({ why }) => why === undefined);
  console.log(`\n${signed.length} signed files, ${all.length} signatures, ${refused.length} files not readable.`);
  console.log(`${unexplained.length} differences are not explained.`);
  return unexplained.length;
}
